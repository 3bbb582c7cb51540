from core.signature import differences, signature


def test_a_signature_names_the_metric_the_settings_and_our_version():
    assert signature("bleu", {"tok": "13a", "eff": "yes"}) == "bleu|tok:13a|eff:yes|yk:0.1.0"


def test_bars_and_line_breaks_in_a_value_cannot_break_the_line():
    line = signature("m", {"enc": "a|b\nc"})
    assert line == "m|enc:a¦b c|yk:0.1.0"


def test_differences_name_what_changed():
    first = signature("bertscore", {"layer": 9, "enc": "embedded@1"})
    second = signature("bertscore", {"layer": 8, "enc": "embedded@1", "idf": "wiki"})
    assert differences(first, second) == ["layer: 9 ≠ 8", "idf: – ≠ wiki"]
    assert differences(first, first) == []
