from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from db.formats import FORMATS
from db.formats.detect import HEAD_BYTES, detect

LONG = ("document", "position", "reference", "system", "translation")
ROW = dict.fromkeys(LONG, "x")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\t".join(LONG) + "\trater\nd\t0\n", "tsv"),
        ('"document",position,reference,system,translation\r\n', "csv"),
        (json.dumps(ROW) + "\n", "jsonl"),
        ('{"doc_id": "d", "src_lang": "en", "src_text": "x"}\n', "wmt-jsonl"),
        ('<?xml version="1.0"?>\n<!-- x --><dataset id="x"><doc/></dataset>', "wmt-xml"),
        ('<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4">', "tmx"),
        ('<x:xliff xmlns:x="urn" version="1.2">', "xliff"),
        ('[{"items": [{"itemType": "TGT"}], "task": {}}]', "appraise"),
        ('{"info": {"protocol": "ESA"}, "campaign_id": "c", "data": [', "pearmut"),
    ],
)
def test_a_file_is_known_by_its_beginning(tmp_path, text, name):
    path = tmp_path / "upload"
    for data in (
        text.encode(),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        gzip.compress(text.encode()),
    ):
        path.write_bytes(data)
        assert detect(path) == (name,)
    assert name in FORMATS


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"some text\nand more",
        b"<html><body>",
        b"<",
        b"{",
        b'{"doc_id": "d", "hypothesis": "x"}',
        b'{"user_id": "A", "annotation": [], "item": [{"tgt": {}, "data": 1}]}',
        b"PK\x03\x04",
        b"\x1f\x8bbroken",
        b"\xff\xfe\x00",
        bytes(range(256)),
    ],
    ids=range(11),
)
def test_of_what_is_not_known_nothing_is_said(tmp_path, data):
    path = tmp_path / "upload"
    path.write_bytes(data)
    assert detect(path) == ()
    assert detect(tmp_path / "nowhere") == ()


def test_only_the_beginning_is_read(tmp_path):
    path = tmp_path / "upload"
    path.write_bytes(b" " * HEAD_BYTES + b"<tmx>")
    assert detect(path) == ()
    path.write_bytes(b" " * (HEAD_BYTES - 5) + b"<tmx>")
    assert detect(path) == ("tmx",)
    path.write_bytes(gzip.compress(b" " * HEAD_BYTES + b"<tmx>"))
    assert detect(path) == ()


def touch(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_a_folder_is_known_by_what_it_holds(tmp_path, tables):
    assert detect(tables) == ("tables",)
    assert detect(touch(tmp_path / "m", "sources/x", "system-outputs/y")) == ("mtme",)
    assert detect(touch(tmp_path / "e", "x.txt", "x.json")) == ()
    (touch(tmp_path / "w", "a.jsonl") / "b.jsonl").write_text(
        '{"doc_id": "d", "src_text": "x"}', encoding="utf-8"
    )
    assert detect(tmp_path / "w") == ("wmt-jsonl",)
    touch(tmp_path / "p", "tasks/c.json")
    (tmp_path / "p" / "tasks" / "c.json").write_text('{"info": {}, "data": []}', encoding="utf-8")
    assert detect(tmp_path / "p") == ("pearmut",)
