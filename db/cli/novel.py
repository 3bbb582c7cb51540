"""`python -m db cast` and `voice`: what a campaign shows over all its segments."""

from __future__ import annotations

from typing import Any

from core.backends.registry import load_backends
from core.cli.cast import GlossaryFile, WrittenGlossary, glossary_of, write_cast, write_glossary
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.options import AsJson, OutFile
from core.cli.voice import write_voices
from core.novel.terms import terms, with_terms
from core.text.languages import base_lang
from db.campaigns.glossary import glossary, save_glossary
from db.campaigns.novel import NovelTexts, analyse, novel_texts, stored
from db.cli.options import CampaignName
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import find_campaign


@exit_on_error
def cast_command(
    campaign: CampaignName,
    file: GlossaryFile = None,
    write: WrittenGlossary = None,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """List the persons and places of a campaign's reference, and how each system renders them.

    The list is stored, and computed again after the texts have changed.

    With --glossary the campaign's glossary is replaced by that of the file.
    """
    engine = ready_engine()
    record = find_campaign(engine, campaign)
    lang = base_lang(record.target_lang)
    if file is not None:
        save_glossary(engine, OPERATOR, record.id, glossary_of(file, lang))
    entries = glossary(engine, record.id)
    write_glossary(entries, write, source_lang=base_lang(record.source_lang), lang=lang)
    texts, names = _found(campaign, "cast", "names")
    found = with_terms(names, terms(entries, texts.references, texts.systems))
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
