from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from db.formats.json_node import JsonText, Node, read_json, read_json_lines

LIMIT = 1_000_000

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def node(text: str) -> Node:
    return JsonText(Path("x.json"), text).root()


def nodes(root: Node) -> list[Node]:
    inner = [
        *(root.as_list() if isinstance(root.value, list) else ()),
        *(root.as_map().values() if isinstance(root.value, dict) else ()),
    ]
    return [root, *(deeper for one in inner for deeper in nodes(one))]


@given(value=values)
def test_the_line_of_a_value_is_the_line_that_it_begins_on(value):
    text = json.dumps(value, indent=1, ensure_ascii=False)
    for one in nodes(node(text)):
        line = one.document.line_of(one.trail)
        rest = text.split("\n", line - 1)[-1]
        assert json.dumps(one.value, ensure_ascii=False)[:1] in rest.split("\n")[0]
    starts = [one.document.line_of(one.trail) for one in nodes(node(text))]
    assert starts == sorted(starts)
    assert starts[-1] <= text.count("\n") + 1


def test_a_fault_is_named_with_its_line_and_the_field_of_its_item():
    text = '[\n {"a": {"b": "x"}},\r\n\n {"a":\n  {"b": 5}}\n]'
    found = node(text).as_list()[1].need("a").need("b")
    with pytest.raises(FileError, match=r"^x\.json, line 5: field “a\.b”: is not a text\.$"):
        found.as_text()
    with pytest.raises(FileError, match=r"^x\.json, line 4: has no field “c”\.$"):
        node(text).as_list()[1].need("c")


def test_lines_of_a_text_with_a_byte_order_mark_and_blank_lines_keep_their_numbers(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes('\ufeff{"a": "あ"}\r\n\r\n{"a": "𠮷"}\r\n'.encode())
    first, second = read_json_lines(path, LIMIT)
    assert (first.text("a"), second.text("a")) == ("あ", "𠮷")
    with pytest.raises(FileError, match="line 3: has no field “b”"):
        second.need("b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.json: is empty."),
        (" \n ", "x.json: is empty."),
        ("[1,\n2,\n", "line 3: is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"a": 1, "a": 2}', 'the key "a" stands twice in one object'),
        ("[NaN]", "NaN is not a number of JSON"),
        ("[-Infinity]", "-Infinity is not a number of JSON"),
        ("[" + "9" * 5000 + "]", "x.json, line 1: holds a number with too many digits."),
        ("\0", "has a NUL character"),
    ],
    ids=["nothing", "blank", "open", "deep", "twice", "nan", "infinity", "digits", "nul"],
)
def test_what_is_no_json_is_said_in_one_sentence(tmp_path, text, message):
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as raised:
        read_json(path, LIMIT)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "ask", "message"),
    [
        ('{"a": "x\\u0000"}', "text", "field “a”: holds a character that cannot be stored"),
        ('{"a": "\\udc00"}', "text", "field “a”: holds a character that cannot be stored"),
        ('{"a": true}', "number", "field “a”: is not a number"),
        ('{"a": "5"}', "number", "field “a”: is not a number"),
        ('{"a": 1e999}', "number", "field “a”: is too large a number"),
        ('{"a": true}', "label", "field “a”: is not a text"),
        ('{"a": {}}', "list", "field “a”: is not a list"),
        ('{"a": []}', "map", "field “a”: is not a JSON object"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(text, ask, message):
    with pytest.raises(FileError) as raised:
        getattr(node(text).need("a"), f"as_{ask}")()
    assert message in str(raised.value)


def test_a_file_larger_than_the_limit_is_not_read(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('"' + "a" * 100 + '"', encoding="utf-8")
    assert read_json(path, 102).value == "a" * 100
    with pytest.raises(FileError, match="larger than the limit of 101 bytes"):
        read_json(path, 101)
