"""The scorecard of the page Evidence as a person sees it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import STREAMLITS_MENU, Axe, check_phone_width
from tests.browser.looks import check_look

pytestmark = pytest.mark.browser
ROWS = ".st-key-picture .rs-scorecard tbody tr"


def test_the_scorecard_is_a_table_and_on_a_phone_a_list_of_cards(open_page):
    page = open_page("/evidence", shows=ROWS)
    check_look(page, "evidence")
    expect(page.locator(ROWS)).to_have_count(6)
    reversed_routing = page.get_by_role("row", name="Reversed dynamic routing").first
    expect(reversed_routing.get_by_role("cell").first).to_contain_text("yes")
    assert page.locator(ROWS).last.bounding_box()["y"] < 900
    violations = Axe().run(page, {"exclude": [[STREAMLITS_MENU]]}).response["violations"]
    assert not [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]
    check_phone_width(page)
    expect(page.locator(".rs-scorecard-label").first).to_be_visible()
