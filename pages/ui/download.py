"""Tables as files for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence


def csv_bytes(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """CSV as in RFC 4180, UTF-8 with a byte order mark, so that spreadsheets show Japanese."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue().encode("utf-8-sig")
