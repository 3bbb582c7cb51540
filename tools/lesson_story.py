"""Cut the passages of the lesson "two translators, one story", align them, and store them in assets/lessons.

    PYTHONPATH=. python tools/lesson_story.py STORIES

STORIES: a folder of stories as JSON, each with lists of paragraphs: `en`, `ja` (Okubo) and `ja2` (Mikami).
Then run `tools/lesson_scores.py`, which scores the passages.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from core.alignment.align import align_sentences
from core.backends.registry import load_backends
from core.text.segmentation import sentences
from pages.learn.passages import FILE, StoryPassage, write

PASSAGES = (
    ("train", "61393", (6, 11), (6, 11), (7, 15)),
    ("breakfast", "61393", (0, 3), (0, 3), (0, 4)),
    ("message", "50716", (1, 6), (1, 6), (3, 10)),
)
"""A name, the story's file, and the paragraphs from and to in the English and in both translations."""


def main() -> None:
    """Write the file."""
    folder, backends = Path(sys.argv[1]), load_backends()
    found = []
    for name, file, *places in PASSAGES:
        story = json.loads((folder / f"{file}.json").read_text("utf-8"))
        english, okubo, mikami = (
            tuple(text[a:b] for text in story[key][first:last] for a, b in sentences(text))
            for key, (first, last) in zip(("en", "ja", "ja2"), places, strict=True)
        )
        translations = {"okubo": okubo, "mikami": mikami}
        beads = {who: tuple(align_sentences(english, text, backends)) for who, text in translations.items()}
        found.append(StoryPassage(name=name, english=english, translations=translations, beads=beads))
    write(found)
    print(f"{len(found)} passages in {FILE.name}, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
