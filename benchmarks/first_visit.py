"""What the first visit to a page costs in a process that has just started: seconds of CPU and of the clock.

    python -m benchmarks.first_visit

Each page is opened in a process of its own, on a new database with the demo campaigns. Times are of the page
with the app's frame, without the start of Python and the imports of Streamlit.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "front": "",
    "pair": "pages/debug/pair/page.py",
    "systems": "pages/debug/systems/page.py",
    "agreement": "pages/evaluate/agreement/page.py",
    "meta": "pages/debug/meta/page.py",
}
VISIT = """
import sys, time
from streamlit.testing.v1 import AppTest
from pages.auth import session
session.at_this_machine = lambda: True  # AppTest has no browser
from pages.ui import state
state.engine()
cpu, clock = time.process_time(), time.perf_counter()
at = AppTest.from_file("app.py", default_timeout=300)
at.query_params["lang"] = "en"
at.run()
if sys.argv[1]:
    at.switch_page(sys.argv[1]).run()
assert not at.exception, at.exception
print(f"{time.process_time() - cpu:.1f} {time.perf_counter() - clock:.1f} {'torch' in sys.modules}")
"""


def main() -> int:
    """Print a line per page."""
    sys.stdout.write("page\tCPU s\tclock s\ttorch imported\n")
    with tempfile.TemporaryDirectory() as folder:
        database = {"YOMIKURABE_DB": f"sqlite:///{folder}/first.sqlite", "PYTHONPATH": str(ROOT)}
        for name, script in {"": "", **PAGES}.items():  # the first makes the database
            command = [sys.executable, "-W", "ignore", "-c", VISIT, script]
            done = subprocess.run(
                command, cwd=ROOT, env={**os.environ, **database}, capture_output=True, text=True, check=True
            )
            if name:
                sys.stdout.write("\t".join([name, *done.stdout.split()]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
