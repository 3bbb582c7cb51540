"""`python -m db study` and `study-results`: from books and from a campaign, links, figures and tables."""

from __future__ import annotations

import csv
import json

import pytest

from db.__main__ import main
from db.campaigns.load import load_bundle
from db.cli import study as command
from db.design import from_json, reading_of
from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import enter_rater, find_campaign, get_campaign, list_campaigns, open_link
from db.queries.coding import comments_to_code, finish_coding, save_codes, set_code_book
from db.queries.study import study_of
from db.records import CodeRecord
from tests.support.books import write_epub
from tests.support.close_studies import PARAGRAPHS, compare_all
from tests.support.reading_studies import come, go_through, make_study, study_bundle
from tests.support.two_languages import backends, sentences, translated

WORDS = backends()
CHAPTERS = [sentences(10, seed=n) for n in range(2)]


@pytest.fixture
def engine(url):
    made = make_engine(url)
    migrate(made)
    return made


@pytest.fixture
def db(monkeypatch, capsys, url, tmp_path, engine):
    """Run a command with the made-up languages: (exit status, standard output, standard error)."""
    monkeypatch.setenv("YOMIKURABE_DB", url)
    monkeypatch.setattr(command, "aligning_backends", lambda: WORDS)
    monkeypatch.setattr(command, "kept_folder", lambda: tmp_path / "kept")

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


@pytest.fixture
def books(tmp_path):
    """An original and two translations: the second one has the words of each sentence the other way round."""
    pages = {
        f"c{n}.xhtml": f"<h1>Door {n}</h1>" + "".join(f"<p>{one}</p>" for one in texts)
        for n, texts in enumerate(CHAPTERS, 1)
    }
    original = write_epub(tmp_path / "original.epub", pages)
    files = [original]
    for name, step in (("one", 1), ("two", -1)):
        lines = [
            line
            for n, texts in enumerate(CHAPTERS, 1)
            for line in (f"CHAPTER {n}", *(" ".join(text.split()[::step]) for text in translated(texts)))
        ]
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text("\n\n".join(lines), "utf-8")
    return files


def test_two_books_become_a_study_with_a_plan_and_links(db, books, engine):
    original, one, two = books
    versions = ("--version", f"ash={one}", "--version", f"elm={two}", "--human", "ash")
    more = ("--chapters", "1", "--readers", "2", "--reader", "Aya", "--reader", "Ken")
    status, out, _ = db("study", original, "--campaign", "Doors", *versions, *more)
    assert status == 0
    assert "The plan is balanced." in out
    lines = out.splitlines()
    assert [line.split("\t")[0] for line in lines[-2:]] == ["Aya", "Ken"]
    assert open_link(engine, lines[-1].partition("?k=")[2]).name == "Ken"
    campaign = find_campaign(engine, "Doors")
    assert (campaign.protocol, reading_of(from_json(campaign.design)).human) == ("reading", "ash")
    ash, elm = study_of(engine, OPERATOR, campaign.id).versions
    assert (ash.system, elm.system) == ("ash", "elm")
    assert len(ash.segments) == len(elm.segments) == 10
    assert ash.segments[3][1].split() == elm.segments[3][1].split()[::-1]


def test_without_an_original_the_first_version_leads_the_alignment(db, books, engine):
    _, one, two = books
    status, out, _ = db("study", "--campaign", "Doors", "--version", f"ash={one}", "--version", f"elm={two}")
    assert status == 0, out
    ash, elm = study_of(engine, OPERATOR, find_campaign(engine, "Doors").id).versions
    assert len(ash.segments) == len(elm.segments) == 20
    for (_, a), (_, b) in zip(ash.segments, elm.segments, strict=True):
        assert a.split() == b.split()[::-1]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--per-reader", "3"], "There are 2 versions and a reader is to read 3; choose fewer."),
        (["--human", "yew"], "There is no version “yew” for the human translation; there are: ash, elm."),
        (["--texts-of", "Doors"], "Give either --version or --texts-of."),
    ],
)
def test_a_fault_is_one_sentence_and_nothing_is_stored(db, books, engine, more, sentence):
    original, one, two = books
    versions = ("--version", f"ash={one}", "--version", f"elm={two}")
    status, _, err = db("study", original, "--campaign", "Doors", *versions, *more)
    assert (status, err.splitlines()[-1]) == (2, sentence)
    assert list_campaigns(engine) == []


def test_an_option_that_is_left_out_keeps_what_the_study_has(db, engine, tmp_path):
    number = make_study(engine)
    questions = tmp_path / "questions.json"
    questions.write_text('[{"name": "voice", "kind": "scale", "ja": "声は？", "steps": 5}]', "utf-8")
    assert db("study", "--campaign", "study", "--pause-hours", "12", "--must-prefer")[0] == 0
    assert db("study", "--campaign", "study", "--questions", questions, "--words", "5")[0] == 0
    choices = reading_of(from_json(find_campaign(engine, "study").design))
    assert (choices.human, choices.pause_hours, choices.no_difference, choices.words) == ("ash", 12, False, 5)
    assert [one.name for one in choices.questions] == ["voice"]
    assert number


