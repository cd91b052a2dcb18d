"""Odd, empty and very long texts on every page that reads a text."""

from tests.dashboard.app import component, shown_as_markdown, text_in_box, titles, type_text
from tests.dashboard.every_page.pages import TEXT_PAGES, every_text_page, fill_in, sampled

NOTHING_TO_READ = ["", "   ", "\x00\x01", "\u200b\u200d"]
ODD_TEXTS = [
    "x" * 10_000,
    "👩‍👩‍👧 🎬 😀",
    "مرحبا بالعالم שלום",
    "a\x00b\x1b[31mc",
    "<script>alert(1)</script>",
    "**b** [a](http://x) $x^2$ :material/home: `c`",
    "a",
]


@sampled(TEXT_PAGES, "text", ODD_TEXTS, one_in=3)
def test_odd_texts_are_shown_as_typed(app, page, text):
    type_text(app.run(), text)
    assert not app.exception
    assert text_in_box(app) == text
    assert titles(app)[0] == fill_in(page.charts, app)[0]
    if page.shades:
        assert text.startswith("".join(piece for piece, _ in component(app, "shading")[0]["segments"]))
    assert len(text) == 1 or not any(text in shown for shown in shown_as_markdown(app))


@sampled(TEXT_PAGES, "text", NOTHING_TO_READ, one_in=2)
def test_a_text_without_words_gives_one_sentence(app, page, text):
    type_text(app.run(), text)
    assert not app.exception
    assert [info.value for info in app.info] == ["There is no word in this text. Type a sentence."]
    assert text_in_box(app) == text


@every_text_page
def test_a_hundred_thousand_words_are_cut_with_a_notice(app, page):
    type_text(app.run(), "good film " * 50_000)
    assert not app.exception
    assert f"Only the first {page.longest} words" in app.warning[0].value
    assert len(text_in_box(app)) == 500_000
