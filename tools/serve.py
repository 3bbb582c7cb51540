"""Start the app and request it once; `make run` calls this.

    python tools/serve.py [PORT] [--server.OPTION VALUE …]

A new Streamlit server does not know the app's pages, so a first visitor with a deep link would read "Page not
found". One request to the health check runs the app once; then the address is printed. Further options are
Streamlit's.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
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
END_SECONDS = 20
WARM = "10"
"""Seconds after which the app loads its encoder in the background; the environment may say otherwise."""


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


def free(port: int) -> bool:
    """Whether nobody answers at this port of this machine."""
    try:
        with socket.create_server(("127.0.0.1", port)):
            return True
    except OSError:
        return False


def command(port: int, more: list[str]) -> list[str]:
    """What starts the server."""
    return [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), *more]


def end(server: subprocess.Popen[bytes]) -> int:
    """End the server, at once if it does not end by itself; gives its exit status."""
    server.terminate()
    try:
        return server.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        return server.wait()


def main() -> int:
    """Start the server, request it once, and wait until it ends. It ends with this program."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("port", type=int, nargs="?", default=8501, metavar="PORT")
    given, more = options.parse_known_args()
    if not free(given.port):
        print(f"Port {given.port} is in use; end the other program or give another port.", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # how systemd and Docker end it
    server = subprocess.Popen(
        command(given.port, more), cwd=ROOT, env={"YOMIKURABE_WARM": WARM, **os.environ}
    )
    try:
        if warm(given.port, server):
            print(f"\n  Yomikurabe is ready: http://localhost:{given.port}\n", flush=True)
            announce(given.port)
        return server.wait()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    finally:
        end(server)


if __name__ == "__main__":
    sys.exit(main())
