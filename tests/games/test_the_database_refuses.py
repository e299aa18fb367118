"""The database itself refuses what must never be in the log, and what must never happen to it."""

from typing import Any, Final

import pytest
from django.core.checks import CheckMessage
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import User
from games import guards
from games.models import CaseStep, DealSecret, Event, SealedBid
from tests.games.desk.staff import reported
from tests.games.tables import ONE_ROUND, new_game, play_on, seated

COLUMNS: Final = [
    str(field.column) for field in Event._meta.concrete_fields if field.column not in ("id", "data")
]
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite's own words")
on_postgresql = pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="PostgreSQL's own words"
)


@pytest.fixture
def game(asha: User) -> str:
    """A game with its four bids and three cards in."""
    game = new_game(asha)
    play_on(game, decisions=7)
    return game


@pytest.fixture
def bid(game: str) -> Event:
    return Event.objects.filter(game=game, kind="bid").order_by("seq")[0]


@pytest.fixture
def card(game: str) -> Event:
    return Event.objects.filter(game=game, kind="played").order_by("seq")[0]


def again(event: Event, **changes: Any) -> Event:
    """A new line like `event`, at the end of its game's log."""
    columns = {name: getattr(event, name) for name in COLUMNS}
    last = Event.objects.filter(game=event.game).count()
    return Event(**columns | {"seq": last + 1, "turn": 900, "data": {}} | changes)


def refused(event: Event, name: str) -> None:
    """The database refuses `event`, by that name, and its log stays as it is."""
    before = list(Event.objects.order_by("pk").values())
    with pytest.raises(IntegrityError, match=rf"\b{name}\b"), transaction.atomic():
        event.save(force_insert=True)
    assert list(Event.objects.order_by("pk").values()) == before


# What may not be in the log


def test_the_same_number_twice_is_refused(card: Event) -> None:
    refused(again(card, seq=card.seq, card="2C", kind="played", attempt=9), "event_seq_once")


def test_two_answers_to_one_decision_are_refused(card: Event) -> None:
    refused(again(card, turn=card.turn, attempt=9), "event_turn_once")


def test_a_second_bid_of_a_seat_is_refused(bid: Event) -> None:
    refused(again(bid), "event_one_bid_per_seat")


def test_a_seat_may_bid_again_when_cards_were_dealt_again(bid: Event) -> None:
    again(bid, attempt=1).save()


def test_a_card_played_twice_is_refused(card: Event) -> None:
    refused(again(card, seat=(card.seat or 0) + 1 & 3), "event_card_once")


def test_a_bid_of_fourteen_is_refused(bid: Event) -> None:
    refused(again(bid, attempt=1, bid=14), "event_bid_in_range")


def test_a_bid_below_nought_is_refused(bid: Event) -> None:
    refused(again(bid, attempt=1, bid=-1), "bid")


def test_a_bid_of_nothing_is_refused(bid: Event) -> None:
    refused(again(bid, attempt=1, bid=None), "event_bid_in_range")


def test_a_fifth_seat_is_refused(bid: Event) -> None:
    refused(again(bid, attempt=1, seat=4), "event_seat_is_a_seat")


@pytest.mark.parametrize("text", ["1S", "qs", "10", "", "SQ"])
def test_an_unknown_card_is_refused(card: Event, text: str) -> None:
    refused(again(card, card=text), "event_card_in_deck")


def test_no_card_at_all_is_refused(card: Event) -> None:
    refused(again(card, card=None), "event_card_in_deck")


@pytest.mark.parametrize("kind", sorted({*Event.Kind.values} - {"played"}))
def test_no_other_kind_carries_a_card(card: Event, kind: str) -> None:
    bid = 3 if kind == "bid" else None
    refused(again(card, kind=kind, attempt=9, card="2C", bid=bid), "event_card_in_deck")


@pytest.mark.parametrize("kind", sorted({*Event.Kind.values} - {"bid"}))
def test_no_other_kind_carries_a_bid(card: Event, kind: str) -> None:
    card_text = "2C" if kind == "played" else None
    refused(again(card, kind=kind, attempt=9, card=card_text, bid=3), "event_bid_in_range")


@pytest.mark.parametrize("column", ["round", "attempt", "turn", "seat"])
def test_half_a_decision_is_refused(card: Event, column: str) -> None:
    refused(again(card, **{"attempt": 9, column: None}), "event_decision_is_whole")


def test_an_unknown_kind_is_refused(bid: Event) -> None:
    refused(again(bid, kind="dreamt", bid=None), "event_kind_known")


