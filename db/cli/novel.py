"""`python -m db cast` and `voice`: what a campaign shows over all its segments."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Engine

from core.backends.registry import load_backends
from core.cli.cast import write_cast
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.options import AsJson, OutFile
from core.cli.voice import write_voices
from core.novel.cast import cast
from core.novel.voice import voices
from core.text.languages import base_lang
from db.cli.options import CampaignName
from db.engine import ready_engine
from db.queries import find_campaign, get_campaign, list_segments, list_translations
from db.records import SegmentRecord


@exit_on_error
def cast_command(campaign: CampaignName, as_json: AsJson = False, out: OutFile = None) -> None:
    """List the persons and places of a campaign's reference, and how each system renders them."""
    engine = ready_engine()
    number = find_campaign(engine, campaign).id
    segments = list_segments(engine, number)
    systems = _systems(engine, number, segments)
    references = [segment.reference for segment in segments]
    lang = base_lang(get_campaign(engine, number).target_lang)
    with progress_bar("names") as progress:
        found = cast(references, systems, load_backends(say=say_if_tty), lang=lang, progress=progress)
    write_cast(found, list(systems), _places(segments), out, as_json=as_json)


@exit_on_error
def voice_command(campaign: CampaignName, as_json: AsJson = False, out: OutFile = None) -> None:
    """List who speaks in a campaign's texts, with which forms, and where a system breaks a voice."""
    engine = ready_engine()
    number = find_campaign(engine, campaign).id
    segments = list_segments(engine, number)
    systems = _systems(engine, number, segments)
    lang = base_lang(get_campaign(engine, number).target_lang)
    with progress_bar("voices") as progress:
        reference, told = voices(
            [segment.reference for segment in segments],
            systems,
            load_backends(say=say_if_tty),
            lang=lang,
            documents=[segment.document for segment in segments],
            progress=progress,
        )
    write_voices(reference, told, _places(segments), out, as_json=as_json)


def _systems(engine: Engine, number: int, segments: list[SegmentRecord]) -> dict[str, list[str]]:
    """The translations of each system, one a segment, empty where it has none."""
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for one in list_translations(engine, number):
        if not one.is_reference:
            texts[one.system][one.segment_id] = one.text
    return {name: [own.get(segment.id, "") for segment in segments] for name, own in texts.items()}


def _places(segments: list[SegmentRecord]) -> list[str]:
    return [f"{segment.document}:{segment.position}" for segment in segments]
