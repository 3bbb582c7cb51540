"""Make the texts of the study on oneself: the beginning of *Silver Blaze* in two Japanese translations.

    PYTHONPATH=. python tools/self_study.py STORIES

STORIES: a folder of stories as JSON, each with lists of paragraphs: `en`, `ja` (Okubo) and `ja2` (Mikami).
The paragraphs are aligned as by `python -m db study`, and written as a history. The English stands as the
reference, too: the metrics of the study compare each version with it. Then score them:

    export YOMIKURABE_DB=sqlite:////tmp/self.sqlite
    python -m db migrate
    python -m db import assets/study/silver-blaze.jsonl --format history --campaign self
    python -m db score --campaign self --metric bertscore,sentence-cosine
    cd assets/study
    python -m db export-scores --campaign self --no-trace --out silver-blaze.scores.jsonl.gz --force
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.backends.registry import load_backends
from core.raters.protocols import READING
from core.raters.reading.choices import ReadingChoices, choices_to_json
from db.campaigns.books import UnitChoice, align_set, campaign_of, read_books
from db.campaigns.demos import DEMO_SEED
from db.campaigns.self_study import FILE, NAME, NAME_JA
from db.design import NO_CONSENT, Design, to_json
from db.formats.bundle import Meta, SystemRow
from db.formats.history import write

STORY = "61393"
LAST = {"en": 31, "ja": 31, "ja2": 39}
"""How many paragraphs of each text make up the excerpt."""
NAMES = {"ja": "okubo", "ja2": "mikami"}
CHUNK = 500
"""Characters of a passage of the close reading."""


def main() -> None:
    """Write the study."""
    story = json.loads((Path(sys.argv[1]) / f"{STORY}.json").read_text("utf-8"))
    with TemporaryDirectory() as folder:
        files = {key: Path(folder) / f"{NAMES.get(key, key)}.txt" for key in LAST}
        for key, file in files.items():
            file.write_text("\n\n".join(story[key][: LAST[key]]) + "\n", "utf-8")
        books = read_books(files["en"], None, {name: files[key] for key, name in NAMES.items()})
        made = align_set(books, load_backends().encoder("embedded"), kept=Path(folder), force=True)
        bundle = campaign_of(made, NAME, UnitChoice(kind="paragraph", ruby=True))
    bundle = replace(
        bundle,
        name=NAME,
        segments=tuple(replace(row, reference=row.source) for row in bundle.segments),
        systems=tuple(SystemRow(one.name) for one in bundle.systems),
        meta=about(),
    )
    with FILE.open("w", encoding="utf-8") as file:
        write(bundle, file, FILE)
    print(f"{len(bundle.segments)} paragraphs in {FILE}")


def about() -> Meta:
    """What the study asks, says and owes to whom."""
    choices = ReadingChoices(no_difference=True, guess=False, chunks=CHUNK)
    return Meta(
        name_ja=NAME_JA,
        protocol=READING,
        credits_en="English: Arthur Conan Doyle, Silver Blaze, Project Gutenberg 834 (public domain). "
        "Japanese: 三上於菟吉訳・大久保ゆう改訳 (Okubo Yu), Aozora Bunko 61393, CC BY 4.0; 三上於菟吉 "
        "(Mikami Otokichi, d. 1944), Aozora Bunko 42929, public domain. The beginning, by paragraph.",
        credits_ja="英語原文：アーサー・コナン・ドイル『Silver Blaze』、"
        "Project Gutenberg 834（パブリックドメイン）。"
        "日本語：三上於菟吉訳・大久保ゆう改訳「シルヴァブレイズ」、青空文庫 61393、CC BY 4.0。"
        "三上於菟吉訳、青空文庫 42929、パブリックドメイン。冒頭部分を段落ごとに対応づけました。",
        design=to_json(Design(reading=choices_to_json(choices), raters=2, consent=NO_CONSENT)),
        seed=DEMO_SEED,
    )


if __name__ == "__main__":
    main()