def test_a_log_does_not_begin_before_one(bid: Event) -> None:
    refused(again(bid, attempt=1, seq=0), "event_seq_from_one")


# What may not happen to it

UNIQUE: Final[dict[str, dict[str, Any]]] = {
    "event_id_once": {"turn": 900, "seq": 900, "attempt": 9},
    "event_seq_once": {"id": None, "turn": 900, "attempt": 9},
    "event_turn_once": {"id": None, "seq": 900, "attempt": 9},
    "event_one_bid_per_seat": {"id": None, "seq": 900, "turn": 900},
    "event_card_once": {"id": None, "seq": 900, "turn": 900},
}


def insert(event: Event, how: str, changes: dict[str, Any], ending: str = "") -> None:
    """Insert a copy of `event` with these changes, in the words `how` and `ending`."""
    values = {"id": event.pk} | {name: getattr(event, name) for name in COLUMNS} | changes
    values["data"] = "{}"
    if values["id"] is None:
        del values["id"]
    names = ", ".join(f'"{name}"' for name in values)
    places = ", ".join("%s" for _ in values)
    with connection.cursor() as cursor:
        cursor.execute(
            f"{how} INTO games_event ({names}) VALUES ({places}) {ending}", [*values.values()]
        )


@on_sqlite
@pytest.mark.parametrize("name", UNIQUE)
def test_insert_or_replace_walks_past_no_unique_key(bid: Event, card: Event, name: str) -> None:
    event = bid if name == "event_one_bid_per_seat" else card
    before = list(Event.objects.order_by("pk").values())

    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        insert(event, "INSERT OR REPLACE", UNIQUE[name])

    assert list(Event.objects.order_by("pk").values()) == before


@on_sqlite
@pytest.mark.parametrize("name", [name for name in UNIQUE if name != "event_id_once"])
def test_the_unique_keys_hold_by_themselves(bid: Event, card: Event, name: str) -> None:
    event = bid if name == "event_one_bid_per_seat" else card
    columns = {constraint.name: constraint for constraint in Event._meta.constraints}

    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER event_no_replace")
    with pytest.raises(IntegrityError, match=r"UNIQUE.*games_event\."), transaction.atomic():
        insert(event, "INSERT", UNIQUE[name])

    assert name in columns


def test_every_unique_key_of_the_log_is_tried_here() -> None:
    named = {each.name for each in Event._meta.constraints if hasattr(each, "fields")}

    assert {*UNIQUE} == named | {"event_id_once"} == {*guards.LOG.unique_keys}


@pytest.mark.parametrize("name", UNIQUE)
def test_on_conflict_do_update_changes_nothing(bid: Event, card: Event, name: str) -> None:
    event = bid if name == "event_one_bid_per_seat" else card
    before = list(Event.objects.order_by("pk").values())
    target = {
        "event_id_once": "(id)",
        "event_seq_once": "(game_id, seq)",
        "event_turn_once": "(game_id, round, turn) WHERE turn IS NOT NULL",
        "event_one_bid_per_seat": "(game_id, round, attempt, seat) WHERE kind = 'bid'",
        "event_card_once": "(game_id, round, attempt, card) WHERE kind = 'played'",
    }[name]

    with pytest.raises(IntegrityError, match=rf"{name}|event_no_update"), transaction.atomic():
        insert(event, "INSERT", UNIQUE[name], f"ON CONFLICT {target} DO UPDATE SET hash = ''")

    assert list(Event.objects.order_by("pk").values()) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_event SET card = '2C' WHERE id = %s",
        "UPDATE games_event SET id = id WHERE id = %s",
        pytest.param("UPDATE OR REPLACE games_event SET seq = 1 WHERE id = %s", marks=on_sqlite),
        pytest.param("UPDATE OR IGNORE games_event SET seq = 900 WHERE id = %s", marks=on_sqlite),
        "DELETE FROM games_event WHERE id = %s",
        pytest.param(
            "WITH gone AS (DELETE FROM games_event WHERE id = %s RETURNING id) SELECT * FROM gone",
            marks=on_postgresql,
        ),
        pytest.param("TRUNCATE games_event", marks=on_postgresql),
        pytest.param("TRUNCATE games_game CASCADE", marks=on_postgresql),
        pytest.param(
            "MERGE INTO games_event e USING (SELECT %s::int AS id) g ON e.id = g.id"
            " WHEN MATCHED THEN DELETE",
            marks=on_postgresql,
        ),
    ],
)
def test_a_line_of_the_log_is_never_changed_nor_deleted(card: Event, statement: str) -> None:
    before = list(Event.objects.order_by("pk").values())
    connection.check_constraints()  # PostgreSQL truncates nothing while foreign keys are unchecked

    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, [card.pk] if "%s" in statement else None)

    assert list(Event.objects.order_by("pk").values()) == before


