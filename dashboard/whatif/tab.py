"""The tab What if: edits of a run, and the classes and the picture before and after them."""

from dataclasses import replace
from urllib.parse import parse_qs

import streamlit as st

from core.edits import Edit, FreezeAfter, ReplaceWord, parse_edit
from core.sentences.findings import describe_cuts
from core.trace import Trace
from dashboard.components.buttons import address_button
from dashboard.components.scrubber import slider
from dashboard.components.verdict import Dose, paired
from dashboard.figures import compare
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import family_of
from dashboard.figures.standalone import DrawnComponent
from dashboard.runs import checkpoints
from dashboard.runs.edits import EditedRun, suggestions
from dashboard.screen.address import remember_address
from dashboard.screen.export import answer_line, draw_export_menu, prefix_line
from dashboard.screen.markdown import escape
from dashboard.screen.pins import step_of
from dashboard.screen.shown import Shown
from dashboard.screen.waits import run_with_bar
from dashboard.theme import make_unique
from dashboard.whatif.edits import Chip, EditList, Unread, edits_of, made_with_other_weights
from dashboard.whatif.offers import Action, Causes, Dosed, Offer, Subject, first_steps

MAX_WORD = 60  # characters of a replacement
CAUSAL = "Causal map"  # label of a view
MAX_BUTTONS = 3  # actions that fit next to the title
MAX_NAME = 40  # characters of the name of an edit


@st.fragment
def draw_what_if(subject: Subject) -> None:
    """Draw the offers, the edits, and the classes and the pictures before and after.

    It is a fragment: after an edit only this tab runs.
    """
    edits = edits_of(subject.run.name, subject.run.subject)
    if made_with_other_weights(edits, subject.run.name):
        st.warning(
            "This link was made with other weights than this checkpoint has now. The edits that it brings are applied "
            "to the weights that are here.",
            icon=":material/warning:",
        )
    edited = subject.run.edited(edits.applied)
    after = first_steps(edited.trace, subject.steps)
    offers = subject.offers(edited.trace)
    left, right = st.columns([2, 3], gap="large")
    chips, pictures = st.container(), st.container()
    with right:  # first, so that the browser gets the effect of an edit before the rest
        bars = _draw_classes(subject, offers, after, edited, edits)
    with pictures:
        _draw_pictures(subject, after, edited.trace, bars)
    with chips:
        _draw_chips(subject, edits, edited.refused | edits.unread)
    with left:
        for offer in offers:
            _draw_offer(offer, subject, edits)
    remember_address()


def _draw_offer(offer: Offer, subject: Subject, edits: EditList) -> None:
    """Draw the actions as buttons next to the title, or many of them as smaller buttons below it."""
    if len(offer.actions) > MAX_BUTTONS:
        _draw_menu(offer, subject, edits)
    elif offer.actions or offer.word is not None:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"**{escape(offer.title)}**", width="content")
            for action in offer.actions:
                st.button(action.label, key=str(action.edit), help=action.help, on_click=edits.add, args=(action.edit,))
            if offer.word is not None:
                _draw_words(offer.word, subject, edits)


def _draw_menu(offer: Offer, subject: Subject, edits: EditList) -> None:
    """Draw the actions of an offer as a row of small buttons."""
    at_slider = [action for action in offer.actions if action.at_slider]
    by_label = {action.label: action.edit for action in offer.actions if not action.at_slider}
    key = f"{offer.title} {edits.changes}"

    def choose() -> None:
        if label := st.session_state[key]:
            edits.add(by_label[label])

    help = "\n\n".join(f"{action.label}: {action.help}" for action in offer.actions if action.help)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.pills(f"**{escape(offer.title)}**", list(by_label), key=key, help=help, on_change=choose, width="content")
        for action in at_slider:
            _draw_at_slider(action, subject, edits)


def _draw_at_slider(action: Action, subject: Subject, edits: EditList) -> None:
    """Draw a button for an edit of the scrubber's step."""

    def add(address: str) -> None:
        step = step_of(parse_qs(address.removeprefix("?"))) or subject.steps
        if isinstance(action.edit, FreezeAfter):
            edits.add(replace(action.edit, t=min(step, subject.steps)))

    address_button(str(action.edit), action.label, "ac_unit", add, action.help or "")


