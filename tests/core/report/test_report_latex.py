"""LaTeX of a report's tables: what people typed is set as typed, and a row cannot become a command."""

import pytest

from core.report import formatting
from core.report.blocks import Collapsible, Section, Sentences, Table, tables_in


@pytest.mark.parametrize(
    ("typed", "source"),
    [
        ("50 % & #1_a", r"50 \% \& \#1\_a"),
        ("{$x$}", r"\{\$x\$\}"),
        ("\\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("a~b^c", r"a\textasciitilde{}b\textasciicircum{}c"),
        ("< 0.001", r"\textless{} 0.001"),
        ("[1] *", "{[}1{]} {*}"),
        ("−40.0", "$-$40.0"),
        ("2–4", "2--4"),
        ("Krippendorff's α", r"Krippendorff's $\alpha$"),
        ("吾輩は\n猫", "吾輩は 猫"),
    ],
)
def test_characters_that_latex_reads_are_escaped_and_japanese_is_kept(typed, source):
    assert formatting.escape(typed) == source


def test_a_table_has_the_rules_of_booktabs_and_a_column_for_each_cell():
    one = Table(
        name="systems", caption="Systems & means", header=("System", "n"), rows=[("[ash]", "4")],
        numbers=frozenset({1}),
    )  # fmt: skip
    assert formatting.table(one).splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Systems \& means}",
        r"\label{tab:systems}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"System & n \\",
        r"\midrule",
        r"{[}ash{]} & 4 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_the_appendix_has_every_table_for_a_paper_in_order_folded_ones_too():
    def table(name, *, wanted=True):
        return Table(name=name, caption=name, header=("a",), rows=[], latex=wanted)

    sections = [
        Section(
            title="one", blocks=[Collapsible(title="more", blocks=[table("a")]), table("b", wanted=False)]
        ),
        Section(title="two", blocks=[Sentences(text="words"), table("c")]),
    ]
    found = tables_in(sections)
    assert [one.name for one in found] == ["a", "c"]
    assert formatting.document(found).startswith("% \\usepackage{booktabs}\n\n\\begin{table}")
