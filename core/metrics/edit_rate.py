"""TER (Snover et al., 2006) as sacreBLEU defines it: edits that turn a translation into the reference.

TER of many segments is the number of all edits over the number of all words of the references.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version

from core.backends import Backends
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.metrics.count_pool import CountPool
from core.metrics.references import several
from core.signature import signature
from core.text.languages import well_formed
from core.types import Result, TextPair

BY_CHARACTER = frozenset({"ja", "zh"})
"""Languages whose characters are words under `normalize=auto`: they write no blanks between words."""

SWITCH = ("no", "yes")


@dataclass(frozen=True, slots=True, kw_only=True)
class TerTrace:
    """The words of the translation and of each reference.

    Edits are insertions, deletions and substitutions of a word, and shifts of a run of words; they are
    counted from these words. Several references: the fewest edits, over the mean length.
    """

    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    def sums(self) -> list[float]:
        """What is summed over segments: edits and words of the reference."""
        from sacrebleu.metrics.lib_ter import translation_edit_rate

        found = [translation_edit_rate(list(self.hypothesis), list(one)) for one in self.references]
        return [min(edits for edits, _ in found), sum(length for _, length in found) / len(found)]

    def parts_of(self, sums: Sequence[float]) -> dict[str, float]:
        """The parts of such a sum."""
        edits, length = sums
        rate = edits / length if length else float(edits > 0)
        return {"ter": 100 * rate, "edits": edits, "reference_words": length}

    def parts(self) -> dict[str, float]:
        """`ter`, 0 and above, `edits` and `reference_words`, the length that they are divided by."""
        return self.parts_of(self.sums())


def score_ter(
    pair: TextPair,
    *,
    normalize: bool = False,
    punctuation: bool = True,
    lowercase: bool = True,
    signed: str = "",
) -> Result[TerTrace]:
    """Sentence TER, 0 and above, lower is better; 100 is one edit for each word of the reference.

    normalize: cut punctuation off words, and every character of Japanese and Chinese is a word.
    """
    cut = _tokenizer(normalize, punctuation, lowercase)

    def words(text: str) -> tuple[str, ...]:
        return tuple(cut(well_formed(text).rstrip()).split())

    trace = TerTrace(hypothesis=words(pair.hypothesis), references=tuple(map(words, pair.references)))
    unsuited = pair.lang in BY_CHARACTER and not normalize
    flags = text_flags(pair) + (("tokenizer-unsuited",) if unsuited else ())
    parts = trace.parts()
    return Result(metric="ter", score=parts["ter"], parts=parts, signature=signed, flags=flags, trace=trace)


@cache
def _tokenizer(normalize: bool, punctuation: bool, lowercase: bool) -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    cut: Callable[[str], str] = TercomTokenizer(
        normalized=normalize,
        no_punct=not punctuation,
        asian_support=True,
        case_sensitive=not lowercase,
    )
    return cut


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[TerTrace]:
    chosen = TER.settle(settings)
    lang = pairs[0].lang if pairs else "en"
    by_character = lang in BY_CHARACTER
    normalize = by_character if chosen["normalize"] == "auto" else chosen["normalize"] == "yes"
    punctuation, lowercase = chosen["punctuation"] == "yes", chosen["lowercase"] == "yes"
    about: dict[str, object] = {
        "case": "lc" if lowercase else "mixed",
        "tok": "tercom",
        "norm": "yes" if normalize else "no",
        "punct": chosen["punctuation"],
        "asian": "yes",
        "sacrebleu": version("sacrebleu"),
    }
    signed = signature("ter", about | several(pairs))
    compute = partial(
        score_ter, normalize=normalize, punctuation=punctuation, lowercase=lowercase, signed=signed
    )
    return Scorer(compute=lambda pair, _: compute(pair), signature=signed)


TER = Metric(
    name="ter",
    summary="edits of words that turn the translation into the reference",
    paper="Snover et al. 2006; sacreBLEU, Post 2018",
    headline="ter",
    low=0,
    high=None,
    trace=TerTrace,
    build=_prepare,
    options=(
        Option(
            name="normalize",
            default="auto",
            summary="cut off punctuation, characters of Japanese and Chinese as words",
            choices=("auto", *SWITCH),
        ),
        Option(name="punctuation", default="yes", summary="whether punctuation counts", choices=SWITCH),
        Option(name="lowercase", default="yes", summary="compare in lower case", choices=SWITCH),
    ),
    higher_is_better=False,
    digits=1,
    pool=lambda: CountPool("ter"),
    offered=False,
    joins_references=True,
)
