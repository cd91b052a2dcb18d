"""The page My texts as a person uses it."""

import time

import pytest
from playwright.sync_api import expect

from core.datasets import data_root
from tests.browser.acts import STREAMLITS_MENU, Axe
from tests.browser.looks import check_look
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
ROWS = [
    ("A superb, funny and deeply moving film.", "very positive"),
    ("A bad, boring and stupid film.", "very positive"),
    ("<img src=x onerror='window.hacked = 1'> Is it **good**?", "neutral"),
    ("", "neutral"),
]
STREAMLITS_UPLOADER = "[data-testid=stFileUploaderDropzone]"  # not for axe: it has a label and no role
CELLS = ".stVegaLiteChart >> nth=0 >> g.mark-rect.role-mark path"


@pytest.fixture
def page(open_page):
    return open_page("/corpus?checkpoint=dragg-sst5", shows="button:has-text('Start')")


@pytest.fixture
def table(tmp_path):
    """A CSV file with the rows."""
    path = tmp_path / "reviews.csv"
    rows = [f'"{text}",{label}' for text, label in ROWS]
    path.write_text("\n".join(["review,label", *rows]), encoding="utf-8")
    return path


def upload(page, path):
    if not page.locator("input[type=file]").count():
        page.get_by_text("Your file", exact=True).click()
    wait_until_rested(page)  # as a person does, who chooses a file after the page has answered the one before
    page.set_input_files("input[type=file]", path)
    expect(page.get_by_test_id("stFileChipName")).to_have_text(path.name)
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    wait_until_rested(page)


def start(page):
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".stDataFrame")


def count_sentence(page):
    """The sentence above the table that counts its rows."""
    return page.locator("[data-testid=stCaptionContainer]", has_text="Select a row")


def test_a_table_is_uploaded_run_filtered_and_opened_by_row(page, table, tmp_path):
    if (data_root() / "sst").is_dir():  # without a test split, the page says how to get one
        check_look(page, "corpus")
    check_broken_files_say_why(page, tmp_path)
    upload(page, table)
    start(page)
    expect(count_sentence(page)).to_contain_text("4 of 4 rows")
    expect(page.get_by_text("1 row could not be read.")).to_be_visible()
    page.get_by_text("Wrong", exact=True).click()
    expect(count_sentence(page)).not_to_contain_text("4 of 4 rows")
    expect(page.get_by_role("button", name="Cancel")).to_be_disabled(timeout=120_000)  # it has ended
    wait_until_rested(page)  # the end of the run draws the page once more
    page.get_by_text("All", exact=True).click()
    expect(count_sentence(page)).to_contain_text("4 of 4 rows")
    check_rows_are_filtered_by_a_cell_and_by_a_bar(page)
    check_usable_by_everybody(page)
    check_a_row_opens_in_its_page(page)


def check_rows_are_filtered_by_a_cell_and_by_a_bar(page):
    select_first_row(page)
    expect(page.locator("[data-testid=stText]")).to_have_text(ROWS[0][0])
    page.get_by_text("Wrong", exact=True).click()
    expect(page.locator("[data-testid=stText]")).to_have_count(0)
    page.get_by_text("All", exact=True).click()
    expect(count_sentence(page)).to_contain_text("4 of 4 rows")
    page.set_viewport_size({"width": 1360, "height": 900})
    wait_until_rested(page)
    assert page.locator(".stDataFrame").bounding_box()["y"] < 800  # the first rows of the table are in sight
    page.locator(CELLS).nth(4 * 5 + 4).click()
    expect(count_sentence(page)).to_contain_text("1 of 4 rows")
    wait_until_rested(page)
    page.locator(CELLS).nth(4 * 5).click()  # very positive, taken for very negative
    expect(count_sentence(page)).to_contain_text("1 of 4 rows")


def check_a_row_opens_in_its_page(page):
    page.set_viewport_size({"width": 1360, "height": 900})
    select_first_row(page)
    expect(page.locator("[data-testid=stText]")).to_have_text(ROWS[1][0])
    page.get_by_role("link", name="Open in its page").click()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(ROWS[1][0])
    expect(page.locator(".rs-verdict")).to_be_visible()
    assert "checkpoint=dragg-sst5" in page.url
    assert page.evaluate("window.hacked") is None


def check_usable_by_everybody(page):
    page.mouse.move(0, 0)  # away from the cell, whose tip Vega draws outside of every landmark
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_until_rested(page)
        violations = Axe().run(page, {"exclude": [[STREAMLITS_MENU], [STREAMLITS_UPLOADER]]}).response["violations"]
        assert not [(scheme, v["id"], [n["html"] for n in v["nodes"]]) for v in violations]
    page.set_viewport_size({"width": 375, "height": 812})
    wait_until_rested(page)
    wide, room = page.evaluate("(m => [m.scrollWidth, m.clientWidth])(document.querySelector('[data-testid=stMain]'))")
    assert wide <= room


def select_first_row(page):
    wait_until_rested(page)
    box = page.locator(".stDataFrame canvas").first.bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + 52)


BROKEN = [  # name, content and message
    ("texts.csv", "text\na film\n".encode("utf-16"), "names that are not UTF-8 text"),
    ("texts.parquet", b"PAR1" * 9, "cannot be read as Parquet"),
    ("texts.jsonl", b"[1, 2]", "none of its lines is an object"),
]


def check_broken_files_say_why(page, tmp_path):
    page.get_by_text("Your file", exact=True).click()
    for name, content, why in BROKEN:
        (tmp_path / name).write_bytes(content)
        wait_until_rested(page)
        page.set_input_files("input[type=file]", tmp_path / name)
        expect(page.get_by_role("alert")).to_contain_text(why)
        expect(page.get_by_role("button", name="Start")).to_be_disabled()


def test_a_run_is_cancelled(page, treebank, tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join(["A film that is neither good nor bad."] * 50_000))
    upload(page, texts)
    began = time.monotonic()
    start(page)
    assert time.monotonic() - began < 30  # until the first rows, on a busy machine
    expect(page.get_by_role("button", name="Cancel")).to_be_enabled()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    expect(count_sentence(page)).to_contain_text("rows")
