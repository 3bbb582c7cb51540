"""The voice ledger: quotations, speakers, forms of speech, and breaks of a voice."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from core.__main__ import app
from core.errors import InputError
from core.novel.mentions import Mention
from core.novel.quotations import own_words, quotations
from core.novel.speakers import called
from core.novel.speech import speech_en
from core.novel.voice import voices


def quoted(*texts, lang, documents=None):
    within = documents or ["d"] * len(texts)
    found = quotations(texts, within, lang=lang)
    return [[text[one.start : one.end] for one in own] for text, own in zip(texts, found, strict=True)]


def test_japanese_quotations_are_the_outer_ones_with_their_marks():
    text = "「彼は『来る』と言った。」と答えた。「そうか」"
    assert quoted(text, lang="ja") == [["「彼は『来る』と言った。」", "「そうか」"]]
    (first, _), *_ = quotations([text], ["d"], lang="ja")
    assert (first.start, first.end) == (0, 13)
    assert [text[a:b] for a, b in own_words(text, 0, 13, lang="ja")] == ["彼は", "と言った。」"]


def test_terms_and_titles_are_no_quotations():
    assert quoted("「まだらの紐」という話と『緋色の研究』を読んだ。", lang="ja") == [[]]
    assert quoted('The word "Rache" was on the wall.', lang="en") == [[]]


def test_english_quotations_in_each_kind_of_mark():
    assert quoted('"Yes," he said. "No."', lang="en") == [['"Yes,"', '"No."']]
    assert quoted("“It’s late,” he said.", lang="en") == [["“It’s late,”"]]
    assert quoted("‘It’s the dogs’ tails,’ he said.", lang="en") == [["‘It’s the dogs’ tails,’"]]
    assert quoted("the dogs’ tails and ’tis late", lang="en") == [[]]


def test_a_speech_that_is_not_closed_goes_on_in_the_next_paragraph_of_the_document():
    texts = ("「長い話だ。", "「続きだ。」", "「返事だ」")
    found = quotations(texts, ["d"] * 3, lang="ja")
    told = [(own[0].open, own[0].continues) for own in found]
    assert told == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert not quotations(texts, ["d", "e", "e"], lang="ja")[1][0].continues


@given(
    st.lists(st.text(alphabet="「」『』“”\"‘’'あa。, \n", max_size=30), max_size=4),
    st.sampled_from(["en", "ja"]),
)
def test_quotations_of_any_text_lie_in_it_in_order(texts, lang):
    for text, own in zip(texts, quotations(texts, ["d"] * len(texts), lang=lang), strict=True):
        places = [place for one in own for place in (one.start, one.end)]
        assert places == sorted(places)
        assert all(0 <= one.start < one.end <= len(text) for one in own)
        for one in own:
            parts = own_words(text, one.start, one.end, lang=lang)
            assert all(one.start < first < last <= one.end for first, last in parts)


@pytest.mark.parametrize(
    ("words", "times"), [("' said I.", 1), ("It is I.' ", 1), ("by I. Newton", 0), ("Mr. I. Price", 0)]
)
def test_i_before_a_full_stop_is_a_person_unless_a_surname_follows(words, times):
    assert speech_en(words).first_person.get("I", 0) == times


def test_forms_of_english_speech_are_counted():
    told = speech_en("I'm going, sir; we don't know your dog's name, and it is late. I shall pray.")
    assert told.first_person == {"I": 2, "we": 1}
    assert told.second_person == {"sir": 1, "you": 1}
    assert told.politeness == {"contracted": 2, "full": 2}
    assert told.register == {"shall": 1, "pray": 1}


JAPANESE = [
    "「僕は行くよ」とホームズは言った。「君も来たまえ」",
    "「そうですか。私も行きます」とワトソンが答えた。",
    "「僕の勝ちだ」",
    "「左様でございますか」",
    "ワトソンは笑った。",
    "「これは俺のものだぞ」とホームズさんは叫んだ。",
    "ホームズは言った。「僕だわ」",
    "誰かがいた。",
    "「知らんのじゃ」と彼は言った。",
    "「わたしのものよ」と私は言った。「あなたの、ワトソン君」",
]
HYPOTHESIS = [one.replace("俺", "僕").replace("僕の勝ち", "俺の勝ち") for one in JAPANESE]


@pytest.fixture(scope="module")
def japanese(backends):
    reference, systems = voices(JAPANESE, {"s": HYPOTHESIS}, backends, lang="ja")
    return reference, systems["s"]


@pytest.mark.embedded
def test_tags_turns_and_second_parts_name_the_speaker_and_a_pronoun_does_not(japanese):
    reference, _ = japanese
    assert [(one.segment, one.speaker) for one in reference.quotations] == [
        (0, "ホームズ"),
        (0, "ホームズ"),
        (1, "ワトソン"),
        (2, "ホームズ"),  # the two take turns
        (3, "ワトソン"),
        (5, "ホームズ"),
        (6, "ホームズ"),
        (8, None),
        (9, None),
        (9, None),
    ]


@pytest.mark.embedded
def test_first_and_second_person_politeness_and_endings_are_counted(japanese):
    said = [one.speech for one in japanese[0].quotations]
    assert [dict(one.first_person) for one in said] == [
        *({"僕": 1}, {}, {"私": 1}, {"僕": 1}, {}, {"俺": 1}, {"僕": 1}, {}, {"私": 1}, {})
    ]
    assert [dict(one.second_person) for one in (said[1], said[-1])] == [{"君": 1}, {"あなた": 1, "〜君": 1}]
    assert dict(said[2].politeness) == {"polite": 2}
    assert dict(said[4].politeness) == {"honorific": 1}
    assert [dict(one.endings) for one in (said[5], said[6], said[7])] == [
        *({"rough": 1}, {"feminine": 1}, {"old": 1})
    ]


@pytest.mark.embedded
def test_the_ledger_sums_a_speaker_and_finds_the_usual_form(japanese):
    holmes = japanese[0].speakers[0]
    assert (holmes.speaker, holmes.quotations) == ("ホームズ", 5)
    assert dict(holmes.speech.first_person) == {"僕": 3, "俺": 1}
    assert holmes.usual["first_person"] == "僕"  # three of four
    assert japanese[0].speakers[-1].speaker is None


@pytest.mark.embedded
def test_breaks_are_against_the_speakers_usual_form_and_against_the_reference(japanese):
    reference, system = japanese
    told = [(one.segment, one.sort, one.expected, one.found, one.against) for one in reference.breaks]
    assert told == [(5, "first_person", "僕", "俺", "usual")]
    told = [(one.segment, one.sort, one.expected, one.found, one.against) for one in system.breaks]
    assert told == [
        (2, "first_person", "僕", "俺", "reference"),
        (2, "first_person", "僕", "俺", "usual"),
        (5, "first_person", "俺", "僕", "reference"),
    ]


@pytest.mark.embedded
def test_english_tags_name_the_speaker(backends):
    texts = [
        '"I\'m going," said Sherlock Holmes. "You must come, sir."',
        '"I am not," Watson answered.',
        '"It\'s late."',
        "Watson smiled.",
        "Holmes said: “He called it ‘the thing,’ I believe.”",
        '"Nothing," said he.',
        '"Not I," said I; "never."',
        "It rained.",
        '"He asked for Mr. Holmes," said the porter.',
    ]
    reference, _ = voices(texts, {}, backends, lang="en")
    assert [(one.segment, one.speaker) for one in reference.quotations] == [
        (0, "Sherlock Holmes"),
        (0, "Sherlock Holmes"),
        (1, "Watson"),
        (2, "Sherlock Holmes"),
        (4, "Sherlock Holmes"),
        (5, None),
        (6, None),
        (6, None),
        (8, None),
    ]


@pytest.mark.embedded
def test_turns_do_not_go_on_in_another_document(backends):
    texts = ['"Yes," said Holmes.', '"No," said Watson.', '"Why?"']
    reference, _ = voices(texts, {}, backends, lang="en", documents=["a", "a", "b"])
    assert [one.speaker for one in reference.quotations] == ["Holmes", "Watson", None]


@pytest.mark.embedded
def test_a_name_that_only_follows_the_quotation_mark_or_leads_to_it_is_a_tag(backends):
    texts = [
        "「幸せだ」とホームズ。",
        "雨が降った。",
        "ワトソンは笑みをこぼし、「いい天気だ」",
        "雪だ。",
        "ワトソンは見た。「そうだ」",
    ]
    reference, _ = voices(texts, {}, backends, lang="ja")
    assert [one.speaker for one in reference.quotations] == ["ホームズ", "ワトソン", None]


@pytest.mark.embedded
def test_narration_after_a_speech_ends_the_taking_of_turns(backends):
    texts = ['"Yes," said Holmes.', '"No," said Watson. He left. A boy came in.', '"Why?"']
    reference, _ = voices(texts, {}, backends, lang="en")
    assert [one.speaker for one in reference.quotations] == ["Holmes", "Watson", None]


def test_a_surname_is_the_only_full_name_before_it():
    def said(*forms):
        return called([[Mention(form, "person", 0, 0, 1) for form in forms]])

    assert said("Sherlock Holmes", "Holmes") == {
        "Sherlock Holmes": "Sherlock Holmes",
        "Holmes": "Sherlock Holmes",
    }
    assert said("ノートン", "アイリーン・ノートン")["ノートン"] == "ノートン"
    assert said("Sherlock Holmes", "Mycroft Holmes", "Holmes")["Holmes"] == "Holmes"


@pytest.mark.embedded
def test_texts_without_quotations_have_an_empty_ledger(backends):
    reference, systems = voices(["雨が降った。"], {"s": [""]}, backends, lang="ja")
    assert (reference.quotations, reference.speakers, reference.breaks) == ((), (), ())
    assert systems["s"].quotations == ()


def test_another_language_and_another_length_end_in_a_sentence(backends):
    with pytest.raises(InputError, match="English and Japanese, not in “de”"):
        voices(["„Ja“, sagte Anna."], {}, backends, lang="de")
    with pytest.raises(InputError, match="s has 1 segments and the reference 2"):
        voices(["a", "b"], {"s": ["a"]}, backends, lang="en")


@pytest.mark.slow
@pytest.mark.embedded
def test_the_command_tells_the_voices_as_json_with_documents(tmp_path):
    (tmp_path / "ref.txt").write_text("".join(f"{one}\n" for one in JAPANESE), "utf-8")
    (tmp_path / "hyp.txt").write_text("".join(f"{one}\n" for one in HYPOTHESIS), "utf-8")
    (tmp_path / "docs").write_text("novel\tone\n" * 4 + "novel\ttwo\n" * 6, "utf-8")
    options = [
        *("--ref", tmp_path / "ref.txt", "--hyp", f"a={tmp_path / 'hyp.txt'}"),
        *("--documents", tmp_path / "docs"),
    ]
    done = CliRunner().invoke(app, ["voice", *map(str, options), "--json"])
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["reference"]["quotations"][2] == {
        "segment": "one:1",
        "start": 0,
        "end": 14,
        "speaker": "ワトソン",
        "first_person": {"私": 1},
        "second_person": {},
        "politeness": {"polite": 2},
        "endings": {},
        "register": {},
    }
    assert told["systems"]["a"]["breaks"][0] == {
        "quotation": 3,
        "segment": "one:2",
        "speaker": "ホームズ",
        "sort": "first_person",
        "expected": "僕",
        "found": "俺",
        "against": "reference",
    }
    done = CliRunner().invoke(app, ["voice", *map(str, options)])
    last = done.stdout.splitlines()[-1].split()
    assert last == ["a", "two:1", "ホームズ", "first", "person", "俺", "僕", "reference"]
