"""The Models page as a person uses it."""

import re
from itertools import cycle

import pytest
from playwright.sync_api import expect

from core.inputs.smollm2 import missing_package
from tests.archives import FILES, change_tensors, zipped
from tests.browser.acts import STREAMLITS_MENU, Axe, open_tab
from tests.browser.looks import check_look
from tests.browser.server import wait_until_drawn, wait_until_rested
from tests.conftest import save_tiny
from tests.core.fit.files import reviews, write_rows

pytestmark = pytest.mark.browser
STREAMLITS_UPLOADER = "[data-testid=stFileUploaderDropzone]"  # not for axe: it has a label and no role


@pytest.fixture
def page(open_page):
    return open_page("/models", shows=".stVegaLiteChart svg .mark-symbol.role-mark path")


@pytest.fixture
def files(tmp_path):
    """The files of a sound checkpoint by name."""
    folder = save_tiny(tmp_path / "made")
    return {name: (folder / name).read_bytes() for name in FILES}


def violations(page):
    """The rules of axe for accessible pages that the page breaks, and where."""
    found = Axe().run(page, {"exclude": [[STREAMLITS_MENU], [STREAMLITS_UPLOADER]]}).response["violations"]
    return [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in found]


def upload(page, path, content):
    path.write_bytes(content)
    if not page.locator("input[type=file]").count():
        page.get_by_role("button", name="Add a model").click()
    page.set_input_files("input[type=file]", path)
    wait_until_rested(page)


def test_a_broken_checkpoint_is_refused_and_a_sound_one_runs(page, files, tmp_path):
    broken = change_tensors(files, lambda tensors: tensors.pop("vote.weight"))
    upload(page, tmp_path / "broken.zip", zipped(broken))
    expect(page.get_by_role("alert")).to_contain_text("weights.safetensors: tensor vote.weight is missing")
    upload(page, tmp_path / "mine.zip", zipped(files))
    expect(page.get_by_role("button", name="Remove", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Open in its page").click()
    wait_until_drawn(page)
    expect(page.locator(".rs-verdict")).to_contain_text("Prediction")
    expect(page).to_have_url(re.compile("checkpoint=mine"))


def test_a_click_picks_a_checkpoint_and_a_training_is_cancelled(page, treebank):
    check_a_click_on_a_row_picks_its_checkpoint(page)
    check_a_training_is_started_and_cancelled(page)


def check_a_click_on_a_row_picks_its_checkpoint(page):
    page.locator(".stVegaLiteChart svg .mark-symbol.role-mark path").last.click()
    wait_until_rested(page)
    expect(page).to_have_url(re.compile("checkpoint="))


def check_a_training_is_started_and_cancelled(page):
    open_tab(page, "Your transformer")
    train, cancel = (page.get_by_role("button", name=name, exact=True) for name in ("Train", "Cancel"))
    expect(cancel).to_be_disabled()
    train.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(train).to_be_disabled()
    expect(cancel).to_be_enabled()
    cancel.click()
    expect(train).to_be_enabled()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_own_texts_train_a_network_that_opens_with_a_wrong_one(page, tmp_path):
    unclear = [(f"<b>a</b> film that some call *number* {k}", ("good", "bad")[k % 2]) for k in range(40)]
    file = write_rows(tmp_path / "reviews.csv", [*reviews(), *unclear])
    open_tab(page, "Train on my data")
    page.set_input_files("input[type=file]", file)
    expect(page.get_by_text("100 texts with 2 labels")).to_be_visible()
    train, cancel = (page.get_by_role("button", name=name, exact=True) for name in ("Train", "Cancel"))
    expect(train).to_be_enabled()
    wait_until_rested(page)
    train.scroll_into_view_if_needed()  # a menu closes when the page scrolls
    page.wait_for_timeout(500)
    page.get_by_role("combobox", name="Encoder").click()
    page.get_by_role("option", name="BiLSTM").click()
    wait_until_rested(page)
    train.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(cancel).to_be_enabled()
    expect(page.get_by_text("is trained, and every page knows it")).to_be_visible(timeout=240_000)
    expect(cancel).to_be_disabled()
    expect(page.get_by_text("How even the shares are")).to_be_visible()
    wait_until_rested(page)
    assert not violations(page)
    wrong = page.get_by_role("button", name="some call").first
    text = wrong.inner_text().split(" (labelled")[0].split("\n")[-1]
    assert text.startswith("<b>a</b> film")
    wrong.click()
    wait_until_drawn(page)
    expect(page).to_have_url(re.compile("checkpoint=my-network"))
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(text)
    expect(page.get_by_text("Your file labels this text")).to_be_visible()


@pytest.mark.parametrize("schemes", [("light", "dark"), pytest.param(("dark", "light"), marks=pytest.mark.slow)])
def test_everybody_can_use_every_tab(page, schemes):
    """The tabs are shown in light and dark colours in turn."""
    if not missing_package():  # the kept picture shows all networks
        check_look(page, "models")
    tabs = ("Card", "Training", "Evidence", "Files", "All models", "Train on my data", "Your transformer")
    for tab, scheme in zip(tabs, cycle(schemes), strict=False):
        page.emulate_media(color_scheme=scheme)
        open_tab(page, tab)
        assert not violations(page), (tab, scheme)
        page.set_viewport_size({"width": 375, "height": 812})
        wait_until_rested(page)
        main = "document.querySelector('[data-testid=stMain]')"
        wide, room = page.evaluate(f"(m => [m.scrollWidth, m.clientWidth])({main})")
        assert wide <= room, tab
        page.set_viewport_size({"width": 1280, "height": 900})
        wait_until_rested(page)
