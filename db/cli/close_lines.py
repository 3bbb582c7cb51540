"""The figures of a close reading as lines of text, for `python -m db study-results`."""

from __future__ import annotations

from collections.abc import Iterator

from core.cli.console import number, table
from core.raters.reading.close import CloseFindings
from core.raters.reading.highlights import ReaderMean
from core.raters.reading.preferences import FEW_READERS, LENGTH, ShareEstimate
from core.stats.estimate import Estimate
from core.text.numbers import DASH, interval, p_value


def share_row(name: str, share: ShareEstimate) -> list[str]:
    """A row of a table of shares: hits of n, value, interval, p, chance."""
    p = DASH if share.p is None else p_value(share.p)
    ends = interval(share.low, share.high, 3)
    return [name, f"{share.hits}/{share.n}", number(share.value), ends, p, f"{share.chance:.2f}"]


def mean_row(name: str, mean: ReaderMean) -> list[str]:
    """A row of a table of means over readers: readers, value, interval."""
    return [name, str(mean.n), number(mean.value), interval(mean.low, mean.high, 3)]


def close_lines(found: CloseFindings, unit: str) -> Iterator[str]:
    """All figures; unit: of lengths, `words` or `characters`."""
    counts = f"{found.choices} choices by {found.readers} readers; {found.finished} compared all passages"
    yield f"Close reading: {counts}."
    if found.few:
        count = f"So far {found.finished} compared all, fewer than {FEW_READERS}"
        yield f"{count}: read the intervals, not the values."
    yield ""
    rows = [["passages", "n", "value", "95 % interval", "p", "chance"]]
    for one in found.preferences:
        rows.append(share_row(f"{one.first} preferred to {one.second}", one.share))
    rows.append(share_row("preferred the version on the left", found.left))
    rows.append(share_row("readers who preferred the same in most passages and as a whole", found.with_whole))
    yield table(rows, right={1, 2, 3, 4, 5})
    yield (
        "The interval treats all choices as independent, but choices of the same reader are not: "
        "use the mean over readers below."
    )
    for one in found.preferences:
        yield f"No difference between {one.first} and {one.second} in {one.ties} choices."
    yield ""
    means = [["mean over readers", "readers", "value", "95 % interval"]]
    for one in found.preferences:
        means.append(mean_row(f"share of passages with {one.first} preferred to {one.second}", one.readers))
    means.append(mean_row("share of passages with the version preferred as a whole", found.kept))
    for rate in found.marks:
        means.append(mean_row(f"{rate.version}: {rate.kind}, per 1,000 {unit}", rate.rate))
    means.append(mean_row("minutes per passage", found.minutes))
    yield table(means, right={1, 2, 3})
    yield from _agreement_lines(found)
    yield from _part_lines(found)


def _agreement_lines(found: CloseFindings) -> Iterator[str]:
    yield _alpha_line(found.agreement.alpha, found.agreement.readers)
    same = found.agreement.same
    ends = interval(same.low, same.high, 3)
    chance = f"by chance {found.agreement.chance:.2f}"
    yield f"Two readers of a passage made the same choice: {number(same.value)}, 95 % {ends}; {chance}.\n"
    yield table(list(_metric_rows(found)), right={1, 2, 3, 4, 5})


def _part_lines(found: CloseFindings) -> Iterator[str]:
    for part, title in ((found.by_reader, "reader"), (found.by_chunk, "passage")):
        header = [title, "preferred", "n", "value", "95 % interval", "p", "no difference"]
        own = [
            [
                one.of if one.chunk is None else f"{one.of}, {one.chunk + 1}",
                f"{one.first} to {one.second}",
                *share_row("", one.share)[1:5],
                str(one.ties),
            ]
            for one in part
        ]
        yield table([header, *own], right={2, 3, 4, 5, 6})


def _alpha_line(alpha: Estimate, readers: int) -> str:
    shown = number(alpha.value)
    about = f"{readers} readers, {alpha.n} passages that two or more compared"
    ends = f", 95 % {interval(alpha.low, alpha.high, 3)}" if alpha.low is not None else ", no interval"
    reason = "" if alpha.missing is None else f" ({alpha.missing})"
    few = "" if readers >= FEW_READERS else " With few readers another group could agree much more or less."
    return f"Krippendorff’s alpha, nominal: {shown}{ends}; {about}{reason}.{few}"


def _metric_rows(found: CloseFindings) -> Iterator[list[str]]:
    yield ["picks in passages", "n", "value", "95 % over passages", "minus length", "95 % interval"]
    for one in found.metrics:
        gain = one.over_length
        yield [
            "the longer version" if one.metric == LENGTH else one.metric,
            f"{one.share.hits}/{one.share.n}",
            number(one.share.value),
            interval(one.low, one.high, 3),
            DASH if one.metric == LENGTH else number(gain.value),
            DASH if one.metric == LENGTH else interval(gain.low, gain.high, 3),
        ]
