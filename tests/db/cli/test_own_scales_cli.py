"""Scales and error lists on the command line: declared from JSON files, and chosen for statistics."""

from __future__ import annotations

import json

import pytest

from core.raters.protocols import MarkedSpan
from db.__main__ import main
from db.design import from_json
from db.engine import make_engine
from db.queries import ensure_items, enter_rater, find_campaign, items_of, save_rating

SCALES = [{"name": "fluency", "en": "Fluency", "ja": "自然さ", "low": 1, "high": 5}]
ERRORS = {"severities": [{"name": "slip", "en": "Slip", "weight": 0.5}]}


@pytest.fixture
def db(monkeypatch, capsys, url, engine, campaign):
    monkeypatch.setenv("YOMIKURABE_DB", url)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


@pytest.fixture
def scales(tmp_path):
    file = tmp_path / "scales.json"
    file.write_text(json.dumps(SCALES), "utf-8")
    return file


@pytest.fixture
def rated(db, scales, engine, campaign):
    """Three raters, whose scores fall while their fluency rises."""
    db("campaign", "--campaign", "Small", "--scales", scales)
    for place, name in enumerate(("Aki", "Bo", "Chie")):
        rater = enter_rater(engine, name).id
        ensure_items(engine, campaign, rater)
        for item in items_of(engine, campaign, rater):
            fluency = 1 + (item.segment_id + place) % 5
            save_rating(
                engine,
                item_id=item.id,
                rater_id=rater,
                score=90 - 10 * fluency,
                scales={"fluency": fluency},
            )


def test_scales_and_lists_of_files_are_stored_and_shown(db, scales, tmp_path, url):
    errors = tmp_path / "errors.json"
    errors.write_text(json.dumps(ERRORS), "utf-8")
    status, out, _ = db("campaign", "--campaign", "Small", "--scales", scales, "--errors", errors)
    shown = json.loads(out)["design"]
    assert (status, shown["scales"][0]["name"], shown["errors"]["severities"][0]["weight"]) == (
        0,
        "fluency",
        0.5,
    )
    stored = from_json(find_campaign(make_engine(url), "Small").design)
    assert (stored.scales[0].high, stored.errors.weights) == (5, {"slip": 0.5})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[{]", "scales.json: the scales are not valid JSON (line 1)"),
        (
            json.dumps([{**SCALES[0], "step": 3}]),
            "scales.json: the step 3 of the scale “fluency” does not divide",
        ),
        (json.dumps(SCALES * 2), "scales.json: two scales are called “fluency”"),
    ],
)
def test_a_file_that_makes_no_sense_is_one_sentence_and_changes_nothing(db, scales, url, content, said):
    scales.write_text(content, "utf-8")
    status, _, err = db("campaign", "--campaign", "Small", "--scales", scales)
    assert status == 2
    assert said in " ".join(err.split())
    assert from_json(find_campaign(make_engine(url), "Small").design).scales == ()


def test_set_points_to_the_option_with_the_file(db):
    status, _, err = db("campaign", "--campaign", "Small", "--set", "scales=fluency")
    assert (status, "give a JSON file with --scales" in " ".join(err.split())) == (2, True)


def test_a_report_is_on_the_scale_that_is_named_and_says_so(db, rated, tmp_path):
    pages = {}
    for name, more in (("protocol", ()), ("own", ("--scale", "fluency"))):
        page, figures = tmp_path / f"{name}.html", tmp_path / f"{name}.json"
        status, _, err = db("report", "--campaign", "Small", "--out", page, "--figures", figures, *more)
        assert status == 0, err
        pages[name] = page.read_text("utf-8")
        assert json.loads(figures.read_text("utf-8")).get("scale") == (more[1] if more else None)
    assert "Fluency" not in pages["protocol"]
    assert "own scale “Fluency” (fluency), from 1 to 5, mapped linearly to 0–100" in pages["own"]
    status, _, err = db("report", "--campaign", "Small", "--out", tmp_path / "x.html", "--scale", "grace")
    assert (status, "no scale “grace”; choose one of fluency" in " ".join(err.split())) == (2, True)


@pytest.mark.slow
def test_a_report_by_own_weights_does_not_call_them_mqm(db, tmp_path, engine, campaign):
    errors = tmp_path / "errors.json"
    errors.write_text(json.dumps(ERRORS), "utf-8")
    db("campaign", "--campaign", "Small", "--set", "protocol=mqm", "--errors", errors)
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    for item in items_of(engine, campaign, rater):
        spans = [MarkedSpan(0, 1, "slip")] if item.translation else []
        save_rating(engine, item_id=item.id, rater_id=rater, score=None, spans=spans)
    page = tmp_path / "report.html"
    status, _, err = db("report", "--campaign", "Small", "--out", page)
    assert status == 0, err
    shown = page.read_text("utf-8")
    assert "own weights: Slip 0.5; 0 is without an error. It is not MQM by Google’s weights." in shown
    assert ">Slip<" in shown  # the table of errors by severity
    assert "by Google's weights: major" not in shown


def test_answers_of_a_csv_are_imported_with_their_declaration(db, rated, scales, tmp_path, url):
    out = tmp_path / "small.csv"
    db("export", "--campaign", "Small", "--format", "csv", "--out", out)
    status, _, err = db("import", out, "--format", "csv", "--campaign", "Bare", "--scale", "0-100")
    assert status == 0
    assert "answers on scales (fluency) whose values are not declared" in " ".join(err.split())
    status, _, err = db(
        "import", out, "--format", "csv", "--campaign", "Whole", "--scale", "0-100", "--scales", scales
    )
    assert status == 0, err
    assert [one.name for one in from_json(find_campaign(make_engine(url), "Whole").design).scales] == [
        "fluency"
    ]
    scales.write_text(json.dumps([{**SCALES[0], "high": 3}]), "utf-8")
    status, _, err = db(
        "import", out, "--format", "csv", "--campaign", "No", "--scale", "0-100", "--scales", scales
    )
    assert status == 2
    assert "is not on the scale “fluency”, 1 to 3" in " ".join(err.split())
