"""The report as one HTML file from the template in `assets/report`, and as a PDF printed by Chromium.

A content security policy allows our two scripts and nothing else: no other script, no address.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess  # nosec B404  # a browser that the system has, no shell
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from core.assets import ASSETS
from core.charts.embed import DRAW, library
from core.errors import UnavailableError
from core.report import formatting
from core.report.blocks import Block, Section, Sentences, Source, tables_in
from core.report.content import Findings, Report, find
from core.report.formatting import day
from core.report.method import facts, method, signatures
from core.report.metrics import metrics
from core.report.novel import novel
from core.report.raters import agreeing, raters, under_rules
from core.report.study import study
from core.report.systems import ranking, side_by_side
from core.report.texts import gold, remarks
from core.text.locale import Language, Speaker

"""What the template itself says: keys `report.word.…`."""

_FOLDER = ASSETS / "report"


def document(given: Report) -> str:
    """The whole file as HTML. Raises InputError for a score or a time that is not a number."""
    say = Speaker(given.language)
    parts = sections(given, find(given), say)
    script, drawing = library(), f"{DRAW}{(_FOLDER / 'copy.js').read_text('utf-8')}"
    return _rendered(given.facts.name, _subtitle(given, say), parts, say, library=script, drawing=drawing)


def sheet(title: str, subtitle: str, parts: Sequence[Section], language: Language) -> str:
    """Sections that are no report, such as a worksheet, as an HTML file that needs nothing else."""
    return _rendered(title, subtitle, parts, Speaker(language), library="", drawing="")


def _rendered(
    title: str, subtitle: str, parts: Sequence[Section], say: Speaker, *, library: str, drawing: str
) -> str:
    return _template().render(
        language=say.language,
        title=title,
        subtitle=subtitle,
        sections=parts,
        words={
            name: say.t(f"report.word.{name}") for name in ("copy", "copied", "source", "reference", "length")
        },
        style=(_FOLDER / "report.css").read_text("utf-8"),
        library=library,
        drawing=drawing,
        policy=" ".join(f"'sha256-{_digest(one)}'" for one in (library, drawing)),
    )


def sections(given: Report, found: Findings, say: Speaker) -> list[Section]:
    """Everything that the file says, in order. Without a rating: the facts and that there is none."""
    start = [facts(given, say), method(given, found, say)]
    automatic = [one for one in [metrics(given, say)] if one is not None]
    if not given.scores and not given.rows:
        body = [*start, *study(given, say), *automatic, *novel(given, say)]
        return [*body, *([_appendix(body, say)] if given.study else []), signatures(given, say)]
    marked = remarks(given, say)
    body = [
        *start,
        raters(given, found, say),
        agreeing(found, say),
        side_by_side(found, say),
        ranking(given, found, say),
        *automatic,
        *novel(given, say),
        under_rules(given, found, say),
        gold(given, found, say),
        *([] if marked is None else [marked]),
    ]
    return [*body, _appendix(body, say), signatures(given, say)]


def _appendix(body: list[Section], say: Speaker) -> Section:
    """The tables again, for a paper."""
    t, name = say.t, "LaTeX"
    source = Source(title=t("report.latex_show", name=name), code=formatting.document(tables_in(body)))
    blocks: list[Block] = [Sentences(text=t("report.latex_what", package="booktabs"), tone="quiet"), source]
    return Section(title=t("report.latex", name=name), blocks=blocks)


def _subtitle(given: Report, say: Speaker) -> str:
    about = say.t("report.subtitle" if given.study is None else "report.subtitle_study")
    parts = [about, day(given.made, given.language)]
    if given.facts.state != "closed":
        parts.append(say.t("report.unfinished"))
    if given.anonymous:
        parts.append(say.t("report.without_names"))
    if not given.with_texts:
        parts.append(say.t("report.without_texts"))
    return " · ".join(parts)


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


@cache
def _digest(script: str) -> str:
    """As a content security policy names a script that may run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 180
"""More than a report of 200,000 ratings takes."""

_FLAGS = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


def find_browser() -> str | None:
    """Where a Chromium is, None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_to_pdf(page: Path, out: Path) -> None:
    """Print an HTML file to `out` (A4). Raises UnavailableError where no Chromium can do it."""
    browser = find_browser()
    if browser is None:
        raise UnavailableError(
            "There is no Chromium on this machine; open the report in a browser and print it to a PDF."
        )
    done = _printed(browser, page, out, sandbox=not _is_root())
    if done.returncode != 0 and b"sandbox" in done.stderr.lower():  # a container that allows none
        done = _printed(browser, page, out, sandbox=False)
    if done.returncode != 0 or not out.is_file():
        raise _failed(browser)


def _printed(browser: str, page: Path, out: Path, *, sandbox: bool) -> subprocess.CompletedProcess[bytes]:
    """One run of the browser. Without its sandbox the page's content security policy still holds."""
    flags = _FLAGS if sandbox else (*_FLAGS, "--no-sandbox")
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *flags, f"--user-data-dir={profile}", f"--print-to-pdf={out.absolute()}"]
        try:
            return subprocess.run(  # nosec B603  # found by name above, arguments are paths of ours
                [*command, page.absolute().as_uri()], capture_output=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _failed(browser) from error


def _is_root() -> bool:
    """Chromium refuses to run in its sandbox for this user."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _failed(browser: str) -> UnavailableError:
    return UnavailableError(
        "{browser} could not print the report; open it in a browser and print it to a PDF.", browser=browser
    )
