from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FileError, OptionError
from db.campaigns.load import load_bundle
from db.formats.bundle import ReadOptions, SegmentRow, SystemRow
from db.formats.mtme import read

FILES = {
    "sources/en-ja.txt": "One.\nTwo 𠮷.\nThree.\n",
    "references/en-ja.refA.txt": "一。\n二。\n三。\n",
    "references/en-ja.refB.txt": "壱。\n弐。\n参。\n",
    "documents/en-ja.docs": "news\td1\nnews\td1\nliterary\td2\n",
    "system-outputs/en-ja/ash.txt": "いち。\n\nさん。\n",
    "system-outputs/en-ja/elm.txt": "ひとつ。\nふたつ。\nみっつ。\n",
    "human-scores/en-ja.esa.seg.score": "ash\t90\nash\t0\nash\tNone\nrefA\t100.0\nrefA\tNone\nrefA\t5.5\n",
    "human-scores/en-ja.mqm.seg.score": "ash\t-1\nash\t0\nash\t-25\n",
    "human-scores/en-ja.esa.sys.score": "ash\t45\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        change(tmp_path / "wmt", name, text)
    return tmp_path / "wmt"


def change(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8", newline="")


def test_a_language_pair_is_a_campaign_with_its_human_scores(engine, folder):
    bundle = read(folder, ReadOptions())
    assert (bundle.name, bundle.langs) == ("wmt en-ja", ("en", "ja"))
    assert bundle.segments == (
        SegmentRow("d1", 0, "一。", "One.", "news"),
        SegmentRow("d1", 1, "二。", "Two 𠮷.", "news"),
        SegmentRow("d2", 0, "三。", "Three.", "literary"),
    )
    assert bundle.systems == (
        SystemRow("refB"),
        SystemRow("ash"),
        SystemRow("elm"),
        SystemRow("refA", is_reference=True),
    )
    assert [row.text for row in bundle.outputs if row.system == "ash"] == ["いち。", "", "さん。"]
    assert [(row.key, row.system, row.rater, row.score) for row in bundle.ratings] == [
        (("d1", 0), "ash", "esa", 90),
        (("d1", 1), "ash", "esa", 0),
        (("d1", 0), "refA", "esa", 100),
        (("d2", 0), "refA", "esa", 5.5),
    ]
    assert bundle.notes == ("en-ja.mqm.seg.score: “mqm” scores are not from 0 to 100; they were left out.",)
    assert load_bundle(engine, bundle, "M").ratings == 4


@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        ("wmt", "ash\t-0.5\nash\t1\nash\t2\n", "its scores go from -0.5 to 2, not from 0 to 100"),
        ("wmt-raw", "ash\t50\nash\t101\nash\t2\n", "its scores go from 2 to 101"),
        ("psqm", "ash\t5\nash\t6\nash\t2\n", "“psqm” scores are not from 0 to 100"),
        ("wmt-z", "ash\t0.5\nash\t1\nash\t2\n", "“wmt-z” scores are not from 0 to 100"),
        ("mqm.rater1", "ash\t0\nash\t0\nash\t0\n", "“mqm.rater1” scores are not from 0 to 100"),
        ("da", "ash\tNone\nash\tNone\nash\tNone\n", "there is no score in it"),
        ("da", "oak\t1\noak\t2\noak\tNone\n", "2 scores of “oak”, which has no output, were left out"),
    ],
)
def test_scores_on_another_scale_are_left_out_and_never_rescaled(folder, name, text, note):
    change(folder, f"human-scores/en-ja.{name}.seg.score", text)
    bundle = read(folder, ReadOptions())
    assert any(note in one and name in one for one in bundle.notes)
    assert {row.rater for row in bundle.ratings} == {"esa"}


def test_without_references_and_scores_there_is_a_note(folder):
    for name in FILES:
        if name.startswith(("references", "human-scores")):
            (folder / name).unlink()
    bundle = read(folder, ReadOptions())
    assert [system.name for system in bundle.systems] == ["ash", "elm"]
    assert bundle.notes == ("There are no references: metrics that compare with one cannot be computed.",)


def test_of_several_language_pairs_one_is_told(folder):
    change(folder, "sources/de-en.txt", "Eins.\n")
    with pytest.raises(OptionError, match=r"several language pairs \(de-en, en-ja\); choose one with"):
        read(folder, ReadOptions())
    assert len(read(folder, ReadOptions(target_lang="ja")).segments) == 3
    assert len(read(folder, ReadOptions(source_lang="en")).segments) == 3
    with pytest.raises(OptionError, match=r"no such language pair; there are de-en, en-ja\."):
        read(folder, ReadOptions(source_lang="zh"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("system-outputs/en-ja/ash.txt", "一\n", "ash.txt, line 2: has 1 lines but"),
        ("references/en-ja.refA.txt", "一\n", "en-ja.refA.txt, line 2: has 1 lines but"),
        ("documents/en-ja.docs", "news\td1\n\nnews\td1\n", "en-ja.docs, line 2: is not a domain, a tab and"),
        ("sources/en-ja.txt", "", "en-ja.txt: is empty"),
        ("sources/readme.txt", "x", "readme.txt: is not named for a language pair, like en-ja.txt"),
        (
            "human-scores/en-ja.esa.seg.score",
            "ash\t1\n",
            "score: has 1 scores of “ash”, but there are 3",
        ),
        ("human-scores/en-ja.esa.seg.score", "ash\t1\n" * 4, "line 4: “ash” has more scores than there are"),
        ("human-scores/en-ja.esa.seg.score", "ash\n", "line 1: is not a system, a tab and a score"),
        ("human-scores/en-ja.esa.seg.score", "ash\tnan\n", "line 1: “nan” is not a number"),
        ("human-scores/en-ja.esa.seg.score", "ash\t1_0\n", "line 1: “1_0” is not a number"),
        ("human-scores/en-ja.esa.seg.score", "ash\t\0\n", "line 1: has a NUL character"),
    ],
    ids=range(11),
)
def test_a_fault_is_said_with_file_and_line(folder, name, text, message):
    change(folder, name, text)
    with pytest.raises(FileError) as raised:
        read(folder, ReadOptions())
    assert message in str(raised.value)


def test_what_is_no_such_folder_is_said(folder, tmp_path):
    with pytest.raises(FileError, match="holds no folder “sources”"):
        read(tmp_path, ReadOptions())
    with pytest.raises(FileError, match="holds no folder “sources”"):
        read(folder / "sources" / "en-ja.txt", ReadOptions())
    with pytest.raises(FileError, match="larger than the limit of 5 bytes"):
        read(folder, ReadOptions(limit_bytes=5))
    for system in (folder / "system-outputs" / "en-ja").iterdir():
        system.unlink()
    with pytest.raises(FileError, match="en-ja: holds no system's output"):
        read(folder, ReadOptions())


def test_crlf_and_a_byte_order_mark_belong_to_no_text(folder):
    change(folder, "system-outputs/en-ja/ash.txt", "\ufeff一\r\n二\r\n三\r\n")
    assert [row.text for row in read(folder, ReadOptions()).outputs if row.system == "ash"] == [
        "一",
        "二",
        "三",
    ]
