"""Metrics of documents: their scores from traces, and how they agree with people."""

from __future__ import annotations

import numpy as np
import pytest

from core.codec import decode_trace, encode_trace, pack_trace
from core.errors import OptionError
from core.metaeval.evaluation import Evaluation
from core.metrics.documents import find_document_metric
from core.metrics.documents.blonde import BlondeTrace, SpanCounts
from core.metrics.documents.consistency import ConsistencyTrace, NameSizes
from core.metrics.documents.voice import VoiceTrace
from core.novel.cast import CastName, NameForm, SystemName
from core.novel.documents import NovelOutline, against_people, document_means, document_scores, evaluated
from core.novel.speech import Speech
from core.novel.voice import VoiceBreak, VoiceQuotation, Voices

DOCUMENTS = ["one", "one", "one", "two", "two"]


def name(text, **renderings):
    forms = tuple(NameForm(form=form, segments=segments) for form, segments in renderings.items())
    told = SystemName(
        renderings=forms, groups=tuple((form.form,) for form in forms), lost=(), consistency=None
    )
    return CastName(name=text, kind="person", forms=(), systems={"a": told})


OUTLINE = NovelOutline(documents=DOCUMENTS, systems=["a"], made_by={"parser": "p-1"})


def scored(metric, analysis, **settings):
    found = document_scores(metric, analysis, OUTLINE, settings)
    return {(one.document, one.system): one for one in found}


def test_consistency_counts_the_renderings_of_one_document():
    found = scored("consistency", [name("John", ジョン=(0, 1, 3, 4), ヨハン=(2,)), name("Ann", アン=(0, 1))])
    # John has 2 and 1 of 3: 1 - (2/3 ln 3/2 + 1/3 ln 3) / ln 3 = .420620; Ann 2 of 2: 1
    assert found["one", "a"].score == pytest.approx((3 * 0.420620 + 2) / 5, abs=1e-5)
    assert found["two", "a"].score == 1
    assert found["one", "a"].parts["renderings"] == 5


def test_a_document_in_which_no_name_stands_twice_has_no_score_but_a_reason():
    found = scored("consistency", [name("John", ジョン=(0,))])
    assert found["one", "a"].score is None
    assert str(found["one", "a"].missing) == "No name is rendered twice in this document."
    assert found["two", "a"].parts == {"names": 0.0, "renderings": 0.0}
    assert {one.score for one in scored("consistency", []).values()} == {None}


def quotation(segment, **first):
    speech = Speech(first_person=first, second_person={}, politeness={}, endings={}, register={})
    return VoiceQuotation(segment=segment, start=0, end=1, speaker=None, speech=speech)


def test_voice_is_the_share_of_quotations_without_a_break():
    said = tuple(quotation(segment, 私=1) for segment in (0, 0, 1, 2, 3))
    broken = [
        VoiceBreak(
            place=place,
            segment=0,
            speaker=None,
            sort="first_person",
            expected="俺",
            found="私",
            against=against,
        )
        for place, against in ((1, "usual"), (1, "reference"), (4, "usual"))
    ]
    silent = VoiceQuotation(
        segment=4,
        start=0,
        end=1,
        speaker=None,
        speech=Speech(first_person={}, second_person={}, politeness={}, endings={}, register={}),
    )
    told = Voices(quotations=(*said, silent), speakers=(), breaks=tuple(broken))
    found = scored("voice", (told, {"a": told}))
    assert found["one", "a"].score == 3 / 4  # two breaks of one quotation are one
    assert found["two", "a"].parts == {"quotations": 1.0, "breaks": 1.0, "voice": 0.0}


TRACES = [
    ConsistencyTrace(names=(NameSizes(name="ホームズ", sizes=(2, 1)),)),
    VoiceTrace(quotations=(0, 2, 5), breaks=(2,)),
    BlondeTrace(
        entity=(SpanCounts(kind="Holmes", matched=1, reference=2, translation=1),),
        tense=(),
        pronoun=(SpanCounts(kind="neuter", matched=1, reference=1, translation=3),),
        marker=(),
        ngram=(SpanCounts(kind="1", matched=3, reference=4, translation=6),),
        average="arithmetic",
    ),
]


@pytest.mark.parametrize("trace", TRACES, ids=lambda one: type(one).__name__)
def test_a_stored_trace_gives_its_score_again_without_a_model(trace):
    for stored in (encode_trace(trace), pack_trace(trace)):
        assert decode_trace(stored).parts() == trace.parts()


