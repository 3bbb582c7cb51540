"""`python -m core align`: three formats, one sentence for each fault, and runs that go on."""

from __future__ import annotations

import json

import pytest

from core.cli import align as command
from core.text.files import read_lines
from db.formats import get_format
from db.formats.bundle import ReadOptions
from tests.support.cli_files import run, write
from tests.support.two_languages import backends, sentences, translated


@pytest.fixture(scope="module")
def words():
    return backends()


def use(words, monkeypatch):
    """The made-up languages instead of the built-in encoder."""
    monkeypatch.setattr(command, "load_backends", lambda **_: words)


@pytest.fixture(autouse=True)
def made_up(monkeypatch, words):
    use(words, monkeypatch)


@pytest.fixture
def files(tmp_path):
    left = sentences(30)
    right = translated(left)
    right[4:6] = [f"{right[4]} {right[5]}"]
    del right[9]
    return write(tmp_path / "a.txt", left), write(tmp_path / "b.txt", right)


def test_json_has_the_beads_by_sentence_numbers(files, tmp_path):
    status, out, err = run("align", *files, "--lines", "--out", tmp_path / "o.json")
    assert (status, out) == (0, "")
    assert err.startswith("30 and 28 sentences: 28 beads, 1 and 0 sentences without a partner")
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert list(found) == ["beads"]
    beads = [(bead["left"], bead["right"]) for bead in found["beads"]]
    assert beads[:6] == [([0], [0]), ([1], [1]), ([2], [2]), ([3], [3]), ([4, 5], [4]), ([6], [5])]
    assert ([10], []) in beads
    assert all(0 <= bead["confidence"] <= 1 for bead in found["beads"])
    assert not (tmp_path / "o.json.partial").exists()


def test_tmx_is_read_again_as_a_campaign(files, tmp_path):
    arguments = ("--lines", "--left-lang", "de", "--right-lang", "fr", "--out", tmp_path / "o.tmx")
    assert run("align", *files, *arguments)[0] == 0
    bundle = get_format("tmx").read(tmp_path / "o.tmx", ReadOptions())
    assert bundle.langs == ("de", "fr")
    assert len(bundle.segments) == 28
    left, right = map(read_lines, files)
    assert (bundle.segments[4].source, bundle.segments[4].reference) == (f"{left[4]} {left[5]}", right[4])


def test_tsv_goes_to_standard_output(files):
    status, out, _ = run("align", *files, "--lines")
    rows = [line.split("\t") for line in out.splitlines()]
    assert status == 0
    assert rows[0] == ["left", "right", "confidence", "left_text", "right_text"]
    assert [row[:2] for row in rows[5:7]] == [["4,5", "4"], ["6", "5"]]


def test_a_book_also_gives_its_sentences(tmp_path):
    left = sentences(12)
    (tmp_path / "a.txt").write_text("\n\n".join(left), "utf-8")
    (tmp_path / "b.txt").write_text("\n\n".join(translated(left)), "utf-8")
    assert run("align", tmp_path / "a.txt", tmp_path / "b.txt", "--out", tmp_path / "o.json")[0] == 0
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert found["sentences"] == {"left": left, "right": translated(left)}
    assert len(found["beads"]) == 12


def test_a_run_that_was_stopped_goes_on(files, tmp_path, words, monkeypatch):
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "write_alignment", stop)
    status, _, err = run("align", *files, "--lines", "--out", tmp_path / "o.tsv")
    assert (status, err.splitlines()[-1]) == (130, "Interrupted; finished results are kept.")
    assert list((tmp_path / "o.tsv.partial").iterdir())
    monkeypatch.undo()
    use(words, monkeypatch)
    calls = len(words.encoder("embedded").calls)
    assert run("align", *files, "--lines", "--out", tmp_path / "o.tsv")[0] == 0
    assert len(words.encoder("embedded").calls) == calls


def test_the_wrong_and_the_same_book_are_said(tmp_path):
    one = write(tmp_path / "a.txt", sentences(60))
    other = write(tmp_path / "b.txt", sentences(60, seed=5, language="b"))
    assert "Hardly anything matches (" in run("align", one, other, "--lines")[2]
    assert (
        "Both files have the same text (100% of the sentences are equal)."
        in run("align", one, one, "--lines")[2]
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["a.txt", "b.txt", "--out", "o.csv"],
            "--out o.csv: the ending says the format; choose .tmx or .tsv or .json.",
        ),
        (["nowhere.txt", "b.txt"], "nowhere.txt: cannot be read (No such file or directory)."),
        (["empty.txt", "b.txt", "--lines"], "empty.txt: is empty; write one segment per line"),
        (["empty.txt", "b.txt"], "empty.txt: is empty."),
        (["a.txt", "b.txt", "--lines", "--left-lang", "xx"], "--lang: “xx” is not a language code"),
    ],
)
def test_faults_are_one_sentence(tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.txt", ["a1"])
    write(tmp_path / "b.txt", ["b1"])
    write(tmp_path / "empty.txt", [])
    status, out, err = run("align", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(sentence)
    assert len(err.splitlines()) == 1
