"""Speed of what runs through a whole novel: names, voices and the chapter strip of a large campaign.

    python -m benchmarks.novel FOLDER [--segments 5000] [--systems 4] [--without-models]

FOLDER has Holmes stories as JSON (`ja`: a list of paragraphs). The reference is their sentences; each system
has all of them, each with a beginning of its own, so that no text is read twice, and spells every tenth
ホームズ as ホルムズ. One JSON line: the seconds (of the clock) in which the models read the texts, in which
names and voices are found in what was read, and of the pages that show them, at the first and second view.
With --without-models words and names are cut by a rule (katakana of three letters or more are a name), which
leaves out the half hour in which the models read; names and voices are then others, and about as many.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
from sqlalchemy import Engine

from core.backends import Backends, Word
from core.backends.registry import load_backends
from core.novel.gathering import cast_and_voices
from core.types import Parse, ParsedWord
from db.campaigns.load import load_bundle
from db.campaigns.novel import analyse, novel_texts
from db.engine import make_engine, migrate
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.records import RatingRecord

ROOT = Path(__file__).parents[1]
BEGINNINGS = ("", "そして、", "さて、", "ところで、", "それから、", "やがて、", "しかし、", "また、")
"""What stands before each sentence: of the reference nothing."""

PAGES = ("cast/page", "voice", "strip")


def sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """Story and sentence; a sentence ends at 。 outside quotations."""
    for path in sorted(folder.glob("*.json")):
        for paragraph in json.loads(path.read_text("utf-8"))["ja"]:
            for one in re.findall(r"(?:「[^」]*」|『[^』]*』|[^。])+。?", paragraph):
                if one.strip():
                    yield path.stem, one.strip()


def bundle(folder: Path, segments: int, systems: int) -> Bundle:
    """The campaign, rated by one person with random scores (seed 0)."""
    found = list(dict.fromkeys(sentences(folder)))[:segments]
    if len(found) < segments:
        raise SystemExit(f"{folder} has {len(found)} different sentences.")
    places: dict[str, int] = {}
    rows = []
    for story, text in found:
        places[story] = places.get(story, -1) + 1
        rows.append(SegmentRow(story, places[story], text))
    outputs = []
    for system in range(systems):
        for n, row in enumerate(rows):
            text = BEGINNINGS[1 + system] + row.reference
            changed = text.replace("ホームズ", "ホルムズ") if (n + system) % 10 == 0 else text
            outputs.append(OutputRow(row.key, f"s{system}", changed))
    scores = np.random.default_rng(0).integers(0, 101, len(outputs))
    ratings = tuple(
        RatingRecord(one.key, one.system, "Aki", float(score))
        for one, score in zip(outputs, scores, strict=True)
    )
    return Bundle(
        name="Novel",
        langs=("en", "ja"),
        systems=tuple(SystemRow(f"s{system}") for system in range(systems)),
        segments=tuple(rows),
        outputs=tuple(outputs),
        ratings=ratings,
    )


_WORD = re.compile(r"[ァ-ヺー・]+|[一-龥々]+|[ぁ-ゖ]{1,2}|\S")
_NAME = re.compile(r"[ァ-ヺー・]{3,}")


def _tag(word: str) -> str:
    if _NAME.fullmatch(word):
        return "名詞-固有名詞"
    return "助詞" if word in "はがも" else "名詞"


def by_rule(what: str, text: str) -> object:
    """A text cut by a rule: its parse, or its words."""
    found = list(_WORD.finditer(text))
    if what == "read":
        return [
            Word(one[0], one.start(), one.end(), one[0], "Person" if _NAME.fullmatch(one[0]) else None)
            for one in found
        ]
    return Parse(
        words=tuple(
            ParsedWord(
                text=one[0],
                start=one.start(),
                end=one.end(),
                lemma=one[0],
                tag=_tag(one[0]),
                pos="X",
                head=0,
                relation="dep",
            )
            for one in found
        )
    )


class Remembered:
    """Backends that keep every answer, and count the seconds that the models took; rule: without models."""

    def __init__(self, *, rule: bool = False) -> None:
        self.rule = rule
        self.backends = load_backends()
        self.seconds = 0.0
        self._kept: dict[tuple[str, str], object] = {}

    def asked(self) -> Backends:
        """Backends that ask this."""
        return Backends(encoder=self.backends.encoder, reader=lambda name: self, parser=lambda name: self)  # type: ignore[arg-type,return-value]

    def signature(self, lang: str, **_: bool) -> str:
        """No signature."""
        return "benchmark"

    def parse(self, texts: Sequence[str], **given: object) -> list[Parse]:
        """As the parser."""
        return self._ask("parse", texts, given)

    def read(self, texts: Sequence[str], **given: object) -> list[object]:
        """As the reader."""
        return self._ask("read", texts, given)

    def _ask(self, what: str, texts: Sequence[str], given: dict[str, object]) -> list:  # type: ignore[type-arg]
        lacking = [text for text in dict.fromkeys(texts) if (what, text) not in self._kept]
        given.pop("progress", None)
        started = time.perf_counter()
        if lacking:
            one = self.backends.parser("auto") if what == "parse" else self.backends.reader("word")
            for start in range(0, len(lacking), 500):
                some = lacking[start : start + 500]
                found = (
                    [by_rule(what, text) for text in some] if self.rule else getattr(one, what)(some, **given)
                )
                for text, told in zip(some, found, strict=True):
                    self._kept[what, text] = told
        self.seconds += time.perf_counter() - started
        return [self._kept[what, text] for text in texts]


def measure(folder: Path, segments: int, systems: int, *, rule: bool) -> dict[str, object]:
    """All figures."""
    with tempfile.TemporaryDirectory() as place:
        url = f"sqlite:///{place}/novel.sqlite"
        engine = make_engine(url)
        migrate(engine)
        campaign = load_bundle(engine, bundle(folder, segments, systems), "Novel").campaign_id
        models = Remembered(rule=rule)
        texts = novel_texts(engine, campaign)
        given = {"lang": "ja", "documents": texts.documents}
        cast_and_voices(texts.references, texts.systems, models.asked(), **given)  # type: ignore[arg-type]
        reading = models.seconds
        started = time.perf_counter()
        analyse(engine, OPERATOR, campaign, "cast", models.asked())
        found = time.perf_counter() - started
        del models  # an app that shows pages does not hold what the models read
        gc.collect()
        return {
            "segments": segments,
            "systems": systems,
            "models_read": None if rule else round(reading, 1),
            "names_and_voices": round(found, 1),
            "pages": _pages(engine, url),
        }


def _pages(engine: Engine, url: str) -> dict[str, list[float]]:
    """Seconds of the first and the second view of each page."""
    from streamlit.testing.v1 import AppTest

    seconds: dict[str, list[float]] = {}
    with (
        patch.dict("os.environ", {"YOMIKURABE_DB": url}),
        patch("pages.auth.session.at_this_machine", lambda: True),
    ):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run()
        for page in PAGES:
            for _ in range(2):
                started = time.perf_counter()
                at.switch_page(f"pages/debug/{page}.py").run()
                seconds.setdefault(page.partition("/")[0], []).append(round(time.perf_counter() - started, 2))
                if at.exception:
                    raise SystemExit(at.exception[0].message)
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=5000)
    parser.add_argument("--systems", type=int, default=4, choices=range(1, len(BEGINNINGS)))
    parser.add_argument("--without-models", action="store_true")
    given = parser.parse_args()
    found = measure(given.folder, given.segments, given.systems, rule=given.without_models)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    sys.exit(main())
