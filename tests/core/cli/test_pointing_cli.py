"""`python -m core meta --pointing` on MQM files."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.cli.marked_files import read_marked, sampled

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def row(system, number, target, category="Accuracy/Mistranslation", severity="Major", *, rater="r1", more=()):
    document = f"talk{number % 6}"
    cells = (system, document, str(number), str(number), rater, "源", target, category, severity, *more)
    return "\t".join(cells)


@pytest.fixture
def talks(tmp_path):
    """24 segments of 6 talks; what the system says otherwise than the reference is marked."""
    lines = [HEAD]
    for number in range(24):
        lines.append(row("refB", number, f"the small cat slept {number}", "No-error", "No-error"))
        lines.append(row("ours", number, f"the <v>large dog</v> slept {number}"))
    (tmp_path / "mqm.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path / "mqm.tsv"


def run(path, *arguments):
    return CliRunner().invoke(app, ["meta", "--pointing", "--people", str(path), *arguments])


def test_evidence_is_measured_against_the_marks_of_the_file(talks):
    done = run(talks, "--reference", "refB", "--metric", "bleu,chrf", "--lang", "en", "--json")
    assert done.exit_code == 0, done.stderr
    table = json.loads(done.stdout)["everything"]
    assert (table["texts"], table["marked"], table["documents"]) == (24, 24, 6)
    rows = {one["name"]: one for one in table["rows"]}
    assert list(rows) == ["bleu", "chrf", "length", "random"]
    # two words are marked, and they alone are in no n-gram of the reference
    assert rows["bleu"]["precision"]["value"] == 1
    assert rows["bleu"]["pooled_auc"]["value"] == 1
    assert rows["random"]["auc"]["value"] < 0.7
    assert json.loads(done.stdout)["twice"] is None


def test_the_table_for_the_eye_and_a_sample_of_segments(talks):
    done = run(talks, "--reference", "refB", "--metric", "bleu", "--segments", "12", "--lang", "en")
    assert done.stdout.splitlines()[1].split()[:2] == ["bleu", "1.000"]
    assert "12 ratings of translations in" in done.stdout
    assert "intervals from fewer than 10 are rough" in done.stderr


def test_references_in_the_metadata_need_no_system(tmp_path):
    about = json.dumps({"segment": {"references": {"refA": "a b", "refC": "c"}, "primary_reference": "refA"}})
    lines = [HEAD + "\tmetadata", row("ours", 1, "a <v>x</v>", more=(about,))]
    (tmp_path / "new.tsv").write_text("\n".join(f"{line}" for line in lines).replace(about, quoted(about)))
    (one,) = read_marked(tmp_path / "new.tsv")
    assert (one.reference, one.source, one.marked.text) == ("a b", "源", "a x")
    assert one.marked.marks().tolist() == [0, 0, 5]
    assert one.pair("en").hypothesis == "a x"


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def test_errors_of_one_rating_are_gathered_and_unmarked_ones_left_out(tmp_path):
    lines = [
        HEAD,
        row("refB", 1, "a b c"),
        row("ours", 1, "<v>a</v> x c", severity="Minor"),
        row("ours", 1, "a <v>x</v> c"),
        row("ours", 1, "a x c", "Accuracy/Omission"),
        row("ours", 1, "a x c", "No-error", "No-error", rater="r2"),
        row("ours", 1, "a x c", rater=""),
        row("ours", 2, "without a reference"),
    ]
    (tmp_path / "mqm.tsv").write_text("\n".join(lines), "utf-8")
    first, second = read_marked(tmp_path / "mqm.tsv", "refB")
    assert first.marked.marks().tolist() == [1, 0, 5, 0, 0]
    assert (second.marked.rater, list(second.marked.spans)) == ("r2", [])
    assert first.marked.item == second.marked.item


def test_the_same_seed_draws_the_same_segments(talks):
    pairs = read_marked(talks, "refB")
    assert sampled(pairs, 5, seed=1) == sampled(pairs, 5, seed=1) != sampled(pairs, 5, seed=2)
    assert sampled(pairs, 24) == sampled(pairs, None) == pairs


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--metric", "ter"], "ter says nothing of single places in a translation; choose from bleu, chrf"),
        (["--metric", "gemba-mqm"], "asks a language model; score a campaign"),
        (["--metric", "bleu"], "names no reference; choose the system that is one with --reference."),
        (["--metric", "bleu", "--reference", "refX"], "names no reference"),
        ([], "--metric is empty"),
        (["--metric", "bleu", "--set", "bertscore.layer=2"], "--set bertscore.layer=2"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(talks, arguments, sentence):
    done = run(talks, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
