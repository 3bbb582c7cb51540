from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import FileError, OptionError
from db.campaigns.load import load_bundle
from db.formats.bundle import ReadOptions, SegmentRow, SystemRow
from db.formats.wmt import read_test_set_jsonl


def row(doc_id: str = "d1", **given: object) -> dict[str, object]:
    return {
        "doc_id": doc_id,
        "domain": "literary",
        "src_lang": "en",
        "tgt_lang": "ja_JP",
        "src_text": "One.\n\nTwo 𠮷.",
        "refs": {"refA": {"ref": "一。\n\n二𠮷。"}},
        **given,
    }


def write(path: Path, *rows: object, end: str = "\n") -> Path:
    text = "".join(json.dumps(one, ensure_ascii=False) + end for one in rows)
    path.write_bytes(text.encode())
    return path


def system(path: Path, **texts: str) -> Path:
    return write(path, *({"doc_id": doc_id, "hypothesis": text} for doc_id, text in texts.items()))


def test_paragraphs_are_segments_paired_across_the_files(tmp_path):
    test = write(tmp_path / "wmt.jsonl", row(), row("d2", src_text="Three.", refs={"refA": {"ref": "三。"}}))
    ash = system(tmp_path / "ash.jsonl", d2="さん。", d1="いち。\n\nに。")
    bundle = read_test_set_jsonl(test, ReadOptions(hypotheses=(("ash", ash),)))
    assert (bundle.name, bundle.langs, bundle.systems) == ("wmt", ("en", "ja"), (SystemRow("ash"),))
    assert bundle.segments == (
        SegmentRow("d1", 0, "一。", "One.", "literary"),
        SegmentRow("d1", 1, "二𠮷。", "Two 𠮷.", "literary"),
        SegmentRow("d2", 0, "三。", "Three.", "literary"),
    )
    assert {(output.key, output.text) for output in bundle.outputs} == {
        (("d1", 0), "いち。"),
        (("d1", 1), "に。"),
        (("d2", 0), "さん。"),
    }
    assert bundle.notes == ()


def test_a_folder_is_sorted_by_what_its_files_hold(engine, tmp_path):
    write(tmp_path / "zz-test.jsonl", row())
    system(tmp_path / "ash.jsonl", d1="あ\n\nい")
    system(tmp_path / "beech.jsonl", d1="か\n\nき")
    bundle = read_test_set_jsonl(tmp_path, ReadOptions())
    assert [one.name for one in bundle.systems] == ["ash", "beech"]
    report = load_bundle(engine, bundle, "WMT")
    assert (report.segments, report.translations) == (2, 4)


def test_a_further_reference_is_a_system_and_unused_fields_are_named(tmp_path):
    refs = {"refA": {"ref": "一\n\n二"}, "refB": {"ref": "いち\n\nに"}}
    test = write(tmp_path / "t.jsonl", row(refs=refs, video=None, prompt_instruction="Translate."))
    bundle = read_test_set_jsonl(test, ReadOptions())
    assert [segment.reference for segment in bundle.segments] == ["一", "二"]
    assert [(output.system, output.text) for output in bundle.outputs] == [("refB", "いち"), ("refB", "に")]
    assert bundle.notes == ("These fields of the test set were left out: video, prompt_instruction.",)


def test_an_empty_paragraph_and_an_empty_hypothesis_are_empty_outputs(tmp_path):
    test = write(tmp_path / "t.jsonl", row(src_text="a\r\n\r\nb\n \nc", refs={}))
    ash = system(tmp_path / "ash.jsonl", d1="A\n\n\n\nC")
    beech = system(tmp_path / "beech.jsonl", d1=" ")
    bundle = read_test_set_jsonl(test, ReadOptions(hypotheses=(("ash", ash), ("beech", beech))))
    assert [segment.source for segment in bundle.segments] == ["a", "b", "c"]
    assert [output.text for output in bundle.outputs] == ["A", "", "C", "", "", ""]
    assert "There are no references" in bundle.notes[0]


def test_of_several_language_pairs_one_is_told(tmp_path):
    test = write(tmp_path / "t.jsonl", row(), row("d2", tgt_lang="cs_CZ"))
    ash = system(tmp_path / "ash.jsonl", d1="あ\n\nい", d2="a\n\nb")
    hypotheses = (("ash", ash),)
    with pytest.raises(OptionError, match=r"several language pairs \(en-cs_CZ, en-ja_JP\); choose one"):
        read_test_set_jsonl(test, ReadOptions(hypotheses=hypotheses))
    with pytest.raises(OptionError, match=r"no such language pair; there are en-cs_CZ, en-ja_JP\."):
        read_test_set_jsonl(test, ReadOptions(target_lang="de", hypotheses=hypotheses))
    bundle = read_test_set_jsonl(test, ReadOptions(target_lang="ja", hypotheses=hypotheses))
    assert [output.text for output in bundle.outputs] == ["あ", "い"]


