"""What made the figures of a table, under it: one line for each metric as it was described."""

from __future__ import annotations

from collections.abc import Mapping


def print_signatures(signed: Mapping[str, str], seed: int | None = None) -> None:
    """A Markdown list. seed: of what was drawn at random, if anything was."""
    print("\nMade by" + (f" (seed {seed})" if seed is not None else "") + ":\n")
    for described, signature in signed.items():
        print(f"- {described}: `{signature}`")
