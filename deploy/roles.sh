#!/bin/sh
# Run once by the database's first start: the owner of the tables, and the role that the site serves as.
# `manage.py migrate` gives the second its rights: it can read and append to the log, never change it.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" <<'SQL'
CREATE ROLE callbreak_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE callbreak_app LOGIN PASSWORD :'app_password';
ALTER DATABASE callbreak OWNER TO callbreak_owner;
ALTER SCHEMA public OWNER TO callbreak_owner;
SQL
