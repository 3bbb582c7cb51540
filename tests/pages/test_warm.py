"""The encoder is loaded in the background where the environment asks for it, and not otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.assets import ROOT

VISIT = """
import sys, time
from pages.auth import session
session.at_this_machine = lambda: True  # AppTest has no browser
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("app.py", default_timeout=60).run()
assert not at.exception, at.exception
first = "torch" in sys.modules
from pages.ui import models
until = time.monotonic() + float(sys.argv[1])
encoder = models.backends().encoder("embedded")
while time.monotonic() < until and not encoder.tokens_run:
    time.sleep(.2)
print(first, encoder.tokens_run > 0)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "wait", "found"), [("1", "90", "False True"), ("0", "4", "False False")])
def test_the_encoder_is_loaded_after_the_first_visit_if_the_environment_asks(
    database, monkeypatch, seconds, wait, found
):
    monkeypatch.setenv("YOMIKURABE_WARM", seconds)
    done = subprocess.run(
        [sys.executable, "-c", VISIT, wait], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == found, done.stderr
