"""How a campaign is rated: what raters see, how many rate an item, in which order, with which checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from core.errors import InputError, Wording
from core.metrics import METRICS
from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors, check_errors, errors_from_json
from core.raters.own_scales import OwnScale, check_scales, scales_from_json
from core.raters.platforms import check_address, check_parameters
from core.raters.protocols import (
    PROTOCOLS,
    SIDE_BY_SIDE,
    STUDIES,
    MarkedSpan,
    Protocol,
    campaign_protocol,
    mqm_score,
)
from core.raters.reading.choices import ReadingChoices, choices_from_json
from core.raters.rules import Rules, rules_for
from core.raters.rules import rules_from_json as rules_from_json
from core.text.languages import base_lang
from db.names import check_label

SPREAD, RANKING, DOCUMENTS = "spread", "ranking", "documents"
ORDERS = (SPREAD, RANKING, DOCUMENTS)
NEVER, ON_DEMAND, ALWAYS = "never", "on-demand", "always"
ITEM, DOCUMENT = "item", "document"
MOST_CONTEXT = 20
MOST_CHECKS = 0.5
CODES = ("code_passed", "code_failed")
SECRET = (*CODES, "completion_address")
"""What is for raters who have finished, and nobody else."""
RESEARCH, COURSEWORK, NO_CONSENT = "research", "coursework", "none"
CONSENTS = (RESEARCH, COURSEWORK, NO_CONSENT)
MOST_GUESSES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The organiser's choices. The defaults are the paper's: every rater judges everything, shuffled.

    source: whether it is shown (`never`, `on-demand`, `always`). reference: whether it is. before, after:
    segments of the same document shown around. raters_per_item: None when everybody rates everything; then
    `raters` is how many people are planned. order: `spread` keeps a segment's translations apart, `ranking`
    does so, too, and brings the item forward that most narrows the order of the systems
    (`core/raters/narrowing.py`), `documents` keeps whole documents together. layout: `item` shows one
    translation at a time, `document` the segments of a document under each other, with a score for the whole
    (needs the order `documents`). vertical: Japanese from top to bottom. five_errors: MQM counts five.
    post_edit: raters may correct the translation.
    repeats, references, degraded: check items, as shares of a rater's items; distance: items between an item
    and its repeat at least. left_out: systems, by name, that are not rated. sealed: systems' names are hidden
    from everybody from the day the campaign opens until it closes. rules: by which raters will be called into
    question (`core/raters/rules.py`), as JSON; empty for the usual ones. practice_pass: how many practice
    items (`db/queries/practice.py`) must be answered right before rating; None for no such condition.
    practice_tries: how many times practice may be done in all; None for as often as wanted. second_try: a
    rater whose scores of a text and of its damaged version do not fit may correct both once.
    code_passed, code_failed: what a rater is shown at the end, by whether they passed at least `pass_share`
    (0 to 1) of their hidden checks; empty for none. parameters, completion_address: those of a crowd
    platform's address that are kept with a rater, the participant's id first, and the address that the code
    is taken back to (`core/raters/platforms.py`). consent: what people agree to before they rate,
    `research`, `coursework` or `none`. guesses: metrics, at most two, whose scores students guess.
    reading: the choices of a reading study (`core/raters/reading/choices.py`), as JSON; empty for the usual.
    scales: asked for each item beside the protocol's score. errors: the organiser's own categories and
    severities, where errors are marked.
    """

    source: str = ON_DEMAND
    reference: bool = True
    before: int = 0
    after: int = 0
    raters_per_item: int | None = None
    raters: int = 3
    order: str = SPREAD
    layout: str = ITEM
    vertical: bool = False
    five_errors: bool = False
    post_edit: bool = False
    repeats: float = 0.0
    references: float = 0.0
    degraded: float = 0.0
    distance: int = 10
    left_out: tuple[str, ...] = ()
    sealed: bool = False
    rules: Mapping[str, Any] = field(default_factory=dict)
    practice_pass: int | None = None
    practice_tries: int | None = None
    second_try: bool = False
    code_passed: str = ""
    code_failed: str = ""
    pass_share: float = 0.7
    parameters: tuple[str, ...] = ()
    completion_address: str = ""
    consent: str = RESEARCH
    guesses: tuple[str, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    scales: tuple[OwnScale, ...] = ()
    errors: OwnErrors = NO_OWN_ERRORS

    @property
    def everybody_rates_everything(self) -> bool:
        """Whether a rater has every translation, in an order of their own, and nothing else."""
        return self.raters_per_item is None and self.order != DOCUMENTS and not (self.checks or self.left_out)

    @property
    def checks(self) -> bool:
        """Whether there are check items at all."""
        return self.repeats + self.references + self.degraded > 0


def to_json(design: Design) -> dict[str, Any]:
    """Ready for the database."""
    return asdict(design)


def from_json(stored: Mapping[str, Any]) -> Design:
    """A stored design; what it does not say has its default, what is not known any more is passed over.

    Raises InputError for scales and error lists that make no sense.
    """
    known = {field.name for field in fields(Design)}
    given = {name: value for name, value in stored.items() if name in known}
    for name in ("left_out", "guesses", "parameters"):
        given[name] = tuple(given.get(name, ()))
    given["scales"] = scales_from_json(given.get("scales") or ())
    given["errors"] = errors_from_json(given.get("errors") or {})
    return Design(**given)


def protocol_of(name: str, design: Design) -> Protocol:
    """The protocol of a campaign, with its own scales and error lists; the paper's for an unknown name."""
    known = PROTOCOLS.get(name, PROTOCOLS["adequacy"])
    return campaign_protocol(known, scales=design.scales, errors=design.errors)


def computed_score(design: Design, spans: Sequence[MarkedSpan]) -> float:
    """The score of marked errors in this design, 0 or below (`core.raters.protocols.mqm_score`)."""
    return mqm_score(spans, five_errors=design.five_errors, errors=design.errors)


def rules_of(design: Design, target_lang: str) -> Rules:
    """The rules that the campaign declared, or the usual ones for its language."""
    return rules_from_json(design.rules) if design.rules else rules_for(base_lang(target_lang))


def reading_of(design: Design) -> ReadingChoices:
    """The choices of a reading study. Raises InputError for stored ones that make no sense."""
    return choices_from_json(design.reading)


def without_codes(stored: Mapping[str, Any]) -> dict[str, Any]:
    """A stored design for a file, without what only raters who have finished may know (`SECRET`)."""
    return {name: value for name, value in stored.items() if name not in SECRET}


def check_design(design: Design, protocol: str) -> None:
    """Raise InputError, in one sentence, for choices that make no sense."""
    if protocol not in PROTOCOLS:
        raise InputError(
            "There is no protocol “{protocol:.40}”; choose one of {protocols}.",
            protocol=protocol,
            protocols=", ".join(PROTOCOLS),
        )
    if not (0 <= design.before <= MOST_CONTEXT and 0 <= design.after <= MOST_CONTEXT):
        raise InputError("Between 0 and {limit} segments can be shown before and after.", limit=MOST_CONTEXT)
    if design.raters < 1 or (design.raters_per_item or 1) < 1:
        raise InputError("At least one rater is needed for each item.")
    if design.raters_per_item is not None and design.raters_per_item > design.raters:
        raise InputError("More raters are wanted for each item than there are raters; plan more people.")
    shares = (design.repeats, design.references, design.degraded)
    if min(shares) < 0 or sum(shares) > MOST_CHECKS:
        raise InputError("Check items can be at most half of what a rater sees; take fewer.")
    if design.distance < 1:
        raise InputError("At least one other item stands between an item and its repeat.")
    if any(number is not None and number < 1 for number in (design.practice_pass, design.practice_tries)):
        raise InputError("The pass mark and the number of tries of practice are 1 or more, or not set.")
    if design.rules:
        rules_from_json(design.rules)
    check_scales(design.scales)
    check_errors(design.errors)
    _check_codes(design)
    _check_reading(design, protocol)
    if design.source not in (NEVER, ON_DEMAND, ALWAYS) or design.order not in ORDERS:
        raise InputError("The source or the order is set to something that is not known.")
    _check_class(design)
    _check_layout(design, protocol)


def _check_class(design: Design) -> None:
    if design.consent not in CONSENTS:
        raise InputError("The consent is set to something that is not known.")
    if len(design.guesses) > MOST_GUESSES or not set(design.guesses) <= set(METRICS):
        raise InputError("At most {limit} metrics can be guessed, each by its name.", limit=MOST_GUESSES)


def _check_layout(design: Design, protocol: str) -> None:
    if design.layout not in (ITEM, DOCUMENT):
        raise InputError("The layout is set to something that is not known.")
    if design.layout == DOCUMENT and design.order != DOCUMENTS:
        raise InputError("Whole documents on a screen need the order that keeps documents together.")
    if design.layout == DOCUMENT and design.checks:
        raise InputError(
            "Among whole documents a check item would stand alone and give itself away; take the checks out, "
            "or show single items."
        )
    if protocol == SIDE_BY_SIDE and design.order == RANKING:
        raise InputError(
            "Side by side shows all systems of a segment, so there is no single translation to bring "
            "forward; choose another order."
        )
    if protocol == SIDE_BY_SIDE and (design.layout == DOCUMENT or design.post_edit):
        raise InputError(
            "Side by side shows the systems of one segment, so documents and corrections have no place there."
        )


def _check_reading(design: Design, protocol: str) -> None:
    choices = reading_of(design)
    if protocol not in STUDIES:
        return
    if design.checks or design.practice_pass is not None or design.post_edit or design.second_try:
        raise InputError(
            "In a reading study a version is read as a whole, so checks, practice, a second try and "
            "corrections have no place there."
        )
    if design.raters_per_item is not None or design.layout == DOCUMENT:
        raise InputError(
            "In a reading study the plan says who reads which versions, so everybody’s share and the layout "
            "stay as they are."
        )
    if choices.human in design.left_out and choices.human:
        raise InputError("The human translation is among the versions that are left out; take it in.")


def _check_codes(design: Design) -> None:
    for name in CODES:
        if getattr(design, name):
            check_label(getattr(design, name), Wording("completion code"))
    if design.code_failed and not design.code_passed:
        raise InputError("A code for raters who do not pass needs a code for those who pass.")
    if not 0 <= design.pass_share <= 1:
        raise InputError("The share of checks to pass is a number from 0 to 1.")
    check_parameters(design.parameters)
    check_address(design.completion_address, design.parameters)
    if design.completion_address and not design.code_passed:
        raise InputError("An address to go back to needs a completion code; fill in the code if passed.")
