"""The texts of the lesson "make a bad translation win", and its numbers side by side."""

from __future__ import annotations

from dataclasses import dataclass

from core.hacks.fooling import better_under
from core.hacks.mean_rank import mean_rank
from core.types import TextPair
from pages.ui import models
from pages.ui.evidence.overview import DIGITS
from pages.ui.text import number, t, table

METRICS = ("bleu", "chrf", "bertscore", "bertscore-reading", "subspace")
Scores = dict[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A reference with a good and a bad translation."""

    lang: str
    reference: str
    good: str
    bad: str


STORIES = (
    Story(
        lang="ja",
        reference="夜が明けるころ、老人は小さな舟で沖へ出た。海は静かで、遠くに灯台の光が見えた。",
        good="明け方、老人は小舟に乗って沖に出た。海は静かで、遠くには灯台の明かりが見えた。",
        bad="朝、男は船で海に行った。波が高く、近くに町が見えた。",
    ),
    Story(
        lang="en",
        reference="At dawn the old man rowed his small boat out to sea. The water was calm, "
        "and far away he could see the light of the lighthouse.",
        good="At daybreak the old man took his little boat out to sea. The sea was calm, "
        "and in the distance he saw the lighthouse shining.",
        bad="In the morning a man went to the water by ship. The waves were high, "
        "and a town could be seen near by.",
    ),
)


def scores(story: Story, text: str) -> Scores:
    """A translation of the story under every metric."""
    pair = TextPair(reference=story.reference, hypothesis=text, lang=story.lang)
    return {name: models.attempt(name, pair).score for name in METRICS}


def beside(good: Scores, own: Scores) -> None:
    """Both translations under every metric, marked where the own one is ahead, and their mean ranks."""
    ahead = better_under(good, own)
    ranked = mean_rank({name: {"good": good[name], "own": own[name]} for name in METRICS})
    ranks = {one.system: number(one.mean_rank, 1) for one in ranked.systems}
    rows = [
        (t("learn.fool.good"), *(_cell(name, good[name]) for name in METRICS), ranks.get("good", "–")),
        (
            t("learn.fool.own"),
            *(_cell(name, own[name], ahead=name in ahead) for name in METRICS),
            ranks.get("own", "–"),
        ),
    ]
    header = ("", *(t(f"metric.{name}") for name in METRICS), t("hacks.mean_rank"))
    table(header, rows, numbers=frozenset(range(1, len(header))))


def _cell(name: str, value: float | None, *, ahead: bool = False) -> str:
    return "–" if value is None else number(value, DIGITS.get(name, 3)) + (" ▲" if ahead else "")
