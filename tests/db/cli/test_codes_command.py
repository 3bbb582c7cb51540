"""`python -m db codes`: a code book, a spreadsheet for each coder, and the figures at the end."""

from __future__ import annotations

import csv
import io
import json

import pytest

from db.__main__ import main
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, save_rating
from db.queries.coding import comments_to_code

BOOK = "name,label,meaning\nwording,Wording,One word is named.\nvoice,Voice,\n"
SAID = ("a word, a good one", "=2+3 is no formula", "a voice")


@pytest.fixture
def run(url, engine, campaign, monkeypatch, capsys):
    """Run the command on a campaign whose rater Aki commented three items; its status and both outputs."""
    monkeypatch.setenv("YOMIKURABE_DB", url)
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    for item, text in zip(items_of(engine, campaign, rater), SAID, strict=False):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50, comment=text)

    def ran(*options):
        with pytest.raises(SystemExit) as ended:
            main(["codes", "--campaign", "Small", *map(str, options)])
        told = capsys.readouterr()
        return ended.value.code, told.out, told.err

    return ran


def coded(sheet, **by_text):
    """The sheet with codes filled in, as a spreadsheet program writes it."""
    rows = list(csv.DictReader(io.StringIO(sheet)))
    for row in rows:
        row["codes"] = next((code for start, code in by_text.items() if start in row["text"]), "-")
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return "\ufeff" + buffer.getvalue()


def test_two_coders_code_in_spreadsheets_and_their_agreement_is_shown(run, tmp_path):
    (tmp_path / "book.csv").write_text(BOOK, "utf-8")
    assert run("--book", tmp_path / "book.csv")[0] == 0
    for name, given in (
        ("Ito", {"word": "wording", "voice": "voice; wording"}),
        ("Mori", {"word": "wording"}),
    ):
        status, sheet, _ = run("--coder", name)
        assert status == 0
        assert [row["codes"] for row in csv.DictReader(io.StringIO(sheet))] == ["", "", ""]
        (tmp_path / f"{name}.csv").write_text(coded(sheet, **given), "utf-8")
        assert run()[0] == 2  # nobody's codes are shown before both have finished
        assert run("--coder", name, "--take", tmp_path / f"{name}.csv", "--finish")[0] == 0
    status, shown, _ = run()
    assert status == 0
    assert "3 comments, 2 coders; 1 comments have other codes." in shown
    figures = json.loads(run("--json")[1])
    (kappa,) = [one for one in figures if one["figure"] == "kappa" and one["of"] == "wording"]
    assert kappa["value"] == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))  # both 1, only Ito 1, neither 1
    assert "Ito" not in shown
    assert not any(text in shown for text in SAID)


def test_a_text_that_looks_like_a_formula_is_none_in_the_sheet(run):
    sheet = run("--coder", "Ito")[1]
    assert "'=2+3 is no formula" in sheet


def test_half_a_sheet_is_taken_and_the_rest_stays_to_be_coded(run, engine, campaign, tmp_path):
    (tmp_path / "book.csv").write_text(BOOK, "utf-8")
    run("--book", tmp_path / "book.csv")
    sheet = run("--coder", "Ito")[1]
    first = next(csv.DictReader(io.StringIO(sheet)))["comment"]
    (tmp_path / "half.csv").write_text(f"comment,codes\n{first},voice\n", "utf-8")
    assert run("--coder", "Ito", "--take", tmp_path / "half.csv")[0] == 0
    status, _, told = run("--coder", "Ito", "--finish")
    assert (status, "Comments that are not coded yet: 2" in told) == (2, True)
    comments, through = comments_to_code(engine, OPERATOR, campaign, enter_rater(engine, "Ito").id)
    assert (sorted(str(one.codes) for one in comments), through) == (["('voice',)", "None", "None"], False)


def test_faults_are_one_sentence(run, tmp_path):
    (tmp_path / "bad.csv").write_text("comment,code\nrating-1,voice\n", "utf-8")
    for options, sentence in (
        (("--coder", "Ito", "--take", tmp_path / "bad.csv"), "has no column “codes”"),
        (("--take", tmp_path / "bad.csv"), "--take and --finish need --coder"),
        ((), "Two coders are needed"),
    ):
        status, _, told = run(*options)
        assert status == 2
        assert sentence in told
        assert len(told.strip().splitlines()) == 1
