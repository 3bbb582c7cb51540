"""A study on oneself: the beginning of a story in two translations, ready to be read and compared.

`tools/self_study.py` writes the file, with stored scores beside it. The campaign is made when somebody
begins; what visitors give is kept there, and changes no figure of another campaign.
"""

from __future__ import annotations

from sqlalchemy import Engine, select

from core.assets import ASSETS
from core.errors import InputError
from core.raters.reading.findings import StudyFindings
from db.campaigns.demos import DEMO_SEED
from db.campaigns.load import load_demo
from db.campaigns.score_archive import read_archive, store_archive
from db.campaigns.study import findings_of
from db.engine import write_session
from db.formats import history
from db.formats.bundle import ReadOptions
from db.models import Member
from db.permissions import Viewer
from db.queries import ensure_items, find_campaign, get_campaign
from db.queries.study import StudyRecord, own_study
from db.records import CampaignRecord

FILE = ASSETS / "study" / "silver-blaze.jsonl"
SCORES = FILE.with_name("silver-blaze.scores.jsonl.gz")
NAME, NAME_JA = "Silver Blaze, a study on yourself", "シルヴァブレイズ：自分で読み比べ"


def self_study(engine: Engine) -> CampaignRecord:
    """The campaign, made when it is not there.

    Raises InputError where a campaign that is no demo has its name; its readers are not those of the demo.
    """
    try:
        found = find_campaign(engine, NAME)
    except InputError:
        made = load_demo(engine, history.read(FILE, ReadOptions()), seed=DEMO_SEED)
        if made is not None and SCORES.exists():
            store_archive(engine, made.campaign_id, read_archive(SCORES))
        found = find_campaign(engine, NAME)
    if not found.demo:
        raise InputError("A campaign has the name “{name}” already; its organiser can rename it.", name=NAME)
    return found


def take_part(engine: Engine, viewer: Viewer, rater_id: int) -> CampaignRecord:
    """Let a person read the study: their versions and passages. Raises AccessError for another person."""
    viewer.must_be(rater_id)
    campaign = self_study(engine)
    with write_session(engine) as session:
        there = select(Member.id).where(Member.campaign_id == campaign.id, Member.rater_id == rater_id)
        if session.scalar(there) is None:
            session.add(Member(campaign_id=campaign.id, rater_id=rater_id, part="rater"))
    ensure_items(engine, campaign.id, rater_id)
    return campaign


def own_findings(
    engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int
) -> tuple[StudyRecord, StudyFindings]:
    """What one reader gave, with the names of the versions, and its figures; in a demo only.

    Raises AccessError for another person, InputError for a campaign that is no demo: a reader of a study is
    not told which version is which.
    """
    if not get_campaign(engine, campaign_id).demo:
        raise InputError("Only in a demo does a reader see which version is which.")
    study = own_study(engine, viewer, campaign_id, rater_id)
    return study, findings_of(engine, [(campaign_id, study)])
