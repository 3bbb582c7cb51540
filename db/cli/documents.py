"""`python -m db documents`: scores of a campaign's documents, and how they agree with people."""

from __future__ import annotations

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.documents import write_documents
from core.cli.options import AsJson, OutFile, Seed
from core.metrics.documents import DOCUMENT_METRICS
from core.novel.documents import evaluated
from db.campaigns.documents import document_scores
from db.campaigns.novel import analyse, novel_texts
from db.cli.options import CampaignName, ScaleName
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import find_campaign
from db.queries.evaluation import evaluation


@exit_on_error
def documents_command(
    campaign: CampaignName,
    scale: ScaleName = "",
    seed: Seed = 0,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Score the documents of a campaign, and compare with the means of people's scores.

    What this needs, such as the cast list, is stored, and computed where it is missing.
    """
    engine = ready_engine()
    number = find_campaign(engine, campaign).id
    texts = novel_texts(engine, number)
    _, lacking = document_scores(engine, OPERATOR, number, texts)
    for kind in dict.fromkeys(DOCUMENT_METRICS[name].analysis for name in lacking):
        with progress_bar(kind) as progress:
            analyse(engine, OPERATOR, number, kind, load_backends(say=say_if_tty), progress=progress)
    scores, _ = document_scores(engine, OPERATOR, number, texts)
    rows = evaluated(evaluation(engine, OPERATOR, number, scale=scale), scores, seed=seed)
    write_documents(scores, rows, out, as_json=as_json)
