"""`python -m db cast`: the persons and places of a campaign's reference, and their renderings."""

from __future__ import annotations

from collections import defaultdict

from core.backends.registry import load_backends
from core.cli.cast import write_cast
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.options import AsJson, OutFile
from core.novel.cast import cast
from core.text.languages import base_lang
from db.cli.options import CampaignName
from db.engine import ready_engine
from db.queries import find_campaign, get_campaign, list_segments, list_translations


@exit_on_error
def cast_command(campaign: CampaignName, as_json: AsJson = False, out: OutFile = None) -> None:
    """List the persons and places of a campaign's reference, and how each system renders them."""
    engine = ready_engine()
    number = find_campaign(engine, campaign).id
    segments = list_segments(engine, number)
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for one in list_translations(engine, number):
        if not one.is_reference:
            texts[one.system][one.segment_id] = one.text
    systems = {name: [own.get(segment.id, "") for segment in segments] for name, own in texts.items()}
    references = [segment.reference for segment in segments]
    lang = base_lang(get_campaign(engine, number).target_lang)
    with progress_bar("names") as progress:
        found = cast(references, systems, load_backends(say=say_if_tty), lang=lang, progress=progress)
    places = [f"{segment.document}:{segment.position}" for segment in segments]
    write_cast(found, list(systems), places, out, as_json=as_json)
