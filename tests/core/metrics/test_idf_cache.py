"""A corpus that was counted before is not counted again; a changed one is."""

import os
import tracemalloc

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.metrics import idf
from core.metrics.idf import Idf, build_idf, corpus_key, recall, remember
from tests.support.fake_backends import FakeEncoder

VECTORS = {"<s>": (0, 0), "</s>": (0, 1), "a": (1, 0), "b": (1, 1)}
BEFORE = "Using the cached counts of this corpus; --no-resume counts again."


@pytest.fixture
def encoder():
    return FakeEncoder(VECTORS)


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "novels"
    folder.mkdir()
    for name, text in (("a", "猫\n猫"), ("b", "猫 犬")):
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


@pytest.fixture
def build(tmp_path, tiny_bert, corpus, monkeypatch):
    """Build from the command line; how often a corpus was counted stands in `counted`."""
    counted = []

    def watched(*given, **named):
        counted.append(1)
        return build_idf(*given, **named)

    monkeypatch.setattr("core.cli.idf.build_idf", watched)

    def run(*more, paths=(corpus,), out=tmp_path / "out.json.gz"):
        arguments = ["idf", "build", "--encoder", str(tiny_bert), "--out", str(out), *more, *map(str, paths)]
        return CliRunner().invoke(app, arguments), out.read_bytes() if out.exists() else b""

    run.counted = counted
    return run


def test_the_same_corpus_is_counted_once_and_the_answer_says_so(build):
    first, bytes_first = build()
    again, bytes_again = build()
    assert (first.exit_code, again.exit_code, len(build.counted)) == (0, 0, 1)
    assert bytes_first == bytes_again
    assert BEFORE not in first.stderr
    assert again.stderr.startswith(f"{BEFORE}\ncorpus-2-")


@pytest.mark.parametrize("option", ["--no-resume", "--fresh"])
def test_no_resume_counts_again(build, option):
    build()
    result, _ = build(option)
    assert len(build.counted) == 2
    assert BEFORE not in result.stderr


def test_a_changed_corpus_is_counted_again(build, corpus):
    build()
    (corpus / "b.txt").write_text("猫 鳥", "utf-8")
    result, _ = build()
    assert (len(build.counted), BEFORE in result.stderr) == (2, False)
    (corpus / "c.txt").write_text("犬", "utf-8")
    result, _ = build()
    assert (len(build.counted), "corpus-3-" in result.stderr) == (3, True)


def test_another_name_or_licence_is_another_dictionary(build):
    build()
    result, _ = build("--name", "cats")
    assert result.stderr.startswith("cats-2-")
    build("--licence", "CC0")
    assert len(build.counted) == 3


def test_a_corpus_without_text_is_not_kept(build, corpus):
    for file in corpus.iterdir():
        file.write_text("\n", "utf-8")
    for _ in range(2):
        assert build()[0].exit_code == 2
    assert len(build.counted) == 2


def test_a_folder_that_is_not_there_is_said_before_the_counting(build, tmp_path):
    result, _ = build(out=tmp_path / "nowhere" / "x.json.gz")
    assert (result.exit_code, build.counted) == (2, [])
    assert "x.json.gz: cannot be written (its folder does not exist)" in result.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes like this exist on Unix only")
def test_a_pipe_is_not_read_for_its_key(tmp_path, encoder):
    os.mkfifo(tmp_path / "pipe.txt")
    assert corpus_key([tmp_path / "pipe.txt"], encoder, name="n", licence="") is None


def test_the_key_depends_on_names_and_contents_and_the_encoder_and_not_on_the_folder(tmp_path, encoder):
    def key(*files, model=encoder, folder="x"):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        for old in place.iterdir():
            old.unlink()
        for name, text in files:
            (place / name).write_text(text, "utf-8")
        return corpus_key([place], model, name="n", licence="")

    same = key(("a.txt", "a"), ("b.txt", "b"))
    other = FakeEncoder(VECTORS)
    other.fingerprint = "1" * 12
    assert key(("a.txt", "a"), ("b.txt", "b"), folder="moved") == same
    assert key(("a.txt", "a"), ("b.txt", "b"), ("picture.png", "")) == same  # not a text of the corpus
    different = [
        key(("a.txt", "ab")),
        key(("a.txt", "a"), ("b.txt", "a")),
        key(("a.txt", "a"), ("c.txt", "b")),
        key(("a.txt", "a"), ("b.txt", "b"), model=other),
    ]
    assert len({same, *different}) == 5


def test_a_file_that_is_not_there_is_named_when_it_is_counted(build, tmp_path):
    result, _ = build(paths=(tmp_path / "nowhere.txt",))
    assert result.exit_code == 2
    assert "nowhere.txt: cannot be read" in result.stderr


def test_hashing_a_large_corpus_holds_a_piece_of_it_at_a_time(tmp_path, encoder, monkeypatch):
    monkeypatch.setattr(idf, "BYTES_AT_ONCE", 1 << 16)
    (tmp_path / "large.txt").write_bytes(b"a b\n" * (4 << 20))
    tracemalloc.start()
    corpus_key([tmp_path / "large.txt"], encoder, name="n", licence="")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20  # of 16 MiB


def test_what_is_damaged_or_another_encoders_is_not_recalled(encoder):
    remember("k", Idf(name="n", documents=2, frequencies={1: 1}, tokenizer=encoder.fingerprint))
    assert recall("k", encoder).documents == 2
    assert recall("other", encoder) is None
    (idf.cache_folder() / "k.json.gz").write_bytes(b"\x1f\x8bdamaged")
    assert recall("k", encoder) is None
    remember("k", Idf(name="n", documents=2, frequencies={1: 1}, tokenizer="cafe"))
    assert recall("k", encoder) is None


def test_the_folder_keeps_a_bounded_number_and_a_folder_that_cannot_be_written_is_no_error(
    tmp_path, encoder, monkeypatch
):
    monkeypatch.setattr(idf, "KEPT", 3)
    for number in range(5):
        remember(str(number), Idf(name="n", documents=1, frequencies={}, tokenizer=encoder.fingerprint))
        os.utime(idf.cache_folder() / f"{number}.json.gz", ns=(number, number))
    assert sorted(path.name for path in idf.cache_folder().iterdir()) == [
        "2.json.gz", "3.json.gz", "4.json.gz",
    ]  # fmt: skip
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(idf, "cache_folder", lambda: tmp_path / "file")
    remember("x", Idf(name="n", documents=1, frequencies={}))
