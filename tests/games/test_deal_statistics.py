"""Our own deals, counted from revealed rounds alone, and the plots that are drawn of them."""

import ast
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
from games import dealstats
from games.engine import deal
from games.engine.rules import PRESETS
from games.models import DealCount, Round
from games.services import counting
from games.web import plots
from tests.games.tables import ARCADIA, NOW, kinds_of, new_game, play_on
from tests.web.test_plain_pages import check

LATER = NOW + timedelta(hours=1)
ROOT = Path(__file__).parents[2]


def test_a_running_round_is_not_counted_and_a_finished_one_once(asha: User) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2))
    play_on(game, decisions=20)
    assert counting.count_some(now=LATER).deals == 0

    play_on(game)
    for _ in range(3):
        count = counting.count_some(now=LATER, seconds=60)

    assert count.deals == 2
    assert sum(count.spades) == 8
    assert sum(spades * hands for spades, hands in enumerate(count.spades)) == 2 * 13
    assert [sum(row) for row in count.cards] == [2] * 52
    assert [sum(row[seat] for row in count.cards) for seat in range(4)] == [26] * 4


def test_deals_that_were_thrown_in_count_too(asha: User) -> None:
    rules = PRESETS["everestbuzz-practice"].replace(
        rounds=1, redeal_no_faces=True, redeal_bids_below=13
    )
    game = new_game(asha, rules)
    play_on(game)

    count = counting.count_some(now=LATER, seconds=60)

    assert count.deals == kinds_of(game).count("dealt")
    assert Round.objects.get(game=game).attempt + 1 == count.deals


def test_a_slice_ends_and_the_next_one_goes_on(asha: User) -> None:
    for _ in range(3):
        play_on(new_game(asha))

    assert [counting.count_some(now=LATER, seconds=0).deals for _ in range(4)] == [1, 2, 3, 3]


def test_what_was_just_revealed_waits_until_it_is_settled(asha: User) -> None:
    play_on(new_game(asha))

    assert counting.count_some(now=NOW + timedelta(minutes=9)).deals == 0


def test_a_fair_shuffle_is_in_range_and_a_crooked_one_is_not() -> None:
    fair, crooked, spades = [[0] * 4 for _ in range(52)], [[0] * 4 for _ in range(52)], 0
    for number in range(2000):
        hands = deal.hands(sha256(f"{number}".encode()).digest(), 0)
        spades += sum(not any(card.is_spade for card in hand) for hand in hands)
        for seat, hand in enumerate(hands):
            for card in hand:
                fair[card.index][seat] += 1
                # The ace of spades goes to seat 0 in every eighth deal more.
                stolen = card.index == 51 and number % 8 == 0
                crooked[card.index][0 if stolen else seat] += 1

    none = dealstats.without_spades(spades, 2000)
    assert 0.01 < dealstats.card_seat(fair, 2000).chance < 0.99
    assert dealstats.card_seat(crooked, 2000).chance < dealstats.card_seat(fair, 2000).chance
    assert abs(dealstats.deviation(crooked[51][0], 2000)) > 5
    assert none.low <= none.seen <= none.high


def test_chances_of_chi_square_are_those_of_the_tables() -> None:
    for value, freedom, chance in ((7.815, 3, 0.05), (11.345, 3, 0.01), (182.865, 153, 0.05)):
        assert dealstats.chance(value, freedom) == pytest.approx(chance, rel=0.03)
    assert sum(dealstats.SPADES) == pytest.approx(1)


def test_the_fairness_page_shows_the_counts_and_no_style_of_its_own(asha: User) -> None:
    assert "Our own deals" not in Client().get("/fairness/").content.decode()
    play_on(new_game(asha))
    counting.count_some(now=LATER)

    page = Client().get("/fairness/").content.decode()

    check(page)
    assert "1 deal whose seed is public" in page
    assert page.count("plot__bar") == 14
    assert page.count("<circle") == 208
    assert "style=" not in page


def test_no_dot_and_no_bar_leaves_the_sheet() -> None:
    wild = DealCount(deals=1000, at=NOW, cards=[[1000, 0, 0, 0]] * 52, spades=[4000] + [0] * 13)

    assert all(0 < dot.y < 210 and 0 < dot.x < plots.WIDE for dot in plots.card_dots(wild))
    assert all(bar.y >= 0 and bar.height <= plots.TALL for bar in plots.spade_bars(wild))


def imported(file: Path) -> set[str]:
    """The full names that a module imports, of modules and of what may be one."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_the_deal_reaches_no_dice_that_can_be_foretold() -> None:
    """From whatever makes seeds, deals and draws, through all modules of ours: `secrets` and the sealed seed are all there is."""
    seen, todo = dict[str, set[str]](), ["games.store", "games.dealkeys", "games.table"]
    while todo:
        name = todo.pop()
        file = ROOT / f"{name.replace('.', '/')}.py"
        if name in seen or not file.exists():
            continue
        seen[name] = imported(file)
        todo += seen[name]

    assert "games.engine.deal" in seen
    for name, names in seen.items():
        assert not {each.split(".")[0] for each in names} & {"random", "numpy", "uuid"}, name
        assert "secrets" not in names or name == "games.dealkeys"
        assert "urandom" not in (ROOT / f"{name.replace('.', '/')}.py").read_text(), name
