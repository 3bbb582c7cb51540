"""Scoring by Ray's workers: the same lines as here, also when a worker is killed. `make test-ray`."""

from __future__ import annotations

import importlib.util
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.assets import ROOT
from core.backends.ray_engine import RayEngine
from core.backends.registry import load_backends
from core.cli.score_lines import Line
from core.cli.workers import Piece, Work, spread, work_for
from core.errors import InputError, UnavailableError
from core.scoring import Request
from core.text.pair_files import PairFiles
from tests.support.cli_files import run, write

HERE = importlib.util.find_spec("ray") is not None
pytestmark = [
    pytest.mark.ray,
    pytest.mark.timeout(600),  # Ray takes half a minute to notice that a worker died, and to start another
    pytest.mark.skipif(not HERE, reason="Ray is not installed: make test-ray installs it"),
]
LINES = [f"{number}番の猫は、名前がまだ無い。" for number in range(2000)]  # eight pieces
OTHERS = [line.replace("猫", "犬") if number % 3 else "" for number, line in enumerate(LINES)]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Two local workers' worth of Ray for the whole module: it takes seconds to start."""
    if not HERE:
        yield
        return
    import ray

    path = os.pathsep.join(map(str, (ROOT, Path(__file__).parent)))  # workers need this module, too
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    yield
    ray.shutdown()


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    return write(tmp_path / "ref", LINES), write(tmp_path / "hyp", OTHERS)


@dataclass(frozen=True)
class Slow:
    """Real work, with each worker's number left in a folder, and time to be killed."""

    work: Work
    folder: Path

    def __call__(self) -> Callable[[Piece], list[list[Line]]]:
        score = self.work()

        def slowly(piece: Piece) -> list[list[Line]]:
            (self.folder / str(os.getpid())).touch()
            time.sleep(0.4)
            return score(piece)

        return slowly


def test_a_worker_that_is_killed_in_the_middle_loses_nothing(tmp_path, files):
    expected = run("score", "--metric", "chrf,bleu", "--ref", files[0], "--hyp", files[1])[1]
    pairs = PairFiles(*files)
    work = work_for([Request("chrf"), Request("bleu")], pairs, load_backends(), trace=False)
    folder = tmp_path / "pids"
    folder.mkdir()
    lines: list[str] = []
    for row in spread(pairs, Slow(work, folder), RayEngine(workers=2)):  # type: ignore[arg-type]
        if not lines:
            first, second = sorted(int(one.name) for one in folder.iterdir())
            os.kill(second, signal.SIGKILL)
        lines += [line.text for line in row]
    assert "".join(f"{line}\n" for line in lines) == expected
    assert len({first, second} | {int(one.name) for one in folder.iterdir()}) == 3  # one was started anew


def test_numbers_are_the_same_wherever_they_are_made(files, tiny_bert, tmp_path):
    chosen = ("encoder=" + str(tiny_bert), "layer=2", "weight=idf", "idf=references")
    settings = [part for one in chosen for part in ("--set", f"bertscore.{one}")]
    given = (
        "score",
        "--metric",
        "bertscore,chrf",
        "--ref",
        files[0],
        "--hyp",
        files[1],
        *settings,
        "--trace",
    )
    here, there = run(*given), run(*given, "--engine", "ray", "--workers", "2", "--out", tmp_path / "out")
    assert (here[0], there[0], there[1]) == (0, 0, "")
    assert (tmp_path / "out").read_text("utf-8") == here[1]
    assert there[2].count("\n") == 2  # the summary, and no word of Ray's


def test_a_run_goes_on_with_workers_where_one_without_was_killed(files, tmp_path):
    given = ("score", "--metric", "chrf", "--ref", files[0], "--hyp", files[1], "--out", tmp_path / "out")
    run(*given)
    lines = (tmp_path / "out").read_bytes()
    (tmp_path / "out").write_bytes(lines[: len(lines) // 3])
    assert run(*given, "--resume", "--engine", "ray")[0] == 0
    assert (tmp_path / "out").read_bytes() == lines


def stubborn() -> Callable[[int], int]:
    def die(piece: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return piece

    return die


def refusing() -> Callable[[int], int]:
    raise InputError("No such thing; take another.")


def test_pieces_come_back_in_order_and_few_are_under_way():
    taken: list[int] = []

    def pieces():
        for number in range(40):
            taken.append(number)
            yield number

    def late() -> Callable[[int], int]:
        return lambda number: time.sleep(0.05 * (number % 4 == 0)) or number

    found = []
    for number in RayEngine(workers=2).each(late, pieces()):
        found.append(number)
        assert len(taken) - len(found) <= 4
    assert found == list(range(40))


def test_a_piece_that_kills_every_worker_ends_the_run_with_one_sentence(monkeypatch):
    monkeypatch.setattr("core.backends.ray_engine.DEATHS", 1)
    with pytest.raises(UnavailableError, match="A worker died more than 1 time"):
        list(RayEngine(workers=1).each(stubborn, [1]))


def test_what_a_worker_refuses_is_said_as_here():
    with pytest.raises(InputError, match=r"^No such thing; take another\.$"):
        list(RayEngine(workers=1).each(refusing, [1]))


def test_metrics_from_outside_are_not_spread(files, tmp_path, monkeypatch):
    config = write(tmp_path / "external.toml", ["[x]", 'file = "scores"'])
    monkeypatch.setenv("YOMIKURABE_EXTERNAL", str(config))
    given = ("score", "--metric", "external:x", "--ref", files[0], "--hyp", files[1], "--engine", "ray")
    status, _, err = run(*given)
    assert (status, err) == (2, "external:x cannot run on workers; score it without --engine\n")
