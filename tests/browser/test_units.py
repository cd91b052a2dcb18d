"""The page Units as a person uses it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import STREAMLITS_MENU, Axe, check_phone_width, check_reloaded, download
from tests.browser.looks import check_look
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
POINTS = ".st-key-picture .stVegaLiteChart >> nth=0 >> .mark-symbol.role-mark path"
SHOWN = ".stVegaLiteChart svg .mark-symbol.role-mark path"
MENU = ".st-key-unit input"


@pytest.fixture
def page(open_page):
    return open_page("/units?checkpoint=dragg-reversed-sst5", shows=SHOWN)


def opened(page):
    """The unit in the menu."""
    return page.locator(MENU).input_value()


def test_a_point_is_clicked_a_word_is_found_and_everybody_can_read(page):
    check_look(page, "units")
    check_the_answer_is_in_sight(page)
    check_a_click_opens_a_unit(page)
    check_the_finder_answers(page)
    check_a_user_names_the_unit(page)
    check_accessible_by_axe(page)
    check_phone_width(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    assert download(page, "CSV, units").startswith("number,name,best rule")


def check_the_answer_is_in_sight(page):
    page.set_viewport_size({"width": 1360, "height": 900})
    wait_until_rested(page)
    seen = [MENU, ".st-key-units .stVegaLiteChart >> nth=0", ".st-key-units .stVegaLiteChart >> nth=1"]
    for selector in (*seen, ".rs-tenths li >> nth=0"):
        box = page.locator(selector).bounding_box()
        assert box["y"] + box["height"] <= 900
    assert page.get_by_text("Without it, ").bounding_box()["y"] < 850


def check_a_click_opens_a_unit(page):
    before = opened(page)
    page.locator(POINTS).nth(1).click()
    wait_until_rested(page)
    assert opened(page) != before
    number = re.match(r"\d+", opened(page))[0]
    assert number == "2"
    assert f"unit={number}" in page.url
    check_reloaded(page, opened)


def check_the_finder_answers(page):
    box = page.get_by_role("textbox", name="Which capsule takes this word most?")
    for word, says in {
        "<b>never</b>": "“<b>never</b>” occurs fewer than 5 times",
        "nev": "Known words that begin so: never.",
        " Never ": "is taken most by capsules",
    }.items():
        check_the_browser_answers_like_the_server(page, box, word, says)
    page.get_by_role("combobox", name="Which capsule …").click()
    page.get_by_role("option", name="speaks most for “very positive”").click()
    expect(page.locator(".st-key-verdict")).to_contain_text("speaks most for “very positive”")
    wait_until_rested(page)
    expect(box).to_have_value("")
    check_reloaded(page, lambda page: (opened(page), page.locator(".st-key-verdict").inner_text()))


def check_the_browser_answers_like_the_server(page, box, word, says):
    """The sentence is there while the user types, and is the same after Enter."""
    address, answer = page.url, page.locator(".rs-found")
    box.fill(word)
    expect(answer).to_contain_text(says)
    assert page.url == address
    typed = answer.text_content()
    box.press("Enter")
    page.wait_for_url(lambda url: url != address)
    wait_until_rested(page)
    assert answer.text_content() == typed


def check_a_user_names_the_unit(page):
    page.get_by_role("button", name="Rename").click()
    box = page.get_by_role("textbox", name=re.compile("^Your name for capsule"))
    box.fill("<i>joy</i>")
    box.press("Enter")
    wait_until_rested(page)
    page.keyboard.press("Escape")
    assert opened(page).endswith(" · <i>joy</i>")
    assert page.locator(".stMain i").count() == 0


def check_accessible_by_axe(page):
    page.mouse.move(0, 0)  # away from the point, whose tip Vega draws outside of every landmark
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_until_rested(page)
        violations = Axe().run(page, {"exclude": [[STREAMLITS_MENU]]}).response["violations"]
        assert not [(scheme, v["id"], [n["html"] for n in v["nodes"]]) for v in violations]


def test_an_inspector_leads_to_the_picked_capsule(open_page):
    page = open_page("/routing?checkpoint=dragg-reversed-sst5&capsule=2")
    link = page.get_by_role("link", name=re.compile("^.*Capsule 2: "))
    assert link.bounding_box()["height"] < 50  # two lines
    assert link.locator("p").evaluate("p => p.scrollWidth <= p.clientWidth")  # and nothing is cut
    link.click()
    page.wait_for_selector(SHOWN)
    wait_until_rested(page)
    assert opened(page).startswith("2")
    assert "unit=2" in page.url


def test_a_part_of_toys_shows_its_views_and_its_pose(open_page):
    page = open_page("/units?checkpoint=em-smallnorb&unit=8", shows=SHOWN)
    tab = page.get_by_role("tabpanel", name="Views and pose")
    expect(tab.get_by_text("Its score a is highest from")).to_be_visible()
    expect(tab.locator(".stVegaLiteChart svg")).to_have_count(3)
    assert page.locator(".rs-pictures img").count() == 10
    assert all(page.locator(".rs-pictures img").evaluate_all("all => all.map(i => i.complete && i.naturalWidth > 0)"))
    check_accessible_by_axe(page)
    check_phone_width(page)
    page.set_viewport_size({"width": 1360, "height": 900})
    assert download(page, "CSV, pose of part 8").startswith("factor,component,share")
