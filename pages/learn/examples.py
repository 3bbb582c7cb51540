"""The texts of the lessons, and which of their scores are stored. They are ours unless a paper is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from core.hacks.surface import PRAISE, PRAISE_JA
from core.metrics.gemba.prompts import GUARDED, UNGUARDED
from core.types import TextPair
from pages.learn.passages import ACROSS, BESIDE, TRANSLATORS, passages

Effect = Literal["broken", "repaired", "kept"]
"""What a change does to the meaning of a translation, as a reader sees it."""

EFFECTS: tuple[Effect, ...] = get_args(Effect)

Kind = Literal["paraphrase", "name", "negation", "roles", "number"]

AB_METRICS = (
    "bleu",
    "chrf",
    "bertscore",
    "bertscore-reading",
    "subspace",
    "structure-dep",
    "mteqa",
    "sentence-cosine",
)
NAME_METRICS = ("bertscore", "bertscore-reading")
STRUCTURE_METRICS = ("bleu", "bertscore", "structure-dep")
QUESTION_METRICS = ("bleu", "bertscore", "mteqa")
SUBSPACE_METRICS = ("bertscore", "subspace")
FOOL_METRICS = ("bleu", "chrf", "bertscore", "bertscore-reading", "subspace")
FILTERS = ("label", "head", "role")
"""What must agree in two parts of the trees: `label` and `head` are the paper's, `role` is ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """A reference and one translation of each kind; the paraphrase alone keeps the meaning."""

    name: str
    lang: str
    reference: str
    texts: Mapping[Kind, str]

    def wrong(self) -> tuple[Kind, ...]:
        """The kinds that break the meaning."""
        return tuple(kind for kind in self.texts if kind != "paraphrase")

    def pair(self, kind: Kind) -> TextPair:
        """The reference with the translation of that kind."""
        return TextPair(reference=self.reference, hypothesis=self.texts[kind], lang=self.lang)


