"""Shared by all tests: no test can reach a person's database, and models are small or loaded once."""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from core.backends import Backends
from core.metrics import METRICS
from core.types import TextPair

if "PYTEST_XDIST_WORKER" in os.environ:  # two workers on two cores: one thread each, set before torch comes
    os.environ["OMP_NUM_THREADS"] = "1"

# A busy machine is no bug: how long one example takes says nothing here.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

WITHOUT_JUDGE = [name for name, spec in METRICS.items() if "judge" not in spec.needs]
"""Metrics that ask no language model: they score any two texts. The others have tests of their own."""
FIXTURES = Path(__file__).parent / "fixtures"
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789.,!?'-、。「」・…ー" + "".join(
    map(chr, range(0x3041, 0x30FB))
)
KANJI = "吾輩猫犬鳥私名前無時間人日本語小説翻訳彼女見聞書読行来上下中大山川田町年月今"


def pytest_configure(config: pytest.Config) -> None:
    """Send files to the workers in the order of `_turn`, not the largest first."""
    config.option.loadscopereorder = False
    gc.disable()  # while modules and tests are made, all of which stay


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow tests, and those that measure this machine, run only when `-m` names them."""
    for mark in ("slow", "heavy", "bench", "external"):
        if mark not in config.option.markexpr:
            config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(mark)])
            items[:] = [item for item in items if not item.get_closest_marker(mark)]
    for item in items:
        if "browser" in item.path.parts:  # a real browser on a busy machine: the report names what ran twice
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=_turn)


def pytest_collection_finish() -> None:
    """Collect garbage from here on, but not among modules and tests, which stay until the end."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _turn(item: pytest.Item) -> int:
    """Tests of the app first, other browser tests last: they mostly wait for the browser."""
    if "server" in getattr(item, "fixturenames", ()):
        return 0
    return 2 if "browser" in item.path.parts else 1


@pytest.fixture(autouse=True)
def _own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """YOMIKURABE_DB points into the test's own folder, and so do the caches of corpora and of grids."""
    monkeypatch.setenv("YOMIKURABE_DB", f"sqlite:///{tmp_path / 'test.sqlite'}")
    monkeypatch.setattr("core.metrics.idf.cache_folder", lambda: tmp_path.with_name(f"{tmp_path.name}-idf"))
    monkeypatch.setattr("core.grid.store.grids_folder", lambda: tmp_path.with_name(f"{tmp_path.name}-grids"))


@pytest.fixture(scope="session", autouse=True)
def _loaded_once() -> Iterator[None]:
    """Load each model once, look for installed components once, hash cheaply, commit without waiting.

    Commits of SQLite do not wait for the disk: that matters only where the machine itself fails.
    """
    from argon2 import PasswordHasher
    from streamlit.components.v2 import manifest_scanner

    from core.backends.encoder import torch_engine, transformer
    from core.backends.parser import spacy_pipelines
    from db import engine
    from db.queries import accounts

    with pytest.MonkeyPatch.context() as patch:
        for module, name in (
            (transformer, "load_tokenizer"),
            (torch_engine, "load_model"),
            (spacy_pipelines, "_load"),
            (manifest_scanner, "scan_component_manifests"),
        ):
            patch.setattr(module, name, functools.lru_cache(maxsize=4)(getattr(module, name)))
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(accounts, "_hasher", lambda: cheap)
        patch.setattr(engine, "_configure_sqlite", _without_waiting(engine._configure_sqlite))
        yield


def _without_waiting(configure: Callable[..., None]) -> Callable[..., None]:
    """The configuration of a connection, then without waiting for the disk."""

    @functools.wraps(configure)
    def configured(connection: Any, entry: Any) -> None:
        configure(connection, entry)
        connection.execute("PRAGMA synchronous=OFF")

    return configured


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random BERT: 3 layers, 32 dimensions, 64 positions, one token per character."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("encoder") / "tiny-bert"
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = sorted(set(ALPHABET + KANJI))
    words = [*specials, *letters, *(f"##{letter}" for letter in letters)]
    backend = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    backend.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=64,
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def backends() -> Backends:
    """Real backends, shared by the whole run: each encoder is loaded once."""
    from core.backends.registry import load_backends

    return load_backends()


def read_fixture(name: str, lang: str, count: int) -> list[TextPair]:
    """The first `count` pairs of a fixture file."""
    lines = (FIXTURES / name).read_text("utf-8").split("\n")[1 : count + 1]
    rows = [line.split("\t") for line in lines]
    return [TextPair(reference=reference, hypothesis=hypothesis, lang=lang) for reference, hypothesis in rows]


@pytest.fixture(scope="session")
def japanese_pairs() -> list[TextPair]:
    """250 real pairs from the Holmes stories."""
    return read_fixture("pairs_ja.tsv", "ja", 250)


@pytest.fixture(scope="session")
def english_pairs() -> list[TextPair]:
    """250 real pairs from MLQE-PE."""
    return read_fixture("pairs_en.tsv", "en", 250)
