"""The picture of an alignment: a band a bead with its confidence, and a mark on those that are not sure."""

from core.alignment.beads import Bead
from core.charts.beads import BeadColumn, beads
from core.charts.palette import LIGHT


def test_each_bead_is_a_band_between_its_sentences_and_unsure_ones_are_marked():
    """Two sentences in the middle: the first is two on the left side; on the right the second is left out."""
    left = BeadColumn("A", ("a", "b", "c"), (Bead((0,), (0, 1), 0.97), Bead((1,), (2,), 0.66)))
    right = BeadColumn("B", ("x",), (Bead((0,), (0,), 0.8), Bead((1,), (), 0.9)))
    figure = beads("M", ("one", "<two>"), (left, right), palette=LIGHT)
    bands = [one for one in figure.data if one.fill == "toself"]
    assert [band.line.dash for band in bands] == ["solid", "dot", "solid"]
    assert [round(y, 3) for y in bands[0].y] == [0.0, 0.0, 0.5, 0.667, 0.0]
    labels = [list(one.text) for one in figure.data if one.mode == "text"]
    assert labels == [["0.97", "0.66 ?"], ["0.80"], ["1", "2", "3"], ["1", "2"], ["1"]]
    assert figure.layout.xaxis.ticktext == ("A", "M", "B")
    assert figure.data[-2].hovertext[1] == "&lt;two&gt;"
