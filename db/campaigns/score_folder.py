"""A campaign with its metrics' scores as a folder of mt-metrics-eval, the form of the field's own tool."""

from __future__ import annotations

from sqlalchemy import Engine

from core.metaeval.evaluation import Evaluation
from db.campaigns.export import Download, More, download
from db.campaigns.unload import read_bundle
from db.formats.bundle import Key
from db.formats.mtme_write import Judged, metric_files
from db.permissions import Viewer
from db.queries.evaluation import evaluation


def score_folder(engine: Engine, viewer: Viewer, campaign_id: int) -> Download:
    """The folder as a zip file: texts, people's scores, and those of every metric under `metric-scores`.

    Raises AccessError for a viewer who may not see scores and FileError for a text with a line break.
    """
    bundle = read_bundle(engine, campaign_id)
    return download(bundle, "mtme", more=metric_scores(engine, viewer, campaign_id))


def metric_scores(engine: Engine, viewer: Viewer, campaign_id: int) -> More:
    """The files with every metric's scores, for a folder. Raises AccessError as above."""
    found = evaluation(engine, viewer, campaign_id)
    scores = {metric: _judged(found, metric) for metric in found.metrics}
    return lambda held: metric_files(held, scores)


def _judged(found: Evaluation, metric: str) -> Judged:
    judged: dict[tuple[Key, str], float] = {}
    for row, score in enumerate(found.metrics[metric].tolist()):
        if score == score:  # not NaN
            key = (found.documents[found.document[row]], int(found.position[row]))
            judged[key, found.systems[found.system[row]]] = score
    return judged
