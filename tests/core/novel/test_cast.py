"""The cast list: names of a reference, their renderings by system, drift, mergers and losses."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.errors import InputError
from core.novel.cast import cast

pytestmark = pytest.mark.embedded

REFERENCES = [
    "シャーロック・ホームズはワトソンとロンドンへ行った。",
    "ホームズは笑った。",
    "ワトソンは驚いた。",
    "ホームズ君はパイプに火をつけた。",
    "",
]
SYSTEMS = {
    "same": REFERENCES,
    "drift": [
        "シャーロック・ホームズはワトソンとロンドンへ行った。",
        "彼は笑った。",
        "ワトキンスは驚いた。",
        "ホームズはパイプに火をつけた。",
        "",
    ],
}


@pytest.fixture(scope="module")
def found(backends):
    return {one.name: one for one in cast(REFERENCES, SYSTEMS, backends, lang="ja")}


def test_forms_of_one_person_are_one_name_with_its_segments(found):
    holmes = found["シャーロック・ホームズ"]
    assert holmes.kind == "person"
    assert {form.form: form.segments for form in holmes.forms} == {
        "ホームズ": (1, 3),
        "シャーロック・ホームズ": (0,),
    }
    assert found["ロンドン"].kind == "place"
    assert list(found) == ["シャーロック・ホームズ", "ワトソン", "ロンドン"]


def test_the_reference_itself_is_consistent_and_loses_nothing(found):
    for one in found.values():
        told = one.systems["same"]
        assert (told.consistency, told.lost, told.drift, told.merged) == (1.0, (), False, ())


def test_another_spelling_is_drift_and_a_pronoun_is_a_loss(found):
    watson = found["ワトソン"].systems["drift"]
    assert {form.form: form.segments for form in watson.renderings} == {"ワトソン": (0,), "ワトキンス": (2,)}
    assert watson.drift
    entropy = math.log(2)  # two renderings, each once
    assert watson.consistency == pytest.approx(1 - entropy / math.log(2), abs=1e-12)
    assert found["シャーロック・ホームズ"].systems["drift"].lost == (1,)


def test_two_persons_with_one_name_are_merged(backends):
    references = ["斎藤は来た。", "田中は帰った。", "斎藤は笑った。", "田中は泣いた。"]
    system = ["斎藤は来た。", "斎藤は帰った。", "斎藤は笑った。", "斎藤は泣いた。"]
    found = {one.name: one for one in cast(references, {"s": system}, backends, lang="ja")}
    assert found["田中"].systems["s"].merged == ("斎藤",)
    assert found["斎藤"].systems["s"].merged == ("田中",)


def test_english_names_with_and_without_a_title(backends):
    references = ["Sherlock Holmes met Dr. Watson in London.", "Mr. Holmes smiled.", "Watson was surprised."]
    system = ["Sherlock Holmes met Watson in London.", "Holmes smiled.", "Watkins was surprised."]
    found = {one.name: one for one in cast(references, {"s": system}, backends, lang="en")}
    assert found["Sherlock Holmes"].systems["s"].consistency == 1.0
    assert [form.form for form in found["Watson"].systems["s"].renderings] == ["Watkins", "Watson"]


def test_texts_without_names_have_an_empty_list(backends):
    assert cast(["雨が降った。", ""], {"s": ["雨だった。", ""]}, backends, lang="ja") == []


def test_another_language_and_another_length_end_in_a_sentence(backends):
    with pytest.raises(InputError, match="English and Japanese, not in “de”"):
        cast(["Anna kam."], {"s": ["Anna kam."]}, backends, lang="de")
    with pytest.raises(InputError, match="s has 1 segments and the reference 2"):
        cast(["a", "b"], {"s": ["a"]}, backends, lang="en")


def test_the_command_lists_names_as_json_with_documents(tmp_path):
    files = {
        "ref.txt": "".join(f"{one}\n" for one in REFERENCES),
        "hyp.txt": "".join(f"{one}\n" for one in SYSTEMS["drift"]),
        "docs": "novel\tone\nnovel\tone\nnovel\ttwo\nnovel\ttwo\nnovel\ttwo\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    given = [
        *("--ref", tmp_path / "ref.txt", "--hyp", f"a={tmp_path / 'hyp.txt'}"),
        *("--documents", tmp_path / "docs", "--json"),
    ]
    done = CliRunner().invoke(app, ["cast", *map(str, given)])
    assert done.exit_code == 0
    names = {one["name"]: one for one in json.loads(done.stdout)["names"]}
    watson = names["ワトソン"]
    assert watson["forms"] == [{"form": "ワトソン", "count": 2, "segments": ["one:0", "two:0"]}]
    assert watson["systems"]["a"]["renderings"] == [
        {"form": "ワトキンス", "count": 1, "segments": ["two:0"]},
        {"form": "ワトソン", "count": 1, "segments": ["one:0"]},
    ]
    assert names["シャーロック・ホームズ"]["systems"]["a"]["lost"] == ["one:1"]


def test_initials_join_no_two_names(backends):
    references = ["Henry Baker met Holmes.", "The letters H. B. were on the hat.", "Mr. Horner was arrested."]
    found = {one.name: one for one in cast(references, {}, backends, lang="en")}
    assert {"Henry Baker", "Holmes", "Horner"} <= found.keys()


def forms(references, backends):
    """By form, its kind, of all names that are found in these texts."""
    found = cast(references, {}, backends, lang="ja")
    return {form.form: one.kind for one in found for form in one.forms}


def test_a_telegram_in_katakana_names_nobody(backends):
    told = forms(
        ["電報が届いた。コヤニ　マダ　ヒトケ　アリ。カオ　マドニ　マタ　ミユ。", "ワトソンは読んだ。"],
        backends,
    )
    assert set(told) == {"ワトソン"}


def test_katakana_that_no_dictionary_counts_is_a_name_from_the_third_time_on(backends):
    texts = [
        "ノーベリへ帰った。",
        "ノーベリから来た。",
        "彼はノーベリに住む。",
        "三ヤードだ。",
        "五ヤードだ。",
        "九ヤードだ。",
    ]
    told = forms(texts, backends)
    assert told["ノーベリ"] == "place"
    assert "ヤード" not in told  # it stands after numbers
    assert "ノーベリ" not in forms(texts[:2], backends)


def test_a_common_word_in_katakana_is_no_name_however_often_it_stands(backends):
    assert "ランプ" not in forms(["ランプを消した。", "ランプがついた。", "ランプは赤い。"], backends)


def test_a_street_is_a_place_with_its_ending(backends):
    told = forms(["ハーリィ街へ行き、キャヴェンディッシュ・スクエアで会った。ミドルセックス州だ。"], backends)
    assert {form for form, kind in told.items() if kind == "place"} >= {
        "ハーリィ街",
        "キャヴェンディッシュ・スクエア",
        "ミドルセックス州",
    }


def test_a_surname_is_found_alone_once_the_full_name_was(backends):
    references = ["ジョン・ヒーブロンは死んだ。", "彼女はヒーブロンという姓だった。"]
    (name,) = [one for one in cast(references, {}, backends, lang="ja") if one.name == "ジョン・ヒーブロン"]
    assert name.segments == (0, 1)


def test_a_form_that_renders_one_name_is_not_given_to_another_that_a_pronoun_replaced(backends):
    doctor = ["トリヴェリアンは来た。", "トリヴェリアンは帰った。", "トリヴェリアンは泣いた。"]
    references = ["ホームズは笑った。", *doctor, "ホームズは博士を呼んだ。"]
    renamed = [text.replace("トリヴェリアン", "トレベリアン") for text in doctor]
    system = ["ホームズは笑った。", *renamed, "彼はトレベリアンを呼んだ。"]
    found = {one.name: one for one in cast(references, {"s": system}, backends, lang="ja")}
    assert found["トリヴェリアン"].systems["s"].lost == ()
    assert found["ホームズ"].systems["s"].lost == (4,)
    assert [form.form for form in found["ホームズ"].systems["s"].renderings] == ["ホームズ"]
