"""Small campaigns to report on, and a report's file taken apart."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

from core.raters.protocols import MarkedSpan
from core.report import document
from db.campaigns.load import load_bundle
from db.campaigns.reporting import gather
from db.formats.bundle import Bundle, Meta, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.records import RatingRecord

EVIL = "</script><img src=x onerror=alert(1)>"
KEYS = tuple((document, position) for document in ("doc0", "doc1") for position in (0, 1))
GIVEN = {
    "Aki": {"ash": (10, 20, 30, 40), "beech": (50, 60, 70, 80)},
    "Ben": {"ash": (20, 10, 40, 30), "beech": (60, 50, 80, 70)},
}
"""r = 3800/4200 = 0.90, tau = 20/28 = 0.71, alpha = 1 - 100/1120 = 0.91; ash has 25 on average, beech 65."""


def small(ratings=None, *, systems=("ash", "beech"), keys=KEYS, evil="", meta=None) -> Bundle:
    """Texts that are found nowhere else; ratings: {rater: {system: scores}}, with a comment each."""
    rows = [
        RatingRecord(key, system, rater, score, comment=f"言ったこと{rater}{key}{evil}", seconds=30)
        for rater, by_system in (ratings or {}).items()
        for system, scores in by_system.items()
        for key, score in zip(keys, scores, strict=False)
    ]
    return Bundle(
        name="Small",
        langs=("en", "ja"),
        systems=tuple(SystemRow(name) for name in systems),
        segments=tuple(
            SegmentRow(doc, at, f"参照の文章{doc}{at}{evil}", source=f"Plain source {doc} {at}{evil}")
            for doc, at in keys
        ),
        outputs=tuple(
            OutputRow((doc, at), name, f"{name}の訳した文章{doc}{at}{evil}")
            for doc, at in keys
            for name in systems
        ),
        ratings=tuple(rows),
        meta=meta or Meta(description_en=f"About all of it{evil}", credits_en="Thanks to everybody"),
    )


def marked(bundle: Bundle) -> Bundle:
    """The same with an error marked in every translation of ash, and a note."""
    span = MarkedSpan(3, 8, "major", "accuracy/mistranslation", note="ひどい間違いだ")
    rows = [replace(row, spans=(span,)) if row.system == "ash" else row for row in bundle.ratings]
    return replace(bundle, ratings=tuple(rows))


def report_of(engine, bundle, name="Small", *, lang="en", **choices):
    """Load and report: (what goes in, the file, the file taken apart)."""
    number = load_bundle(engine, bundle, name).campaign_id
    given = gather(engine, OPERATOR, number, language=lang, **choices)
    html = document(given)
    return given, html, Page.of(html)


class Page(HTMLParser):
    """rows: the cells of every row of every table. said: all text but that of scripts and styles.

    data: of the figures. faults: tags that are not closed in order. addresses: what src and href hold.
    """

    VOID = frozenset({"meta", "br", "img", "link", "input", "hr"})

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.rows, self.said, self.data = [], [], [], "", {}
        self.addresses, self.tags, self.handlers, self.script = [], [], [], ""

    @classmethod
    def of(cls, html):
        page = cls()
        page.feed(html)
        page.close()
        page.faults += page.open
        return page

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "action", "srcset")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "script":
            self.script = dict(attrs).get("id", "")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, text):
        if self.open and self.open[-1] == "script":
            if self.script:
                self.data[self.script] = json.loads(text)
            return
        if self.open and self.open[-1] == "style":
            return
        self.said += text
        if self.rows and ("td" in self.open or "th" in self.open):
            self.rows[-1][-1] += text
