"""What metrics' options and their values are called on the screen; values without a word stay as they are."""

from __future__ import annotations

from pages.ui.text import t

_OF_NAMES = ("criterion", "kana", "mode", "quantile", "reading")
_OF_SUBSPACES = ("energy", "specials", "window")


def option_name(option: str) -> str:
    """An option, such as `weight`, for a reader. KeyError for one that no page offers."""
    if option in _OF_NAMES:
        return t(f"names.option.{option}")
    if option in _OF_SUBSPACES:
        return t(f"subspace.option.{option}")
    if option == "filter":
        return t("structure.option.filter")
    return t("questions.compare") if option == "compare" else t(f"grid.axis.{option}")


def value_name(option: str, value: str) -> str:
    """A value of an option for a reader: `novel` is “novels”; a number or a name is itself."""
    try:
        return _worded(option, value)
    except KeyError:
        return value


def _worded(option: str, value: str) -> str:
    if value == "help":  # typed by somebody: it is no value of anything
        raise KeyError(value)
    if option == "metric":
        return t(f"metric.{value}")
    if option in _OF_NAMES:
        return t(f"names.option.{option}.{value}")
    if option in _OF_SUBSPACES:
        return t(f"subspace.option.{option}.{value}")
    if option == "filter":
        return t(f"structure.option.filter.{value}")
    return t(f"questions.compare.{value}") if option == "compare" else t(f"grid.value.{option}.{value}")
