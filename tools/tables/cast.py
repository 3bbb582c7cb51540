"""How well the cast list finds names and their renderings: Holmes stories whose names were listed by hand."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from typer import Argument

from core.backends.registry import load_backends
from core.novel.cast import CastName, cast_of
from core.novel.mentions import Mention, mentions
from tools.tables.inputs import CACHE_BYTES, rows_of
from tools.tables.markdown import print_header, print_row

LISTED = Path(__file__).parent / "cast.ja.tsv"
"""Persons and places by the number of the story, with their forms in two translations, blanks between them.

Horses and ships are names; firms, prizes, brands and newspapers are none.
"""
VERSIONS = {"okubo": ("ja", "ccby"), "mikami": ("ja2", "pd1930s")}

Data = Annotated[Path, Argument(help="Folder with the data sets; `holmes` is read.", exists=True)]


def cast_check(data: Data) -> None:
    """Print precision and recall of names and of renderings in the stories of `cast.ja.tsv`.

    Names: mentions of the reference (Okubo's translation); right is a mention whose form is listed. Found
    are the listed forms that stand in the text. Renderings: of the other translation (Mikami's); right is a
    rendering whose form is listed for the same name. To be found are the segments in which both name it.
    """
    listed: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows_of(LISTED):
        listed[row["story"]].append(row)
    backends = load_backends(cache_bytes=CACHE_BYTES)
    print_header(["story", "segments", "names", "precision", "recall", "renderings", "precision", "recall"])
    for story, rows in listed.items():
        texts = _segments(data / "holmes", story)
        own, theirs = (mentions(texts[name], backends, lang="ja") for name in VERSIONS)
        _row(story, rows, texts, own, cast_of(own, {"mikami": theirs}))


@dataclass(frozen=True, slots=True)
class _Listed:
    """The listed names of a story in one translation: which name a form is of."""

    owner: Mapping[str, str]

    def counted(self, text: str) -> Counter[str]:
        """How often each name stands in a text, the longest form first."""
        forms = sorted(self.owner, key=len, reverse=True)
        found = re.findall("|".join(map(re.escape, forms)), text)
        return Counter(self.owner[form] for form in found)


def _row(
    story: str,
    rows: Sequence[Mapping[str, str]],
    texts: Mapping[str, Sequence[str]],
    own: Sequence[Sequence[Mention]],
    found: Sequence[CastName],
) -> None:
    listed = {
        version: _Listed({form: row["name"] for row in rows for form in row[version].split()})
        for version in VERSIONS
    }
    named = [listed["okubo"].counted(text) for text in texts["okubo"]]
    rendered = [listed["mikami"].counted(text) for text in texts["mikami"]]
    right = sum(one.form in listed["okubo"].owner for listed_ in own for one in listed_)
    given = sum(len(one) for one in own)
    total = sum(sum(one.values()) for one in named)
    renderings = [
        (
            segment,
            listed["mikami"].owner.get(form.form) == _name(one, listed["okubo"]),
            _name(one, listed["okubo"]),
        )
        for one in found
        for form in one.systems["mikami"].renderings
        for segment in form.segments
    ]
    both = {(place, name) for place, one in enumerate(named) for name in one if rendered[place][name]}
    reached = both & {(segment, name) for segment, holds, name in renderings if holds}
    share = sum(holds for _, holds, _ in renderings) / len(renderings)
    print_row(
        story,
        str(len(named)),
        str(given),
        f"{right / given:.3f}",
        f"{right / total:.3f}",
        str(len(renderings)),
        f"{share:.3f}",
        f"{len(reached) / len(both):.3f}",
    )


def _name(one: CastName, listed: _Listed) -> str | None:
    """The listed name that most mentions of a name of the cast list are of."""
    counts: Counter[str | None] = Counter()
    for form in one.forms:
        counts[listed.owner.get(form.form)] += form.count
    return counts.most_common(1)[0][0]


def _segments(folder: Path, story: str) -> dict[str, list[str]]:
    """Both translations, cut where the paragraph alignment of both with the English text has a boundary."""
    told = json.loads((folder / "stories" / f"{story}.json").read_text("utf-8"))
    cuts: dict[str, dict[int, int]] = {mark: {} for _, mark in VERSIONS.values()}
    with gzip.open(folder / "auto_paragraph_alignment.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["ja_work"] == story:
                english, japanese = (int(row[name].split("-")[1]) for name in ("en_paras", "ja_paras"))
                cuts[row["ja_version"]][english] = japanese
    common = sorted(set.intersection(*(set(one) for one in cuts.values())))
    found: dict[str, list[str]] = {name: [] for name in VERSIONS}
    before = dict.fromkeys(VERSIONS, 0)
    for cut in common:
        after = {name: cuts[mark][cut] for name, (_, mark) in VERSIONS.items()}
        if all(after[name] > before[name] for name in VERSIONS):
            for name, (key, _) in VERSIONS.items():
                found[name].append("".join(told[key][before[name] : after[name]]).replace("\n", ""))
            before = after
    return found
