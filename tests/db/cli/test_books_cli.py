"""`python -m db books`: a campaign from files, and one sentence for each fault, with nothing stored."""

from __future__ import annotations

import pytest

from db.__main__ import main
from db.cli import books as command
from db.engine import make_engine, migrate
from db.queries import list_campaigns
from tests.support.books import write_epub
from tests.support.two_languages import backends, sentences, translated

WORDS = backends()
CHAPTERS = [sentences(10, seed=n) for n in range(3)]


@pytest.fixture
def db(monkeypatch, capsys, url, tmp_path):
    """Run `db books` with the made-up languages: (exit status, standard output, standard error)."""
    monkeypatch.setenv("YOMIKURABE_DB", url)
    monkeypatch.setattr(command, "aligning_backends", lambda: WORDS)
    monkeypatch.setattr(command, "kept_folder", lambda: tmp_path / "kept")

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["books", *map(str, arguments)])
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


@pytest.fixture
def files(tmp_path):
    pages = {
        f"c{n}.xhtml": f"<h1>Door {n}</h1>" + "".join(f"<p>{one}</p>" for one in texts)
        for n, texts in enumerate(CHAPTERS, 1)
    }
    original = write_epub(tmp_path / "original.epub", pages)
    reference = tmp_path / "reference.txt"
    lines = [line for n, texts in enumerate(CHAPTERS, 1) for line in (f"CHAPTER {n}", *translated(texts))]
    reference.write_text("\n\n".join(lines), "utf-8")
    return original, reference


def test_an_epub_and_a_text_become_a_campaign(db, files, url):
    original, reference = files
    status, out, err = db(
        original, "--reference", reference, "--chapters", "1-2", "--unit", "sentence", "--campaign", "Doors"
    )
    assert (status, out) == (0, "")
    assert "segments: 20" in err
    (made,) = list_campaigns(make_engine(url))
    assert made.name == "Doors"


def test_the_chapters_are_listed_without_storing_anything(db, files):
    original, reference = files
    status, out, _ = db(original, "--reference", reference, "--list", "--campaign", "Doors")
    assert status == 0
    assert out.splitlines()[:2] == [
        "original: The Two Doors, A. Writer (epub, en)",
        f"    1  Door 1  {sum(map(len, CHAPTERS[0])):,} characters",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--chapters", "3-9"], "--chapters 3-9: write numbers from 1 to 3, such as 1-3,7."),
        (["--chapters", "x"], "--chapters x: write numbers from 1 to 3, such as 1-3,7."),
        (["--unit", "word"], "--unit word: choose from sentence, paragraph, passage."),
        (["--hyp", "other"], "--hyp other: write NAME=FILE."),
    ],
)
def test_a_fault_is_one_sentence(db, files, arguments, sentence):
    original, reference = files
    status, _, err = db(original, "--reference", reference, "--campaign", "Doors", *arguments)
    assert (status, err.splitlines()) == (2, [sentence])


def test_the_wrong_book_stores_nothing(db, files, url, tmp_path):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("\n\n".join(sentences(30, seed=70, language="b")), "utf-8")
    status, _, err = db(files[0], "--reference", wrong, "--campaign", "Doors")
    assert status == 2
    assert err.startswith("Hardly anything in “original.epub” matches “wrong.txt” (")
    engine = make_engine(url)
    migrate(engine)
    assert list_campaigns(engine) == []
