from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from core.assets import ROOT
from db.__main__ import main
from db.engine import make_engine, migrate
from db.queries import find_campaign, list_campaigns, look


@pytest.fixture
def db(monkeypatch, capsys, url):
    """Run a command against a fresh database file: (exit status, standard error)."""
    monkeypatch.setenv("YOMIKURABE_DB", url)

    def run(*arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert out == ""
        return ended.value.code, err

    return run


def test_an_import_reports_what_came_and_an_export_writes_it(db, tables, tmp_path):
    status, said = db("import", tables, "--format", "tables", "--campaign", "Harbour")
    assert status == 0
    for line in (
        "segments: 4",
        "systems: 3",
        "translations: 12",
        "ratings: 7",
        "raters: 2",
        "empty outputs: 1",
    ):
        assert line in said
    out = tmp_path / "out.tsv"
    status, said = db("export", "--campaign", "Harbour", "--format", "tsv", "--out", out)
    assert (status, "12 translations and 5 ratings" in said) == (0, True)
    assert db("import", out, "--format", "tsv", "--campaign", "Again")[0] == 0


def test_a_folder_of_mt_metrics_eval_takes_the_metrics_scores_along(db, tables, tmp_path):
    db("import", tables, "--format", "tables", "--campaign", "Harbour")
    assert db("score", "--campaign", "Harbour", "--metric", "bleu")[0] == 0
    arguments = ("export", "--campaign", "Harbour", "--format", "mtme", "--metrics", "--out")
    assert db(*arguments, tmp_path / "folder")[0] == 0
    assert len(list((tmp_path / "folder/metric-scores").rglob("bleu-*.seg.score"))) == 1
    status, said = db(
        "export", "--campaign", "Harbour", "--format", "csv", "--metrics", "--out", tmp_path / "c"
    )
    assert (status, said.splitlines()) == (
        2,
        ["The format “csv” does not support metric scores; use mtme."],
    )
    assert not (tmp_path / "c").exists()


def test_an_export_overwrites_only_when_told_to(db, tables, tmp_path):
    db("import", tables, "--format", "tables", "--campaign", "Harbour")
    out = tmp_path / "out.csv"
    out.write_text("precious", encoding="utf-8")
    arguments = ("export", "--campaign", "Harbour", "--format", "csv", "--out", out)
    status, said = db(*arguments)
    assert (status, out.read_text(encoding="utf-8")) == (2, "precious")
    assert "is there already" in said
    assert db(*arguments, "--force")[0] == 0
    assert out.read_text(encoding="utf-8").startswith("document,position")


def test_an_export_that_fails_leaves_no_file(db, tmp_path):
    table = tmp_path / "x.csv"
    table.write_text('document,position,reference,system,translation\nd,0,r,ash,"a\nb"\n', encoding="utf-8")
    assert db("import", table, "--format", "csv", "--campaign", "C")[0] == 0
    before = sorted(tmp_path.iterdir())
    status, said = db("export", "--campaign", "C", "--format", "tsv", "--out", tmp_path / "out.tsv")
    assert status == 2
    assert said.startswith(f"{tmp_path / 'out.tsv'}, line 2: a translation with a tab or line break")
    assert sorted(tmp_path.iterdir()) == before


def test_an_export_that_fails_keeps_the_file_it_was_to_overwrite(db, tmp_path):
    table, out = tmp_path / "x.csv", tmp_path / "out.tsv"
    table.write_text('document,position,reference,system,translation\nd,0,r,ash,"a\nb"\n', encoding="utf-8")
    out.write_text("precious", encoding="utf-8")
    db("import", table, "--format", "csv", "--campaign", "C")
    assert db("export", "--campaign", "C", "--format", "tsv", "--out", out, "--force")[0] == 2
    assert out.read_text(encoding="utf-8") == "precious"


def test_lines_are_imported_with_their_systems_and_source(db, url, tmp_path):
    for name in ("ref", "a", "b", "src"):
        (tmp_path / name).write_text(f"{name} 一\n{name} 二は\n", encoding="utf-8")
    status, said = db(
        "import",
        tmp_path / "ref",
        "--format",
        "lines",
        "--campaign",
        "L",
        "--src",
        tmp_path / "src",
        "--hyp",
        f"ash={tmp_path / 'a'}",
        "--hyp",
        f"beech={tmp_path / 'b'}",
        "--source-lang",
        "en",
        "--target-lang",
        "ja",
    )
    assert (status, "translations: 4" in said) == (0, True)
    (campaign,) = list_campaigns(make_engine(url))
    assert (campaign.source_lang, campaign.target_lang) == ("en", "ja")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("import", "nowhere", "--format", "tsv", "--campaign", "C"), "nowhere: cannot be read"),
        (("import", "nowhere", "--format", "docx", "--campaign", "C"), "There is no format “docx”"),
        (
            ("import", "x", "--format", "lines", "--campaign", "C", "--hyp", "x"),
            "--hyp x: write NAME=FILE.",
        ),
        (
            ("import", "x", "--format", "tsv", "--campaign", "C", "--hyp", "a=b"),
            "The format “tsv” does not take --hyp",
        ),
        (
            ("import", "x", "--format", "tsv", "--campaign", "C", "--target-lang", "日本語"),
            "not a language code",
        ),
        (
            ("import", "x", "--format", "history", "--campaign", "C", "--repeats", "item"),
            "The format “history” does not take --repeats",
        ),
        (("export", "--campaign", "C", "--format", "tsv", "--out", "x"), "There is no campaign “C”"),
        (("export", "--campaign", "C", "--format", "lines", "--out", "x"), "can only be read"),
        (("backup", "x"), "There is no database at"),
    ],
)
def test_a_mistake_of_the_user_ends_with_status_2_and_one_sentence(db, arguments, sentence):
    status, said = db(*arguments)
    last = said.strip().splitlines()[-1]
    assert (status, sentence in last, last.endswith(".")) == (2, True, True)
    assert "Traceback" not in said


