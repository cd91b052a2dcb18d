"""The section Change it of the Routing page, and checks of what an edit changes."""

from playwright.sync_api import expect

from tests.browser.acts import CHIPS, numbers

SUPERB = 3 * 5 + 3  # cell of “superb” and capsule 4
OUTLINES = ".stVegaLiteChart svg .before_marks path"
HOLLOW = "hollow => hollow.map(bar => bar.style.width)"


def open_superb(open_page):
    """Open the section for “superb” and capsule 4."""
    page = open_page("/routing?inspect=Change+it&word=4&capsule=4")
    expect(page.locator(".rs-dose-name")).to_have_text("Share of “superb” → capsule 4")
    return page


def hollow(page):
    """The width of each hollow bar."""
    return page.locator(".rs-hollow").evaluate_all(HOLLOW)


def check_changed(page, *edits):
    """Check the chips, and that hollow bars and outlines show the run before the edits."""
    expect(page.locator(CHIPS)).to_contain_text(list(edits))
    expect(page.locator(".rs-verdict[data-changed]")).to_contain_text("Hollow bars: before the edit.")
    expect(page.locator(OUTLINES).first).to_be_attached()
    assert all(width != "0px" for width in hollow(page))


def check_unchanged(page, before):
    """Check that nothing is edited, and that the numbers are those before."""
    expect(page.locator(CHIPS)).to_have_count(0)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(0)
    expect(page.locator(".rs-verdict[data-changed]")).to_have_count(0)
    expect(page.locator(OUTLINES)).to_have_count(0)
    assert numbers(page) == before
