"""The page Start in Chromium: its animation, its cut, its text box, and its ways on."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.acts import STREAMLITS_MENU, check_never_markup, check_phone_width, count_messages
from tests.browser.looks import check_look
from tests.browser.server import wait_until_drawn, wait_until_rested

pytestmark = pytest.mark.browser
WORD, THREAD = ".rs-story-word", ".rs-story-threads path"
# Remember what stands on the page in each frame.
WATCH = """() => {
  window.seen = new Set();
  const read = (name) => document.querySelector(`.rs-story-${name}`).innerText;
  const look = () => {
    window.seen.add(["step", "caption", "classes", "capsules", "result"].map(read).join());
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
# Type as soon as a new box is there, before its script.
TYPE_EARLY = """() => {
  const old = document.querySelector(".rs-text-box-text");
  const watch = new MutationObserver(() => {
    const box = document.querySelector(".rs-text-box-text");
    if (!box || box === old) return;
    box.value = "Typed early.";
    watch.disconnect();
  });
  watch.observe(document.body, { childList: true, subtree: true });
}"""
WIDTHS = "paths => paths.map(path => parseFloat(path.style.strokeWidth))"


@pytest.fixture
def start(open_page):
    return open_page("", shows=WORD)


def test_the_story_scrubs_cuts_and_plays_and_is_accessible(start):
    check_look(start, "start")
    check_scrubbed_and_cut_without_the_server(start)
    check_played(start)
    for scheme in ("light", "dark"):
        start.emulate_media(color_scheme=scheme)
        wait_until_rested(start)
        start.get_by_role("button", name="“never”").click()
        found = Axe().run(start, {"exclude": [[STREAMLITS_MENU]]}).response["violations"]
        assert not [(scheme, v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def check_played(start):
    """Check that the story can be played and stopped if motion is wanted."""
    start.emulate_media(reduced_motion="no-preference")
    start.get_by_role("button", name="Replay").click()
    expect(start.locator(".rs-story-step")).to_have_text("Iteration 1 of 3")
    start.get_by_role("button", name="Stop").click()
    expect(start.get_by_role("button", name="Replay")).to_be_visible()
    start.locator(".rs-story-range").focus()
    start.keyboard.press("End")
    expect(start.locator(".rs-story-step")).to_have_text("Iteration 3 of 3")
    start.evaluate(WATCH)
    start.keyboard.press("Home")
    expect(start.locator(".rs-story-step")).to_have_text("Iteration 1 of 3")
    assert len(start.evaluate("[...window.seen]")) <= 2  # caption and numbers change together, at the end of the motion
    start.get_by_role("button", name="Cut “never” and watch").click()
    expect(start.locator(".rs-story-result")).to_contain_text("Yes: without “never”")
    assert len(start.evaluate("[...window.seen]")) <= 3  # and so does the answer without a word
    start.get_by_role("button", name="Put “never” back").click()
    start.keyboard.press("Shift+Tab")  # to the slider, while the word comes back
    start.keyboard.press("Home")
    expect(start.locator(".rs-story-result")).to_be_empty()
    expect(start.locator(".rs-story-step")).to_have_text("Iteration 1 of 3")
    start.emulate_media(reduced_motion="reduce")


def check_scrubbed_and_cut_without_the_server(start):
    """Check that scrubbing and cutting change the picture, and ask the server nothing."""
    step, caption = start.locator(".rs-story-step"), start.locator(".rs-story-caption")
    expect(step).to_have_text("Iteration 3 of 3")  # motion is not wanted, so it is at its end
    expect(start.locator(".rs-story-play")).to_be_hidden()
    count_messages(start)
    start.locator(".rs-story-range").focus()
    start.keyboard.press("Home")
    expect(caption).to_contain_text("6.7% from every word")
    widths = start.eval_on_selector_all(THREAD, WIDTHS)
    assert len(widths) == 15 * 5
    assert max(widths) - min(widths) < 0.1
    start.keyboard.press("End")
    expect(caption).to_contain_text("“superb” makes up most of capsule 4")
    assert max(start.eval_on_selector_all(THREAD, WIDTHS)) > 5
    start.get_by_role("button", name="Cut “never” and watch").click()
    expect(start.locator(".rs-story-result")).to_have_text(
        "Yes: without “never” the prediction is positive (36%), not negative."
    )
    expect(start.locator(".rs-story-answer")).to_have_text("Prediction: positive (36%)")
    assert start.locator(".rs-story-before:visible").count() == 5
    start.get_by_role("button", name="Put “never” back").click()
    expect(start.locator(".rs-story-answer")).to_have_text("Prediction: negative (34%)")
    assert start.evaluate("window.sent") == 0


def test_a_typed_sentence_is_told_and_goes_along(start):
    box = start.get_by_role("textbox", name="Your text")
    check_what_is_typed_early_stays(start, box)
    box.fill("A dull film.")
    start.get_by_role("button", name="Run", exact=True).click()
    expect(start.locator(WORD)).to_have_text(["A", "dull", "film", "."])
    box.fill("A superb film.")
    box.press("Control+Enter")
    expect(start.locator(WORD).nth(1)).to_have_text("superb")
    check_never_markup(start)
    start.get_by_role("button", name="A warm, funny and deeply …").click()
    expect(start.locator(WORD).nth(1)).to_have_text("warm")
    expect(box).to_have_value("A warm, funny and deeply moving film.")
    check_phone_width(start)
    small = start.eval_on_selector_all(
        ".rs-text-box button, .rs-story button:not([hidden])",
        "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.textContent)",
    )
    assert not small
    start.get_by_role("link", name="Explore").click()
    expect(start.get_by_role("heading", level=1)).to_have_text("Dynamic routing")
    expect(start.get_by_role("textbox", name="Your text")).to_have_value("A warm, funny and deeply moving film.")
    assert "checkpoint" not in start.url or "checkpoint=dragg-reversed-sst5" in start.url


def test_a_capsule_opens_its_unit_and_the_text_stays(start):
    box = start.get_by_role("textbox", name="Your text")
    box.fill("A superb film.")
    box.press("Control+Enter")
    expect(start.locator(WORD).nth(1)).to_have_text("superb")
    wait_until_rested(start)
    capsule = start.get_by_role("link", name="capsule 3")
    assert capsule.get_attribute("title").startswith("Capsule 3: ")
    capsule.focus()
    start.keyboard.press("Enter")
    expect(start.get_by_role("heading", level=1)).to_have_text("Units")
    assert "unit=3" in start.url
    start.get_by_role("link", name="Start", exact=True).click()
    expect(box).to_have_value("A superb film.")


def check_what_is_typed_early_stays(start, box):
    """Check that no answer replaces what the user types before the page is drawn, or while a text runs."""
    start.evaluate(TYPE_EARLY)
    start.get_by_role("link", name="k-means routing", exact=True).click()
    wait_until_drawn(start)
    expect(box).to_have_value("Typed early.")
    start.get_by_role("link", name="Start", exact=True).click()
    expect(start.locator(WORD).first).to_be_visible()
    wait_until_rested(start)
    box.fill("A fine film.")
    box.press("Control+Enter")
    box.fill("A fine film, after all.")
    expect(start.locator(WORD)).to_have_text(["A", "fine", "film", "."])
    expect(box).to_have_value("A fine film, after all.")
