"""/settings/webhooks/: make, test, look what became of it, take away."""

from collections.abc import Callable

from django.test import Client

from accounts.models import User, Webhook
from accounts.webhooks import keeping
from accounts.webhooks.signing import unseal
from tests.games.tables import NOW

BrowserOf = Callable[[User], Client]
PAGE = "/settings/webhooks/"
URL = "https://hooks.example/in"


def made(user: User) -> Webhook:
    return keeping.make(user, URL, ["turn_opened"], now=NOW)[0]


def test_a_new_secret_is_shown_once(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)

    page = browser.post(PAGE, {"url": URL, "events": ["turn_opened"]})

    webhook = asha.webhooks.get()
    assert webhook.events == ["turn_opened"]
    secret = unseal(webhook.secret)
    assert page.context["new_secret"] == secret
    later = browser.get(PAGE).content.decode()
    assert secret not in later
    assert URL in later
    changed = browser.post(f"{PAGE}{webhook.pk}/", {"do": "secret"})
    assert changed.context["new_secret"] not in ("", None, secret)


def test_a_bad_address_is_told_at_its_field(asha: User, browser_of: BrowserOf) -> None:
    page = browser_of(asha).post(PAGE, {"url": "https://10.0.0.1/", "events": ["turn_opened"]})

    assert page.context["form"].errors.keys() == {"url"}
    assert not asha.webhooks.exists()


def test_a_test_is_sent_seen_and_sent_again(asha: User, browser_of: BrowserOf) -> None:
    webhook, browser = made(asha), browser_of(asha)

    page = browser.post(f"{PAGE}{webhook.pk}/", {"do": "test"}, follow=True).content.decode()

    delivery = webhook.deliveries.get()
    assert "<code>test</code>" in page
    webhook.deliveries.update(status="failed")
    browser.post(f"{PAGE}deliveries/{delivery.pk}/")
    assert webhook.deliveries.get().status == "queued"


def test_what_was_switched_off_is_said_and_switched_on(asha: User, browser_of: BrowserOf) -> None:
    webhook, browser = made(asha), browser_of(asha)
    asha.webhooks.update(disabled=Webhook.Disabled.FAILING, failing_since=NOW)
    assert "Nothing arrived for 24 hours." in browser.get(PAGE).content.decode()

    browser.post(f"{PAGE}{webhook.pk}/", {"do": "enable"})

    assert asha.webhooks.get().disabled == ""


def test_nobody_touches_anothers(asha: User, eli: User, browser_of: BrowserOf) -> None:
    webhook = made(asha)
    delivery, browser = keeping.send_test(webhook, now=NOW), browser_of(eli)

    assert URL not in browser.get(PAGE).content.decode()
    for what in ("test", "enable", "secret", "remove"):
        assert browser.post(f"{PAGE}{webhook.pk}/", {"do": what}).status_code == 404
    assert browser.post(f"{PAGE}deliveries/{delivery.pk}/").status_code == 404
    assert browser.get(f"{PAGE}{webhook.pk}/").status_code == 405


def test_it_is_taken_away(asha: User, browser_of: BrowserOf) -> None:
    webhook = made(asha)

    browser_of(asha).post(f"{PAGE}{webhook.pk}/", {"do": "remove"})

    assert not asha.webhooks.exists()
