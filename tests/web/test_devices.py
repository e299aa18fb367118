"""The devices of a person among their settings, and the worker that shows what comes to one."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import User
from games.models import Notice, PushDevice
from games.notices import devices
from games.notices.choices import USUAL, on_devices
from games.web.pushes import device_name
from tests.games.notices.acting import four
from tests.games.notices.browsers import KEY, Browser
from tests.games.tables import NOW
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
PAGE: Final = "/settings/notices/"
SENT: Final = {"endpoint": "https://push.example/one", **Browser().keys}
ANDROID: Final = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


@pytest.fixture
def on(settings: LazySettings) -> None:
    settings.CALLBREAK_PUSH_KEY = KEY


@pytest.mark.usefixtures("on")
def test_a_device_is_switched_on_shown_and_switched_off(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)
    assert devices.public_key() in browser.get(PAGE).content.decode()

    answer = browser.post("/settings/devices/", SENT, headers={"User-Agent": ANDROID}, follow=True)

    page = answer.content.decode()
    check(page)
    assert "Firefox, Android" in page
    assert "Switched on" in page
    assert SENT["endpoint"] not in page
    device = asha.push_devices.get()
    browser.post(f"/settings/devices/{device.pk}/off")
    browser.post(f"/settings/devices/{device.pk}/off")
    assert not PushDevice.objects.exists()


@pytest.mark.usefixtures("on")
def test_nobody_switches_off_for_another(asha: User, eli: User, browser_of: BrowserOf) -> None:
    browser_of(asha).post("/settings/devices/", SENT)
    device = asha.push_devices.get()

    browser_of(eli).post(f"/settings/devices/{device.pk}/off")
    assert browser_of(eli).post("/settings/devices/").status_code == 302
    assert Client().post("/settings/devices/", SENT).headers["Location"].startswith("/accounts/")

    assert list(PushDevice.objects.all()) == [device]


@pytest.mark.usefixtures("on")
def test_what_nothing_can_be_sent_to_is_refused_with_a_sentence(
    asha: User, browser_of: BrowserOf
) -> None:
    sent = SENT | {"endpoint": "http://push.example/one"}

    answer = browser_of(asha).post("/settings/devices/", sent, follow=True)

    assert "nothing that a message could be sent to" in answer.content.decode()
    assert not PushDevice.objects.exists()


def test_without_a_key_there_is_nothing_of_it(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)

    assert "Messages on your devices" not in browser.get(PAGE).content.decode()
    assert browser.post("/settings/devices/", SENT).status_code == 404
    assert browser.get("/push-worker.js").status_code == 404


@pytest.mark.usefixtures("on")
def test_kinds_are_ticked_for_devices_beside_the_choices_for_mail(
    asha: User, browser_of: BrowserOf
) -> None:
    browser = browser_of(asha)
    page = browser.get(PAGE).content.decode()
    assert 'value="your_turn" checked aria-label="Your turn: Devices"' in page
    assert 'value="round_over" aria-label="Round over: Devices"' in page

    posted = dict.fromkeys(USUAL, "off") | {
        "time_zone": "UTC",
        "digest_hour": "7",
        "on_devices": ["reminder", "round_over"],
    }
    browser.post(PAGE, posted)

    asha.refresh_from_db()
    assert [kind for kind in USUAL if on_devices(asha, kind)] == ["reminder", "round_over"]
    assert asha.notice_choices["reminder"] == "off"


@pytest.mark.usefixtures("on", "db")
def test_the_worker_knows_its_sentence_in_every_language_and_nothing_else() -> None:
    answer = Client().get("/push-worker.js?lang=ne")

    script = answer.content.decode()
    found = re.search(r"^const SAID = (.*);$", script, re.MULTILINE)
    assert found is not None
    said = json.loads(found[1])
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert said["en"]["your_turn"] == "It is your turn in game GAME."
    assert said.keys() == {"en", "ne", "hi"}
    assert all(sentences.keys() == USUAL.keys() for sentences in said.values())
    sentences = [sentence for each in said.values() for sentence in each.values()]
    assert len(set(sentences)) == 3 * len(USUAL)
    assert all("GAME" in sentence for sentence in sentences)


@pytest.mark.usefixtures("on")
def test_the_ledger_says_on_which_device(
    asha: User, bina: User, chandra: User, dipak: User, browser_of: BrowserOf
) -> None:
    people = [asha, bina, chandra, dipak]
    for user in people:
        keys = {"p256dh": SENT["p256dh"], "auth": SENT["auth"]}
        endpoint = f"https://push.example/{user.username}"
        devices.switch_on(user, endpoint=endpoint, **keys, name="Chrome, Windows", now=NOW)
    four(people)
    notice = Notice.objects.get(device__isnull=False, kind="your_turn")
    assert notice.due_at == NOW + timedelta(minutes=1)

    page = browser_of(notice.user).get(PAGE).content.decode()

    assert "on a device: Chrome, Windows" in page


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (ANDROID, "Firefox, Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36", "Chrome, Linux"),
        ("<script>", "?"),
        ("", "?"),
    ],
)
def test_a_device_is_called_by_its_browser_and_system(agent: str, name: str) -> None:
    assert device_name(agent) == name
