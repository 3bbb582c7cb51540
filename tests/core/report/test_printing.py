"""How the browser is started that prints a report: in its sandbox wherever there can be one."""

from __future__ import annotations

import pytest

from core.errors import UnavailableError
from core.report.page import print_to_pdf

BROWSER = """#!/bin/sh
echo "$*" >> "{log}"
case "$*" in *--no-sandbox*) ;; *) {without} ;; esac
for word in "$@"; do case "$word" in --print-to-pdf=*) echo pdf > "${{word#--print-to-pdf=}}" ;; esac; done
"""


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Print with a stand-in for Chromium; gives for each of its runs whether it had a sandbox."""

    def run(*, root, without=":"):
        log = tmp_path / "log"
        log.write_text("")
        browser = tmp_path / "browser"
        browser.write_text(BROWSER.format(log=log, without=without))
        browser.chmod(0o700)
        monkeypatch.setattr("core.report.page.find_browser", lambda: str(browser))
        monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000)
        try:
            print_to_pdf(tmp_path / "report.html", tmp_path / "report.pdf")
        finally:
            run.sandboxes = ["--no-sandbox" not in line for line in log.read_text().splitlines()]
        return run.sandboxes

    return run


def test_the_browser_has_its_sandbox_but_for_root_and_where_the_machine_allows_none(printed):
    assert printed(root=False) == [True]
    assert printed(root=True) == [False]
    assert printed(root=False, without="echo 'No usable sandbox!' >&2; exit 1") == [True, False]


def test_a_browser_that_fails_for_another_reason_is_not_tried_without_its_sandbox(printed):
    with pytest.raises(UnavailableError, match="could not print"):
        printed(root=False, without="echo 'no disk space' >&2; exit 1")
    assert printed.sandboxes == [True]
