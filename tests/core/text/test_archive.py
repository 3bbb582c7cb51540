from __future__ import annotations

import io
import stat
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.text.archive import is_zip, unpacked


def make(path: Path, files: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def names(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_the_one_folder_is_opened_and_gone_afterwards(tmp_path):
    path = make(tmp_path / "x.zip", {"猫/a.txt": "あ", "猫/b/c.txt": "い", "__MACOSX/猫/._a.txt": "x"})
    with unpacked(path) as folder:
        assert (folder.name, names(folder)) == ("猫", {"a.txt", "b/c.txt"})
        assert (folder / "a.txt").read_text(encoding="utf-8") == "あ"
    assert not folder.exists()


def test_several_entries_or_one_file_lie_in_the_folder_itself(tmp_path):
    with unpacked(make(tmp_path / "x.zip", {"a.txt": "a", "b\\c.txt": "c"})) as folder:
        assert names(folder) == {"a.txt", "b/c.txt"}
    with unpacked(make(tmp_path / "y.zip", {"a.txt": "a"})) as folder:
        assert names(folder) == {"a.txt"}


def test_the_folder_is_gone_after_an_error_in_the_block(tmp_path):
    path = make(tmp_path / "x.zip", {"a.txt": "a"})
    with pytest.raises(KeyError), unpacked(path) as folder:
        raise KeyError
    assert not folder.exists()


@pytest.mark.parametrize(
    "name",
    ["/etc/x", "../x", "a/../../x", "..\\x", "C:\\x", "c:x", "\\\\server\\x", "a\x01b", "a\nb", "/", ".."],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path, name):
    path = make(tmp_path / "x.zip", {"good.txt": "a", name: "b"})
    before = set(tmp_path.rglob("*"))
    with pytest.raises(FileError, match="leads out of the folder") as raised, unpacked(path):
        pass
    assert "\n" not in str(raised.value)
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR], ids=["link", "pipe", "device"])
def test_a_link_or_device_is_refused(tmp_path, kind):
    info = zipfile.ZipInfo("link")
    info.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(FileError, match="“link”, a link or device"), unpacked(tmp_path / "x.zip"):
        pass


def test_an_encrypted_member_is_refused(tmp_path):
    data = bytearray(make(tmp_path / "x.zip", {"a.txt": "a"}).read_bytes())
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(FileError, match="which is encrypted; make"), unpacked(tmp_path / "x.zip"):
        pass


def test_more_files_or_folders_than_allowed_are_refused(tmp_path):
    path = make(tmp_path / "x.zip", {f"{n}.txt": "a" for n in range(4)})
    with unpacked(path, limit_members=4) as folder:
        assert len(names(folder)) == 4
    with pytest.raises(FileError, match="holds 4 files and 3 are allowed"), unpacked(path, limit_members=3):
        pass
    deep = make(tmp_path / "y.zip", {"a/" * 8 + "x": "a"})
    with unpacked(deep) as folder:
        assert names(folder) == {"a/" * 7 + "x"}
    deep = make(tmp_path / "y.zip", {"a/" * 9 + "x": "a"})
    with pytest.raises(FileError, match="more than 8 folders deep"), unpacked(deep):
        pass


def test_a_bomb_is_stopped_by_what_comes_out_of_it(tmp_path):
    path = make(tmp_path / "x.zip", {"a": bytes(900_000), "b": bytes(200_000)})
    assert path.stat().st_size < 5_000
    with unpacked(path, limit_bytes=1_100_000) as folder:
        assert names(folder) == {"a", "b"}
    refused = pytest.raises(FileError, match="unpacks to more than the limit of 1,099,999 bytes")
    with refused, unpacked(path, limit_bytes=1_099_999):
        pass


def test_a_header_that_lies_about_the_size_deceives_nobody(tmp_path):
    data = make(tmp_path / "x.zip", {"a": bytes(900_000)}).read_bytes()
    assert data.count(struct.pack("<I", 900_000)) == 2
    (tmp_path / "x.zip").write_bytes(data.replace(struct.pack("<I", 900_000), struct.pack("<I", 10)))
    with pytest.raises(FileError, match="is not a zip file that can be read"), unpacked(tmp_path / "x.zip"):
        pass


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no files"),
        ({"a": "", "a/b": ""}, "cannot be unpacked"),
        ({".DS_Store": "x"}, "holds no files"),
    ],
    ids=["nothing", "file and folder", "byproduct"],
)
def test_what_cannot_be_a_folder_is_said(tmp_path, files, message):
    with pytest.raises(FileError, match=message), unpacked(make(tmp_path / "x.zip", files)):
        pass


def test_a_name_given_twice_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a", "2")
    with pytest.raises(FileError, match="holds “a” twice"), unpacked(tmp_path / "x.zip"):
        pass


@pytest.mark.parametrize("data", [b"", b"text", b"PK\x03\x04 but no more"], ids=["empty", "text", "cut"])
def test_what_is_no_zip_file_is_said(tmp_path, data):
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(FileError, match="is not a zip file that can be read"), unpacked(tmp_path / "x.zip"):
        pass
    assert is_zip(tmp_path / "x.zip") == data.startswith(b"PK")
    with pytest.raises(FileError, match="cannot be unpacked"), unpacked(tmp_path / "nowhere.zip"):
        pass
    assert not is_zip(tmp_path)


def good_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/b.txt", "some text " * 20)
        archive.writestr("a/c.txt", "more")
    return file.getvalue()


GOOD = good_zip()


@given(place=st.integers(0, len(GOOD) - 1), byte=st.integers(0, 255), cut=st.booleans())
def test_any_damage_ends_in_a_file_error_or_in_the_files(place, byte, cut, tmp_path_factory):
    folder = tmp_path_factory.mktemp("zip")
    data = GOOD[:place] if cut else GOOD[:place] + bytes([byte]) + GOOD[place + 1 :]
    (folder / "x.zip").write_bytes(data)
    with suppress(FileError), unpacked(folder / "x.zip") as found:
        assert found.is_dir()
    assert [file.name for file in folder.iterdir()] == ["x.zip"]


def with_old_names(path: Path, names: list[bytes]) -> Path:
    """A zip file as Japanese Windows writes it: names in CP932, without the mark of UTF-8."""
    with zipfile.ZipFile(path, "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(chr(65 + number) * len(name), b"x")
    data = path.read_bytes()
    for number, name in enumerate(names):
        data = data.replace(bytes([65 + number]) * len(name), name)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "utf-8"])
def test_names_in_an_old_japanese_encoding_are_those_that_were_written(tmp_path, encoding):
    written = ["小説/表現.txt", "小説/ソフト翻訳.txt", "小説/plain.txt"]
    path = with_old_names(tmp_path / "x.zip", [name.encode(encoding) for name in written])
    with unpacked(path) as folder:
        assert (folder.name, names(folder)) == ("小説", {"表現.txt", "ソフト翻訳.txt", "plain.txt"})


def test_names_in_the_zip_formats_own_encoding_stay(tmp_path):
    with unpacked(with_old_names(tmp_path / "x.zip", ["café.txt".encode("cp437"), b"b.txt"])) as folder:
        assert names(folder) == {"café.txt", "b.txt"}
