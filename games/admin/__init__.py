"""The staff's pages of games: what is stored, to look at, and the few things that staff do to a game, each by its service.

No page here shows a hand, a sealed bid, a plan or a seed; who needs a hand to settle a report opens it in a case. Sentences are in
English: the staff's pages are not translated.
"""

from games.admin import games, log, oversight, people  # noqa: F401 - registering is what they are for
