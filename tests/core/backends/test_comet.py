"""COMET through `external:comet`, as docs/external.md describes it: the real library, random weights.

`make test-external` installs COMET into `.comet`, for it cannot live in our environment.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".comet" / "bin" / "python"
SUPPORT = ROOT / "tests" / "support" / "comet"
OFFLINE = {**os.environ, "HF_HUB_OFFLINE": "1"}

pytestmark = [
    pytest.mark.external,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not PYTHON.exists(), reason="COMET is not installed: make test-external installs it"),
]


@pytest.fixture(scope="module")
def comet(tmp_path_factory):
    """A folder with a checkpoint, the script of the recipe and its description."""
    folder = tmp_path_factory.mktemp("comet")
    subprocess.run([PYTHON, SUPPORT / "make_tiny_comet.py", folder / "tiny"], check=True, env=OFFLINE)
    recipe = (ROOT / "docs" / "external.md").read_text("utf-8")
    script = re.search(r"```python\n(.*?)```", recipe, re.DOTALL)[1]
    checkpoint = folder / "tiny" / "model" / "checkpoints" / "model.ckpt"
    told = 'download_model("Unbabel/wmt22-comet-da")'
    assert told in script
    (folder / "score_comet.py").write_text(script.replace(told, repr(str(checkpoint))), "utf-8")
    (folder / "external.toml").write_text(
        f'[comet]\ncommand = ["{PYTHON}", "score_comet.py"]\nneeds = ["source", "reference"]\n'
        'low = -5.0\nhigh = 5.0\nversion = "tiny"\nenvironment = ["HF_HUB_OFFLINE"]\n',
        "utf-8",
    )
    return folder


TEXTS = {
    "src.txt": "a cat saw\na dog\nthe end\n",
    "ref.txt": "猫が見た。\n犬が見た。\n猫\n",
    "hyp.txt": "猫が見た\n猫が見た。\n犬\n",
}


def test_the_scores_are_those_that_comet_gives_by_itself(comet):
    for name, text in TEXTS.items():
        (comet / name).write_text(text, "utf-8")
    environment = {**OFFLINE, "YOMIKURABE_EXTERNAL": str(comet / "external.toml")}
    command = [ROOT / ".venv" / "bin" / "python", "-m", "core", "score", "--metric", "external:comet,chrf"]
    files = [part for name in TEXTS for part in (f"--{name[:3]}", comet / name)]
    done = subprocess.run(
        [*command, *files, "--lang", "ja"], capture_output=True, check=True, env=environment, cwd=ROOT
    )
    ours = [
        row["score"]
        for row in map(json.loads, done.stdout.decode().splitlines())
        if row["metric"] == "external:comet"
    ]
    columns = [text.splitlines() for text in TEXTS.values()]
    asked = [
        {"source": source, "reference": reference, "hypothesis": hypothesis}
        for source, reference, hypothesis in zip(*columns, strict=True)
    ]
    alone = subprocess.run(
        [PYTHON, "score_comet.py"],
        input="\n".join(map(json.dumps, asked)).encode(),
        capture_output=True,
        check=True,
        env=OFFLINE,
        cwd=comet,
    )
    theirs = [float(line) for line in alone.stdout.split()]
    assert len(set(theirs)) == 3
    assert ours == pytest.approx(theirs, abs=1e-6)
