"""Errors in Japanese and English: the place, the file's name, and values that are left as they are."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

from core.errors import (
    FileError,
    InputError,
    Listed,
    OptionError,
    RatingError,
    ScaleUnknown,
    Wording,
    os_reason,
)
from core.text.locale import language_name
from core.text.sentences import catalogue, sentence, translated

TAKEN = "There is a campaign “{name}” already; choose another name."


@pytest.mark.parametrize("name", ["{x}", "{0.__class__}", "{name!r:>99}", "{", "}}", "100 %s", "{{name}}"])
def test_braces_in_a_name_come_through_unharmed(name):
    error = InputError(TAKEN, name=name)
    assert error.message == f"There is a campaign “{name}” already; choose another name."
    assert sentence(error, "en") == error.message
    assert sentence(error, "ja") == f"キャンペーン「{name}」はすでにあります。別の名前にしてください。"


def test_a_sentence_without_values_is_not_formatted():
    assert RatingError("{x} is what a person wrote").message == "{x} is what a person wrote"


def test_the_template_is_the_code_and_the_details_are_the_values():
    error = RatingError("The score {score!r:.20} is not a number from 0 to 100; correct it.", score=101)
    assert error.template == "The score {score!r:.20} is not a number from 0 to 100; correct it."
    assert error.details == {"score": 101}
    assert str(error) == error.message == "The score 101 is not a number from 0 to 100; correct it."


def test_a_file_has_its_name_alone_and_the_line_and_the_field_in_the_readers_language():
    field = Wording("field “{field:.200}”", field="score")
    error = FileError(Path("/var/scratch/{a}.jsonl"), "is not a number.", line=3, within=field)
    assert str(error) == "/var/scratch/{a}.jsonl, line 3: field “score”: is not a number."
    assert sentence(error, "en") == "{a}.jsonl, line 3: field “score”: is not a number."
    assert sentence(error, "ja") == "「{a}.jsonl」の 3 行目（フィールド「score」）：数ではありません。"
    assert sentence(FileError("x.json", "is empty."), "ja") == "「x.json」：中身が空です。"


def test_a_path_within_a_sentence_is_a_name_too():
    template = "{path}: there is no such language pair; there are {names}."
    error = OptionError(template, path=Path("/srv/x.tmx"), names="en-ja")
    assert str(error).startswith("/srv/x.tmx: ")
    assert sentence(error, "en") == "x.tmx: there is no such language pair; there are en-ja."
    assert sentence(error, "ja") == "「x.tmx」：その言語の組はありません。あるもの：en-ja。"


def test_a_sheet_is_named_in_the_readers_language():
    sheet = Wording("{file}, sheet {sheet:.40}", file=Path("/srv/x.xlsx"), sheet="ratings")
    error = FileError(sheet, "has the column “{column}” twice.", line=1, column="score")
    assert str(error) == "/srv/x.xlsx, sheet ratings, line 1: has the column “score” twice."
    assert sentence(error, "ja") == "「x.xlsx、シート ratings」の 1 行目：列「score」が二つあります。"


def test_a_sentence_that_becomes_a_part_begins_small_in_english():
    error = FileError("x.tsv", "The {what} is blank; give it a name.", part=True, what=Wording("system"))
    assert str(error) == sentence(error, "en") == "x.tsv: the system is blank; give it a name."
    assert sentence(error, "ja") == "「x.tsv」：システム名が空です。名前を付けてください。"


def test_words_within_a_sentence_are_translated_and_columns_stay():
    for what, japanese in (("comment", "コメント"), ("doc_id", "doc_id"), ("not known", "not known")):
        error = InputError("The {what} is blank; give it a name.", what=Wording(what))
        assert sentence(error, "ja") == f"{japanese}が空です。名前を付けてください。"


def test_a_list_is_joined_as_the_language_does_it():
    template = "no score is above {highest:g}, so the scale could be {scales}; tell it with --scale."
    error = ScaleUnknown("x.tsv", template, scales=Listed(["0-5", "0-100"]), highest=5.0)
    assert error.scales == ("0-5", "0-100")
    assert "could be 0-5 or 0-100; tell" in error.message
    assert "5 を超える点数がないため、尺度は 0-5、0-100 のどれとも" in (sentence(error, "ja") or "")


@pytest.mark.parametrize(
    ("code", "japanese"),
    [(errno.EACCES, "権限がありません"), (errno.ENOENT, "ファイルかフォルダーがありません")],
)
def test_what_the_system_says_is_translated(code, japanese):
    reason = os_reason(OSError(code, os.strerror(code)))
    assert sentence(FileError("x", "cannot be read ({reason}).", reason=reason), "ja") == (
        f"「x」：読み取れません（{japanese}）。"
    )


def test_an_unknown_reason_stays_as_it_is():
    error = FileError("x", "cannot be read ({reason}).", reason="{0.__class__} strange")
    assert sentence(error, "ja") == "「x」：読み取れません（{0.__class__} strange）。"


def test_a_template_without_japanese_has_none():
    assert sentence(InputError("What is {this}?", this=1), "ja") is None


def test_a_sentence_that_was_stored_in_english_is_found_again():
    stored = "The command of external:comet took longer than 60 seconds and was stopped."
    assert (
        translated(stored, "ja") == "external:comet のコマンド：60 秒以内に終わらなかったため、止めました。"
    )
    assert translated(stored, "en") == stored
    refused = "The command of external:comet cannot be started (Permission denied)."
    assert translated(refused, "ja") == "external:comet のコマンド：起動できません（権限がありません）。"


def test_a_text_that_is_no_sentence_of_the_program_is_not_translated():
    assert translated("The hypothesis has no verb.", "ja") is None
    assert translated("x: y", "ja") is None


def test_a_stored_sentence_is_never_taken_for_another_one():
    for template, japanese in catalogue("errors").items():
        if "{" not in template and sum(map(str.isalpha, template)) >= 8:
            assert translated(template, "ja") == japanese


def test_a_note_is_its_english_text_and_survives_a_copy():
    note = Wording("{count} {what} were left out.", count=2, what=Wording("skips"))
    assert note == "2 skips were left out."
    copied = pickle.loads(pickle.dumps(note))
    assert (type(copied), translated(copied, "ja")) == (Wording, "スキップ 2 件を除きました。")


def test_a_language_is_called_by_its_name_where_the_sentence_is_japanese():
    note = Wording("The source language was taken to be “{lang}”; name it if it is another.", lang="en")
    assert note == "The source language was taken to be “en”; name it if it is another."
    assert translated(note, "ja") == "原文の言語を「英語」と判断しました。違う場合は指定してください。"
    assert language_name("pt-BR", "en") == "Portuguese (pt-BR)"
    assert language_name("qya", "ja") == "qya"
