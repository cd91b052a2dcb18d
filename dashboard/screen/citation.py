"""A citation of a picture: a caption, the methods in a few sentences, BibTeX, and a link to the live page."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from textwrap import wrap
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy

from core.measured.evidence.badge import Badge, badge_of
from core.measured.evidence.record import Evidence
from core.papers import PAPERS
from core.provenance.record import versions
from core.sentences.words import listed
from dashboard.figures.plots import answers
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_of
from dashboard.screen.about import CITE
from dashboard.screen.evidence import NAMES, points
from dashboard.screen.export_files import BrowserState
from dashboard.screen.markdown import escape
from dashboard.screen.proof import ExportedRun

TESTED = """Badge of {name}: {badge}. Deleting the {unit}s with the highest {ranking} costs the answer {lost} points
more than deleting random {unit}s (95% interval {low} to {high}, {n:,} {samples}).""".replace("\n", " ")
UNTESTED = "Badge of {name}: nobody has measured whether its picture can be believed."
PROVED = "The file of the figure holds these numbers; the command routescope verify checks them."
LATEX = dict(zip(r"{}$&#_%", (rf"\{c}" for c in r"{}$&#_%"), strict=True)) | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "“": "``",
    "”": "''",
}
TYPED = ("text", "idea", "word")  # beginnings of entries of an address that hold what the user typed
WHEN = (1980, 1, 1, 0, 0, 0)  # the same for all entries of an archive, so that the same citation gives the same file


@dataclass(frozen=True)
class Citation:
    """A citation of a picture, as plain texts that are not escaped.

    Attributes:
        caption: sentences on the picture, on whether to believe it, and on its limits.
        methods: sentences on the runs.
        keys: keys of the papers in the bibliography.
        bibtex: entries of the papers and of this program.
        alt: description of the picture.
        figure: name of the picture's file, without its ending.
        link: address of the live page.
    """

    caption: str
    methods: str
    keys: tuple[str, ...]
    bibtex: str
    alt: str
    figure: str
    link: str

    def to_latex(self) -> str:
        """The citation for LaTeX."""
        cited = f" \\cite{{{','.join((*self.keys, 'routescope'))}}}"
        lines = [
            r"\begin{figure}",
            r"  \centering",
            rf"  \includegraphics[width=\linewidth]{{{self.figure}.pdf}}",
            rf"  \caption{{{escape_latex(self.caption)}{cited}}}",
            r"\end{figure}",
            f"\n% Methods\n{escape_latex(self.methods)}",
            "\n% references.bib",
            *(f"% {line}" for line in self.bibtex.splitlines()),
        ]
        return "\n".join(lines) + "\n"

    def to_markdown(self) -> str:
        """The citation for Markdown."""
        picture = f"![{escape_markdown(self.alt)}]({self.figure}.svg)"
        parts = (
            f"*{escape_markdown(self.caption)}*",
            f"**Methods.** {escape_markdown(self.methods)}",
            f"```bibtex\n{self.bibtex}\n```",
        )
        return "\n\n".join([picture, *parts]) + "\n"

    def to_link(self) -> str:
        """The picture as a link to the live page: a line of Markdown, and one of HTML."""
        source, alt = f"{self.figure}.svg", escape_html(self.alt)
        markdown = f"[![{escape_markdown(self.alt)}]({source})]({self.link})"
        return f'{markdown}\n\n<a href="{escape_html(self.link)}"><img src="{source}" alt="{alt}"></a>\n'


def cite(
    title: str,
    exported: Sequence[ExportedRun],
    state: BrowserState,
    with_text: bool,
    not_shown: str,
    figure: str,
    network: str = "",
    says: str = "",
) -> Citation:
    """Cite a picture of runs, or of what was measured over many samples.

    Args:
        title: title of the picture.
        exported: the runs that it shows.
        state: state of the browser.
        with_text: whether the texts may be named.
        not_shown: sentences in Markdown on what the picture does not show.
        figure: as in ``Citation``.
        network: name of the network that a picture without runs is about; "" for none.
        says: sentences on what the picture shows; the networks' badges if empty.
    """
    runs = [_describe_run(run, state.values, with_text) for run in exported]
    names = list(dict.fromkeys(run.trace.model for run in exported)) or [network] * bool(network)
    limits = f"What the picture does not show: {' '.join(re.sub('[*`]', '', not_shown).split())}" if not_shown else ""
    titles = [network for name in names if (network := checkpoints.title(name)) not in title]
    alt = ": ".join([title, *filter(None, [listed(titles)])]) + "."
    trust = [says] if says else map(describe_trust, names)
    caption = " ".join(filter(None, [alt, *runs, *trust, limits]))
    papers = [paper for name in names if (paper := PAPERS.get(checkpoints.record_of(name).paper))]
    papers = list(dict.fromkeys(papers))
    described = map(describe_method, exported) if exported else map(_describe_measured, names)
    methods = " ".join([*dict.fromkeys(described), PROVED])
    texts = {run.entry: run.text for run in exported if with_text and run.text}
    is_one = exported[0].entry == "text" if exported else bool(names)
    network = {"checkpoint": names[0]} if is_one else {}
    link = live_address(st.context.url or "", st.query_params, {**network, **texts, **state.address})
    bibtex = "\n\n".join([*(paper.bibtex for paper in papers), CITE])
    return Citation(caption, methods, tuple(paper.key for paper in papers), bibtex, alt, figure, link)


def _describe_run(run: ExportedRun, steps: Mapping[str, int], with_text: bool) -> str:
    """The network, its step and its answer; and the text if it may be named."""
    trace, text = run.trace, run.text
    step = min(steps.get(trace.along, trace.own_step), trace.n_steps)
    read = f" It reads: “{' '.join(text.split())}”" if with_text and text else ""
    return f"{answers(trace)[step - 1]}.{read}"


def describe_trust(name: str) -> str:
    """The badge of a network, with the number and the interval behind it."""
    evidence = evidence_of(name)
    badge = badge_of(evidence)
    if evidence is None or not badge.is_measured:
        return UNTESTED.format(name=name)
    lost = evidence.rankings[_weaker_way(badge)][badge.ranking].over_random
    numbers = dict(zip(("lost", "low", "high"), map(points, (lost.mean, lost.low, lost.high)), strict=True))
    about = {"unit": badge.unit, "ranking": NAMES[badge.ranking], "n": lost.n, "samples": _samples(evidence)}
    return TESTED.format(name=name, badge=badge.text, **about, **numbers)


def _weaker_way(badge: Badge) -> str:
    """The way to delete whose share the badge shows."""
    return min(badge.by_way, key=lambda pair: pair[1])[0]


def _samples(evidence: Evidence) -> str:
    return "pairs of pictures" if evidence.unit == "place" else "texts"


def describe_method(run: ExportedRun) -> str:
    """A run of a network in the words of a methods section."""
    trace, made = run.trace, versions()
    iterations = f", with {trace.n_steps} routing iterations" if trace.along == "iteration" else ""
    edited = f", edited: {listed(trace.edits_in_words())}" if trace.edits else ""
    where = f"Routescope {made['routescope']} and PyTorch {made['torch']} on {trace.device}"
    return f"We ran {_introduce(trace.model)}, in {where}{iterations}{edited}. {_describe_weights(trace.model)}"


def _describe_measured(name: str) -> str:
    """A network that was measured over many samples in the words of a methods section."""
    numbers = f"The numbers on {_introduce(name)}, come from Routescope {versions()['routescope']}."
    return f"{numbers} {_describe_weights(name)}"


def _introduce(name: str) -> str:
    """The name of a network, with its paper and its task."""
    paper = PAPERS.get(checkpoints.record_of(name).paper)
    after = f" (after {paper.short})" if paper else ""
    return f"{name}{after}, a network for {checkpoints.about(name).task}"


def _describe_weights(name: str) -> str:
    """Sentences on the weights of a network, and on its test accuracy if that was measured."""
    about = checkpoints.about(name)
    weights, test = f"Its weights have the sha256 {about.sha256}.", about.metrics.test
    if test.accuracy is None or not test.interval:
        return weights
    low, high = (f"{bound:.1%}" for bound in test.interval)
    return f"{weights} Its test accuracy is {test.accuracy:.1%} (95% interval {low} to {high}, n = {test.n:,})."


def escape_latex(text: str) -> str:
    """Text for LaTeX, shown as it is; characters that cannot be printed are left out, and checksums may be broken."""
    line = " ".join(text.split())
    escaped = "".join(LATEX.get(c, c) for c in line if c.isprintable())
    return re.sub(r"\b[0-9a-f]{64}\b", lambda found: r"\allowbreak ".join(wrap(found[0], 8)), escaped)


def escape_markdown(text: str) -> str:
    """Text for Markdown, shown as it is. A colon before a blank is no markup."""
    return re.sub(r"\\:(?=\s)", ":", escape(text))


def live_address(page: str, given: QueryParamsProxy, others: Mapping[str, str | int]) -> str:
    """The address of the live page.

    Args:
        page: address of the page without its settings.
        given: settings in the address, of which those that the user typed are left out.
        others: further settings, such as the step; they win.
    """
    settings = {key: given.get_all(key) for key in given if not key.startswith(TYPED)}
    return f"{page.partition('?')[0]}?{urlencode({**settings, **others}, doseq=True)}"


def to_archive(files: Mapping[str, Callable[[], str | bytes]]) -> bytes:
    """A zip archive of these files, by name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, make in files.items():
            archive.writestr(zipfile.ZipInfo(name, WHEN), make(), zipfile.ZIP_DEFLATED)
    return content.getvalue()
