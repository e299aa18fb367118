"""A client that a program wrote from the committed schema, and nobody touched, plays a whole match against a real socket."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import issue_token
from tests.api.rest import let_bots_play

SCHEMA = Path(settings.BASE_DIR) / "games" / "api" / "openapi.yaml"
NAME = "generated_callbreak"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The generated package, imported."""
    folder = tmp_path_factory.mktemp("client")
    where = folder / NAME
    options = ["--path", str(SCHEMA), "--meta", "none", "--output-path", str(where)]
    config = folder / "config.yaml"
    config.write_text("post_hooks: []\n")
    command = [sys.executable, "-m", "openapi_python_client", "generate", *options]
    made = subprocess.run(
        [*command, "--config", str(config), "--fail-on-warning"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    spec = importlib.util.spec_from_file_location(NAME, where / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    yield module
    for name in [name for name in sys.modules if name.split(".")[0] == NAME]:
        del sys.modules[name]


def _part(library: ModuleType, name: str) -> Any:  # nobody has types for what was just written
    return importlib.import_module(f"{library.__name__}.{name}")


def test_a_generated_client_plays_a_whole_match(library: ModuleType, asha: User, site: str) -> None:
    games, models = "api.games", _part(library, "models")
    text = issue_token(asha, name="client", scopes=Scope.values, now=timezone.now())[1]
    client = _part(library, "client").AuthenticatedClient(base_url=site, token=text)
    me = _part(library, "api.me.me").sync(client=client)
    assert me.player == "asha"

    table = models.CreateGame(
        preset=models.RulesNameEnum("arcadia"),
        seats=["me", "bot:steady", "bot:beginner", "bot:steady"],
        clock=models.PerTurnClock(
            kind=models.PerTurnClockKindEnum("per_turn"), seconds=models.SecondsEnum(86400)
        ),
    )
    game = _part(library, f"{games}.create_game").sync(client=client, body=table)
    assert isinstance(game, models.Game)
    look, move = _part(library, f"{games}.game"), _part(library, f"{games}.move")
    while game.status == models.GameStatusEnum.PLAYING:
        let_bots_play(game.id)
        game = look.sync(game.id, client=client)
        for own in game.you.rounds:
            if own.to_act:
                place = {"round_": own.round_, "turn": own.turn}
                answer = {"card": own.legal[0]} if own.legal else {"bid": game.rules.min_bid}
                body = models.MakeMove(**place, **answer)
                accepted = move.sync(game.id, client=client, body=body)
                assert isinstance(accepted, models.Accepted), accepted

    assert game.status == models.GameStatusEnum.FINISHED
    assert isinstance(game.result, models.Result)
    assert len(game.rounds) == 5
    assert game.clock.seconds == 86400


def test_a_refusal_is_a_problem_with_its_members(
    library: ModuleType, asha: User, site: str
) -> None:
    models = _part(library, "models")
    client = _part(library, "client").Client(base_url=site)

    refused = _part(library, "api.games.create_game").sync_detailed(
        client=client, body=models.CreateGame(preset=models.RulesNameEnum("arcadia"))
    )

    assert refused.status_code == 401
    assert isinstance(refused.parsed, models.Problem)
    assert refused.parsed.code == "not_authenticated"
    assert refused.headers["WWW-Authenticate"]