def test_our_own_trouble_ends_with_status_1(db, monkeypatch, tmp_path):
    monkeypatch.setenv("YOMIKURABE_DB", f"sqlite:///{tmp_path}/no/folder.sqlite")
    status, said = db("migrate")
    assert (status, said.count("\n")) == (1, 1)


def test_a_backup_is_a_whole_database_and_replaces_no_file(db, tables, tmp_path, url):
    db("import", tables, "--format", "tables", "--campaign", "Harbour")
    copy = tmp_path / "copy.sqlite"
    assert db("backup", copy)[0] == 0
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith(("copy", ".copy"))) == [
        copy.name
    ]
    assert copy.read_bytes()[18:20] == b"\x01\x01"  # no write-ahead log beside it is needed
    restored = make_engine(f"sqlite:///{copy}")
    migrate(restored)
    assert list_campaigns(restored) == list_campaigns(make_engine(url))
    status, said = db("backup", copy)
    assert (status, "is there already" in said) == (2, True)


def test_a_backup_is_taken_while_somebody_writes(db, tables, tmp_path, url):
    db("import", tables, "--format", "tables", "--campaign", "Harbour")
    writer = sqlite3.connect(tmp_path / "test.sqlite")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO rater (name, key, imported, created_at) VALUES ('x', 'x', 0, '2026-01-01')")
    assert db("backup", tmp_path / "copy.sqlite")[0] == 0
    writer.rollback()
    with sqlite3.connect(tmp_path / "copy.sqlite") as copy:
        assert copy.execute("SELECT count(*) FROM rater").fetchone() == (2,)


@pytest.mark.slow
def test_the_program_starts_as_a_module_and_imports_nothing_heavy(tmp_path):
    code = (
        "import sys, db.__main__, db.queries, db.campaigns.load; "
        "assert not {'torch', 'transformers', 'streamlit', 'plotly'} & set(sys.modules), 'heavy'"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "db", "import", "nowhere", "--format", "tsv", "--campaign", "C"],
        cwd=ROOT,
        env={**os.environ, "YOMIKURABE_DB": f"sqlite:///{tmp_path / 'x.sqlite'}"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_a_dry_run_reports_and_stores_nothing(db, tables, tmp_path):
    status, said = db("import", tables, "--format", "tables", "--campaign", "Harbour", "--dry-run")
    assert (status, said.strip().splitlines()[-1]) == (0, "Nothing was stored.")
    for line in ("segments: 4", "translations: 12", "ratings: 7", "raters: 2", "empty outputs: 1"):
        assert line in said
    assert "1 ratings of control items" in said
    assert not (tmp_path / "test.sqlite").exists()


def test_the_protocol_is_that_of_the_file_or_the_one_told(db, tmp_path, url):
    head = "document\tposition\treference\tsystem\ttranslation\trater\tscore\n"
    (tmp_path / "x.tsv").write_text(f"{head}d\t0\tr\tash\tt\tAki\t70\n", "utf-8")
    given = ("import", tmp_path / "x.tsv", "--format", "tsv", "--source-lang", "en", "--target-lang", "ja")
    assert db(*given, "--campaign", "Plain")[0] == 0
    assert db(*given, "--campaign", "Errors", "--protocol", "esa")[0] == 0
    protocols = [find_campaign(make_engine(url), name).protocol for name in ("Plain", "Errors")]
    assert protocols == ["adequacy", "esa"]
    status, said = db(*given, "--campaign", "No", "--protocol", "stars")
    assert (status, "--protocol stars: choose from adequacy, da-sqm, esa, mqm" in said) == (2, True)


def test_repeats_are_read_as_told(db, tables):
    told = "import", tables, "--format", "tables", "--campaign", "Harbour", "--repeats", "mean"
    status, said = db(*told)
    assert (status, "ratings: 5\n" in said) == (0, True)
    assert "4 ratings by the same rater of the same translation became means." in said


def test_a_second_file_of_annotations_is_read_with_its_campaign(db, url, tmp_path):
    (tmp_path / "c.json").write_text('{"data": [[{"src": "a", "tgt": {"ash": "b"}}]]}', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(
        '{"user_id": "Aki", "item_i": 0, "annotation": [{"ash": {"score": 5}}]}\n', encoding="utf-8"
    )
    arguments = ("import", tmp_path / "c.json", "--format", "pearmut", "--campaign", "P")
    assert "ratings: 1" in db(*arguments, "--ratings", tmp_path / "a.jsonl")[1]
    assert db(*arguments, "--src", tmp_path / "a.jsonl")[1].endswith("does not take --src; leave it out.\n")


def test_a_link_is_told_once_and_lets_its_person_in(monkeypatch, capsys, url):
    monkeypatch.setenv("YOMIKURABE_DB", url)
    with pytest.raises(SystemExit) as ended:
        main(["link", "--role", "teacher", "--name", "Mina"])
    token = capsys.readouterr().out.strip().removeprefix("?k=")
    assert ended.value.code in (0, None)
    assert look(make_engine(url), token).name == "Mina"


def test_a_raters_link_needs_a_campaign(db):
    status, said = db("link", "--role", "rater")
    assert (status, "a rater's link a campaign" in said) == (2, True)
