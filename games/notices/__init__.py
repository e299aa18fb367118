"""Who is told what by mail, once.

- `ledger`: services write here, inside their transaction, what happened to whom. A row names user, game, round, turn and
  kind, and is unique: whatever runs twice tells once.
- `choices`: what each person wants to be told at once, in the daily digest, or not at all; when their digest is due.
- `freshness`: whether a notice is still news.
- `sending`: the sweep that decides about each row and sends; `digests`: its daily half.
- `devices`: the browsers that people let us send messages to; `pushing`: the sweep that does, for each notice and device once.
- `letters`: what a mail says. Made of what its receiver may see, and of no card: no hand, no plan, no seat's bid that is sealed.
- `stopping`: the link in every mail that stops its kind.

Nobody is told what only another may see: everything in a mail is on the public page of the game, but whose turn it is.
"""

from games.notices.ledger import (
    invitation,
    match_goes_on,
    match_over,
    reminder,
    round_over,
    ruling,
    ruling_waits,
    seat_offered,
    seat_taken_over,
    time_ran_out,
    your_turn,
)

__all__ = [
    "invitation",
    "match_goes_on",
    "match_over",
    "reminder",
    "round_over",
    "ruling",
    "ruling_waits",
    "seat_offered",
    "seat_taken_over",
    "time_ran_out",
    "your_turn",
]
