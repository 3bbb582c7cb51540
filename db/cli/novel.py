"""`python -m db cast` and `voice`: what a campaign shows over all its segments."""

from __future__ import annotations

from typing import Any

from core.backends.registry import load_backends
from core.cli.cast import write_cast
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.options import AsJson, OutFile
from core.cli.voice import write_voices
from db.campaigns.novel import NovelTexts, analyse, novel_texts, stored
from db.cli.options import CampaignName
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import find_campaign


@exit_on_error
def cast_command(campaign: CampaignName, as_json: AsJson = False, out: OutFile = None) -> None:
    """List the persons and places of a campaign's reference, and how each system renders them.

    The list is stored, and computed again after the texts have changed.
    """
    texts, found = _found(campaign, "cast", "names")
    write_cast(found, list(texts.systems), texts.places, out, as_json=as_json)


@exit_on_error
def voice_command(campaign: CampaignName, as_json: AsJson = False, out: OutFile = None) -> None:
    """List who speaks in a campaign's texts, with which forms, and where a system breaks a voice.

    The ledger is stored, and computed again after the texts have changed.
    """
    texts, (reference, told) = _found(campaign, "voice", "voices")
    write_voices(reference, told, texts.places, out, as_json=as_json)


def _found(campaign: str, kind: str, words: str) -> tuple[NovelTexts, Any]:
    """The texts of a campaign and their analysis, stored or new."""
    engine = ready_engine()
    number = find_campaign(engine, campaign).id
    texts = novel_texts(engine, number)
    found = stored(engine, number, kind, texts)
    if found is None:
        with progress_bar(words) as progress:
            backends = load_backends(say=say_if_tty)
            found = analyse(engine, OPERATOR, number, kind, backends, progress=progress)
    return texts, found
