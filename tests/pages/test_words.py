"""The app's words: the same keys in both languages, none unused, none missing."""

import ast
import json
import re
import string
from datetime import UTC, datetime
from functools import cache

import pytest

from core import errors
from core.assets import ROOT
from core.raters.protocols import PROTOCOLS
from pages.ui import text
from pages.ui.text import ASSETS

WORDS = {lang: json.loads((ASSETS / "locale" / f"{lang}.json").read_text("utf-8")) for lang in ("en", "ja")}


@cache
def calls():
    """Every first argument of `t(…)` and `words_or(…)` with its names, as (key or prefix, exact, names)."""
    return tuple(each_call())


def each_call():
    speaking = [*sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "core" / "report").rglob("*.py"))]
    speaking.append(ROOT / "core" / "charts" / "evidence.py")
    for path in [ROOT / "app.py", *speaking]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and called(node) in ("t", "words_or"):
                names = {keyword.arg for keyword in node.keywords}
                for key, exact in keys_in(node.args[0]):
                    yield path.name, key, exact, names


def called(node):
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def keys_in(node):
    if isinstance(node, ast.Constant):
        yield node.value, True
    elif isinstance(node, ast.JoinedStr):
        first = node.values[0]
        assert isinstance(first, ast.Constant), "a key begins with a fixed part"
        yield first.value, False
    elif isinstance(node, ast.IfExp):
        yield from keys_in(node.body)
        yield from keys_in(node.orelse)
    else:
        raise AssertionError(f"a key that cannot be read from the code: {ast.dump(node)}")


def places(words):
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


def test_both_languages_have_the_same_keys_and_places():
    assert WORDS["en"].keys() == WORDS["ja"].keys()
    for key, words in WORDS["en"].items():
        assert words.strip()
        assert WORDS["ja"][key].strip()
        assert places(words) == places(WORDS["ja"][key]), key


def test_every_key_in_the_code_is_there_with_its_places():
    found = list(calls())
    assert len(found) > 60
    for where, key, exact, names in found:
        if exact:
            assert key in WORDS["en"], f"{where}: {key}"
            if None not in names:  # `**values` cannot be read from the code
                assert places(WORDS["en"][key]) == names, f"{where}: {key}"
        else:
            assert any(known.startswith(key) for known in WORDS["en"]), f"{where}: {key}"


def test_no_key_is_unused():
    exact = {key for _, key, is_exact, _ in calls() if is_exact}
    prefixes = tuple(key for _, key, is_exact, _ in calls() if not is_exact)
    by_name = "language."  # core.text.locale.language_name
    unused = {key for key in WORDS["en"] if key not in exact and not key.startswith((*prefixes, by_name))}
    assert unused == set()


TO_TYPE = {
    "picker.none",
    "error.judge-key",
    "error.judge-model",
    "contrast.file_help",
    "drawing.repaired_help",
    "terms.file_help",
    "prefill.no_models",
    "seal.how",
}
"""Words that hold a command, or the name of a setting or a column."""


def test_japanese_words_hold_no_english_but_names():
    metrics = "ROC AUC BERTScore BLEU BLEURT chrF GEMBA ICC MQM DA ESA SQM SHA MTEQA PERM BOTH idf gram"
    files = "TBX WMT mt metrics eval CSV TSV JSON SVG PNG Lines XLIFF TMX ZIP zip gz MB LaTeX Excel"
    others = "Hugging Face kB Pearmut Appraise TER sacreBLEU smoothing The the EPUB DOCX HTML Markdown"
    documents = "BlonDe dBlonDe Prolific Mechanical Turk"
    keys = "Enter Shift Delete Esc Tab CPU CUDA GPU MPS Apple OpenVINO torch float bfloat"
    names = {*metrics.split(), *files.split(), *others.split(), *documents.split(), *keys.split()}
    for key, words in WORDS["ja"].items():
        if key not in TO_TYPE:
            shown = "".join(part for part, *_ in string.Formatter().parse(words))
            assert set(re.findall(r"[A-Za-z]{2,}", shown)) <= names, key


def test_every_place_on_a_rail_has_words_and_those_of_adequacy_are_its_guidelines():
    for protocol in PROTOCOLS.values():
        for index in range(len(protocol.anchors)):
            assert f"anchor.{protocol.name}.{index}" in WORDS["en"]
    for lang in ("en", "ja"):
        guide = (ASSETS / "guides" / f"adequacy.{lang}.md").read_text("utf-8")
        told = sorted(map(float, re.findall(r"^\| \*\*(\d+)\*\*", guide, re.M)))
        assert tuple(told) == PROTOCOLS["adequacy"].anchors


def test_unknown_key_is_an_error():
    with pytest.raises(KeyError):
        text.t("no.such.key")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_error_without_words_in_the_language_has_its_kind_and_the_english_sentence(monkeypatch, lang):
    monkeypatch.setattr("pages.ui.state.language", lambda: lang)
    ours = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in ours if issubclass(kind, errors.YomikurabeError)]
    assert len(kinds) >= 9
    for kind in kinds:
        error = made(kind, "What and how.")
        kept = "What and how." if not isinstance(error, errors.FileError) else "x.tsv: What and how."
        stock = WORDS["ja"][f"error.{kind.code}"]
        assert text.error_sentence(error) == (kept if lang == "en" else f"{stock} {kept}")


def made(kind, template):
    if issubclass(kind, errors.ScaleUnknown):
        return kind("/tmp/there/x.tsv", template, scales=errors.Listed(["0-5", "0-100"]))
    return kind("/tmp/there/x.tsv", template) if issubclass(kind, errors.FileError) else kind(template)


def test_plain_words_survive_markdown():
    assert text.plain("*a* $b$ [c](d) :red[e] <f> 'g'") == r"\*a\* \$b\$ \[c\]\(d\) \:red\[e\] \<f\> 'g'"
    assert text.plain("# one\ntwo") == r"\# one two"


def test_numbers_and_times(monkeypatch):
    assert text.number(-1.005, 1) == "\N{MINUS SIGN}1.0"
    assert [text.score(value) for value in (86.0, 86.5, 0.0, 100.0)] == ["86", "86.5", "0", "100"]
    long_ago = datetime(2001, 2, 3, 4, 5, tzinfo=UTC)
    monkeypatch.setattr("pages.ui.state.language", lambda: "ja")
    assert text.moment(long_ago) == "2001年2月3日 04:05"
    monkeypatch.setattr("pages.ui.state.language", lambda: "en")
    assert text.moment(long_ago) == "3 Feb 2001, 04:05"
    assert len(text.moment(datetime.now(UTC))) == 5


def test_guides_exist_in_both_languages():
    for lang in ("en", "ja"):
        guide = (ASSETS / "guides" / f"adequacy.{lang}.md").read_text("utf-8")
        for anchor in ("100", "66", "33", "0"):
            assert f"**{anchor}**" in guide
