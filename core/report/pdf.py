"""A PDF of a report, printed by a Chromium of the system that nobody sees."""

from __future__ import annotations

import shutil
import subprocess  # nosec B404  # a browser that the system has, no shell
import tempfile
from pathlib import Path

from core.errors import UnavailableError

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 180
"""More than a report of 200,000 ratings takes."""

_FLAGS = (
    "--headless",
    "--no-sandbox",  # in containers there is none; the page is our own, lets no other script run, asks nobody
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


def find_browser() -> str | None:
    """Where a Chromium is, None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_to_pdf(page: Path, out: Path) -> None:
    """Print an HTML file to `out` (A4). Raises UnavailableError where no Chromium can do it."""
    browser = find_browser()
    if browser is None:
        raise UnavailableError(
            "There is no Chromium on this machine; open the report in a browser and print it to a PDF."
        )
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *_FLAGS, f"--user-data-dir={profile}", f"--print-to-pdf={out.absolute()}"]
        try:
            done = subprocess.run(  # nosec B603  # found by name above, arguments are paths of ours
                [*command, page.absolute().as_uri()], capture_output=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UnavailableError(_failed(browser)) from error
    if done.returncode != 0 or not out.is_file():
        raise UnavailableError(_failed(browser))


def _failed(browser: str) -> str:
    return f"{browser} could not print the report; open it in a browser and print it to a PDF."