def test_neither_the_manager_nor_the_instance_changes_a_line(card: Event) -> None:
    for attempt in (
        lambda: Event.objects.filter(pk=card.pk).update(card="2C"),
        lambda: Event.objects.filter(pk=card.pk).delete(),
        card.save,
        card.delete,
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            attempt()


@on_postgresql
def test_a_session_that_plays_the_replica_is_refused_all_the_same(card: Event) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in ("UPDATE games_event SET card = '2C'", "DELETE FROM games_event"):
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                cursor.execute(statement)


# Seeds and sealed bids: written once, like the log


@pytest.fixture
def sealed(people: list[User]) -> SealedBid:
    """A bid that waits sealed, at a table of four."""
    game = seated(people, ONE_ROUND.replace(sealed_bids=True))
    play_on(game, decisions=2)
    return SealedBid.objects.filter(game=game)[0]


def everything() -> list[object]:
    """All seeds and all sealed bids, as they are stored."""
    seeds = [(pk, bytes(sealed)) for pk, sealed in DealSecret.objects.values_list("pk", "sealed")]
    return [*seeds, *SealedBid.objects.order_by("pk").values_list()]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_dealsecret SET sealed = sealed",
        pytest.param(
            "UPDATE OR REPLACE games_dealsecret SET sealed = X'00'",
            marks=on_sqlite,
        ),
        "DELETE FROM games_dealsecret",
        pytest.param("TRUNCATE games_dealsecret", marks=on_postgresql),
        "UPDATE games_sealedbid SET bid = 13 - bid",
        pytest.param("UPDATE OR IGNORE games_sealedbid SET seat = 3 - seat", marks=on_sqlite),
        "DELETE FROM games_sealedbid",
        pytest.param("TRUNCATE games_sealedbid", marks=on_postgresql),
        pytest.param(
            "INSERT OR REPLACE INTO games_dealsecret (game_id, sealed) SELECT game_id, X'00' FROM games_dealsecret",
            marks=on_sqlite,
        ),
        pytest.param(
            "INSERT OR REPLACE INTO games_dealsecret (rowid, game_id, sealed)"
            " SELECT rowid, 'ANOTHERGAME2', X'00' FROM games_dealsecret",
            marks=on_sqlite,
        ),
        "INSERT INTO games_dealsecret (game_id, sealed) SELECT game_id, sealed FROM games_dealsecret WHERE true"
        " ON CONFLICT (game_id) DO UPDATE SET sealed = excluded.sealed",
        *(
            pytest.param(
                "INSERT OR REPLACE INTO games_sealedbid (id, game_id, round, attempt, turn, seat, bid, by, seq, hash)"
                f" SELECT {columns}, turn, seat, 13 - bid, by, seq, hash FROM games_sealedbid",
                marks=on_sqlite,
            )
            for columns in ("id, game_id, round, attempt + 1", "NULL, game_id, round, attempt")
        ),
        'INSERT INTO games_sealedbid (game_id, round, attempt, turn, seat, bid, "by", seq, hash)'
        ' SELECT game_id, round, attempt, turn, seat, bid, "by", seq, hash FROM games_sealedbid WHERE true'
        " ON CONFLICT (game_id, round, attempt, seat) DO UPDATE SET bid = 13 - games_sealedbid.bid",
    ],
)
@pytest.mark.usefixtures("sealed")
def test_neither_a_seed_nor_a_sealed_bid_is_ever_changed(statement: str) -> None:
    before = everything()
    connection.check_constraints()

    with (
        pytest.raises(IntegrityError, match=r"append-only|UNIQUE constraint failed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)

    assert everything() == before


def test_a_second_sealed_bid_and_one_out_of_range_are_refused(sealed: SealedBid) -> None:
    columns = {field.attname: getattr(sealed, field.attname) for field in SealedBid._meta.fields}
    del columns["id"]
    for changes, name in (({}, "per_seat"), ({"attempt": 1, "bid": 14}, "sealed_bid_in_range")):
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            SealedBid.objects.create(**columns | changes)


def test_every_unique_key_of_a_sealed_bid_is_guarded() -> None:
    named = {each.name for each in SealedBid._meta.constraints if hasattr(each, "fields")}

    assert {*guards.SEALED_BIDS.unique_keys} == named | {"sealed_bid_id_once"}


# The trail of a case


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_casestep SET kind = 'decided'",
        "DELETE FROM games_casestep",
        pytest.param("TRUNCATE games_casestep", marks=on_postgresql),
        *(
            pytest.param(
                "INSERT OR REPLACE INTO games_casestep (id, case_id, number, kind, by_id, at, data)"
                f" SELECT {columns}, 'decided', by_id, at, data FROM games_casestep",
                marks=on_sqlite,
            )
            for columns in ("id, case_id, number + 1", "NULL, case_id, number")
        ),
        "INSERT INTO games_casestep (case_id, number, kind, by_id, at, data)"
        " SELECT case_id, number, kind, by_id, at, data FROM games_casestep WHERE true"
        " ON CONFLICT (case_id, number) DO UPDATE SET kind = 'decided'",
    ],
)
def test_a_step_of_a_case_is_never_changed(people: list[User], statement: str) -> None:
    reported(people[0], seated(people, ONE_ROUND))
    before = [*CaseStep.objects.values_list()]
    connection.check_constraints()

    with (
        pytest.raises(IntegrityError, match=r"append-only|UNIQUE constraint failed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)

    assert [*CaseStep.objects.values_list()] == before != []


def test_every_unique_key_of_a_trail_is_guarded() -> None:
    named = {each.name for each in CaseStep._meta.constraints if hasattr(each, "fields")}

    assert {*guards.TRAIL.unique_keys} == named | {"case_step_id_once"}


def test_the_guarded_tables_are_the_models_own() -> None:
    tables = [guarded.table for guarded in guards.GUARDED]

    assert tables == [model._meta.db_table for model in (Event, DealSecret, SealedBid, CaseStep)]


# The check that serves as the alarm


def complaints() -> list[CheckMessage]:
    return guards.check(databases=["default"])


@pytest.mark.django_db
def test_the_check_is_content_with_a_migrated_database() -> None:
    assert complaints() == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("table", "name"),
    [
        (guarded.table, name)
        for guarded in guards.GUARDED
        for name in sorted({*guarded.triggers("sqlite")} & {*guarded.triggers("postgresql")})
    ],
)
def test_the_check_reports_a_dropped_trigger(table: str, name: str) -> None:
    on_table = f" ON {table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on_table}")

    assert [(found.id, name in found.msg) for found in complaints()] == [("games.E001", True)]

    guards.install()
    assert complaints() == []


