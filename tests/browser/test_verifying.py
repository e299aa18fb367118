"""The page that checks a game in the browser: it says what the stand-alone verifier says, of clean games and of forged ones."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route

from callbreak_verify import verify
from games.engine.rules import PRESETS
from tests.browser.audit import audit
from tests.browser.conftest import NewPage
from tests.browser.driving import play_now, play_until, speak
from tests.verify.forging import Forgery, edits, forged_deals, forged_rulings, moves, rechained
from tests.verify.matches import RULES, Export, Log, clean, played, ruled
from tests.verify.substitutions import CHANGED_HANDS, NOT_TO_BE_HAD
from tests.verify.test_vectors import CHAIN, DEALS, KINDS, OUR_NAMES, rules_of

CHECKS: Final = (
    *("chain", "rules", "anchor"),
    *("seats", "deals", "redeals", "bids", "plays", "result"),
)
Lines = list[tuple[bool, str]]
SCRIPT: Final = (
    Path(__file__).parents[2] / "games" / "static" / "games" / "js" / "verify.js"
).read_text()


@pytest.fixture
def page(site: str, new_page: NewPage) -> Page:
    """The page of a running game, when its script has done its work."""
    page = new_page()
    play_now(page, site)
    page.goto(f"{page.url.split('?')[0].rstrip('/')}/verify/")
    page.locator("[data-done]").wait_for()
    return page


def in_the_browser(page: Page, exports: list[Export]) -> list[Lines]:
    """What the page's script says of these."""
    texts = [json.dumps(export) for export in exports]
    ask = "async texts => { const all = []; for (const text of texts) all.push(await verify(text)); return all }"
    said: list[Lines] = []
    for start in range(0, len(texts), 50):
        answers = page.evaluate(ask, texts[start : start + 50])
        said += [[(is_well, words) for is_well, words in lines] for lines in answers]
    return said


def gist(lines: Lines) -> list[str]:
    """Of what holds every word; of what does not, which check it is."""
    return [words if is_well else f"not {words.split(':')[0]}" for is_well, words in lines]


def test_a_running_game_is_checked_line_by_line(page: Page) -> None:
    assert page.locator("#verify").get_attribute("data-done") == "ok"
    assert page.locator("#verdict").inner_text() == "Every check holds."
    assert page.locator(".check--ok").count() == len(CHECKS)
    assert "are sealed" in page.locator("[data-check=deals]").inner_text()
    audit(page, "a game that holds")

    speak(page, "ne")
    page.locator("[data-done=ok]").wait_for()


