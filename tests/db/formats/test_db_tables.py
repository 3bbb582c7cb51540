from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text

from core.errors import InputError, RatingError
from core.raters.assignment import REPEAT, TARGET
from core.raters.protocols import MarkedSpan, spans_from_json
from core.raters.quality import KINDS, repeat_error
from db.campaigns.export import read_bundle, reduced
from db.campaigns.load import load_bundle
from db.engine import read_session
from db.formats import FORMATS
from db.formats.bundle import ReadOptions
from db.models import RatingEvent
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    get_campaign,
    get_translation,
    history,
    items_of,
    list_campaigns,
    list_segments,
    list_systems,
    list_translations,
)
from db.queries.evaluation import judgements, rating_table
from db.records import RatingRecord

read = FORMATS["tables"].read


@pytest.fixture
def imported(engine, tables) -> int:
    return load_bundle(engine, read(tables, ReadOptions()), "Harbour").campaign_id


def test_the_report_counts_what_came(engine, tables):
    report = load_bundle(engine, read(tables, ReadOptions()), "Harbour")
    assert (report.segments, report.systems, report.translations) == (4, 3, 12)
    assert (report.ratings, report.raters, report.empty_outputs) == (7, 2, 1)
    assert report.notes == (
        "1 ratings of control items (item_type BAD_REF) were left out.",
        "2 ratings of what the same rater had rated before are repeats: the first rating counts.",
    )


def test_marked_errors_come_out_as_they_went_in(engine, imported):
    with read_session(engine) as session:
        stored = session.scalars(select(RatingEvent.spans).where(RatingEvent.spans.is_not(None))).all()
    assert [spans_from_json(row) for row in stored if row] == [(MarkedSpan(0, 3, "minor"),)]
    assert stored.count([]) == 6  # nothing was marked there, and could have been


def test_segments_keep_their_ids_and_get_positions_within_documents(engine, imported):
    segments = list_segments(engine, imported)
    assert [(row.document, row.position, row.external_id, row.domain) for row in segments] == [
        ("harbour", 0, "7", "literary"),
        ("harbour", 1, "8", "literary"),
        ("market", 0, "12", "news"),
        ("market", 1, "13", "news"),
    ]
    assert segments[1].source == '"Stay," said Mina, "till the fog lifts."'
    assert segments[3].reference == "𠮷さん一家は魚🐟を売った。"


def test_outputs_keep_empty_texts_quotes_and_full_width_spaces(engine, imported):
    texts = {
        (row.document, row.position, row.system): row.text for row in list_translations(engine, imported)
    }
    assert texts["harbour", 1, "Birch"] == ""
    assert texts["market", 1, "Birch"] == '"ヨシ家は魚を売った。'
    assert texts["market", 0, "Birch"] == "価格が上昇した。　"
    assert texts["market", 0, "Alder"] == "値段は$3上がり、<b>誰も</b>笑わなかった。"


def test_the_rated_reference_is_a_system_with_the_references_texts(engine, imported):
    systems = {row.name: row for row in list_systems(engine, imported)}
    assert [name for name, row in systems.items() if row.is_reference] == ["refA"]
    assert (systems["Alder"].label_en, systems["Birch"].label_ja) == ("A tree", "樺の木")
    segment = list_segments(engine, imported)[0]
    assert get_translation(engine, segment.id, systems["refA"].id).text == segment.reference
    assert get_translation(engine, segment.id, 999) is None


def test_the_campaign_says_what_its_file_says(engine, imported):
    campaign = get_campaign(engine, imported)
    assert (campaign.name, campaign.name_ja) == ("Harbour", "港と市場")
    assert (campaign.source_lang, campaign.target_lang, campaign.protocol) == ("en", "ja", "adequacy")
    assert (campaign.description_ja, campaign.credits_en) == ("試験用の創作です。", "Written for the tests.")
    assert campaign.guideline_en is None
    (summary,) = list_campaigns(engine)
    assert (summary.n_segments, summary.n_systems, summary.n_raters, summary.n_ratings) == (4, 2, 2, 7)


def test_ratings_keep_score_mark_duration_and_time(engine, imported):
    places = judgements(engine, OPERATOR, imported).places
    rows = {
        (row.rater, row.system, places[row.item].position): row
        for row in rating_table(engine, OPERATOR, imported)
    }
    reference = rows["judge-1", "refA", 0]
    assert (reference.score, reference.seconds) == (97, 10.25)
    assert places[reference.item].is_reference
    (event,) = events(engine, imported, "judge-1", "refA")
    assert event.rated_at == datetime(2023, 11, 14, 22, 13, 30, 750_000, tzinfo=UTC)
    assert rows["judge-1", "Birch", 1].score == 0
    assert rows["judge-2", "Alder", 1].mark == "incomplete"
    assert rows["judge-2", "Alder", 1].seconds is None
    assert len(rows) == 5


