"""What the first visit to a page costs in a process that has just started: seconds of CPU and of the clock.

    python -m benchmarks.first_visit

Each page is opened in a process of its own, on a new database with the demo campaigns. Times are of the page
after the front page, with the app's frame, without the start of Python and the imports of Streamlit. The last
line is a click on another segment of the pair page.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (
    "pages/debug/pair/page.py",
    "pages/debug/systems/page.py",
    "pages/evaluate/agreement/page.py",
    "pages/debug/meta/page.py",
)
VISIT = """
import sys, time
from streamlit.testing.v1 import AppTest
from pages.auth import session
session.at_this_machine = lambda: True  # AppTest has no browser
from pages.ui import state
state.engine()
at = AppTest.from_file("app.py", default_timeout=300)
at.query_params["lang"] = "en"
page, segment = sys.argv[1:]
def timed(name, act):
    cpu, clock = time.process_time(), time.perf_counter()
    act().run()
    assert not at.exception, at.exception
    taken = f"{time.process_time() - cpu:.2f}", f"{time.perf_counter() - clock:.2f}"
    print(name, *taken, "torch" in sys.modules, sep="\\t")
timed("front", lambda: at)
if page:
    timed(page.split("/")[2], lambda: at.switch_page(page))
if segment:
    box = next(one for one in at.selectbox if str(one.key).startswith("segment-"))
    timed("another segment", lambda: box.select_index(3))
"""


def main() -> int:
    """Print a line per page."""
    sys.stdout.write("page\tCPU s\tclock s\ttorch imported\n")
    with tempfile.TemporaryDirectory() as folder:
        database = {"YOMIKURABE_DB": f"sqlite:///{folder}/first.sqlite", "PYTHONPATH": str(ROOT)}
        for page in ("", *PAGES):  # the first makes the database
            command = [sys.executable, "-W", "ignore", "-c", VISIT, page, "yes" * ("pair" in page)]
            done = subprocess.run(
                command, cwd=ROOT, env={**os.environ, **database}, capture_output=True, text=True, check=True
            )
            lines = done.stdout.splitlines(keepends=True)
            sys.stdout.writelines(lines[1:] or lines)
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