def _draw_words(i: int, subject: Subject, edits: EditList) -> None:
    """Draw a menu of replacements for word i."""
    menu = st.popover("Replace", key="replace", on_change="rerun")
    if not menu.open:
        return

    def put(key: str) -> None:
        if word := (st.session_state[key] or "").strip():
            edits.add(ReplaceWord(i, word))

    word = subject.before.tokens[i]
    with menu:
        typed = {"key": f"typed {i} {word}", "max_chars": MAX_WORD, "placeholder": "Type, then press Enter"}
        st.text_input(f"Instead of “{escape(word)}”", on_change=put, args=(typed["key"],), **typed)
        suggested = suggestions(subject.run.name, subject.run.device, word)
        for label, words, how in (
            ("Near it", suggested.nearest, "Near: by the cosine of the network's own word vectors."),
            (
                "Opposite",
                suggested.opposites,
                "Opposite: near words that the network, given one alone, puts at the other end of the classes.",
            ),
        ):
            if words:
                key = f"{label} {i} {word}"
                st.pills(label, words, key=key, format_func=escape, on_change=put, args=(key,))
                st.caption(how)


def _draw_classes(
    subject: Subject, offers: tuple[Offer, ...], after: Trace, edited: EditedRun, edits: EditList
) -> DrawnComponent:
    """Draw the classes as pairs of bars, and a slider for the dose of the picked thing."""
    applied = tuple(edit for edit in edits.applied if edit not in edited.refused)
    doses = {dosed.label: dosed for offer in offers for dosed in offer.doses}
    labels = list(doses)
    label = labels[0] if labels else None
    if len(labels) > 1:
        names = {"default": labels[0], "format_func": escape, "required": True}
        label = st.segmented_control("Dose", labels, key="dose", **names) or labels[0]
    dose = _dose(subject, doses[label], applied, edits) if label in doses else None
    before = subject.before.probabilities
    options = {"percent": subject.percent, "param": subject.param}
    bars = paired("paired", before, after.probabilities, subject.before.classes, dose=dose, **options)
    if subject.note and (sentence := subject.note(edited.trace)):
        st.caption(escape(sentence))
    return bars


def _dose(subject: Subject, dosed: Dosed, edits: tuple[Edit, ...], kept: EditList) -> Dose | None:
    """The doses of an edit in addition to the other edits; None if it does not fit with them."""
    others = tuple(edit for edit in edits if edit.target != dosed.edit.target)
    result = subject.run.doses(dosed.edit, dosed.ends, others)
    if result is None:
        return None
    values, probabilities = result

    def keep(value: float) -> None:
        kept.add(dosed.edit.dosed(float(f"{value:g}")))

    return Dose(dosed.label, values, probabilities[:, : subject.steps], dosed.value, keep)


def _draw_chips(subject: Subject, edits: EditList, refused: dict[Edit | Unread, str]) -> None:
    """Draw the edits as chips; a click switches one off or on."""
    names = make_unique(_name(subject, chip, refused) for chip in edits.chips)
    with st.container(key="chips", horizontal=True, gap="small", vertical_alignment="bottom"):
        if not edits.chips:
            st.caption("No edit inside the network yet. Pick something above, then choose what to do with it.")
        else:
            key = f"chips {edits.changes}"

            def switch() -> None:
                edits.switch(st.session_state[key])

            on = [k for k, chip in enumerate(edits.chips) if chip.is_applied]
            numbers = list(range(len(names)))
            options = {"selection_mode": "multi", "default": on, "format_func": lambda k: escape(names[k]), "key": key}
            st.pills("Edits, in the order in which they apply", numbers, on_change=switch, width="content", **options)
        st.button("Undo", icon=":material/undo:", disabled=not edits.before, on_click=edits.undo, type="tertiary")
        st.button("Clear", icon=":material/close:", disabled=not edits.chips, on_click=edits.clear, type="tertiary")
        if edits.chips:
            _draw_rename(edits, names)
    for edit, sentence in refused.items():
        st.caption(f":material/block: Not applied: {escape(subject.describe(edit))}. {escape(sentence)}")


