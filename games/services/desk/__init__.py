"""The referee's desk: reports become cases, cases are reviewed by one person at a time, decided, and may be appealed once.

- `reports`: what players say, with the automatic check; reports about the same round pool into one case.
- `reviewers`: who may look at a case at all. `cases`: the lease, the hands, a game that is stopped.
- `verdicts`: proposed, signed by a second person where that is due, made, told to everybody it concerns; appeals.
- `trail`: every step of a case, written once.

What a ruling does to its game is for `services.rulings`, what it does to an account for `accounts.barring`. Whatever changes a
case holds the lock of its game first, so that of a hundred decisions at once one is made.
"""
