"""The pictures of agreement show the numbers that they were given, and nothing that a name smuggles in."""

from core.charts.palette import DARK, LIGHT
from core.charts.raters import RaterMatrixWords, matrix, scatter, strip
from core.raters.agreement import Agreement, Gold, GoldGroup, SharedScores

WORDS = RaterMatrixWords(
    shared="n = {n}", interval="95 % {low} to {high}", few_shared="too few", no_variance="always the same"
)
PAIRS = (
    Agreement(first="a", second="b", n=118, r=0.614, low=0.54, high=0.67),
    Agreement(first="a", second="c", n=2, r=None, missing="few-shared"),
    Agreement(first="b", second="c", n=9, r=None, missing="no-variance"),
)


def test_matrix_is_symmetric_and_says_every_number():
    heat, cells = matrix(["a", "b", "c"], PAIRS, words=WORDS, palette=LIGHT).data
    assert heat.z[0][1] == heat.z[1][0] == 0.614
    assert [heat.z[i][i] for i in range(3)] == [None] * 3
    text = dict(zip(map(tuple, cells.customdata), cells.text, strict=True))
    assert len(text) == 6
    assert text["a", "b"] == text["b", "a"] == "<b>0.61</b><br>n = 118"
    assert text["a", "c"] == "<b>–</b><br>n = 2"
    hover = dict(zip(map(tuple, cells.customdata), cells.hovertext, strict=True))
    assert "95 % 0.54 to 0.67" in hover["b", "a"]
    assert "too few" in hover["c", "a"]
    assert "always the same" in hover["b", "c"]


def test_cells_lie_where_the_heatmap_has_them():
    _, cells = matrix(["a", "b", "c"], PAIRS, words=WORDS, palette=DARK).data
    for (first, second), x, y in zip(cells.customdata, cells.x, cells.y, strict=True):
        assert ("abc"[y], "abc"[x]) == (first, second)


def test_names_are_text_not_markup():
    name = "<b>x</b> & <a href='http://example.org'>y</a>"
    pairs = (Agreement(first="a", second=name, n=4, r=0.5, low=-0.1, high=0.9),)
    figure = matrix(["a", name], pairs, words=WORDS, palette=LIGHT)
    said = " ".join([*figure.data[1].hovertext, *figure.layout.xaxis.ticktext])
    assert "<a" not in said
    assert "&lt;b&gt;x" in said


def test_many_raters_keep_their_numbers_for_the_hover():
    names = [f"r{i:02}" for i in range(20)]
    pairs = tuple(
        Agreement(first=a, second=b, n=5, r=0.1) for i, a in enumerate(names) for b in names[i + 1 :]
    )
    figure = matrix(names, pairs, words=WORDS, palette=LIGHT)
    assert set(figure.data[1].text) == {""}
    assert "r 0.10" in figure.data[1].hovertext[0]
    assert figure.layout.height < 900


def test_matrix_of_nobody():
    assert matrix([], (), words=WORDS, palette=LIGHT).data[0].z == ()


def test_scatter_holds_the_scores():
    shared = SharedScores(first="a", second="b", items=(7, 8), x=(0.0, 100.0), y=(20.0, 90.0))
    line, points = scatter(shared, hover=["one", "<two>"], x_title="a", y_title="<b>", palette=LIGHT).data
    assert (list(points.x), list(points.y)) == ([0, 100], [20, 90])
    assert points.hovertext == ("one", "&lt;two&gt;")
    assert line.x[0] < 0 < 100 < line.x[1]
    nothing = SharedScores(first="a", second="b", items=(), x=(), y=())
    assert len(scatter(nothing, hover=[], x_title="a", y_title="b", palette=LIGHT).data) == 1


def test_strip_has_a_row_per_group_and_its_mean():
    groups = [
        GoldGroup(group="x", mean=15.0, items=(Gold(item=1, mean=10.0, n=1), Gold(item=2, mean=20.0, n=2))),
        GoldGroup(group="y", mean=90.0, items=(Gold(item=3, mean=90.0, n=1),)),
    ]
    figure = strip(groups, hover=[["p", "q"], ["r"]], x_title="score", mean_word="mean", palette=LIGHT)
    assert list(figure.data[0].x) == [10, 20]
    assert list(figure.data[2].x) == [15, 90]
    assert figure.layout.yaxis.ticktext == ("x", "y")
