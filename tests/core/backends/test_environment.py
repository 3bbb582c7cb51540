"""What backends read of the environment."""

from __future__ import annotations

from pathlib import Path

from core.backends.environment import nltk_folders, threads
from core.backends.parser.benepar import find_model


def test_threads_are_those_that_the_environment_names():
    assert threads({"OMP_NUM_THREADS": "3"}) == 3
    assert threads({"OMP_NUM_THREADS": "0"}) is threads({"OMP_NUM_THREADS": "4,2"}) is threads({}) is None


def test_nltks_folders_are_those_of_nltk_in_its_order(monkeypatch):
    import nltk.data

    assert [str(one) for one in nltk_folders({})] == [path for path in nltk.data.path if path]
    assert nltk_folders({"NLTK_DATA": "/one:/two"})[:2] == [Path("/one"), Path("/two")]


def test_a_benepar_model_is_found_where_nltk_keeps_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    assert find_model("benepar_en3") is None
    (tmp_path / "models" / "benepar_en3").mkdir(parents=True)
    assert find_model("benepar_en3") == tmp_path / "models" / "benepar_en3"
    assert find_model("another") is None