def _name(subject: Subject, chip: Chip, refused: dict[Edit | Unread, str]) -> str:
    """The name of an edit on its chip."""
    if chip.name:
        return chip.name
    if chip.other_text is not None:
        return subject.describe_of_another_text(chip.edit)
    return subject.describe(chip.edit) + (" (not applied)" if chip.is_applied and chip.edit in refused else "")


def _draw_rename(edits: EditList, names: list[str]) -> None:
    """Draw a menu that names an edit."""
    with st.popover("Name", type="tertiary"):
        number = st.selectbox("Edit", range(len(names)), format_func=names.__getitem__, key="named")
        key = f"name {edits.changes}"

        def rename() -> None:
            edits.rename(number, st.session_state[key])

        st.text_input("Its name", key=key, max_chars=MAX_NAME, on_change=rename)


def _draw_pictures(subject: Subject, after: Trace, full: Trace, bars: DrawnComponent) -> None:
    """Draw the main picture before the edits, and next to it a second one, which the user chooses.

    The second picture shows the run after the edits, the difference, or the causal map.

    Args:
        subject: run to edit.
        after: shown steps of the edited run.
        full: full trace of the edited run.
        bars: drawn classes.
    """
    has_difference = family_of(subject.full).main is not None
    views = ["After", *(["Difference"] if has_difference else []), *([CAUSAL] if subject.causes else [])]
    left, right = st.columns(2, gap="large", vertical_alignment="bottom")  # on a phone, pictures are below their titles
    title, menus = left.container(), right.container(horizontal=True, vertical_alignment="bottom")
    before, edited = subject.pictures(subject.before, after)
    with menus:
        view = st.segmented_control("Beside it", views, default=views[0], key="beside it", required=True) or views[0]
    shown, sentence = Shown(), None
    figure = compare.difference(subject.before, after) if view == "Difference" else edited
    if view == CAUSAL and subject.causes:
        with right:
            causal = _causal_map(subject, subject.causes(full), full)
        if causal:
            before, figure, sentence = causal
        else:
            view = "After"
    heading = subject.causes(full).heading(full.model) if subject.causes and view == CAUSAL else "Before"
    both = Shown(by_model={"before": Shown({heading: before}), "after": Shown({view: figure})}, parts=[bars])
    both.sliders.append(slider(subject.steps, subject.param.capitalize(), param=subject.param))
    with left:
        shown.draw_heatmap("Before", before, "what if before", f"{subject.title} of {subject.full.model}, before")
    with right:
        shown.draw_heatmap(view, figure, f"what if {view}", f"{subject.title} of {subject.full.model}, {view.lower()}")
    if sentence:
        st.caption(escape(sentence))
    title.markdown(f"**{heading}**")
    runs = (("before", subject.before), ("after", after))
    lines = [prefix_line(when, answer_line(trace)) for when, trace in runs]
    with menus:
        n_iters, sample = subject.run.n_iters, subject.run.sample
        draw_export_menu(both, subject.title, [after], sample, n_iters, key="export edited", lines=lines)


def _causal_map(subject: Subject, causes: Causes, run: Trace) -> tuple[Figure, Figure, str] | None:
    """The shares, the effect of cutting each, and a sentence that compares both; None if the user cancelled it."""
    edits = tuple(map(parse_edit, run.edits))
    question = subject.run.name, subject.run.subject, tuple(run.edits)
    lost = run_with_bar("Cutting every coupling once", question, lambda tell: subject.run.cuts(edits, causes.by, tell))
    if lost is None:
        return None
    trained = checkpoints.about(run.model).model["n_iters"]
    k = int(run.probabilities[trained - 1].argmax())
    if causes.by == "cell":
        values = lost[:, :, k]
        shares, moved = causes.shares, values
    else:
        values = lost[0]
        shares, moved = causes.shares[:, k], values[:, k]
    axes = (causes.columns, causes.rows)
    taken = compare.share_heatmap(causes.shares[None], *axes, causes.what, causes.column, causes.row)
    effects = compare.signed_heatmap(values[None], *axes, "log-odds lost if cut", causes.column, causes.row)
    return taken, effects, describe_cuts(shares, moved, run.classes[k], causes.what)
