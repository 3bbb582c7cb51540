"""The same mark in two encodings is the same character, or it is told."""

from __future__ import annotations

import pytest

from core.metrics.base import text_flags
from core.text.files import LineFile, read_text
from core.types import TextPair

LINES = ["長い〜話だった。", "気温は−3度だ。", "値段は‖100¢だ。"]


@pytest.mark.parametrize("encoding", ["cp932", "utf-8"])
def test_marks_of_windows_are_those_of_other_encodings(encoding, tmp_path):
    text = "\n".join(LINES) + "\n"
    if encoding == "cp932":
        text = text.translate(str.maketrans("〜−‖¢", "～－∥￠"))
    file = tmp_path / "a.txt"
    file.write_bytes(text.encode(encoding))
    assert list(LineFile(file)) == LINES
    assert read_text(file).splitlines() == LINES


@pytest.mark.parametrize(
    ("reference", "hypothesis", "told"),
    [
        ("長い〜話", "長い～話", True),
        ("−3", "－3", True),
        ("ベルリン", "\u30d8\u3099ルリン", True),
        ("長い〜話", "長い〜話", False),
        ("長い話", "長い～話", False),
    ],
)
def test_two_forms_of_one_mark_are_told(reference, hypothesis, told):
    flags = text_flags(TextPair(reference=reference, hypothesis=hypothesis, lang="ja"))
    assert ("mixed-forms" in flags) == told


@pytest.mark.parametrize(
    ("hypothesis", "told"),
    [
        ("<ruby>斎藤<rt>さいとう</rt></ruby>は笑った。", True),
        ("斎藤《さいとう》は笑った。", True),
        ("映画《七人の侍》を見た。", False),
        ("a < b", False),
    ],
)
def test_ruby_that_is_scored_with_its_markup_is_told(hypothesis, told):
    flags = text_flags(TextPair(reference="斎藤は笑った。", hypothesis=hypothesis, lang="ja"))
    assert ("ruby" in flags) == told
