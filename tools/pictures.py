"""Take a picture of every page: both languages, both themes, three widths; `make pictures` calls this.

    python tools/pictures.py [PAGE …] [--out shots]

The pages are those of `PAGES` in `pages/ui/frame.py`, on a database of their own with the demos and their
scores. Each is opened at its address. A picture is OUT/PAGE-LANG-THEME-WIDTH.png and as long as the page;
OUT/PAGE.png shows all of one page side by side.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from core.report.page import find_browser
from db.campaigns.demos import seed_demo
from db.engine import make_engine, migrate
from pages.ui.frame import PAGES
from tools import serve

LANGUAGES = {"en": "en-GB", "ja": "ja-JP"}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (1280, 800, 390)
HEIGHT, TALLEST = 900, 12_000
WAIT = 180_000
"""Milliseconds; the first page that needs a model waits until it is loaded."""
QUIET_SECONDS = 1.0
SHRINK = 4

NAMES = tuple(name for _, name, *_ in PAGES)
BUSY = ", ".join(f"[data-testid={one}]" for one in ("stSpinner", "stSkeleton", "stAppSkeleton"))
_IDLE = f"""() => {{
  const app = document.querySelector(".stApp");
  const state = app ? app.dataset : {{}};
  return state.testConnectionState === "CONNECTED" && state.testScriptState === "notRunning"
    && !document.querySelector("{BUSY}") && !!document.querySelector("[data-testid=stElementContainer]");
}}"""


def address(base: str, name: str, lang: str) -> str:
    """Where a page is; the first of `PAGES` is the address itself."""
    return f"{base}/{'' if name == NAMES[0] else name}?lang={lang}"


def settle(page: Page) -> None:
    """Wait until nothing has run or been loaded for a second. Raises TimeoutError of Playwright."""
    quiet = 0.0
    while quiet < QUIET_SECONDS:
        began = time.monotonic()
        page.wait_for_function(_IDLE, timeout=WAIT)
        waited = time.monotonic() - began
        quiet = quiet + 0.25 if waited < 0.25 else 0.0
        page.wait_for_timeout(250)


def take(page: Page, width: int, file: Path) -> None:
    """A picture of the whole page: the window is made as long as its text, which scrolls inside it."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.wait_for_timeout(400)
    settle(page)
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(height, HEIGHT), TALLEST)})
    page.wait_for_timeout(400)
    page.screenshot(path=file, timeout=WAIT)


def pictures(browser: Browser, base: str, names: Sequence[str], out: Path) -> Iterator[Path]:
    """Take all pictures of these pages; gives each file once it is written."""
    for lang, locale in LANGUAGES.items():
        for theme in THEMES:
            visitor = browser.new_context(locale=locale, color_scheme=theme, timezone_id="Asia/Tokyo")
            for name in names:
                page = visitor.new_page()
                page.goto(address(base, name, lang), timeout=WAIT)
                for width in WIDTHS:
                    file = out / f"{name}-{lang}-{theme}-{width}.png"
                    take(page, width, file)
                    yield file
                page.close()
            visitor.close()


def contact_sheet(name: str, out: Path) -> Path:
    """All pictures of a page, small: a row for each language and theme, a column for each width."""
    rows = []
    for lang in LANGUAGES:
        for theme in THEMES:
            files = [out / f"{name}-{lang}-{theme}-{width}.png" for width in WIDTHS]
            rows.append([Image.open(file).convert("RGB").reduce(SHRINK) for file in files])
    heights = [max(one.height for one in row) + SHRINK for row in rows]
    sheet = Image.new("RGB", (sum(one.width + SHRINK for one in rows[0]), sum(heights)), "#888888")
    for number, row in enumerate(rows):
        for column, one in enumerate(row):
            left = sum(before.width + SHRINK for before in row[:column])
            sheet.paste(one, (left, sum(heights[:number])))
    file = out / f"{name}.png"
    sheet.save(file)
    return file


@contextmanager
def app() -> Iterator[str]:
    """The app on a free port and on a new database with the scored demos; gives its address."""
    with TemporaryDirectory() as folder, socket.socket() as probe:
        database = f"sqlite:///{Path(folder) / 'pictures.sqlite'}"
        engine = make_engine(database)
        migrate(engine)
        seed_demo(engine)
        engine.dispose()
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        settings = {**os.environ, "YOMIKURABE_DB": database, "PYTHONPATH": str(serve.ROOT)}
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(serve.command(port, []), cwd=serve.ROOT, env=settings, stdout=quiet)
        try:
            if not serve.warm(port, server):
                raise SystemExit("The app did not start.")
            yield f"http://localhost:{port}"
        finally:
            serve.end(server)


def main() -> int:
    """Take the pictures, then put those of each page together."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("pages", nargs="*", metavar="PAGE", help=f"all unless named: {', '.join(NAMES)}")
    options.add_argument("--out", type=Path, default=Path("shots"), help="the folder for the pictures")
    given = options.parse_args()
    if unknown := sorted(set(given.pages) - set(NAMES)):
        print(f"There is no page {unknown[0]!r}; there are {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    if (chromium := find_browser()) is None:
        print(
            "There is no Chromium on this machine; `make browser` installs one where it may.", file=sys.stderr
        )
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # the server ends with it
    names = given.pages or NAMES
    given.out.mkdir(parents=True, exist_ok=True)
    with app() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
        for file in pictures(browser, base, names, given.out):
            print(file, flush=True)
        browser.close()
    for name in names:
        print(contact_sheet(name, given.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
