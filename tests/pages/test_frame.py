"""The frame: language, menu, a light start."""

import os
import subprocess
import sys

import pytest

from core.assets import ROOT
from core.text.locale import words
from pages.ui import frame

FIRST_VIEW = """
import sys, time
start = time.process_time()
from streamlit.testing.v1 import AppTest
from pages.auth import session
session.at_this_machine = lambda: True  # AppTest has no browser
began = time.process_time()
at = AppTest.from_file("app.py", default_timeout=60).run()
assert not at.exception, at.exception
assert at.button(key="front-rate")
seconds = time.process_time() - began
heavy = {"torch", "transformers", "tokenizers", "scipy", "sacrebleu"} & set(sys.modules)
print(f"{seconds:.2f} {sorted(heavy)}")
"""


@pytest.mark.parametrize(("asked", "title"), [("ja", "翻訳を採点する"), ("en", "Rate translations")])
def test_the_address_decides_the_language(start, asked, title):
    at = start(asked)
    assert at.header[0].value == title
    assert at.query_params["lang"] == asked


def test_the_switch_changes_the_language_and_the_address(start):
    at = start("en")
    at.segmented_control(key="language-switch").set_value("ja").run()
    assert at.header[0].value == "翻訳を採点する"
    assert at.query_params["lang"] in ("ja", ["ja"])
    at.switch_page("pages/evaluate/agreement/page.py").run()
    assert at.header[0].value == "評価者の一致"


@pytest.mark.parametrize(
    ("lang", "sections"), [("ja", ["評価", "分析", "学習"]), ("en", ["Evaluate", "Analyse", "Learn"])]
)
def test_the_menu_has_three_sections_in_one_style(lang, sections):
    said = words(lang)
    uses = [use for use in dict.fromkeys(use for use, *_ in frame.PAGES) if use != "home"]
    assert [said[f"section.{name}"] for name in uses] == sections


def test_an_unknown_language_is_english(start):
    assert start("xx").header[0].value == "Rate translations"


def test_every_page_of_the_menu_is_there_and_none_lies_where_it_would_be_served_without_the_frame():
    there = [(ROOT / frame.script(use, name)).exists() for use, name, *_ in frame.PAGES]
    assert all(there)
    assert [path.name for path in (ROOT / "pages").glob("*.py")] == ["__init__.py"]


@pytest.mark.slow
def test_first_view_is_light(tmp_path):
    """No heavy library, and less than two seconds of CPU, the demo's database being there already."""
    environment = {**os.environ, "YOMIKURABE_DB": f"sqlite:///{tmp_path / 'light.sqlite'}"}
    for _ in range(2):  # the first makes the database
        done = subprocess.run(
            [sys.executable, "-c", FIRST_VIEW],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    seconds, heavy = done.stdout.strip().split(" ", 1)
    assert heavy == "[]"
    assert float(seconds) < 2
