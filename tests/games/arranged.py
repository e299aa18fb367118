"""Tables at which the cards lie as a test wants them: four people, one round, hands in the order of play."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final

from accounts.models import User
from games.engine import deal
from games.engine.cards import Card, card
from games.engine.events import Hands
from games.engine.plan import Plan
from games.models import Round
from games.refusals import NoPlan
from games.services import following, plans
from games.table import dealing_with
from tests.build import deal_of
from tests.games.tables import ARCADIA, NOW, loaded, make, seated

RULES: Final = ARCADIA.replace(rounds=1, redeal_no_spades=False, redeal_no_faces=False)

# The first leads hearts; the second has but one heart, or three, with the same lowest.
LEADER: Final = "AH KH QH JH TH 9H AS KS QS AC KC QC JC"
FORCED: Final = "2H 2S 3S 4S 2C 3C 4C 5C 6C 7C 2D 3D 4D"
FREE: Final = "2H 3H 4H 2S 3S 4S 4C 5C 6C 7C 2D 3D 4D"
THIRD: Final = "JS TS 9S 8S 6D 7D 8D 9D TD JD QD KD AD"
LAST: Final = "3H 4H 5H 6H 7H 8H 5S 6S 7S 8C 9C TC 5D"
LAST_IF_FREE: Final = "5H 6H 7H 8H 5S 6S 7S 2C 3C 8C 9C TC 5D"
ONE_HEART: Final = (LEADER, FORCED, THIRD, LAST)
THREE_HEARTS: Final = (LEADER, FREE, THIRD, LAST_IF_FREE)
LOWEST_HEART: Final = Plan.from_json(
    {"rules": [{"when": {"led": "H"}, "play": "lowest"}, {"play": "ask"}]}
)


def dealt(hands: Sequence[str]) -> AbstractContextManager[None]:
    """Deal these hands, the first to whoever leads first."""
    in_order = deal_of(*hands)

    def derive(round_key: bytes, game: str, key: int, attempt: int) -> Hands:
        leader = (deal.first_dealer(round_key) + 1) % 4
        return tuple(in_order[(seat - leader) % 4] for seat in range(4))

    return dealing_with(derive)


def at_the_first_card(people: Sequence[User], **options: object) -> str:
    """A game in which everybody has bid two."""
    game = seated(people, RULES, **options)
    for _ in range(4):
        answer(game, 2)
    return game


def seat_at(game: str, place: int) -> int:
    """The seat that plays in this place (0: leads) of the first trick."""
    return (Round.objects.get(game=game, number=1).dealer + 1 + place) % 4


def person_at(game: str, place: int) -> User:
    user = loaded(game).seats[seat_at(game, place)].user
    assert user is not None
    return user


def turn_of(game: str) -> int:
    return loaded(game).rounds[1].turn_of(None)


def answer(game: str, chosen: Card | int | str) -> None:
    """Have whoever is to act answer so: a bid, or a card."""
    table = loaded(game)
    seat = table.rounds[1].to_act
    assert seat is not None
    user = table.seats[seat].user
    assert user is not None
    text = card(chosen) if isinstance(chosen, str) else chosen
    make(user, game, text, round=1, turn=table.rounds[1].turn)


def keep(game: str, user: User, plan: Plan = LOWEST_HEART) -> plans.Kept:
    """Save a plan, whatever is there."""
    seen = [plans.ANY] if has_plan(game, user) else None
    return plans.save(user, game, plan, round=1, seen=seen, now=NOW)[0]


def has_plan(game: str, user: User) -> bool:
    try:
        plans.plan_of(user, game, round=1, now=NOW)
    except NoPlan:
        return False
    return True


def follow(game: str) -> bool:
    """What the worker does about the present decision."""
    return following.follow_up(game, round=1, turn=turn_of(game), now=NOW)
