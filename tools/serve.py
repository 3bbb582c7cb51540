"""Start the app and request it once; `make run` calls this.

    python tools/serve.py [PORT]

A new Streamlit server does not know the app's pages, so a first visitor with a deep link would read "Page not
found". One request to the health check runs the app once; then the address is printed.
"""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from core.errors import YomikurabeError  # noqa: E402 - the path is set first
from db.engine import database_url, make_engine  # noqa: E402
from db.queries import first_link  # noqa: E402

WAIT_SECONDS = 60


def warm(port: int, server: subprocess.Popen[bytes]) -> bool:
    """Request the health check until it answers; False if the server ended or took too long."""
    address = f"http://localhost:{port}/_stcore/script-health-check"
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=WAIT_SECONDS) as answer:
                return answer.status == 200
        except OSError:
            time.sleep(0.3)
    return False


def announce(port: int) -> None:
    """Print the organiser's link until a link has been opened; it is shown on the console only."""
    engine = make_engine(database_url())
    try:
        token = first_link(engine)
    except YomikurabeError as error:
        print(f"  {error.message}\n", flush=True)
        return
    if token is not None:
        print(
            f"  Everybody at this machine may do everything until you open this link; keep it:\n"
            f"  http://localhost:{port}/?k={token}\n",
            flush=True,
        )


def main() -> int:
    """Start the server, request it once, and wait until it ends."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8501
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        if warm(port, server):
            print(f"\n  Yomikurabe is ready: http://localhost:{port}\n", flush=True)
            announce(port)
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        return server.wait()


if __name__ == "__main__":
    sys.exit(main())
