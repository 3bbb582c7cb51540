"""The words of error categories and severities: the organiser's own where a campaign has some."""

from __future__ import annotations

from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.protocols import CRITICAL, MAJOR, MINOR, NEUTRAL, Protocol
from pages.ui.text import either, words_or


def severity_word(name: str, errors: OwnErrors = NO_OWN_ERRORS) -> str:
    """A severity in the reader's language; one that nobody has words for, as it came."""
    own = errors.words(name)
    return either(*own) if own else words_or(f"passage.severity.{name}", name)


def category_word(name: str, errors: OwnErrors = NO_OWN_ERRORS) -> str:
    """A category in the reader's language; one that nobody has words for, as it came."""
    own = errors.words(name)
    return either(*own) if own else words_or(f"category.{name}", name)


def category_words(protocol: Protocol) -> dict[str, str]:
    """The categories that a protocol offers, with their words."""
    return {name: category_word(name, protocol.errors) for name in protocol.categories}


def looks(severities: tuple[str, ...], errors: OwnErrors) -> dict[str, str]:
    """How marks of each severity look: like `neutral`, `minor`, `major` or `critical`.

    Own severities look by their weights: 0 neutral, the heaviest major; of three or more weights the heaviest
    is critical and the lightest minor.
    """
    weights = sorted({weight for weight in errors.weights.values() if weight > 0})

    def look(name: str) -> str:
        weight = errors.weights.get(name)
        if weight is None:
            return name
        if weight == 0:
            return NEUTRAL
        if weight == weights[-1]:
            return CRITICAL if len(weights) > 2 else MAJOR
        return MINOR if weight == weights[0] else MAJOR

    return {name: look(name) for name in severities}