VERSIONS = (
    Versions(
        name="bridge-ja",
        lang="ja",
        reference="斎藤さんは橋の上で弟を待っていた。",
        texts={
            "paraphrase": "斎藤さんは、橋のところで弟が来るのをずっと待ち続けていた。",
            "name": "尾崎さんは橋の上で弟を待っていた。",
            "negation": "斎藤さんは橋の上で弟を待っていなかった。",
            "roles": "弟は橋の上で斎藤さんを待っていた。",
        },
    ),
    Versions(
        name="station-ja",
        lang="ja",
        reference="斎藤さんは駅で二時間も弟を待っていた。",
        texts={
            "paraphrase": "斎藤さんは駅で弟が来るのを二時間ずっと待ち続けていた。",
            "name": "尾崎さんは駅で二時間も弟を待っていた。",
            "negation": "斎藤さんは駅で二時間も弟を待っていなかった。",
            "roles": "弟は駅で二時間も斎藤さんを待っていた。",
            "number": "斎藤さんは駅で三時間も弟を待っていた。",
        },
    ),
    Versions(
        name="bridge-en",
        lang="en",
        reference="Mr. Saito was waiting for his brother on the bridge.",
        texts={
            "paraphrase": "Up on the bridge, Mr. Saito kept waiting for his brother to come.",
            "name": "Mr. Ozaki was waiting for his brother on the bridge.",
            "negation": "Mr. Saito was not waiting for his brother on the bridge.",
            "roles": "His brother was waiting for Mr. Saito on the bridge.",
        },
    ),
    Versions(
        name="station-en",
        lang="en",
        reference="Emma waited two hours for her brother at the station.",
        texts={
            "paraphrase": "At the station, Emma spent two hours waiting for her brother to come.",
            "name": "Anna waited two hours for her brother at the station.",
            "negation": "Emma did not wait two hours for her brother at the station.",
            "roles": "Her brother waited two hours for Emma at the station.",
            "number": "Emma waited three hours for her brother at the station.",
        },
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A pair of texts and one prepared change. effect: of the change, as a reader sees it.

    after_reference: the first text after the change, where it is the first that changes. paper: the numbers
    that a paper prints for the texts before the change and after it, by metric; `people` is the human score.
    """

    name: str
    lang: str
    reference: str
    before: str
    after: str
    effect: Effect
    after_reference: str | None = None
    paper: Sequence[Mapping[str, float]] = field(default_factory=tuple)

    def start(self) -> TextPair:
        """The pair before the change."""
        return TextPair(reference=self.reference, hypothesis=self.before, lang=self.lang)

    def changed(self) -> TextPair:
        """The pair after the change."""
        reference = self.reference if self.after_reference is None else self.after_reference
        return TextPair(reference=reference, hypothesis=self.after, lang=self.lang)


NAMES = (
    Example(
        name="igarashi",
        lang="ja",
        reference="五十嵐さんは橋の上で弟を待っていた。",
        before="五十嵐さんは、橋のところで弟を待っていた。",
        after="八重樫さんは、橋のところで弟を待っていた。",
        effect="broken",
    ),
    Example(
        name="bridge",
        lang="ja",
        reference="斎藤さんは橋の上で弟を待っていた。",
        before="斎藤さんは、橋のところで弟を待っていた。",
        after="尾崎さんは、橋のところで弟を待っていた。",
        effect="broken",
    ),
    Example(
        name="bridge-en",
        lang="en",
        reference="Mr. Saito was waiting for his brother on the bridge.",
        before="On the bridge, Mr. Saito waited for his brother.",
        after="On the bridge, Mr. Ozaki waited for his brother.",
        effect="broken",
    ),
    Example(
        name="place",
        lang="ja",
        reference="斎藤さんは今最高の環境にいると思った。",
        before="尾崎は自分がこれまでにないほど良い場所にいると思った。",
        after="斎藤は自分がこれまでにないほど良い場所にいると思った。",
        effect="repaired",
        paper=({"people": 0.477, "bertscore": 0.514, "bertscore-reading": 0.492},),
    ),
    Example(
        name="huntsman",
        lang="ja",
        reference="あなたは猟師のように槍を握っていなかったから失敗したのよ。",
        before="あなたはハンターがすべきように槍を持っていなかった、そしてあなたが逃したのでそれはあなたのせいです。",
        after="あなたは猟師がすべきように槍を持っていなかった、そしてあなたが逃したのでそれはあなたのせいです。",
        effect="kept",
        paper=({"people": 0.790, "bertscore": 0.617, "bertscore-reading": 0.605},),
    ),
)
"""`place` and `huntsman` are pairs of the novels paper with its numbers."""

STRUCTURE = (
    Example(
        name="nurse",
        lang="ja",
        reference="看護師が女王を見た。",
        before="看護師は女王を見ました。",
        after="女王は看護師を見ました。",
        effect="broken",
    ),
    Example(
        name="nurse-en",
        lang="en",
        reference="The nurse saw the queen.",
        before="The nurse has seen the queen.",
        after="The queen has seen the nurse.",
        effect="broken",
    ),
    Example(
        name="passive",
        lang="en",
        reference="The dog bit the man.",
        before="The dog has bitten the man.",
        after="The man was bitten by the dog.",
        effect="kept",
    ),
    Example(
        name="telescope",
        lang="en",
        reference="I saw a girl by a telescope.",
        before="I saw a girl having a telescope.",
        after="I saw a girl by a telescope.",
        effect="repaired",
    ),
)

QUESTIONS = (
    Example(
        name="abbreviation",
        lang="en",
        reference="China's GDP grew by six percent in 2019.",
        before="In 2019 China's gross domestic product grew by 6 %.",
        after="In 2019 China's GPP grew by 6 %.",
        effect="broken",
    ),
    Example(
        name="date",
        lang="en",
        reference="The letter arrived on March 12th.",
        before="The letter arrived on the 12th.",
        after="The letter arrived on 12 March.",
        effect="repaired",
    ),
    Example(
        name="cats",
        lang="ja",
        reference="斎藤さんは三月十二日に東京で二匹の猫を見た。",
        before="サイトウさんは3月12日、東京で猫を二匹見た。",
        after="サイトウさんは3月12日、東京で猫を三匹見た。",
        effect="broken",
    ),
)

SUBSPACE = (
    Example(
        name="royal",
        lang="en",
        reference="They are royalty.",
        after_reference="They are the king and queen.",
        before="royal",
        after="royal",
        effect="kept",
        paper=({"bertscore": 0.72, "subspace": 0.76}, {"bertscore": 0.60, "subspace": 0.69}),
    ),
    Example(
        name="genius",
        lang="en",
        reference="He's a very talented musician.",
        after_reference="He's very skilled at playing music.",
        before="genius",
        after="genius",
        effect="kept",
        paper=({"bertscore": 0.78, "subspace": 0.82}, {"bertscore": 0.69, "subspace": 0.76}),
    ),
    Example(
        name="tensai",
        lang="ja",
        reference="彼は才能のある音楽家だ。",
        after_reference="彼は何を弾いても人より抜きん出てうまい。",
        before="天才",
        after="天才",
        effect="kept",
    ),
    Example(
        name="couple",
        lang="ja",
        reference="二人は夫妻だ。",
        after_reference="二人は夫と妻だ。",
        before="夫婦",
        after="夫婦",
        effect="kept",
    ),
)
"""A sentence with a close word, then one that only implies it. `royal`, `genius`: Ishibashi et al."""


MADE_UP = {
    "A": (95, 88, 74, 71, 60, 82),
    "B": (84, 72, 58, 49, 36, 66),
    "C": (70, 67, 62, 60, 56, 65),
    "D": (62, 90, 45, 78, 55, 40),
}
"""Scores from 0 to 100 of four raters for six translations, made up for the lesson on how raters differ: a
lenient, an ordinary and a cautious one who agree on the order, and one who judges something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flattery:
    """A source with a bad translation, and a sentence for the judge that says it is good."""

    name: str
    source: str
    lang: str
    bad: str
    praise: str

    def pair(self, text: str) -> TextPair:
        """The source with a translation; a judge needs no reference."""
        return TextPair(reference="", hypothesis=text, source=self.source, lang=self.lang)

    def pairs(self) -> tuple[TextPair, TextPair]:
        """The bad translation as it is, and with the praise."""
        return self.pair(self.bad), self.pair(f"{self.bad}{self.praise}")


JUDGE, JUDGE_METRIC = "gemma-3-270m", "gemba-da"
"""The model whose replies the lesson on judges shows, and the metric that asks it."""

PUBLISHED_ATTACK = {"gemba-mqm": (-3.30, -1.12), "bleu": (26.13, 18.57)}
"""ehiMetrick's table 8: before and after a sentence of this kind at the end of 998 translations (GPT-4o)."""

JUDGE_PROMPTS = {"published": UNGUARDED, "guarded": GUARDED}


def judge_settings(words: str) -> dict[str, str]:
    """How the lesson asks. words: the prompt."""
    return {"prompt": words, "guard": "remove"}


FLATTERIES = (
    Flattery(
        name="bridge-ja",
        source="He had been waiting for his brother on the bridge for two hours.",
        lang="ja",
        bad="彼は橋を渡り、二分で弟と別れた。",
        praise=PRAISE_JA,
    ),
    Flattery(
        name="bridge-en",
        source="斎藤さんは橋の上で二時間も弟を待っていた。",
        lang="en",
        bad="Mr. Saito crossed the bridge and left his brother after two minutes.",
        praise=f" {PRAISE}",
    ),
)
"""The sentences are those of ehiMetrick, as the hack lab appends them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A reference with a good and a bad translation."""

    lang: str
    reference: str
    good: str
    bad: str

    def pair(self, text: str) -> TextPair:
        """The reference with a translation."""
        return TextPair(reference=self.reference, hypothesis=text, lang=self.lang)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterItem:
    """A segment of the starter class with two translations, and the example scores of its panel.

    good, bad: the translation's system (`P` or `Q`) is `good_system` for the good one. bad_kind: its mistake.
    """

    lang: str
    source: str
    reference: str
    good: str
    bad: str
    bad_kind: Kind
    good_system: str
    good_score: int
    bad_score: int

    def text(self, system: str) -> str:
        """The translation of system `P` or `Q`."""
        return self.good if system == self.good_system else self.bad

    def pair(self, system: str) -> TextPair:
        """The reference with the translation of a system."""
        return TextPair(
            reference=self.reference, hypothesis=self.text(system), source=self.source, lang=self.lang
        )


STARTER_SYSTEMS = ("P", "Q")
STARTER = (
    StarterItem(
        lang="ja",
        source="Mr. Saito was waiting for his brother on the bridge.",
        reference=VERSIONS[0].reference,
        good=VERSIONS[0].texts["paraphrase"],
        bad=VERSIONS[0].texts["negation"],
        bad_kind="negation",
        good_system="Q",
        good_score=95,
        bad_score=5,
    ),
    StarterItem(
        lang="ja",
        source="Mr. Saito waited two hours for his brother at the station.",
        reference=VERSIONS[1].reference,
        good=VERSIONS[1].texts["paraphrase"],
        bad=VERSIONS[1].texts["number"],
        bad_kind="number",
        good_system="P",
        good_score=92,
        bad_score=60,
    ),
    StarterItem(
        lang="ja",
        source="On March 3rd the doctor gave the captain two bottles of medicine.",
        reference="三月三日、医者は船長に薬を二つ渡した。",
        good="医者が船長に薬を二つ手渡したのは、三月三日のことだった。",
        bad="三月三日、船長は医者に薬を二つ渡した。",
        bad_kind="roles",
        good_system="Q",
        good_score=90,
        bad_score=20,
    ),
    StarterItem(
        lang="en",
        source="斎藤さんは橋の上で弟を待っていた。",
        reference=VERSIONS[2].reference,
        good=VERSIONS[2].texts["paraphrase"],
        bad=VERSIONS[2].texts["negation"],
        bad_kind="negation",
        good_system="Q",
        good_score=95,
        bad_score=5,
    ),
    StarterItem(
        lang="en",
        source="エマは駅で二時間、弟を待った。",
        reference=VERSIONS[3].reference,
        good=VERSIONS[3].texts["paraphrase"],
        bad=VERSIONS[3].texts["number"],
        bad_kind="number",
        good_system="P",
        good_score=92,
        bad_score=60,
    ),
    StarterItem(
        lang="en",
        source="三月三日、医者は船長に薬を二つ渡した。",
        reference="On March 3rd the doctor gave the captain two bottles of medicine.",
        good="It was on the third of March that the captain received two bottles of medicine "
        "from the doctor.",
        bad="On March 3rd the captain gave the doctor two bottles of medicine.",
        bad_kind="roles",
        good_system="Q",
        good_score=90,
        bad_score=20,
    ),
)
"""Three segments and two systems a language. The scores were written for teaching; no expert gave them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonScore:
    """A score that a lesson shows before its reader has changed anything."""

    metric: str
    pair: TextPair
    settings: Mapping[str, str] = field(default_factory=dict)


def asked() -> Iterator[LessonScore]:
    """Every such score; `tools/lesson_scores.py` stores them, so that the lessons open without a model."""
    for versions in VERSIONS:
        for kind in versions.texts:
            yield from (LessonScore(metric=metric, pair=versions.pair(kind)) for metric in AB_METRICS)
    by_lesson = ((NAMES, NAME_METRICS), (QUESTIONS, QUESTION_METRICS), (SUBSPACE, SUBSPACE_METRICS))
    for examples, metrics in by_lesson:
        for pair in pairs(examples):
            yield from (LessonScore(metric=metric, pair=pair) for metric in metrics)
    for pair in pairs(STRUCTURE):
        yield from (LessonScore(metric=metric, pair=pair) for metric in STRUCTURE_METRICS[:2])
        yield from (
            LessonScore(metric="structure-dep", pair=pair, settings={"filter": one}) for one in FILTERS
        )
    yield from _of_passages()
    for item in STARTER:
        for system in STARTER_SYSTEMS:
            pair = TextPair(reference=item.reference, hypothesis=item.text(system), lang=item.lang)
            yield from (LessonScore(metric=metric, pair=pair) for metric in AB_METRICS)
    for story in STORIES:
        for text in (story.good, story.bad):
            yield from (LessonScore(metric=metric, pair=story.pair(text)) for metric in FOOL_METRICS)


def _of_passages() -> Iterator[LessonScore]:
    """Each translation against the other, and against the English."""
    for passage in passages():
        for translator in TRANSLATORS:
            yield from (LessonScore(metric=name, pair=passage.beside(translator)) for name in BESIDE)
            yield from (LessonScore(metric=name, pair=passage.across(translator)) for name in ACROSS)


def pairs(examples: Sequence[Example]) -> Iterator[TextPair]:
    """Both pairs of each example."""
    for example in examples:
        yield from (example.start(), example.changed())
