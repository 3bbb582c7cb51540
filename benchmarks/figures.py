"""`make bench`: whole-process figures against bert_score, re-scoring without the model, and memory.

Each figure that is compared comes from a process of its own that does nothing else, so that imports, loading
and warm-up count the same for both sides, on the same folder, layer and number of threads (OMP_NUM_THREADS).
Where other work runs on the machine the seconds of the processor (`…cpu_s`) say more than those of the clock.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess  # nosec B404  # runs this program itself
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.backends import Backends
from core.backends.encoder.builtin import embedded_folder
from core.backends.encoder.openvino_engine import fastest_precision
from core.backends.encoder.transformer import DEFAULT_LAYERS, EMBEDDED
from core.backends.environment import threads
from core.backends.registry import load_backends
from core.errors import FileError
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.text.languages import guess_lang
from core.types import TextPair

BUNDLED = Path(__file__).parents[1] / "tests" / "fixtures"
CEILING_MIB = 3072  # what 20,000 distinct lines may take, weights and libraries included
WARM = ("bertscore", "bertscore-reading", "subspace")
Say = Callable[[str], None]


def run_bench(data: Sequence[Path], *, lines: int, say: Say) -> dict[str, Any]:
    """All figures as one dict, ready for JSON; speeds in pairs per second, memory in MiB."""
    paths = list(data) or [BUNDLED / "pairs_ja.tsv", BUNDLED / "pairs_en.tsv"]
    pairs = [pair for path in paths for pair in read_pairs(path)]
    folder = str(embedded_folder())
    say(f"{len(pairs)} pairs; ours, in a process of its own …")
    ours = _child("ours", paths, folder)
    say("the same in the fastest number format …")
    fast = _child("fast", paths, folder)
    figures: dict[str, Any] = {
        "pairs": len(pairs),
        "layer": DEFAULT_LAYERS[EMBEDDED],
        "python": platform.python_version(),
        "torch": version("torch"),
        "openvino": version("openvino"),
        **ours,
        **fast,
    }
    if find_spec("bert_score") is None:
        figures["bert_score"] = "not installed"
    else:
        say("bert_score, once on the whole list …")
        theirs = _child("theirs", paths, folder)
        figures |= theirs | _speedups(theirs, ours, "") | _speedups(theirs, fast, "fast_")
    say("scoring again, without the model …")
    figures |= _child("again", paths, folder)
    say("structure alignment …")
    figures |= _child("trees", paths, "")
    say("many metrics against people …")
    figures |= _child("meta", paths, "")
    say("the hack lab, for some minutes …")
    figures |= _child("lab", paths, "")
    say(f"memory with {lines} distinct lines …")
    memory = _child("memory", paths, str(lines))
    return figures | memory | {"memory_ceiling_mib": CEILING_MIB}


def _speedups(theirs: dict[str, Any], ours: dict[str, Any], prefix: str) -> dict[str, float]:
    """How many times longer bert_score takes, by the clock and by the processor."""
    return {
        f"{prefix}speedup_{one}": round(theirs[f"bert_score_{one}"] / ours[f"{prefix}{one}"], 2)
        for one in ("process_s", "process_cpu_s", "scoring_s", "scoring_cpu_s")
    }


def read_pairs(path: Path) -> list[TextPair]:
    """Pairs from a TSV with a header and the columns `reference` and `hypothesis`."""
    header, *rows = [line.split("\t") for line in split_lines(read_text(path))]
    if not {"reference", "hypothesis"} <= set(header):
        raise FileError(path, "has no columns reference and hypothesis in its header", line=1)
    places = header.index("reference"), header.index("hypothesis")
    lang = guess_lang(row[places[0]] for row in rows)
    return [TextPair(reference=row[places[0]], hypothesis=row[places[1]], lang=lang) for row in rows]


def _child(task: str, paths: Sequence[Path], argument: str) -> dict[str, Any]:
    """Run one task in a fresh interpreter; its own wall time, imports and loading included, is added."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "benchmarks.figures", task, out.name, argument, *map(str, paths)]
        subprocess.run(command, check=True)  # nosec B603  # this program, no shell
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures: dict[str, Any] = json.loads(Path(out.name).read_text("utf-8"))
    prefix = {"ours": "", "theirs": "bert_score_"}.get(task, f"{task}_")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return figures | {f"{prefix}process_s": round(seconds, 2), f"{prefix}process_cpu_s": round(cpu, 2)}


def _ours(pairs: list[TextPair], folder: str) -> dict[str, Any]:
    return _scored(pairs, load_backends(), {}, "")


def _fast(pairs: list[TextPair], folder: str) -> dict[str, Any]:
    precision = fastest_precision()
    found = _scored(pairs, load_backends(), {"precision": precision}, "fast_")
    return found | {"fast_precision": precision}