def test_what_coders_gave_the_words_of_readers_stands_below_the_results(db, engine):
    number = make_study(engine)
    for name in ("Aki", "Ben"):
        go_through(engine, number, name, prefers="ash", guess="ash")
    set_code_book(engine, OPERATOR, number, [CodeRecord(name="voice"), CodeRecord(name="wording")])
    for name, chosen in (("Ito", "voice"), ("Mori", "wording")):
        coder = enter_rater(engine, name).id
        comments, _ = comments_to_code(engine, OPERATOR, number, coder)
        save_codes(engine, OPERATOR, number, coder, {one.key: [chosen] for one in comments})
        assert "coded by hand" not in db("study-results", "--campaign", "study")[1]
        finish_coding(engine, OPERATOR, number, coder)
    shown = db("study-results", "--campaign", "study")[1]
    assert "6 comments, 2 coders; 6 comments have other codes." in shown
    # Over both codes: never the same; each coder says yes in half, so by chance in half: (0 - .5) / .5.
    row = next(line for line in shown.splitlines() if line.startswith("all codes"))
    assert "−1.000" in row or "-1.000" in row


def test_the_results_of_two_books_are_put_together_and_written_apart(db, engine, tmp_path):
    first = make_study(engine)
    second = make_study(engine, bundle=study_bundle("another"))
    go_through(engine, first, "Aki", prefers="ash", guess="ash", marks={"ash": [(0, 0, 3, "pleases")]})
    go_through(engine, second, "Ben", prefers="elm", guess="ash")
    out = tmp_path / "results.json"
    both = ("--campaign", "study", "--campaign", "another")
    status, shown, _ = db("study-results", *both, "--json", "--out", out, "--tables", tmp_path / "given")
    assert (status, shown) == (0, "")
    told = json.loads(out.read_text("utf-8"))
    assert (told["books"], told["readers"], told["finished"]) == (["study", "another"], 2, 2)
    rows = {(row["figure"], row["of"]): row for row in told["figures"]}
    assert (rows["preferred", "ash"]["hits"], rows["preferred", "ash"]["n"]) == (1, 2)
    assert (rows["guessed_right", None]["hits"], rows["guessed_right", None]["n"]) == (2, 2)
    with (tmp_path / "given" / "1" / "highlights.csv").open(encoding="utf-8") as file:
        (mark,) = csv.DictReader(file)
    assert (mark["text"], mark["segment"], mark["start"], mark["end"]) == ("One", "1", "0", "3")
    assert (
        (tmp_path / "given" / "2" / "choices.csv")
        .read_text("utf-8")
        .splitlines()[1]
        .startswith("another,Ben")
    )


def test_the_text_output_warns_of_few_readers(db, engine):
    number = make_study(engine)
    go_through(engine, number, "Aki", prefers="elm", guess="ash", seconds=60)
    status, out, _ = db("study-results", "--campaign", "study")
    assert status == 0
    assert "So far 1 finished, fewer than 10: read the intervals, not the values." in out
    assert "elm: words a minute" in out
    assert "7.000" in out  # seven words in a minute


def test_a_close_reading_is_added_taken_away_and_made_alone(db, engine):
    number = make_study(engine)
    status, out, _ = db("study", "--campaign", "study", "--chunks", "10")
    assert (status, "Close reading: 1 passages" in out) == (0, True)
    assert reading_of(from_json(get_campaign(engine, number).design)).chunks == 10
    assert "Close reading" not in db("study", "--campaign", "study", "--chunks", "0", "--no-guess")[1]
    choices = reading_of(from_json(get_campaign(engine, number).design))
    assert (choices.chunks, choices.guess) == (None, False)
    assert "Close reading: 1 passages" in db("study", "--campaign", "study", "--chunks-only")[1]
    assert get_campaign(engine, number).protocol == "chunks"
    assert db("study", "--campaign", "study", "--readers", "4")[0] == 0
    assert get_campaign(engine, number).protocol == "chunks"  # what is left out stays
    assert db("study", "--campaign", "study", "--with-versions")[0] == 0
    assert get_campaign(engine, number).protocol == "reading"
    status, _, err = db("study", "--campaign", "study", "--chunks", "3")
    assert (status, err.splitlines()[-1]) == (2, "The length of a chunk is 10 words or more, or not set.")


def test_the_results_of_passages_have_the_number_of_readers_and_a_warning(db, engine, tmp_path):
    number = load_bundle(engine, study_bundle("closely", PARAGRAPHS), "closely").campaign_id
    assert db("study", "--campaign", "closely", "--chunks-only", "--chunks", "13")[0] == 0
    for name, prefers in (("Aki", ["ash", "ash", "elm", None]), ("Ben", ["ash", "elm", "elm", "ash"])):
        person, _ = come(engine, number, name)
        compare_all(engine, number, person, name, prefers)
    status, out, _ = db("study-results", "--campaign", "closely", "--tables", tmp_path / "given")
    assert status == 0
    assert "Close reading: 8 choices by 2 readers; 2 compared all passages." in out
    assert "So far 2 compared all, fewer than 10: read the intervals, not the values." in out
    assert "4 passages that two or more compared. With few readers" in out
    (row,) = [line for line in out.splitlines() if line.startswith("ash preferred to elm")]
    assert row.split()[4:6] == ["4/7", "0.571"]
    assert "Readers:" not in out  # nothing was read as a whole
    assert (tmp_path / "given" / "chunks.csv").read_text("utf-8").count("\n") == 9
    (told,) = [
        one
        for one in json.loads(db("study-results", "--campaign", "closely", "--json")[1])["figures"]
        if one["figure"] == "chunks_preferred"
    ]
    assert (told["of"], told["hits"], told["n"]) == ("ash", 4, 7)