def test_a_score_says_what_made_it():
    found = scored("consistency", [name("John", ジョン=(0, 1))], of="names")
    assert found["one", "a"].signature.startswith("consistency|of:names|parser:p-1|yk:")
    with pytest.raises(OptionError, match=r"consistency\.of=verbs is not possible"):
        scored("consistency", [], of="verbs")
    with pytest.raises(OptionError, match="There is no metric of documents style"):
        find_document_metric("style")


def test_names_or_terms_can_be_looked_at_alone():
    term = name("総督", 総督=(0,), 提督=(1,))
    term = CastName(name=term.name, kind="term", forms=(), systems=term.systems)
    both = [name("John", ジョン=(0, 1)), term]
    assert scored("consistency", both)["one", "a"].score == pytest.approx(1 / 2)
    assert scored("consistency", both, of="names")["one", "a"].score == 1
    assert scored("consistency", both, of="terms")["one", "a"].score == pytest.approx(0)


def test_breaks_with_the_usual_form_or_with_the_reference_can_be_looked_at_alone():
    said = tuple(quotation(0, 私=1) for _ in range(4))
    broken = [
        VoiceBreak(
            place=place,
            segment=0,
            speaker=None,
            sort="first_person",
            expected="俺",
            found="私",
            against=against,
        )
        for place, against in ((0, "usual"), (1, "reference"), (2, "reference"))
    ]
    told = Voices(quotations=said, speakers=(), breaks=tuple(broken))
    scores = [scored("voice", (told, {"a": told}), against=one) for one in ("both", "usual", "reference")]
    assert [one["one", "a"].score for one in scores] == [1 / 4, 3 / 4, 1 / 2]


def test_scores_are_correlated_over_documents_and_systems():
    people = {(f"d{n}", system): float(n + place) for n in range(8) for place, system in enumerate("ab")}
    rows = against_people(people, {"same": people, "other": {cell: -value for cell, value in people.items()}})
    assert [(row.name, row.r.value, row.r.n, row.documents) for row in rows] == [
        ("same", pytest.approx(1), 16, 8),
        ("other", pytest.approx(-1), 16, 8),
    ]
    assert rows[0].r.low == pytest.approx(1)


def test_few_cells_and_scores_that_do_not_vary_have_no_correlation():
    people = {(f"d{n}", "a"): float(n) for n in range(12)}
    few, flat = against_people(
        people, {"few": dict(list(people.items())[:9]), "flat": dict.fromkeys(people, 1.0)}
    )
    assert (few.r.missing, few.r.n) == ("few-items", 9)
    assert flat.r.missing == "no-variance"


def evaluation(people, chrf):
    n = len(people)
    index = np.arange(n)
    return Evaluation(
        translation=index,
        segment=index,
        system=np.zeros(n, np.int64),
        document=index // 2,
        domain=np.zeros(n, np.int64),
        position=index % 2,
        length=np.ones(n, np.int64),
        people=np.array(people, float),
        metrics={"chrf": np.array(chrf, float), "ter": -np.array(chrf, float)},
        flags={},
        systems=["a"],
        documents=[f"d{number}" for number in range(n // 2)],
        domains=[""],
        lower=frozenset({"ter"}),
        signatures={},
    )


def test_means_of_documents_are_over_what_people_rated_and_higher_is_better():
    found = evaluation([10, np.nan, 30, 50], [1, 100, 3, 5])
    assert document_means(found, "people") == {("d0", "a"): 10, ("d1", "a"): 40}
    assert document_means(found, "chrf") == document_means(found, "ter") == {("d0", "a"): 1, ("d1", "a"): 4}


def test_document_metrics_and_the_means_of_others_stand_side_by_side():
    people = [float(n // 2 * 10) for n in range(24)]
    names = [name("John", ジョン=tuple(range(24)))]
    documents = [f"d{n // 2}" for n in range(24)]
    outline = NovelOutline(documents=documents, systems=["a"])
    scores = document_scores("consistency", names, outline)
    rows = {row.name: row for row in evaluated(evaluation(people, people), scores)}
    assert list(rows) == ["consistency", "chrf", "ter"]
    assert rows["consistency"].r.missing == "no-variance"
    assert rows["ter"].r.value == pytest.approx(1)