def _scored(
    pairs: list[TextPair], backends: Backends, settings: dict[str, str], prefix: str
) -> dict[str, Any]:
    """Load and score once; nothing else."""
    started, before = time.perf_counter(), time.process_time()
    rows = list(score_pairs(pairs, [Request("bertscore", settings)], backends))
    seconds, cpu = time.perf_counter() - started, time.process_time() - before
    figures = {
        "scoring_s": round(seconds, 2),
        "scoring_cpu_s": round(cpu, 2),
        "pairs_per_s": round(len(pairs) / seconds, 1),
        "mean_f": round(sum(row[0].score or 0 for row in rows) / len(rows), 6),
        "peak_mib": round(_peak()),
        "threads": threads() or os.cpu_count(),
    }
    return {f"{prefix}{name}": value for name, value in figures.items()}


def _again(pairs: list[TextPair], folder: str) -> dict[str, Any]:
    """Scoring once more under other settings, when vectors and readings are there already."""
    backends = load_backends()
    encoder = backends.encoder(EMBEDDED)
    started = time.perf_counter()
    list(score_pairs(pairs, [Request("bertscore")], backends))
    scoring = time.perf_counter() - started
    again = {}
    for name, settings in {"idf": {"weight": "idf"}, "specials": {"specials": "exclude"}}.items():
        started = time.perf_counter()
        list(score_pairs(pairs, [Request("bertscore", settings)], backends))
        again[f"rescore_{name}_s"] = round(time.perf_counter() - started, 3)
    warm = {f"warm_{name}_s": _warm(name, pairs, backends) for name in WARM}
    texts = {text for pair in pairs for text in (pair.reference, pair.hypothesis)}
    real = sum(len(ids) for ids in encoder.ids(sorted(texts)))
    slowest = max(again.values())
    return {
        "padded_over_real_tokens": round(encoder.tokens_run / real, 4),
        **again,
        **warm,
        "rescore_speedup": round(scoring / slowest, 1),
    }


def _warm(name: str, pairs: list[TextPair], backends: Backends) -> float:
    """Seconds for a second run, when vectors and readings are there already."""
    seconds = 0.0
    for lang in dict.fromkeys(pair.lang for pair in pairs):  # a run has one dictionary, that of one language
        same = [pair for pair in pairs if pair.lang == lang]
        list(score_pairs(same, [Request(name)], backends))
        started = time.perf_counter()
        list(score_pairs(same, [Request(name)], backends))
        seconds += time.perf_counter() - started
    return round(seconds, 3)


def _theirs(pairs: list[TextPair], folder: str) -> dict[str, Any]:
    import bert_score
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    started, before = time.perf_counter(), time.process_time()
    _, _, f = bert_score.score(
        [pair.hypothesis for pair in pairs],
        [pair.reference for pair in pairs],
        model_type=folder,
        num_layers=DEFAULT_LAYERS[EMBEDDED],
    )
    scoring, cpu = time.perf_counter() - started, time.process_time() - before
    return {
        "bert_score_scoring_s": round(scoring, 2),
        "bert_score_scoring_cpu_s": round(cpu, 2),
        "bert_score_pairs_per_s": round(len(pairs) / scoring, 1),
        "bert_score_mean_f": round(float(f.mean()), 6),
        "bert_score_peak_mib": round(_peak()),
        "bert_score_threads": int(torch.get_num_threads()),
    }


def _memory(pairs: list[TextPair], lines: str) -> dict[str, Any]:
    """Peak memory of scoring `lines` distinct lines (half references, half hypotheses)."""
    wanted = int(lines) // 2
    many = [
        TextPair(
            reference=f"{number} {pairs[number % len(pairs)].reference[:60]}",
            hypothesis=f"{number} {pairs[number % len(pairs)].hypothesis[:60]}",
            lang=pairs[number % len(pairs)].lang,
        )
        for number in range(wanted)
    ]
    for _ in score_pairs(many, [Request("bertscore")], load_backends()):
        pass
    return {"memory_lines": 2 * wanted, "memory_peak_mib": round(_peak())}


def _peak() -> float:
    """The most memory that this process has held, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _main(task: str, out: str, argument: str, *paths: str) -> None:
    pairs = [pair for path in paths for pair in read_pairs(Path(path))]
    if task == "meta":
        from benchmarks.meta import meta_figures

        figures = meta_figures()
    elif task == "trees":
        from benchmarks.trees import tree_figures

        figures = tree_figures(pairs)
    elif task == "lab":
        from benchmarks.lab import lab_figures

        figures = lab_figures(pairs)
    else:
        tasks = {"ours": _ours, "fast": _fast, "theirs": _theirs, "again": _again, "memory": _memory}
        figures = tasks[task](pairs, argument)
    Path(out).write_text(json.dumps(figures), "utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
