"""While a table is set up, the lengths beside the paces follow the form."""

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.driving import sign_up


def test_the_lengths_follow_the_form(site: str, new_page: NewPage) -> None:
    page = new_page()
    sign_up(page, site, "asha")
    page.goto(f"{site}/games/new/")
    standard = page.locator("[data-length=standard]")
    expect(standard).to_contain_text("About 10 days with plans, 47 days without.")
    expect(page.locator("button[name=reckon]")).to_be_hidden()
    assert page.locator("#id_contribution").input_value()

    page.locator("[name=parallel_rounds]").check()

    expect(standard).to_contain_text("About 2 days with plans, 12 days without.")
    page.locator("main form .btn--main").last.click()
    page.wait_for_url("**/games/*/")


def test_without_a_script_the_button_does_it(site: str, new_page: NewPage) -> None:
    page = new_page(scripted=False)
    sign_up(page, site, "bina")
    page.goto(f"{site}/games/new/")
    page.locator("[name=parallel_rounds]").check()

    page.locator("button[name=reckon]").click()

    expect(page.locator("[data-length=standard]")).to_contain_text(
        "About 2 days with plans, 12 days without."
    )
    assert page.locator("[name=parallel_rounds]").is_checked()
