"""What a report says of a whole novel: names, voices, the chapter strip, documents and one more rater."""

from __future__ import annotations

import pytest

from core.novel.cast import CastName, NameForm, SystemName
from core.novel.speech import Speech
from core.novel.voice import SpeakerVoice, VoiceBreak, VoiceQuotation, Voices
from core.report import document
from db.campaigns.analyses import store_analysis
from db.campaigns.load import load_bundle
from db.campaigns.novel import novel_texts
from db.campaigns.reporting import gather
from db.permissions import OPERATOR
from tests.support.report_files import EVIL, Page, small

KEYS = tuple((f"doc{n // 2}", n % 2) for n in range(12))
SCORES = [90, 80, 70, 60, 50, 40, 30, 20, 10, 15, 25, 35]
RATINGS = {
    "Aki": {"ash": SCORES, "beech": SCORES[::-1]},
    "Ben": {"ash": [one + 5 for one in SCORES], "beech": [one - 5 for one in SCORES[::-1]]},
}


def speech(**first):
    return Speech(first_person=first, second_person={}, politeness={}, endings={}, register={})


def form(text, *segments):
    return NameForm(form=text, segments=segments)


def told(*forms):
    groups = tuple((one.form,) for one in forms)
    return SystemName(renderings=forms, groups=groups, lost=(), consistency=1.0 if len(forms) == 1 else 0.5)


def cast_list(evil=""):
    name = f"ホームズ{evil}"
    systems = {"ash": told(form(name, 0, 1)), "beech": told(form("ホルムス", 0), form(name, 1))}
    return (CastName(name=name, kind="person", forms=(form(name, 0, 1),), systems=systems),)


def ledger():
    said = VoiceQuotation(segment=1, start=0, end=3, speaker="ホームズ", speech=speech(僕=1))
    known = SpeakerVoice(speaker="ホームズ", quotations=1, speech=speech(僕=1), usual={})
    broken = VoiceBreak(
        place=0,
        segment=1,
        speaker="ホームズ",
        sort="first_person",
        expected="俺",
        found="僕",
        against="usual",
    )
    own = Voices(quotations=(said,), speakers=(known,), breaks=())
    return own, {"ash": own, "beech": Voices(quotations=(said,), speakers=(known,), breaks=(broken,))}


def reported(engine, *, evil="", lang="en", stored=True, **choices):
    number = load_bundle(engine, small(RATINGS, keys=KEYS, evil=evil), "Novel").campaign_id
    if stored:
        texts = novel_texts(engine, number)
        store_analysis(engine, number, "cast", texts.fingerprint, cast_list(evil))
        store_analysis(engine, number, "voice", texts.fingerprint, ledger())
    return Page.of(document(gather(engine, OPERATOR, number, language=lang, **choices)))


def test_every_picture_has_its_numbers_beneath_it(engine):
    page = reported(engine)
    assert [name for name in page.data if name not in ("figure-matrix", "figure-orders", "figure-means")] == [
        "figure-ceiling",
        "figure-names",
        "figure-voice-first_person",
        "figure-strip-0",
        "figure-strip-1",
    ]
    assert ["ホームズ", "Person", "2", "ash", "ホームズ 2", "1.00"] in page.rows
    assert ["", "", "", "beech", "ホルムス 1 · ホームズ 1", "0.50"] in page.rows
    assert ["beech", "1", "1", "1", "0"] in page.rows  # quotations, speaker known, unusual, unlike reference
    assert ["ash", "ホームズ", "1", "僕 1", "–", "–"] in page.rows
    assert [one["text"] for one in page.data["figure-names"]["layout"]["annotations"]] == ["1.00", "0.50"]
    # Ben's scores are Aki's and 5, and Aki's less 5: one more rater nearly reaches 1
    (ceiling,) = [row for row in page.rows if row[:1] == ["One more rater"]]
    assert float(ceiling[1]) > 0.95
    assert ceiling[3:] == ["24", "1", "–"]
    assert not page.faults


@pytest.mark.slow
def test_the_bands_of_a_strip_are_those_of_the_page(engine):
    page = reported(engine, stored=False)
    (bands, *_) = page.data["figure-strip-0"]["data"]
    assert bands["z"]["shape"] == "3, 12"  # people, spread and length of twelve segments
    assert "Chapter strip" in page.said
    assert "Names are found automatically" not in page.said


@pytest.mark.slow
def test_a_report_without_texts_tells_no_name_and_no_word_of_a_quotation(engine):
    page = reported(engine, texts=False)
    assert "ホームズ" not in page.said + str(page.data)
    assert "僕" not in page.said + str(page.data)
    assert ["beech", "0.500", "2"] in page.rows
    assert ["beech", "1", "1", "1", "0"] in page.rows


@pytest.mark.slow
def test_names_are_data_in_pictures_and_tables(engine):
    page = reported(engine, evil=EVIL)
    assert "img" not in page.tags
    assert page.handlers == []
    assert not page.faults


def test_in_japanese_the_sections_are_in_japanese(engine):
    page = reported(engine, lang="ja")
    for title in ("評価者をもう一人増やすと", "人名・地名", "話し方", "流れで見る"):
        assert title in page.said
    assert ["ホームズ", "人名", "2", "ash", "ホームズ 2", "1.00"] in page.rows
