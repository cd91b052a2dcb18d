"""Pictures that a person uploads to the smallNORB page."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.acts import check_accessible
from tests.browser.server import wait_until_rested
from tests.browser.smallnorb import PATH, PATIENCE, pictures, wait_for_views

pytestmark = pytest.mark.browser
NOTHING = "text=Upload pictures to begin."


def png(seed=0, y=96, x=96):
    """A PNG file of random pixels."""
    out = io.BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (y, x), np.uint8)).save(out, "PNG")
    return out.getvalue()


def upload(page, files):
    given = [{"name": name, "mimeType": "image/png", "buffer": content} for name, content in files.items()]
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(given)


@pytest.fixture
def page(open_page):
    """The page before anything is uploaded."""
    return open_page(f"{PATH}&source=Your+pictures", shows=NOTHING)


def test_a_refused_upload_is_named_and_the_next_one_is_in_sight(page):
    check_a_refused_upload_is_named(page)
    check_an_upload_s_answer_is_in_sight_without_scrolling(page)


def test_a_pair_is_uploaded_and_routed(page):
    upload(page, {"toy_left.png": png(1), "toy_right.png": png(2)})
    expect(page.locator(".rs-answer strong")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Routed: toy (uploaded).")).to_be_visible()
    wait_for_views(page, 1)
    assert page.locator(".stMain [data-testid=stAlert]").count() == 0
    assert page.locator(".rs-scrubber[data-param=view]").count() == 0  # a single view needs no scrubber


def check_an_upload_s_answer_is_in_sight_without_scrolling(page):
    page.set_viewport_size({"width": 1360, "height": 900})
    upload(page, {"one.png": png(1, 120, 160)})
    expect(page.get_by_text("The view has one picture only, which is shown to both eyes.")).to_be_visible()
    wait_for_views(page, 1)
    places = [page.locator(f".st-key-{key}").bounding_box() for key in ("input", "verdict", "picture")]
    above, *below = ((place["y"], place["y"] + place["height"]) for place in places)
    assert all(above[1] <= top and bottom <= 900 for top, bottom in below)


def test_a_sample_or_an_upload_is_cropped_by_mouse_and_by_keyboard(page):
    check_a_sample_is_chosen_instead_of_an_upload(page)
    page.emulate_media(color_scheme="light")
    upload(page, {"one.png": png(1, 200, 200)})
    expect(page.get_by_text("one: 200 x 200 pixels, made square")).to_be_visible(timeout=PATIENCE)
    wait_for_views(page, 1)
    check_a_crop_by_mouse_and_by_keyboard(page)


def check_a_crop_by_mouse_and_by_keyboard(page):
    box = page.get_by_role("application", name="What is kept of the picture")
    corner = page.locator(".rs-crop-box [data-edges=rb]")
    at, whole = corner.bounding_box(), page.locator(".rs-crop").bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - whole["width"] / 4, y - whole["height"] / 2, steps=4)
    page.mouse.up()
    expect(page.get_by_text("200 x 200 pixels, cropped to 150 x 150")).to_be_visible(timeout=PATIENCE)
    box.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.get_by_text("200 x 200 pixels, cropped to 142 x 142")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Undo all").click()
    expect(page.get_by_text("one: 200 x 200 pixels, made square")).to_be_visible(timeout=PATIENCE)
    wait_until_rested(page)
    across, down = whole["x"] + 0.75 * whole["width"], whole["y"] + 0.75 * whole["height"]
    page.mouse.move(across, down)  # inside the box around everything, where another one begins
    page.mouse.down()
    page.mouse.move(across - whole["width"] / 2, down - whole["height"] / 4, steps=4)
    page.mouse.up()
    expect(page.get_by_text("200 x 200 pixels, cropped to 100 x 100")).to_be_visible(timeout=PATIENCE)


def check_a_sample_is_chosen_instead_of_an_upload(page):
    page.get_by_role("radio", name="A pair").click()
    wait_for_views(page, 1)
    expect(page.get_by_text("airplane: 96 x 96 pixels; left eye")).to_be_visible()
    assert "sample=A+pair" in page.url
    page.get_by_role("button", name="Crop and level").click()
    wait_until_rested(page)
    check_accessible(page, "[data-testid=stFileUploaderDropzone]")


def check_a_refused_upload_is_named(page):
    upload(page, {"text.png": b"hello"})
    expect(
        page.get_by_text('"text.png" cannot be read as a picture: PNG, JPEG, WebP, GIF or HEIC is wanted.')
    ).to_be_visible()
    page.get_by_role("button", name="Remove text.png").click()
    expect(page.locator(NOTHING)).to_be_visible()


def test_names_of_files_are_never_markup(page):
    out = io.BytesIO()
    names = ["<img src=x onerror='window.hacked=1'>", "**bold** [a](b) $x$ :red[c]", "www.example.com"]
    with zipfile.ZipFile(out, "w") as file:
        for k, name in enumerate(names):
            file.writestr(f"{name}.png", png(k))
    upload(page, {"names.zip": out.getvalue()})
    wait_for_views(page, 3)
    for k, name in enumerate(sorted(names), 1):
        page.locator(".rs-scrubber[data-param=view] .rs-range").fill(str(k))
        caption = page.get_by_test_id("stCaptionContainer").filter(has_text="Routed:")
        # An invisible sign after "www" keeps the name from becoming a link.
        expect(caption).to_contain_text(name.replace("www", "www\u2060"))
        wait_until_rested(page)
        assert caption.locator("a, strong, img").count() == 0
    pictures(page).nth(1).hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text(names[0])
    assert page.locator("#vg-tooltip-element img").count() == 0
    assert page.evaluate("window.hacked") is None


def test_no_sample_is_cut_at_the_end_of_its_row(page):
    samples = page.locator(".st-key-sample [role=radiogroup]")
    expect(samples).to_be_visible()
    assert samples.evaluate("(row) => row.scrollWidth <= row.clientWidth")
