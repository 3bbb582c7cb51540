"""What made a number, as one line, so that two numbers can be compared only when they should be."""

from __future__ import annotations

from collections.abc import Mapping

import core


def signature(metric: str, settings: Mapping[str, object]) -> str:
    """`metric|key:value|…|yk:VERSION`, in the order given (sacreBLEU's idea).

    `settings` holds everything that can change the number: options, fingerprints, library versions. A `|`
    or line break inside a value is replaced, so the line can be taken apart again.
    """
    pairs = [(metric, None), *settings.items(), ("yk", core.__version__)]
    return "|".join(
        _clean(key) if value is None else f"{_clean(key)}:{_clean(value)}" for key, value in pairs
    )


def differences(first: str, second: str) -> list[str]:
    """Say in what two signatures differ, one `key: a ≠ b` per setting; empty when nothing does."""
    ours, theirs = _parse(first), _parse(second)
    keys = list(dict.fromkeys([*ours, *theirs]))
    return [
        f"{key}: {ours.get(key, '–')} ≠ {theirs.get(key, '–')}"
        for key in keys
        if ours.get(key) != theirs.get(key)
    ]


def _parse(line: str) -> dict[str, str]:
    metric, *rest = line.split("|")
    return {"metric": metric} | {key: value for key, _, value in (part.partition(":") for part in rest)}


def _clean(value: object) -> str:
    return " ".join(str(value).replace("|", "¦").split())
