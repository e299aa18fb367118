"""A browser that is switched on shows whose turn it is: the worker registers, and what is delivered to it becomes a message."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from games.notices.choices import USUAL
from tests.browser.conftest import NewPage
from tests.browser.driving import running_site, sign_up, speak
from tests.games.notices.browsers import KEY

SHOWN: Final = "await (await navigator.serviceWorker.ready).getNotifications()"


@pytest.fixture(scope="module")
def pushing_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of its own, with a key."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("VAPID_PRIVATE_KEY", KEY)
        folder: Path = tmp_path_factory.mktemp("pushing") / "var"
        with running_site(folder) as address:
            yield address


def test_what_is_delivered_is_shown_in_the_reader_s_language(
    pushing_site: str, new_page: NewPage
) -> None:
    page = new_page()
    page.context.grant_permissions(["notifications"], origin=pushing_site)
    sign_up(page, pushing_site, "asha")
    page.goto(f"{pushing_site}/settings/notices/")
    expect(page.get_by_role("button", name="Switch on for this device")).to_be_visible()
    known: list[dict[str, Any]] = []
    devtools = page.context.new_cdp_session(page)
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: known.extend(event["registrations"]),
    )
    page.evaluate(
        "async () => { await navigator.serviceWorker.register(document.querySelector('form[data-push]').dataset.push);"
        " await navigator.serviceWorker.ready }"
    )
    # Asked now, it tells of what is there already.
    devtools.send("ServiceWorker.enable")
    until = time.monotonic() + 60
    while not known and time.monotonic() < until:
        page.wait_for_timeout(50)

    for data in (json.dumps({"kind": "your_turn", "game": "K7QX2M9RTV4B"}), "no JSON"):
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": pushing_site, "registrationId": known[-1]["registrationId"], "data": data},
        )
    page.wait_for_function(f"async () => ({SHOWN}).length === 2")

    shown = page.evaluate(
        f"async () => ({SHOWN}).map((each) => [each.title, each.body, each.data.game])"
    )
    assert sorted(shown) == [
        ["Callbreak", "", ""],
        ["Callbreak", "It is your turn in game K7QX2M9RTV4B.", "K7QX2M9RTV4B"],
    ]


def test_without_a_script_the_page_says_what_is_missing(
    pushing_site: str, new_page: NewPage
) -> None:
    page = new_page(scripted=False)
    sign_up(page, pushing_site, "bina")

    page.goto(f"{pushing_site}/settings/notices/")

    expect(page.locator("form[data-push]")).to_be_hidden()
    assert "needs a script" in page.locator("#devices noscript").inner_text()


@pytest.mark.parametrize("language", ["en", "ne", "hi"])
def test_a_narrow_page_has_room_for_the_column_of_devices(
    pushing_site: str, new_page: NewPage, language: str
) -> None:
    page = new_page()
    sign_up(page, pushing_site, f"narrow{language}")
    speak(page, language)
    page.set_viewport_size({"width": 320, "height": 700})

    page.goto(f"{pushing_site}/settings/notices/")

    expect(page.locator("input[name=on_devices]")).to_have_count(len(USUAL))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
