"""The pages of the referee's desk, inside the admin: for staff who may review, in English."""
