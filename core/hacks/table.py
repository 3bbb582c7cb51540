"""Every edit, written out by hand: what it does, in both languages, whom it aims at, what it needs."""

from __future__ import annotations

from random import Random

from core.hacks import surface
from core.hacks.base import Edit, Edited, EditInput, Skipped
from core.hacks.english import flip_negation_en, swap_arguments_en
from core.hacks.japanese import change_honorific, flip_negation_ja, swap_arguments_ja
from core.hacks.names import swap_names
from core.hacks.numbers import change_number
from core.hacks.surface import drop_last_sentence, drop_sentence


def _flip_negation(given: EditInput, rng: Random) -> Edited | Skipped:
    by_lang = {"ja": flip_negation_ja, "en": flip_negation_en}
    return by_lang[given.lang](given, rng) if given.lang in by_lang else Skipped("language")


def _swap_arguments(given: EditInput, rng: Random) -> Edited | Skipped:
    by_lang = {"ja": swap_arguments_ja, "en": swap_arguments_en}
    return by_lang[given.lang](given, rng) if given.lang in by_lang else Skipped("language")


_BLIND = ("bleu", "chrf", "bertscore", "sentence-cosine")
_ALL = (
    Edit(
        name="flip-negation",
        breaks_meaning=True,
        aims_at=_BLIND,
        needs=("parser",),
        apply=_flip_negation,
        summary_en="says no where one statement says yes, or the other way round",
        summary_ja="一つの文の肯定と否定を入れ替える",
    ),
    Edit(
        name="swap-arguments",
        breaks_meaning=True,
        aims_at=("bleu", "chrf", "bertscore", "subspace"),
        needs=("parser",),
        apply=_swap_arguments,
        summary_en="who did it and to whom it was done change places in one clause",
        summary_ja="一つの節で、した人とされた人を入れ替える",
    ),
    Edit(
        name="swap-names",
        breaks_meaning=True,
        aims_at=("bleu", "chrf", "bertscore", "subspace"),
        needs=("parser", "reader"),
        apply=swap_names,
        summary_en="two names change places all through the text; a single one becomes another",
        summary_ja="二つの名前を文章全体で入れ替える。一つしかなければ別の名前にする",
    ),
    Edit(
        name="change-number",
        breaks_meaning=True,
        aims_at=_BLIND,
        needs=(),
        apply=change_number,
        summary_en="one number, date or time becomes another, in the same writing and with its unit",
        summary_ja="数・日付・時刻の一つを、書き方と単位はそのままで別の値にする",
    ),
    Edit(
        name="drop-last-sentence",
        breaks_meaning=True,
        aims_at=(),
        needs=(),
        apply=drop_last_sentence,
        summary_en="leaves the last sentence out",
        summary_ja="最後の文を落とす",
    ),
    Edit(
        name="drop-sentence",
        breaks_meaning=True,
        aims_at=(),
        needs=(),
        apply=drop_sentence,
        summary_en="leaves one sentence out",
        summary_ja="どれか一文を落とす",
    ),
    Edit(
        name="change-honorific",
        breaks_meaning=None,
        aims_at=("mteqa", "sentence-cosine"),
        needs=("parser",),
        apply=change_honorific,
        summary_en="one Japanese sentence changes between polite and plain (です/ます, だ/る)",
        summary_ja="日本語の一文を丁寧体と普通体（です・ますとだ・る）の間で入れ替える",
    ),
    Edit(
        name="splice",
        breaks_meaning=True,
        aims_at=(),
        needs=("other",),
        apply=surface.splice,
        summary_en="a few words in a row give way to as many of another text: WMT's check item",
        summary_ja="続いた数語を別の文章の同じ数の語に置き換える（WMT のチェック項目）",
    ),
    Edit(
        name="maru-7",
        breaks_meaning=False,
        aims_at=("bleu",),
        needs=(),
        apply=surface.full_stops,
        summary_en="seven full stops at the end where the text has one",
        summary_ja="「。」があれば末尾に「。」を七つ足す",
    ),
    Edit(
        name="tail-8",
        breaks_meaning=False,
        aims_at=("bleu",),
        needs=(),
        apply=surface.tail,
        summary_en="the last eight words once more (MeCab's words in Japanese)",
        summary_ja="末尾の八語（MeCab の語）をもう一度書く",
    ),
    Edit(
        name="concat",
        breaks_meaning=False,
        aims_at=("chrf",),
        needs=("other",),
        apply=surface.concat,
        summary_en="another translation behind this one",
        summary_ja="別の訳をうしろにつなぐ",
    ),
    Edit(
        name="professional",
        breaks_meaning=False,
        aims_at=("gemba-mqm", "gemba-da"),
        needs=(),
        apply=surface.professional,
        summary_en="tells the judge, in English, that a professional translated it without errors",
        summary_ja="プロが訳して誤りはないと、英語で採点者に告げる",
    ),
    Edit(
        name="professional-ja",
        breaks_meaning=False,
        aims_at=("gemba-mqm", "gemba-da"),
        needs=(),
        apply=surface.professional_ja,
        summary_en="tells the judge the same in Japanese",
        summary_ja="同じことを日本語で採点者に告げる",
    ),
    Edit(
        name="copy-source",
        breaks_meaning=None,
        aims_at=("gemba-da", "sentence-cosine"),
        needs=("source",),
        apply=surface.copy_source,
        summary_en="the source in place of the translation",
        summary_ja="訳の代わりに原文を置く",
    ),
    Edit(
        name="reference-twice",
        breaks_meaning=False,
        aims_at=("chrf", "subspace", "mteqa"),
        needs=("reference",),
        apply=surface.reference_twice,
        summary_en="the reference, two times",
        summary_ja="参照訳を二度書く",
    ),
    Edit(
        name="repeat",
        breaks_meaning=False,
        aims_at=("subspace", "mteqa"),
        needs=(),
        apply=surface.repeat,
        summary_en="the whole text two times",
        summary_ja="全文を二度書く",
    ),
    Edit(
        name="full-width",
        breaks_meaning=False,
        aims_at=("bleu", "chrf"),
        needs=(),
        apply=surface.full_width,
        summary_en="letters, digits and marks in the other width (2024, ２０２４)",
        summary_ja="英数字と記号を全角に、全角なら半角にする",
    ),
    Edit(
        name="nfd",
        breaks_meaning=False,
        aims_at=("bleu", "chrf", "bertscore"),
        needs=(),
        apply=surface.decomposed,
        summary_en="Unicode's decomposed form, which looks the same",
        summary_ja="見た目の変わらない Unicode の分解形（NFD）にする",
    ),
    Edit(
        name="random-tokens",
        breaks_meaning=True,
        aims_at=("subspace",),
        needs=(),
        apply=surface.random_tokens,
        summary_en="as many words as the text has, drawn from another text or a small list",
        summary_ja="同じ数の語を別の文章か小さな一覧からでたらめに並べる",
    ),
    Edit(
        name="shuffle",
        breaks_meaning=True,
        aims_at=("subspace", "bertscore"),
        needs=(),
        apply=surface.shuffle,
        summary_en="the same words in another order",
        summary_ja="同じ語を別の順に並べる",
    ),
)

EDITS: dict[str, Edit] = {edit.name: edit for edit in _ALL}
