"""Charts of the hack lab: a line per metric at its share of the range, steps that add up, who is fooled."""

from __future__ import annotations

import itertools

import pytest

from core.attribution import KINDS, Attribution, Contribution
from core.charts.attribution import MoveWords, Slope, WeaknessWords, slopes, waterfall, weaknesses
from core.charts.palette import DARK, LIGHT
from core.hacks.robustness import Weakness

WORDS = MoveWords(
    before="before", after="<after>", value="score", cut="score, cut", share="share",
    kinds={kind: f"{kind}!" for kind in KINDS},
)  # fmt: skip


def texts(figure):
    return [one.text for one in figure.layout.annotations]


def test_each_line_stands_at_its_share_of_the_range_and_says_its_numbers():
    rows = [
        Slope(name="BLEU", before=20, after=30, low=0, high=100, digits=1),
        Slope(name="errors", before=5, after=10, low=0, high=20, digits=0, higher_is_better=False),
        Slope(name="same", before=0.5, after=0.5, low=0, high=1),
    ]
    people = Slope(name="people", before=80, after=80, low=0, high=100, digits=0)
    figure = slopes(rows, still=people, words=WORDS, palette=LIGHT)
    assert [list(trace.y) for trace in figure.data] == [
        pytest.approx([0.2, 0.3]), pytest.approx([0.75, 0.5]), [0.5, 0.5], [0.8, 0.8],
    ]  # fmt: skip
    assert [trace.line.dash for trace in figure.data] == ["solid", "dash", "dot", "longdash"]
    assert "BLEU 30.0" in texts(figure)
    assert "people 80" in texts(figure)
    assert figure.layout.xaxis.ticktext == ("before", "&lt;after&gt;")


def test_labels_of_near_lines_do_not_cover_each_other():
    rows = [Slope(name=str(n), before=0.5 + n / 1000, after=0.5, low=0, high=1) for n in range(5)]
    figure = slopes(rows, still=None, words=WORDS, palette=DARK)
    heights = sorted(one.y for one in figure.layout.annotations if one.x == 1)
    assert min(b - a for a, b in itertools.pairwise(heights)) > 0.04


def found(before, *amounts):
    moves = tuple(
        Contribution(kind=kind, what="x", amount=amount) for kind, amount in zip(KINDS, amounts, strict=False)
    )
    return Attribution(metric="m", before=before, after=before + sum(amounts), contributions=moves)


def test_the_steps_lead_from_the_score_before_to_the_score_after():
    (trace,) = waterfall(found(0.2, 0.5, -0.1), words=WORDS, palette=LIGHT).data
    assert list(trace.y) == pytest.approx([0.2, 0.5, -0.1, 0.6])
    assert list(trace.x) == ["before", "added!", "removed!", "&lt;after&gt;"]
    assert list(trace.text) == ["0.200", "+0.500", "−0.100", "0.600"]


def test_steps_too_small_to_see_are_looked_at_closely_and_the_axis_says_so():
    figure = waterfall(found(0.9, 0.004, -0.002), words=WORDS, palette=LIGHT)
    assert figure.layout.yaxis.title.text == "score, cut"
    assert figure.layout.yaxis.range[0] > 0.89
    whole = waterfall(found(0.9, -0.5), words=WORDS, palette=LIGHT)
    assert whole.layout.yaxis.title.text == "score"
    assert whole.layout.yaxis.range[0] == 0


def test_who_is_fooled_is_written_in_each_cell_and_edits_that_break_the_meaning_come_first():
    rows = [
        Weakness(edit="pad", metric="bleu", n=4, breaks=False, rose=0.5, fell=0.25, mean=0, fooled=0.25),
        Weakness(edit="copy", metric="bleu", n=4, breaks=None, rose=1, fell=0, mean=1),
        Weakness(edit="negate", metric="bleu", n=2, breaks=True, rose=0.5, fell=0.5, mean=0, fooled=0.5),
    ]
    words = WeaknessWords(
        hover="{share} of {n}", no_verdict="it depends", metrics={"bleu": "BLEU"},
        edits={"pad": "padded", "copy": "copied", "negate": "<negated>"},
    )  # fmt: skip
    figure = weaknesses(rows, words=words, palette=LIGHT)
    assert list(figure.layout.yaxis.ticktext) == ["↑ &lt;negated&gt;", "↓ padded", "∼ copied"]
    assert texts(figure) == ["50", "25", "–"]
    assert [one.hovertext for one in figure.layout.annotations] == ["50 of 2", "25 of 4", "it depends"]
