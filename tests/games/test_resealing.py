"""A key that sealed deals can be replaced: the seeds are sealed anew, the games go on, and the old key is not needed any more."""

from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from accounts.models import User
from games import guards
from games.models import DealSecret
from games.services.audit import verify_game
from tests.games.tables import NOW, new_game, play_on


def resealed() -> str:
    said = StringIO()
    call_command("reseal_deals", stdout=said)
    return said.getvalue()


def test_the_new_key_alone_opens_every_seed(asha: User, settings: LazySettings) -> None:
    old, new = settings.DEAL_KEYS[0], Fernet.generate_key().decode()
    games = [new_game(asha) for _ in range(2)]
    play_on(games[0], decisions=9)
    settings.DEAL_KEYS = [new, old]
    games.append(new_game(asha))

    assert resealed() == "2 seeds sealed anew\n"
    assert resealed() == "0 seeds sealed anew\n"

    settings.DEAL_KEYS = [new]
    for game in games:
        assert verify_game(game, now=NOW) == []


def test_the_seeds_are_guarded_again_afterwards(asha: User) -> None:
    game = new_game(asha)
    resealed()

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        DealSecret.objects.filter(pk=game).update(sealed=b"")
    assert guards.check(databases=["default"]) == []


def test_nothing_changes_where_one_seed_is_opened_by_no_key(
    asha: User, settings: LazySettings
) -> None:
    for _ in range(3):
        new_game(asha)
        settings.DEAL_KEYS = [Fernet.generate_key().decode(), *settings.DEAL_KEYS]
    settings.DEAL_KEYS = settings.DEAL_KEYS[:2]
    before = list(DealSecret.objects.order_by("pk").values_list("sealed", flat=True))

    with pytest.raises(CommandError, match="nothing was changed"), transaction.atomic():
        resealed()

    assert list(DealSecret.objects.order_by("pk").values_list("sealed", flat=True)) == before
    assert guards.check(databases=["default"]) == []