def events(engine, campaign: int, rater: str, system: str, kind: str = TARGET) -> list[RatingRecord]:
    rows = rating_table(engine, OPERATOR, campaign)
    row = next(row for row in rows if (row.rater, row.system) == (rater, system))
    with read_session(engine) as session:
        rater_id = session.scalar(text("SELECT id FROM rater WHERE name = :name"), {"name": rater})
        item = session.scalar(
            text("SELECT id FROM item WHERE rater_id = :r AND translation_id = :t AND kind = :k"),
            {"r": rater_id, "t": row.item, "k": kind},
        )
    return history(engine, item, rater_id)


def scores(engine, campaign: int, rater: str, system: str, kind: str = TARGET) -> list[float]:
    return [event.score for event in events(engine, campaign, rater, system, kind)]


def test_a_second_rating_of_the_same_cell_is_a_repeat_that_the_repeat_error_is_made_of(engine, imported):
    assert scores(engine, imported, "judge-2", "Birch") == [40]
    assert scores(engine, imported, "judge-2", "Birch", REPEAT) == [45.5]
    rows = [row for row in rating_table(engine, OPERATOR, imported, kinds=KINDS) if row.rater == "judge-2"]
    assert (repeat_error(rows).value, repeat_error(rows).n) == (5.5, 1)


def test_of_several_ratings_of_one_cell_the_official_one_holds(engine, imported):
    assert scores(engine, imported, "judge-1", "Alder") == [80]
    assert scores(engine, imported, "judge-1", "Alder", REPEAT) == [60]
    row = next(
        r for r in rating_table(engine, OPERATOR, imported) if (r.rater, r.system) == ("judge-1", "Alder")
    )
    assert (row.score, row.mark) == (80, "ok")


def test_the_name_of_an_imported_rater_cannot_be_taken(engine, imported):
    with pytest.raises(RatingError, match="belongs to imported scores; choose another name"):
        enter_rater(engine, "JUDGE-1")


def test_a_person_can_rate_an_imported_campaign_without_its_reference(engine, imported):
    rater = enter_rater(engine, "Aki")
    assert ensure_items(engine, imported, rater.id) == 8
    assert all(item.score is None for item in items_of(engine, imported, rater.id))


def test_ratings_imported_under_the_name_of_a_person_here_go_to_that_person(engine, tables):
    person = enter_rater(engine, "Judge-1")
    report = load_bundle(engine, read(tables, ReadOptions()), "Harbour")
    assert any("“Judge-1” rates here already" in note for note in report.notes)
    assert {row.rater for row in rating_table(engine, OPERATOR, report.campaign_id)} == {"Judge-1", "judge-2"}
    assert enter_rater(engine, "judge-1") == person


def test_a_name_that_is_taken_is_refused_and_nothing_is_stored(engine, tables, imported):
    with pytest.raises(InputError, match="There is a campaign “Harbour” already"):
        load_bundle(engine, read(tables, ReadOptions()), "Harbour")
    assert len(list_campaigns(engine)) == 1


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 201])
def test_a_campaign_needs_a_name_that_can_be_shown(engine, tables, name):
    with pytest.raises(InputError, match=r"^The campaign's name [^.]*\.$"):
        load_bundle(engine, read(tables, ReadOptions()), name)


def test_a_load_that_fails_late_leaves_nothing_behind(engine, tables):
    bundle = read(tables, ReadOptions())
    broken = type(bundle)(
        **{name: getattr(bundle, name) for name in bundle.__slots__ if name != "ratings"},
        ratings=(*bundle.ratings, bundle.ratings[0].__class__(("nowhere", 0), "Alder", "x", 5)),
    )
    with pytest.raises(KeyError):
        load_bundle(engine, broken, "Broken")
    with read_session(engine) as session:
        for table in ("campaign", "segment", "translation", "rater", "item", "rating"):
            assert session.scalar(text(f"SELECT count(*) FROM {table}")) == 0


@pytest.mark.parametrize("name", ["tsv", "csv", "jsonl"])
def test_tables_survive_export_and_import_in_the_long_formats(engine, imported, tmp_path, name):
    before = reduced(read_bundle(engine, imported), name)
    path = tmp_path / "x"
    with path.open("w", encoding="utf-8", newline="") as file:
        FORMATS[name].write(before, file, path)
    again = FORMATS[name].read(path, ReadOptions(source_lang="en", target_lang="ja"))
    after = read_bundle(engine, load_bundle(engine, again, "again").campaign_id)
    assert after.segments == before.segments
    assert after.outputs == before.outputs
    assert set(after.ratings) == set(before.ratings)
    assert [(row.name, row.is_reference) for row in after.systems] == [
        (row.name, row.is_reference) for row in before.systems
    ]


def test_error_spans_of_the_ratings_are_half_open(tables):
    (rating,) = (row for row in read(tables, ReadOptions()).ratings if row.spans)
    assert (rating.system, rating.rater, rating.score) == ("Birch", "judge-2", 40)
    assert rating.spans == (MarkedSpan(0, 3, "minor"),)
