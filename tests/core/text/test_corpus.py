import gzip
import json
import zipfile

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.errors import FileError
from core.metrics.idf import count_files, documents


def texts(*paths):
    return ["\n".join(lines) for lines in documents(paths)]


def test_each_text_file_of_a_folder_is_a_document_in_order_of_names(tmp_path):
    (tmp_path / "b.txt").write_text("two", "utf-8")
    (tmp_path / "a.txt").write_bytes("一つ\r\n目".encode("cp932"))
    (tmp_path / "notes.pdf").write_bytes(b"%PDF")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "c.txt").write_text("three", "utf-8")
    assert texts(tmp_path) == ["一つ\n目", "two", "three"]
    assert count_files([tmp_path]) == 3


@pytest.mark.parametrize("packed", [False, True])
def test_each_line_of_json_lines_is_a_document(tmp_path, packed):
    lines = "\n".join(json.dumps({"text": text}, ensure_ascii=False) for text in ("一\n二", "三")) + "\n\n"
    path = tmp_path / ("x.jsonl.gz" if packed else "x.jsonl")
    path.write_bytes(gzip.compress(lines.encode()) if packed else lines.encode())
    assert texts(path) == ["一\n二", "三"]


def test_the_texts_of_a_zip_are_documents_and_its_path_names_touch_no_disk(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("../../evil.txt", "内")
        archive.writestr("good.txt", "外")
        archive.writestr("picture.png", b"\x89PNG")
    assert texts(tmp_path / "x.zip") == ["内", "外"]
    assert not list(tmp_path.parent.glob("evil.txt"))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("x.jsonl", b'{"text": "a"}\n{"title": "b"}', 'line 2: is no JSON object with a field "text"'),
        ("x.jsonl", b'{"text": 3}', "line 1: has a field"),
        ("x.jsonl", b'{"text": "a"}\n\xff\xfe', "is not UTF-8"),
        ("x.zip", b"no zip", "is not a zip that can be read"),
        ("x.txt", b"a\0b", "NUL"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_named_with_its_line(tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FileError, match=sentence):
        texts(path)


def test_a_huge_file_is_streamed(tmp_path, monkeypatch):
    monkeypatch.setattr("core.metrics.idf.LIMIT_BYTES", 4)
    (tmp_path / "x.txt").write_bytes("一\r\n二\n三".encode())
    (document,) = documents([tmp_path / "x.txt"])
    assert not isinstance(document, list)
    assert list(document) == ["一", "二", "三"]


def test_a_dictionary_is_built_and_shown_from_the_command_line(tmp_path, tiny_bert):
    for name, text in (("a", "猫 鳥 私 山\n猫"), ("b", "猫 鳥 私 山 犬"), ("c", "")):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    out = tmp_path / "cats.json.gz"
    run = CliRunner().invoke
    built = run(
        app, ["idf", "build", "--encoder", str(tiny_bert), "--out", str(out), "--name", "cats", str(tmp_path)]
    )
    assert built.exit_code == 0
    assert "2 documents" in built.stderr
    shown = run(app, ["idf", "show", "--encoder", str(tiny_bert), str(out), "猫", "犬"])
    rows = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [(row["token"], row["documents"], row["rare"]) for row in rows] == [
        ("猫", 2, False),
        ("犬", 1, True),
    ]


def test_a_corpus_without_text_ends_with_one_sentence(tmp_path, tiny_bert):
    (tmp_path / "a.txt").write_text(" \n", "utf-8")
    arguments = ["idf", "build", "--encoder", str(tiny_bert), "--out", str(tmp_path / "o"), str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "The corpus is empty" in result.stderr