def test_a_system_that_lacks_documents_is_noted(tmp_path):
    test = write(tmp_path / "t.jsonl", row(), row("d2", refs={}))
    bundle = read_test_set_jsonl(
        test, ReadOptions(hypotheses=(("ash", system(tmp_path / "a.jsonl", d1="a\n\nb")),))
    )
    assert bundle.notes == (
        "The system “ash” has no translation of 1 of 2 documents.",
        "1 of 2 documents have no “refA”.",
    )


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        (
            [{"doc_id": "d1", "hypothesis": "a"}],
            "ash.jsonl, line 1: field “hypothesis”: the document “d1” has 1 paragraphs here and 2",
        ),
        ([{"doc_id": "d1", "hypothesis": "a\n\nb"}] * 2, "ash.jsonl, line 2: field “doc_id”: the document"),
        ([{"doc_id": "x", "hypothesis": "a"}], "ash.jsonl, line 1: field “doc_id”: there is no document “x”"),
        ([{"doc_id": "d1"}], "ash.jsonl, line 1: has no field “hypothesis”"),
        ([{"doc_id": "d1", "hypothesis": 5}], "line 1: field “hypothesis”: is not a text"),
        ([{"doc_id": "d1", "hypothesis": "a\0\n\nb"}], "holds a character that cannot be stored"),
        ([{"doc_id": "d1", "hypothesis": "\n\n"}], "has no translation of any system"),
        ([], "ash.jsonl: is empty"),
        (["text"], "ash.jsonl, line 1: is not a JSON object"),
    ],
)
def test_a_fault_of_a_system_file_is_said_with_the_line(tmp_path, hypotheses, message):
    test, ash = write(tmp_path / "t.jsonl", row()), write(tmp_path / "ash.jsonl", *hypotheses, end="\r\n")
    with pytest.raises(FileError) as raised:
        read_test_set_jsonl(test, ReadOptions(hypotheses=(("ash", ash),)))
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(), row()], "t.jsonl, line 2: field “doc_id”: the document “d1” stands in an earlier line"),
        ([row(refs={"refA": {"ref": "a"}})], "line 1: field “refs.refA.ref”: the document “d1” has 1 para"),
        ([row(refs=[])], "line 1: field “refs”: is not a JSON object"),
        ([row(src_text=None)], "line 1: has no field “src_text”"),
        ([row(doc_id=" ")], "line 1: field “doc_id”: the doc_id is blank"),
        ([row(tgt_lang="klingon")], "“klingon” is not a language code"),
        ([row(src_text="\udc00")], "line 1: field “src_text”: holds a character"),
    ],
)
def test_a_fault_of_the_test_set_is_said_with_the_line(tmp_path, rows, message):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    with pytest.raises(FileError) as raised:
        read_test_set_jsonl(path, ReadOptions())
    assert message in str(raised.value)


def test_a_folder_has_one_test_set(tmp_path):
    with pytest.raises(FileError, match="the test set, but holds none"):
        read_test_set_jsonl(tmp_path, ReadOptions())
    write(tmp_path / "a.jsonl", row())
    write(tmp_path / "b.jsonl", row())
    with pytest.raises(FileError, match=r"holds a\.jsonl and b\.jsonl"):
        read_test_set_jsonl(tmp_path, ReadOptions())


paragraphs = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u3000 "), min_size=1),
    min_size=1,
    max_size=4,
)


@given(texts=paragraphs)
def test_any_paragraphs_joined_by_blank_lines_come_apart_again(texts, tmp_path_factory):
    assume(any(text.strip() for text in texts))  # a file of blanks alone has no translation
    folder = tmp_path_factory.mktemp("wmt")
    joined = "\n\n".join(texts)
    test = write(folder / "t.jsonl", row(src_text=joined, refs={"refA": {"ref": joined}}))
    bundle = read_test_set_jsonl(
        test, ReadOptions(hypotheses=(("ash", system(folder / "ash.jsonl", d1=joined)),))
    )
    assert [segment.source for segment in bundle.segments] == texts
    assert [segment.reference for segment in bundle.segments] == texts
    assert [output.text for output in bundle.outputs] == texts
