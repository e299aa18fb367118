"""What happened in somebody's games since they looked, a line for each game, for the page of all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Game
from games.services.visits import Unseen, unseen
from games.web.rows import company
from games.wording import score_text

MOST: Final = 5


@dataclass(frozen=True, slots=True)
class News:
    """`title` says which game, `text` what happened there."""

    title: str
    text: str


def news_of(games: Sequence[Game], me: User) -> list[News]:
    """In the order of the games, which have their seats at hand. Nothing of games in which nothing can be told."""
    told = unseen(me.pk, games)
    news = (
        News(_title(game, me), ", ".join(parts))
        for game in games
        if game.pk in told and (parts := list(_parts(told[game.pk], game)))
    )
    return list(islice(news, MOST))


def _title(game: Game, me: User) -> str:
    mine = next((seat.number for seat in game.seats.all() if seat.user_id == me.pk), None)
    return company(game, besides=mine)


def _parts(told: Unseen, game: Game) -> Iterable[str]:
    for number, score in told.scores.items():
        facts = {"round": number, "score": score_text(score, game.rules["score_scale"])}
        yield _("round %(round)d is over: %(score)s for you") % facts
    if told.bids:
        yield ngettext("%(n)d bid came", "%(n)d bids came", told.bids) % {"n": told.bids}
    if told.cards:
        yield ngettext("%(n)d card came", "%(n)d cards came", told.cards) % {"n": told.cards}
    if n := told.by_plan:
        said = ngettext("your plan played %(n)d card", "your plan played %(n)d cards", n)
        yield said % {"n": n}
    if n := told.by_bot:
        said = ngettext("a bot decided once for you", "a bot decided %(n)d times for you", n)
        yield said % {"n": n}
