"""`make run` leaves nothing running, and does not say that another program's port is ready."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time

import pytest

from core.assets import ROOT

STAND_IN = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job has it ignored
sys.path.insert(0, "tools")
import serve
start = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1"]
serve.command = lambda port, more: [*start, *more, str(port)]
sys.argv[0] = "serve.py"
sys.exit(serve.main())
"""
"""`tools/serve.py` with a server that starts at once and has no health check."""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def serve(port, *more):
    return subprocess.Popen(
        [sys.executable, "-c", STAND_IN, str(port), *more],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_with_the_program_that_started_it(how, tmp_path):
    port = free_port()
    process = serve(port, "--directory", str(tmp_path))
    try:
        until = time.monotonic() + 20
        while not answers(port) and time.monotonic() < until:
            time.sleep(0.05)
        assert answers(port)
        process.send_signal(how)
        assert process.wait(20) == 128 + how
    finally:
        process.kill()
        process.wait()
    assert not answers(port)


def test_a_port_that_is_taken_is_told_and_never_called_ready():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = serve(port)
        said = process.communicate(timeout=20)[0]
    assert process.returncode == 1
    assert said == f"Port {port} is in use; end the other program or give another port.\n"
