"""Tables as files for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from db.formats.cells import neutral


def csv_bytes(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """CSV as in RFC 4180, UTF-8 with a byte order mark, so that spreadsheets show Japanese.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows([neutral(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return file.getvalue().encode("utf-8-sig")
