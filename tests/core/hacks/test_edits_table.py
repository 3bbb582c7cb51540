"""Each edit that changes what a text says, on sentences whose result was written or judged by hand.

`tests/fixtures/edits.tsv`: edit, language, text, expected; seed 0.
"""

from __future__ import annotations

from itertools import groupby

import pytest

from core.hacks import EDITS, Edited, EditInput, Skipped, edit
from tests.conftest import FIXTURES

ROWS = [
    tuple(line.split("\t")) for line in (FIXTURES / "edits.tsv").read_text("utf-8").split("\n")[1:] if line
]
OTHER = {
    "ja": "川の水は冷たく、橋の上では子供たちが手を振っていた。",
    "en": "The water of the river was cold, and on the bridge the children were waving their hands.",
}
GROUPS = {name: list(rows) for name, rows in groupby(sorted(ROWS), key=lambda row: f"{row[0]}-{row[1]}")}


def given_texts(backends, texts, lang, other=None):
    parses = backends.parser("dependency").parse(texts, lang=lang, constituents=False)
    words = backends.reader("word").read(texts, lang=lang, entities=True)
    return [
        EditInput(text=text, lang=lang, parse=parse, words=found, other=other)
        for text, parse, found in zip(texts, parses, words, strict=True)
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_an_edit_does_what_its_summary_says(group, backends):
    rows = GROUPS[group]
    name, lang = rows[0][:2]
    given = given_texts(backends, [row[2] for row in rows], lang, OTHER[lang])
    done = [edit(name, one) for one in given]
    made = {
        one.text: result.text for one, result in zip(given, done, strict=True) if isinstance(result, Edited)
    }
    assert made == {row[2]: row[3] for row in rows}


def test_every_edit_that_reads_the_meaning_has_a_dozen_sentences_a_language():
    assert len(GROUPS) == 15
    assert min(len(rows) for rows in GROUPS.values()) >= 12


def test_the_changed_place_holds_the_new_form_of_the_verb(backends):
    (one,) = given_texts(backends, ["彼は昨日その猫を見た。"], "ja")
    done = edit("flip-negation", one)
    assert done == Edited("彼は昨日その猫を見なかった。", "見た → 見なかった", 8, 13)


def test_swapping_names_covers_both_places(backends):
    (one,) = given_texts(backends, ["Holmes wrote to Watson."], "en")
    assert edit("swap-names", one) == Edited("Watson wrote to Holmes.", "Holmes ↔ Watson", 0, 22)


@pytest.mark.parametrize(
    ("name", "lang", "text", "reason"),
    [
        ("flip-negation", "ja", "犬。", "no-predicate"),
        ("flip-negation", "ja", "彼はどこへ行くの？", "no-predicate"),
        ("flip-negation", "en", "Who was there?", "no-predicate"),
        ("flip-negation", "ja", "悪いようにはしない。", "no-predicate"),
        ("swap-arguments", "ja", "雨が降った。", "no-arguments"),
        ("swap-arguments", "ja", "彼は肩をすくめた。", "no-arguments"),
        ("swap-arguments", "en", "The meeting took place.", "no-arguments"),
        ("swap-names", "ja", "雨が降った。", "no-name"),
        ("swap-names", "en", "It rained on Monday in May.", "no-name"),
        ("change-number", "ja", "何ひとつない。", "no-number"),
        ("change-number", "en", "One never knows.", "no-number"),
        ("change-honorific", "ja", "犬。", "no-predicate"),
        ("change-honorific", "en", "He came.", "language"),
        ("drop-sentence", "en", "Mr. Smith came.", "one-sentence"),
        ("drop-last-sentence", "ja", "「行け。」と彼は言った。", "one-sentence"),
    ],
)
def test_what_cannot_be_changed_says_why(name, lang, text, reason, backends):
    (one,) = given_texts(backends, [text], lang)
    assert edit(name, one) == Skipped(reason)


@pytest.mark.parametrize("name", [name for name, one in EDITS.items() if "parser" in one.needs])
def test_an_edit_that_reads_grammar_is_skipped_without_a_parse(name):
    assert edit(name, EditInput(text="彼は猫を見た。", lang="ja")) == Skipped("no-parse")


def test_names_are_not_swapped_without_words(backends):
    (parse,) = backends.parser("dependency").parse(["太郎が来た。"], lang="ja", constituents=False)
    assert edit("swap-names", EditInput(text="太郎が来た。", lang="ja", parse=parse)) == Skipped("no-words")
