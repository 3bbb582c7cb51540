from __future__ import annotations

import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.text.files import decode, parse_number, read_text, split_lines

NOVEL = "それから一時間あまりの後には、私は汽車の隅に腰かけていた。\n「君、あの男は誰だい？」と彼は尋ねた。\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "shift_jis", "cp932", "euc_jp", "euc_jis_2004"]
)
def test_japanese_text_is_the_same_from_every_encoding(encoding):
    assert decode(NOVEL.encode(encoding), path="x") == NOVEL


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_both_byte_orders_are_known_by_their_mark(encoding):
    assert decode("\ufeff𠮷野家".encode(encoding), path="x") == "𠮷野家"


@pytest.mark.parametrize("encoding", ["cp932", "euc_jis_2004"])
def test_the_characters_that_vendors_added_are_read(encoding):
    assert decode("第①章　髙橋さん".encode("cp932"), path="x") == "第①章　髙橋さん"
    assert decode("第①章、終わり".encode(encoding), path="x") == "第①章、終わり"


def test_halfwidth_katakana_within_japanese_text_are_read():
    text = "ﾃﾞｰﾀを見た。これは本当の話です。"
    assert decode(text.encode("cp932"), path="x") == text


def test_a_short_word_of_kanji_alone_is_read():
    assert decode("東京".encode("shift_jis"), path="x") == "東京"
    assert decode("東京".encode("euc_jp"), path="x") == "東京"


def test_utf8_is_preferred_and_nothing_is_normalised():
    text = "ｶﾞ が か\u3099 \u2028 \x85 𠮷 🐟"
    assert decode(text.encode(), path="x") == text


@pytest.mark.parametrize(
    "text", ["Müller fährt früh nach Köln", "déjà vu", "élève début", "crème brûlée", "Ärger öffnen"]
)
def test_western_one_byte_text_is_refused_rather_than_turned_into_kanji(text):
    with pytest.raises(FileError, match="save it as UTF-8"):
        decode(text.encode("latin-1"), path="brief.txt")


def test_one_bad_byte_in_utf8_is_named_with_its_line_and_not_guessed_at():
    data = NOVEL.encode() + b"\xe3\x81" + "の次\n".encode()
    with pytest.raises(FileError, match=r"^novel\.txt, line 3: has invalid UTF-8 bytes"):
        decode(data, path="novel.txt")


def test_the_line_of_a_bad_byte_after_a_byte_order_mark():
    with pytest.raises(FileError, match=r"^x\.txt, line 2: has invalid UTF-8 bytes"):
        decode(b"\xef\xbb\xbf\n\x80" + "ééééé".encode(), path="x.txt")


def test_nul_bytes_are_refused_with_their_line():
    with pytest.raises(FileError, match=r"^x\.txt, line 3: has a NUL"):
        decode(b"a\r\nb\rc\0d\n", path="x.txt")


@pytest.mark.parametrize(
    "data",
    [bytes(range(256)) * 4, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(128, 256)), b"\xff\xfe\x00"],
)
def test_binary_data_is_refused(data):
    with pytest.raises(FileError, match=r"^x: "):
        decode(data, path="x")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("\n", [""]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\n", ["a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"]),
    ],
)
def test_lines_end_at_line_feeds_and_carriage_returns_only(text, lines):
    assert split_lines(text) == lines


def test_a_gzipped_file_is_read_whatever_its_name(tmp_path):
    file = tmp_path / "novel.txt"
    file.write_bytes(gzip.compress(NOVEL.encode()))
    assert read_text(file) == NOVEL


def test_a_damaged_gzip_file_is_refused(tmp_path):
    file = tmp_path / "novel.gz"
    for data in (
        gzip.compress(NOVEL.encode(), mtime=0)[:-12],
        b"\x1f\x8bnonsense",
        gzip.compress(b"x" * 99, mtime=0)[:-4] + b"1234",
    ):
        file.write_bytes(data)
        with pytest.raises(FileError, match="damaged gzip"):
            read_text(file)


def test_the_size_limit_holds_before_and_after_decompression(tmp_path):
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.write_bytes(b"a" * 1001)
    packed.write_bytes(gzip.compress(b"a" * 1001))
    for file in (plain, packed):
        assert len(read_text(file, limit_bytes=1001)) == 1001
        with pytest.raises(FileError, match="larger than the limit of 1,000 bytes"):
            read_text(file, limit_bytes=1000)


def test_a_missing_file_and_a_folder_are_file_errors(tmp_path):
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(FileError, match="cannot be read"):
            read_text(path)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_is_read_as_it_is_written(number):
    assert parse_number(repr(number)) == number


@pytest.mark.parametrize(
    "text", ["", " 1", "1_0", "nan", "inf", "-inf", "1e999", "１", "٣", "0x1", "one", "."]
)
def test_what_is_no_plain_number_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(text)):
        parse_number(text)