@on_sqlite
@pytest.mark.django_db
def test_the_check_reports_a_trigger_that_only_has_the_name() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER event_no_delete")
        cursor.execute(
            "CREATE TRIGGER event_no_delete BEFORE DELETE ON games_event WHEN 0 BEGIN SELECT 1; END"
        )

    assert [found.id for found in complaints()] == ["games.E001"]


@on_postgresql
@pytest.mark.django_db
@pytest.mark.parametrize(
    "sabotage",
    [
        "ALTER TABLE games_event DISABLE TRIGGER event_no_delete",
        "ALTER TABLE games_event ENABLE REPLICA TRIGGER event_no_delete",
        "ALTER TABLE games_event ENABLE TRIGGER event_no_delete",
        "CREATE OR REPLACE TRIGGER event_no_delete BEFORE DELETE ON games_event"
        " FOR EACH ROW WHEN (OLD.seq < 0) EXECUTE FUNCTION append_only()",
    ],
)
def test_the_check_reports_a_trigger_that_does_not_fire(sabotage: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sabotage)

    assert [found.id for found in complaints()] == ["games.E001"]


@on_postgresql
@pytest.mark.django_db
def test_the_check_reports_a_refusal_that_was_made_toothless() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql"
            " AS $$ BEGIN RETURN NULL; END $$"
        )

    assert {found.id for found in complaints()} == {"games.E001"}


@pytest.mark.django_db
def test_a_sealed_bid_and_a_seat_keep_their_own_limits(game: str) -> None:
    statements = [
        "UPDATE games_seat SET number = 4 WHERE number = 3",
        "UPDATE games_seat SET number = 2 WHERE number = 3",
        "UPDATE games_round SET dealer = 4",
        "UPDATE games_round SET state = 'won'",
        "UPDATE games_round SET key = 129",
        "UPDATE games_game SET status = 'lost'",
        "UPDATE games_game SET first_dealer = 4",
    ]
    for statement in statements:
        with (
            pytest.raises(DatabaseError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_a_game_with_a_log_cannot_be_deleted(game: str) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM games_game WHERE id = %s", [game])
        with pytest.raises(IntegrityError):
            connection.check_constraints()
        transaction.set_rollback(True)