def test_a_finished_game_is_checked_from_its_log(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    table = page.url.split("?")[0].rstrip("/")
    play_until(page, "Round 2")

    page.goto(f"{table}/log/")
    page.get_by_role("link", name="Check it in your browser").click()
    page.locator("[data-done=ok]").wait_for()

    assert "1 seeds lead back to it" in page.locator("[data-check=anchor]").inner_text()


def test_a_forged_answer_is_marked_where_it_fails(page: Page) -> None:
    forged = played(RULES["arcadia"], 1)
    forged["events"][-3]["card"] = "2C"
    text = json.dumps(rechained(forged))

    def answer(route: Route) -> None:
        route.fulfill(body=text, content_type="application/json")

    page.route("**/export", answer)
    page.reload()
    page.locator("[data-done=bad]").wait_for()

    assert page.locator(".check--bad").count() == 1
    assert "may not play 2C" in page.locator(".check--bad").inner_text()
    assert page.locator(".check--bad .check__mark").inner_text() == "does not hold"
    audit(page, "a game that does not hold")


def test_without_an_export_it_says_so(page: Page) -> None:
    page.route("**/export", lambda route: route.fulfill(status=404, body=""))
    page.reload()

    page.get_by_text("The export could not be fetched.").wait_for()


def test_without_a_script_it_shows_the_other_way(page: Page, new_page: NewPage) -> None:
    plain = new_page(scripted=False)
    plain.context.add_cookies(page.context.cookies())  # type: ignore[arg-type] # what one context tells another takes

    plain.goto(page.url)

    assert "This page needs a script." in plain.locator("noscript").inner_text()


def test_it_says_what_the_program_says(page: Page) -> None:
    games = [*clean(len(RULES)), *(played(rules, 7, decisions=60) for rules in RULES.values())]
    games += CHANGED_HANDS
    games += [ruled(rules, 5, rulings=6).export() for rules in RULES.values()]
    forged: list[Forgery] = [
        ("a seat taken that was not to be had", game) for game in NOT_TO_BE_HAD
    ]
    for name in ("arcadia", "sealed", "everestbuzz-practice"):
        game, dice = played(RULES[name].replace(rounds=1), 3), Random(name)
        for chained in (False, True):
            forged += edits(game, dice, chained=chained)
            forged += moves(game, dice, chained=chained)
    forged = [*forged[: len(NOT_TO_BE_HAD)], *Random(6).sample(forged[len(NOT_TO_BE_HAD) :], 240)]
    for seed, name in enumerate(("practice with everything", "sealed and side by side")):
        log = Log(RULES[name].replace(rounds=2), Random(seed))
        while log.step():
            pass
        forged += forged_deals(log, Random(seed))
    for seed in range(8):
        log = ruled(RULES["arcadia"], seed, rulings=4)
        forged += [
            (what, rechained(game)) for what, game in forged_rulings(log.export(), Random(seed))
        ]

    differ, passed = Counter[str](), Counter[str]()
    for game, lines in zip(games, in_the_browser(page, games), strict=True):
        assert gist(lines) == gist(verify(game))
        assert all(is_well for is_well, _ in lines)
    for (what, game), lines in zip(
        forged, in_the_browser(page, [game for _, game in forged]), strict=True
    ):
        passed[what] += all(is_well for is_well, _ in lines)
        # A rule of another type is refused at once here, and there where it is first used.
        differ[what] += gist(lines) != gist(verify(game)) and not what.startswith("the rule ")

    print(f"\n{len(games)} clean games, {len(forged)} forged ones, {+passed} not found")  # noqa: T201
    assert not +passed
    assert not +differ


def test_it_holds_the_shared_vectors(page: Page) -> None:
    def ask(expression: str, cases: list[Any]) -> Any:
        return page.evaluate(
            f"async cases => {{ const all = []; for (const c of cases) all.push(await (async () => {{"
            f" try {{ return {expression}; }} catch (error) {{ return 'refused'; }} }})()); return all; }}",
            cases,
        )

    def asked(kind: str, expression: str) -> tuple[list[Any], list[Any]]:
        cases = [{**case, "rules": rules_of(case)} for case in KINDS[kind] if "preset" in case]
        assert len(cases) == len(KINDS[kind])
        return ask(expression, cases), [case["expected"] for case in KINDS[kind]]

    made = ask(
        "await (async () => {"
        " const from = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));"
        " const seeds = { 128: from(c.s_128) };"
        " for (let i = 128; i > 0; i--) seeds[i - 1] = await tagged('link', c.game, u16(i), seeds[i]);"
        " const given = c.contributions.map(from);"
        " const key = await roundKey(c.game, seeds[c.round], given, c.round);"
        " const first = await roundKey(c.game, seeds[1], given, 1);"
        " const deck = await shuffled(key, c.attempt);"
        " const hands = dealtHands(deck).map((hand) => hand.join(''));"
        " const commitments = [];"
        " for (const seat of SEATS)"
        "   commitments.push(await commitment('hand', c.game, key, c.round, c.attempt, seat, utf8(hands[seat])));"
        " return [hex(seeds[0]), hex(seeds[c.round]), hex(key), (await draws(first, 'dealer', 0, [4]))[0],"
        "   deck.join(''), hands, commitments]; })()",
        DEALS,
    )
    fields = ("anchor", "s_round", "round_key", "first_dealer", "deck", "hands", "commitments")
    assert made == [[case[field] for field in fields] for case in DEALS]

    spelled = ask("encode(c.event)", CHAIN["events"])
    assert spelled == [each["canonical"] for each in CHAIN["events"]]
    lines = [{**each["event"], "hash": each["hash"]} for each in CHAIN["events"]]
    head = {"seq": len(lines), "hash": lines[-1]["hash"]}
    whole = {"game": CHAIN["game"], "events": lines, "head": head}
    assert ask("await checkChain(c)", [whole]) != ["refused"]

    plays, expected = asked(
        "legal_cards",
        "[...legal(c.rules, c.input.hand, c.input.trick)].sort((a, b) => HEIGHT.get(a) - HEIGHT.get(b))",
    )
    assert plays == expected
    winners, expected = asked("trick_winner", "trickWinner(c.input.trick)")
    assert winners == expected
    scores, expected = asked(
        "round_scores", "standingOf(c.rules, [[c.input.bids, c.input.won]]).totals"
    )
    assert scores == ["refused" if isinstance(each, dict) else each for each in expected]
    bids, expected = asked("check_bid", "(checkBid(c.rules, c.input.bid), null)")
    assert [each == "refused" for each in bids] == [each is not None for each in expected]
    redeals, expected = asked("redeal", "redeal(c.rules, c.input.hands)")
    assert redeals == expected
    after, expected = asked(
        "redeal_after_bids",
        "redealAfterBids(c.rules, c.input.bids, c.input.low_bid_redeals_so_far)",
    )
    assert after == [OUR_NAMES.get(each, each) for each in expected]
    results, expected = asked(
        "match_result", "standingOf(c.rules, c.input.rounds.map((each) => [each.bids, each.won]))"
    )
    for came_to, due in zip(results, expected, strict=True):
        if "error" in due:
            assert came_to == "refused"
            continue
        assert came_to["reason"] == OUR_NAMES.get(due["reason"], due["reason"])
        assert (came_to["winners"], came_to["totals"]) == (due["winners"], due["totals"])


def test_nonsense_fails_and_raises_nothing(page: Page) -> None:
    game = played(PRESETS["arcadia"].replace(rounds=1), 9)
    fields = ("game", "events", "rules", "seats", "head", "anchor", "rules_sha256")
    nonsense: list[Any] = [None, 1, "x", [], {}, [None], [{}]]
    forged = [game | {field: value} for field in fields for value in nonsense]
    forged += [{name: kept for name, kept in game.items() if name != field} for field in fields]
    # The same rules with a number written as text, everywhere: the hashes would all fit.
    typed = json.loads(json.dumps(game))
    typed["rules"]["max_bid"] = typed["events"][0]["data"]["rules"]["max_bid"] = "8"

    for lines in in_the_browser(page, [*forged, rechained(typed), *nonsense]):
        assert not all(is_well for is_well, _ in lines)


def test_it_is_one_short_script_without_a_library() -> None:
    assert not re.search(r"^import |import\(", SCRIPT, re.MULTILINE)
    assert "eval(" not in SCRIPT
    assert "https:" not in SCRIPT
    assert SCRIPT.count("fetch(") == 1
    assert len(SCRIPT.splitlines()) < 600
