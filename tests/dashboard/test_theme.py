"""One table holds the colours and sizes of figures, components and styles, and all of them are readable."""

import json
import re
import tomllib

import numpy as np
import pytest

from dashboard import theme
from dashboard.theme import CIVIDIS, COLOURS, INK_TURNS, PALETTES
from tests.dashboard.app import open_app
from tests.imports import ROOT

THEMES = {"light": 0, "dark": 1}
STYLED = sorted(
    path
    for kind in ("css", "js", "html", "py")
    for path in (ROOT / "dashboard").rglob(f"*.{kind}")
    if path.name != "theme.py"
)
LITERAL = re.compile(r"(?<!&)#[0-9a-fA-F]{3,8}\b(?![-\w])|\b(?:rgba?|hsla?|light-dark)\(|: (?:white|black)\b")
SIZES = re.compile(r"font-size: (?!var\(--rs-(?:text-[1-4]|icon)\)|inherit)|font: [\d.]|[fF]ontSize\"?[:=] ?\d")
ON_PAGE = ("accent", "picked", "before", *(f"class-{k}" for k in range(5)), *(f"series-{k}" for k in range(8)))


def luminance(hex):
    """Relative luminance, as in WCAG 2."""
    values = np.array([int(hex[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def along(ramp, share):
    """The colour at a share of a ramp, as the browser mixes it."""
    at = share * (len(ramp) - 1)
    k = min(int(at), len(ramp) - 2)
    ends = [[int(hex[c : c + 2], 16) for c in (1, 3, 5)] for hex in ramp[k : k + 2]]
    mixed = [round(low + (high - low) * (at - k)) for low, high in zip(*ends, strict=True)]
    return "#" + "".join(f"{value:02x}" for value in mixed)


def test_only_the_table_has_literal_colours_and_sizes():
    found = [
        f"{path.relative_to(ROOT)}: {literal[0]}"
        for path in STYLED
        for pattern in (LITERAL, SIZES)
        for literal in pattern.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_every_name_of_a_colour_is_in_the_table():
    named = {
        name for path in STYLED for name in re.findall(r"var\(--rs-([a-z0-9-]+)\)", path.read_text(encoding="utf-8"))
    }
    assert named <= set(re.findall(r"--rs-([a-z0-9-]+):", theme.css_variables()))


@pytest.mark.parametrize("page", THEMES)
def test_text_and_marks_are_readable_on_the_page(page):
    colours = {name: pair[THEMES[page]] for name, pair in COLOURS.items()}
    for ground in ("page", "panel"):
        for text in ("ink", "soft", "accent"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for text in ("picked", "before", *(name for name in colours if name.startswith(("series", "capsule")))):
        assert contrast(colours[text], colours["page"]) >= 4.5, text  # bars with numbers on them, in the page's colour
    for mark in (*ON_PAGE, "for", "against"):
        assert contrast(colours[mark], colours["page"]) >= 3, mark
    for colour in (
        *theme.VIEWS,
        *theme.DIRECTIONS,
        *theme.TOYS,
        theme.on_any_page("picked"),
        theme.on_any_page("before"),
    ):
        assert contrast(colour, colours["page"]) >= 3, colour


@pytest.mark.parametrize("page", THEMES)
@pytest.mark.parametrize("palette", PALETTES)
def test_text_is_readable_on_every_share(palette, page):
    table = {name: pair[THEMES[page]] for name, pair in PALETTES[palette].items()}
    ramp = [table[f"share-{k}"] for k in range(10)]
    for share in np.linspace(0, 1, 201):
        ink = table["on-high" if share > INK_TURNS else "on-low"]
        assert contrast(along(ramp, share), ink) >= 4.5, share
    assert contrast(ramp[0], ramp[-1]) >= 3


@pytest.mark.parametrize("page", THEMES)
def test_text_is_readable_on_every_signed_number(page):
    ramp, ink = (theme.LIGHT_SIGNED, theme.DARK_SIGNED)[THEMES[page]], COLOURS["ink"][THEMES[page]]
    assert all(contrast(along(ramp, share), ink) >= 4.5 for share in np.linspace(0, 1, 201))
    assert (ramp[0], ramp[-1]) == tuple(COLOURS[name][THEMES[page]] for name in ("against", "for"))


@pytest.mark.parametrize("page", THEMES)
def test_streamlit_draws_with_the_same_table(page):
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"][page]
    k = THEMES[page]
    keys = {
        "primaryColor": "accent",
        "backgroundColor": "page",
        "secondaryBackgroundColor": "panel",
        "textColor": "ink",
    }
    assert {key: config[key] for key in keys} == {key: COLOURS[name][k] for key, name in keys.items()}
    assert config["chartSequentialColors"] == (theme.LIGHT_SHARES, theme.DARK_SHARES)[k]
    assert config["chartDivergingColors"] == (theme.LIGHT_SIGNED, theme.DARK_SIGNED)[k]
    assert config["chartCategoricalColors"] == [COLOURS[f"series-{j}"][k] for j in range(8)]


def test_ordered_classes_have_an_ordinal_ramp_and_others_categories():
    five = ["very negative", "negative", "neutral", "positive", "very positive"]
    assert theme.class_colors(five) == [f"var(--rs-class-{k})" for k in range(5)]
    assert theme.class_colors(["negative", "positive"]) == ["var(--rs-class-1)", "var(--rs-class-3)"]
    assert theme.class_colors(["World", "Sports", "positive"]) == theme.SERIES[:3]


def test_a_setting_changes_the_ramp_of_every_picture():
    app = open_app("routing").run()
    app.session_state["settings"] = True
    assert app.run().radio(key="palette").value == "Blue"
    assert "range" not in drawn_config(app)
    app.radio(key="palette").set_value("Cividis").run()
    assert drawn_config(app)["range"]["ramp"] == CIVIDIS
    assert f"--rs-share-9: light-dark({CIVIDIS[9]}" in "".join(html.proto.body for html in app.get("html"))


def drawn_config(app):
    """The settings of the first chart on the screen."""
    return json.loads(app.get("vega_lite_chart")[0].proto.spec)["config"]


def test_files_have_the_colours_themselves():
    drawing = {"mark": {"color": theme.PICKED}, "text": "var(--rs-none) is no colour"}
    assert theme.paint(drawing)["mark"] == {"color": COLOURS["picked"][0]}
    assert theme.paint(drawing, dark=True)["mark"] == {"color": COLOURS["picked"][1]}
    assert theme.paint(drawing)["text"] == drawing["text"]
    assert [PALETTES["Cividis"][f"share-{k}"][0] for k in range(10)] == CIVIDIS
