"""Files are read line by line as they would be read whole: same lines, same complaints."""

from __future__ import annotations

import gzip
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.text import files
from core.text.files import LineFile, read_text, split_lines

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "shift_jis", "cp932", "euc_jp", "euc_jis_2004")
TEXT = "それから一時間あまりの後、\r\n「君、あの男は誰だい？」と彼は尋ねた。\r\n\rﾃﾞｰﾀ\n\n第一章、終わり"


def whole(path):
    """What reading all of it at once gives: lines, or the complaint."""
    try:
        return split_lines(read_text(path))
    except FileError as error:
        return error.message


def streamed(path):
    try:
        file = LineFile(path)
    except FileError as error:
        return error.message
    found = list(file)
    assert len(file) == len(found)
    assert list(file) == found  # a second time
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 5, 64])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_pieces_of_any_size_give_the_lines_of_the_whole(tmp_path, monkeypatch, encoding, size):
    monkeypatch.setattr(files, "BYTES_AT_ONCE", size)
    path = tmp_path / "novel.txt"
    path.write_bytes(TEXT.encode(encoding, "ignore"))
    assert streamed(path) == whole(path)
    assert len(streamed(path)) == 6


pieces = st.lists(
    st.sampled_from(["a", "é", "猫", "𠮷", "\n", "\r", "\r\n", "\ufeff", "\0", "\x85", "\u2028", "ｶ", "①"]),
    max_size=12,
).map("".join)
damaged = st.tuples(pieces, st.sampled_from(ENCODINGS), st.binary(max_size=3), st.integers(0, 30)).map(
    lambda one: one[0].encode(one[1], "ignore")[: one[3]] + one[2] + one[0].encode(one[1], "ignore")[one[3] :]
)


@given(data=damaged | st.binary(max_size=12), size=st.integers(1, 9), packed=st.booleans())
def test_whatever_the_bytes_are_the_outcome_is_that_of_reading_them_whole(
    tmp_path_factory, data, size, packed
):
    path = tmp_path_factory.getbasetemp() / "any.bytes"
    path.write_bytes(gzip.compress(data) if packed else data)
    before, files.BYTES_AT_ONCE = files.BYTES_AT_ONCE, size
    try:
        assert streamed(path) == whole(path)
    finally:
        files.BYTES_AT_ONCE = before


@pytest.mark.parametrize("data", [b"\x1f\x8bnonsense", gzip.compress(b"x" * 99, mtime=0)[:-12]])
def test_a_damaged_gzip_file_is_refused_as_ever(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    assert streamed(tmp_path / "x") == whole(tmp_path / "x")
    assert "damaged gzip" in streamed(tmp_path / "x")


def test_a_missing_file_and_a_folder_are_refused_as_ever(tmp_path):
    for path in (tmp_path / "nowhere", tmp_path):
        assert streamed(path) == whole(path)


def test_a_pipe_can_be_read_although_it_comes_only_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("猫\n犬\n", "utf-8"))
    writer.start()
    assert streamed(path) == ["猫", "犬"]
    writer.join()


@pytest.mark.parametrize("after", ["a\n", "a\nb\nc\nd\n", "a\n\udcff\n"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, after):
    path = tmp_path / "x"
    path.write_text("a\nb\nc\n", "utf-8")
    file = LineFile(path)
    path.write_bytes(after.encode("utf-8", "surrogateescape"))
    with pytest.raises(FileError, match="changed while it was read"):
        list(file)


def test_memory_does_not_hold_the_file(tmp_path):
    import tracemalloc

    path = tmp_path / "large"
    path.write_text("猫は名前がまだ無いので困る。\n" * 400_000, "utf-8")  # 17 MB
    tracemalloc.start()
    count = sum(1 for _ in LineFile(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 400_000
    assert peak < 6e6
