"""All scores of a campaign in one file: they come back as they were, and a wrong file is a sentence."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from core.errors import FileError
from core.metrics import find_metric
from db.campaigns import score_archive
from db.campaigns.load import load_bundle
from db.campaigns.score_archive import ArchiveCount, read_archive, store_archive, write_archive
from db.campaigns.stored_results import score_row
from db.queries import list_translations, scores_of_translation, store_scores
from db.records import ScoreRow
from tests.support.db_bundles import small_bundle
from tests.support.fake_backends import FakeEncoder, fake_backends


def stored(engine, campaign):
    """What is stored of each translation, without its number."""
    return {
        (one.document, one.position, one.system): [
            {name: getattr(row, name) for name in ScoreRow.__slots__ if name != "translation_id"}
            for row in scores_of_translation(engine, one.id)
        ]
        for one in list_translations(engine, campaign)
    }


@pytest.fixture
def scored(engine, campaign):
    """The small campaign with chrF of each translation, a missing score and one of an external metric."""
    chrf = find_metric("chrf").prepare({}, fake_backends(FakeEncoder({})), [])
    translations = list_translations(engine, campaign)
    rows = [score_row(one.id, chrf.score(one.pair("ja"))) for one in translations]
    rows += [
        ScoreRow(
            translation_id=translations[1].id,
            metric="external:comet",
            signature="external:comet|by:file",
            score=0.1 + 0.2,
            parts={"score": 0.1 + 0.2},
            flags=("empty-reference",),
        ),
        ScoreRow(
            translation_id=translations[0].id,
            metric="gemba-da",
            signature="gemba-da|model:small",
            score=None,
            missing="The text has no source.",
        ),
    ]
    store_scores(engine, rows)
    return campaign


@pytest.fixture
def file(engine, scored, tmp_path):
    """The file of these scores."""
    path = tmp_path / "scores.jsonl.gz"
    write_archive(engine, scored, path)
    return path


def lines(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def test_another_campaign_of_the_same_texts_gets_the_same_scores_to_the_last_digit(engine, scored, file):
    copy = load_bundle(engine, small_bundle(), "Copy").campaign_id
    count = len(list_translations(engine, scored))
    assert store_archive(engine, copy, read_archive(file)) == ArchiveCount(count + 2, count)
    assert stored(engine, copy) == stored(engine, scored)
    again = file.with_name("again.gz")
    assert write_archive(engine, copy, again) == ArchiveCount(count + 2, count)
    assert again.read_bytes() == file.read_bytes()


def test_what_is_stored_already_is_replaced_and_what_is_not_in_the_file_stays(engine, scored, file):
    before = stored(engine, scored)
    first = list_translations(engine, scored)[0]
    changed = replace(scores_of_translation(engine, first.id)[0], score=1.0, parts={"chrf": 1.0}, trace=None)
    store_scores(engine, [changed, replace(changed, signature="chrf|nc:4")])
    store_archive(engine, scored, read_archive(file))
    after = scores_of_translation(engine, first.id)
    assert [row.signature for row in after if row.score == 1.0] == ["chrf|nc:4"]
    assert len(after) == len(before[first.document, first.position, first.system]) + 1


def test_without_traces_the_scores_are_the_same(engine, scored, tmp_path):
    path = tmp_path / "small.gz"
    wrote = write_archive(engine, scored, path, with_trace=False)
    assert wrote.traces == 0
    copy = load_bundle(engine, small_bundle(), "Copy").campaign_id
    store_archive(engine, copy, read_archive(path))
    without = {
        where: [{**row, "trace": None} for row in rows] for where, rows in stored(engine, scored).items()
    }
    assert stored(engine, copy) == without


def test_one_changed_letter_makes_other_texts(engine, file):
    bundle = small_bundle()
    first, *others = bundle.outputs
    changed = replace(bundle, outputs=(replace(first, text=first.text + "。"), *others))
    copy = load_bundle(engine, changed, "Copy").campaign_id
    with pytest.raises(FileError, match="holds scores of other texts than those of the campaign"):
        store_archive(engine, copy, read_archive(file))
    assert not any(stored(engine, copy).values())


def test_a_file_is_not_overwritten_and_one_too_large_to_be_read_is_not_left(
    engine, scored, file, tmp_path, monkeypatch
):
    with pytest.raises(FileError, match="is there already"):
        write_archive(engine, scored, file)
    monkeypatch.setattr(score_archive, "LIMIT_BYTES", 3000)
    with pytest.raises(FileError, match="would unpack to more than 3,000 bytes; leave the traces out"):
        write_archive(engine, scored, tmp_path / "large.gz")
    with pytest.raises(FileError, match="larger than the limit of 3,000 bytes"):
        read_archive(file)
    assert [one.name for one in tmp_path.iterdir() if "gz" in one.name] == [file.name]


def changed(number, **values):
    """A change of one line: values are put in, None takes out."""

    def change(rows):
        rows[number] = {key: value for key, value in {**rows[number], **values}.items() if value is not None}
        return rows

    return change


TRACE = {"trace": "ChrfTrace", "format": 2, "packed": "eNo="}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda rows: [], "is empty"),
        (lambda rows: rows[1:], "line 1: is not the header of a file of scores"),
        (changed(0, version=2), "line 1: field “version”: is 2; this program reads version 1; update it"),
        (changed(0, texts=None), "line 1: has no field “texts”"),
        (changed(1, system=None), "line 2: has no field “system”"),
        (changed(1, system="elm"), "names a translation that the campaign does not have"),
        (changed(1, position=-1), "line 2: field “position”: is not a whole number"),
        (changed(1, metric="chrff"), "line 2: there is no metric chrff"),
        (changed(1, metric="external:a b"), "line 2: “a b” is not a name for a metric"),
        (changed(1, score=None), "line 2: needs either a score or the reason"),
        (changed(1, missing="no"), "line 2: needs either a score or the reason"),
        (changed(1, score="good"), "line 2: field “score”: is not a number"),
        (changed(1, parts={"chrf": "good"}), "line 2: field “parts.chrf”: is not a number"),
        (changed(1, flags="none"), "line 2: field “flags”: is not a list"),
        (changed(1, trace={**TRACE, "trace": "BleuTrace"}), "line 2: .*is not a packed trace of chrf"),
        (changed(1, trace={**TRACE, "format": 1}), "line 2: .*is not a packed trace of chrf"),
        (changed(1, trace={**TRACE, "more": 1}), "line 2: .*is not a packed trace of chrf"),
        (changed(1, trace={**TRACE, "packed": 5}), "line 2: .*is not a text"),
        (lambda rows: [*rows, rows[1]], "gives the same score for the second time"),
    ],
)
def test_a_file_that_does_not_fit_is_a_sentence_and_stores_nothing(engine, file, change, sentence):
    rows = change(lines(file))
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    copy = load_bundle(engine, small_bundle(), "Copy").campaign_id
    with pytest.raises(FileError, match=sentence):
        store_archive(engine, copy, read_archive(file))
    assert not any(stored(engine, copy).values())


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda data: data[: len(data) // 2], "damaged"),
        (lambda data: data[:400] + bytes([data[400] ^ 255]) + data[401:], "damaged"),
        (lambda data: b"PK\x03\x04" + data, "."),
        (
            lambda data: gzip.compress(gzip.decompress(data).replace(b'"score":', b'"score":NaN,"x":', 1)),
            "NaN",
        ),
    ],
    ids=["half", "byte", "foreign", "nan"],
)
def test_a_damaged_file_is_a_sentence(file, damage, sentence):
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(FileError, match=sentence) as told:
        read_archive(file)
    assert "\n" not in told.value.message
