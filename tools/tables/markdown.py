"""Markdown on standard output: headings, tables and the signatures under a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.cli.console import number


def print_title(text: str) -> None:
    """Print a heading."""
    print(f"\n### {text}\n")


def print_header(names: Sequence[str]) -> None:
    """Print the first two lines of a table."""
    print(f"| {' | '.join(names)} |")
    print(f"{'|---' * len(names)}|", flush=True)


def print_row(*cells: object) -> None:
    """Print one row of a table at once, since the next one may take minutes."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def print_table(header: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a whole table."""
    print_header(header)
    for row in rows:
        print_row(*row)


def print_signatures(signatures: Mapping[str, str], seed: int | None = None) -> None:
    """Print the signature of each described metric. seed: of the random draws, if there are any."""
    print("\nMade by" + (f" (seed {seed})" if seed is not None else "") + ":\n")
    for described, signature in signatures.items():
        print(f"- {described}: `{signature}`")


def interval(low: float | None, high: float | None) -> str:
    """The two ends of an interval; a dash without them."""
    return "–" if low is None else f"{number(low)} … {number(high)}"


def signed_interval(low: float, high: float) -> str:
    """The two ends of an interval of a difference."""
    return f"{low:+.3f} … {high:+.3f}"
