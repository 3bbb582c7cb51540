"""`make results`: every command of docs/results.md belongs to a table; what is done is not done again."""

from __future__ import annotations

import sys

import pytest

from tools import results
from tools.results_document import DOCUMENT, TABLES, Table, commands, compared, documented, papers

DOCUMENTED = DOCUMENT.read_text("utf-8")
SCRIPT = """
import os, sys
open(sys.argv[1], "a").write("run\\n")
print("| metric | r |\\n|---|---|\\n| bleu | 0.168 |")
sys.exit(int(os.environ.get("FAILS", 0)))
"""


def test_every_command_of_the_document_belongs_to_one_table_and_every_table_to_commands():
    claimed = [line for table in TABLES for line in commands(table, DOCUMENTED)]
    assert sorted(claimed) == sorted(line.strip() for line in documented(DOCUMENTED))
    assert len({table.name for table in TABLES}) == len(TABLES)


def test_every_command_can_be_run_as_it_stands():
    for line in documented(DOCUMENTED):
        assert "…" not in line


def test_tables_name_the_data_that_their_commands_read(tmp_path):
    place = results.Place(tmp_path, tmp_path)
    for table in TABLES:
        for line in commands(table, DOCUMENTED):
            named = {
                word.removeprefix("DATA/").split("/")[0] for word in line.split() if word.startswith("DATA/")
            }
            assert named <= set(table.needs), table.name
            words = results.arguments_of(line, place, table)[1]
            assert words[0] == sys.executable
            assert not {"DATA", "FOLDER", "TREEBANKS"} & {part for word in words for part in word.split("/")}


def test_a_beginning_without_a_command_is_noticed():
    with pytest.raises(ValueError, match=r"^x: 0 commands of results\.md begin with 'make tea'$"):
        commands(Table(name="x", begins=("make tea",), minutes=1), DOCUMENTED)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Two tables of a document of their own; returns (data folder, out folder, how often each has run)."""
    data, out, script = tmp_path / "data", tmp_path / "out", tmp_path / "script.py"
    (data / "set").mkdir(parents=True)
    (data / "set" / "a.tsv").write_text("1", "utf-8")
    script.write_text(SCRIPT, "utf-8")
    logs = {name: tmp_path / name for name in ("first", "second")}
    lines = "".join(f"python {script} {log}\n" for log in logs.values())
    document = tmp_path / "results.md"
    document.write_text(
        f"# Results\n\n```sh\n{lines}```\n\n| a | b |\n|---|---|\n| bleu | 0.170 |\n", "utf-8"
    )
    tables = [
        Table(
            name=name, begins=(f"python {script} {log}",), needs=("set",), minutes=2, seed=7, changes=changes
        )
        for (name, log), changes in zip(logs.items(), (None, "assets"), strict=True)
    ]
    monkeypatch.setattr(results, "TABLES", tables)
    monkeypatch.setattr(results, "DOCUMENT", document)
    return (
        data,
        out,
        lambda: {name: log.read_text().count("run") if log.exists() else 0 for name, log in logs.items()},
    )


def test_a_table_is_run_once_and_kept_with_seed_and_versions(small, capsys):
    data, out, runs = small
    assert results.main([str(data), "--out", str(out)]) == 0
    assert results.main([str(data), "--out", str(out)]) == 0
    assert runs() == {"first": 1, "second": 0}  # the second writes into the project: only when it is named
    kept = (out / "first.md").read_text("utf-8")
    assert "| bleu | 0.168 |" in kept
    assert "; seed 7; Yomikurabe " in kept
    assert "0 of 1 rows are in docs/results.md as they are; other figures: bleu by 0.002." in kept
    assert "1 of 1: first, about 2 min; about 2 left" in capsys.readouterr().out


@pytest.mark.parametrize("change", ["data", "more data", "command", "output"])
def test_a_table_is_run_again_when_its_data_or_command_changed_or_its_output_is_gone(
    small, monkeypatch, change
):
    data, out, runs = small
    results.main([str(data), "--out", str(out)])
    if change == "data":
        (data / "set" / "a.tsv").write_text("2", "utf-8")
    elif change == "more data":
        (data / "set" / "b.tsv").write_text("1", "utf-8")
    elif change == "command":
        text = results.DOCUMENT.read_text("utf-8")
        results.DOCUMENT.write_text(text.replace("first\n", "first again\n"), "utf-8")
    else:
        (out / "first.md").unlink()
    results.main([str(data), "--out", str(out)])
    assert runs()["first"] == 2


def test_what_is_named_runs_also_where_it_writes_into_the_project(small):
    data, out, runs = small
    results.main([str(data), "--out", str(out), "--only", "second"])
    assert runs() == {"first": 0, "second": 1}
    with pytest.raises(SystemExit, match="There is no table third; choose among first, second"):
        results.main([str(data), "--only", "third"])


def test_a_table_that_failed_is_told_and_tried_again(small, monkeypatch, capsys):
    data, out, runs = small
    monkeypatch.setenv("FAILS", "3")
    assert results.main([str(data), "--out", str(out)]) == 1
    assert "failed with status 3" in capsys.readouterr().out
    assert not (out / "first.md").exists()
    monkeypatch.setenv("FAILS", "0")
    assert results.main([str(data), "--out", str(out)]) == 0
    assert (runs()["first"], list(out.glob("*.failed"))) == (2, [])


def test_the_list_says_what_is_done_what_is_to_do_and_what_lacks_data(small, capsys):
    data, out, runs = small
    results.main([str(data), "--out", str(out)])
    capsys.readouterr()
    results.main([str(data), "--out", str(out), "--list"])
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["first", "done", "0.0", "min"]
    assert second.split()[:4] == ["second", "only", "when", "named"]
    results.main([str(data), "--out", str(out), "--check"])
    assert "other figures: bleu by 0.002" in capsys.readouterr().out
    (data / "set" / "a.tsv").unlink()
    (data / "set").rmdir()
    results.main([str(data), "--out", str(out), "--list"])
    assert "no data (set)" in capsys.readouterr().out
    assert runs()["first"] == 1


def test_rows_are_compared_by_their_first_cell_and_their_length():
    document = "| m | r |\n|---|---|\n| bleu | 0.17 |\n| **chrf** | 0.2 (−0.1 … 1,000) |\n"
    output = "| m | r |\n|---|---|\n| bleu | 0.17 |\n| chrf | 0.2 (−0.1 … 1,003) |\n| new | 1 |\n"
    assert compared(output, document) == (
        "1 of 3 rows are in docs/results.md as they are; other figures: chrf by 3; not in it: 1."
    )
    assert compared("nothing", document) == "No table to compare."


def test_what_the_papers_have_stands_beside_ours():
    said = papers(commands(next(one for one in TABLES if one.name == "hacks"), DOCUMENTED), DOCUMENTED)
    assert "| ehiMetrick (WMT24 en→ja, 998 segments) |" in said
    assert papers(["make tea"], DOCUMENTED) == ""
