"""Long work on a campaign in the background: it goes on when its page is left, and every page can stop it.

One run at a time in a process. What a run has scored is stored, also when it is stopped; an analysis of a
novel is stored when it is whole.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from core.backends import Progress
from core.errors import InputError, YomikurabeError
from db.campaigns.scoring import ScoringReport
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import picker, state
from pages.ui.text import error_sentence, line, plain, t

SECONDS = 1.0
"""How often the bar is drawn again."""

SCORES, NAMES, VOICES = "scores", "cast", "voice"
"""What a run computes."""

SHOWN = 600.0
"""How many seconds the end of a run is shown."""

_SEEN = "run-seen"
"""The run whose end this session has seen."""


class _StoppedError(Exception):
    """Somebody pressed Stop."""


@dataclass(slots=True)
class Run:
    """A run, as its thread leaves it. result, error: how it ended; None before, and if it was stopped."""

    campaign: CampaignSummary
    kind: str
    total: int
    done: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    ended_at: float = 0.0
    result: object = None
    error: YomikurabeError | None = None

    def carry_out(self, work: Callable[[Progress], object]) -> None:
        """Work until the end, an error, or Stop."""

        def progress(done: int, total: int) -> None:
            self.done, self.total = done, total
            if self.stop.is_set():
                raise _StoppedError

        try:
            self.result = work(progress)
        except _StoppedError:
            pass
        except YomikurabeError as error:
            self.error = error
        finally:
            self.ended_at = time.monotonic()
            self.ended.set()


class _Runs:
    """The run of this process, if there was any."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.current: Run | None = None


@st.cache_resource(show_spinner=False)
def _runs(url: str) -> _Runs:
    return _Runs()


def current() -> Run | None:
    """The run that goes on, or the last that ended."""
    return _runs(str(state.engine().url)).current


def start(campaign: CampaignSummary, kind: str, total: int, work: Callable[[Progress], object]) -> Run:
    """Begin to work. Raises InputError while another run goes on, AccessError for who may not see scores."""
    session.viewer().must_see_scores()
    runs = _runs(str(state.engine().url))
    with runs.lock:
        if runs.current is not None and not runs.current.ended.is_set():
            raise InputError("Another run goes on; wait for its end or stop it.")
        runs.current = run = Run(campaign, kind, total)
    threading.Thread(target=run.carry_out, args=(work,), daemon=True).start()
    return run


def strip() -> None:
    """Above every page: the bar of the run that goes on with its Stop button, or how it ended."""
    run = current()
    if run is None or not session.viewer().sees_scores:
        return
    if run.ended.is_set():
        _ended(run)
    else:
        _going_on(run)


@st.fragment(run_every=SECONDS)
def _going_on(run: Run) -> None:
    if run.ended.is_set():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="run-strip"):
        words = f"{plain(picker.display_name(run.campaign))} · {_done(run)}"
        st.progress(run.done / max(run.total, 1), text=words)
        st.button(
            t("asking.stop"), key="run-stop", help=t(f"runs.stop_help.{run.kind}"), on_click=run.stop.set
        )


def _ended(run: Run) -> None:
    """Its result, until this session has closed it."""
    if st.session_state.get(_SEEN) is run or time.monotonic() > run.ended_at + SHOWN:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="run-strip"):
        line(f"{picker.display_name(run.campaign)} · {_end(run)}")
        st.button(t("runs.close"), key="run-close", icon=":material/close:", on_click=_close, args=(run,))


def _end(run: Run) -> str:
    if run.error is not None:
        return error_sentence(run.error)
    if isinstance(run.result, ScoringReport):
        report = run.result
        return t("score.done", computed=report.computed, kept=report.kept, missing=report.missing)
    if run.result is None:
        end = "stopped" if run.stop.is_set() else "failed"  # how it failed is in the log
        return t(f"runs.{end}.{run.kind}", done=run.done, total=run.total)
    return t(f"runs.done.{run.kind}")


def _done(run: Run) -> str:
    return t(f"runs.progress.{run.kind}", done=run.done, total=run.total)


def _close(run: Run) -> None:
    st.session_state[_SEEN] = run
