"""Reading studies: versions of each reader, times on pages, highlights, answers.

Revision ID: 0008
Revises: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("system_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("segment_id", sa.Integer(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_reading"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_reading_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_reading_rater_id_rater"),
        sa.ForeignKeyConstraint(["system_id"], ["system.id"], name="fk_reading_system_id_system"),
        sa.ForeignKeyConstraint(["segment_id"], ["segment.id"], name="fk_reading_segment_id_segment"),
        sa.UniqueConstraint("campaign_id", "rater_id", "place", name="uq_reading_campaign_id_rater_id_place"),
        sa.UniqueConstraint(
            "campaign_id", "rater_id", "system_id", name="uq_reading_campaign_id_rater_id_system_id"
        ),
        sa.CheckConstraint("place >= 0", name=op.f("ck_reading_place")),
        sa.CheckConstraint("start >= 0", name=op.f("ck_reading_start")),
    )
    op.create_index("ix_reading_rater_id", "reading", ["rater_id"])
    op.create_index("ix_reading_system_id", "reading", ["system_id"])
    _page_visits()
    _highlights()
    op.create_table(
        "reading_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.Integer(), nullable=True),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reading_answer"),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_reading_answer_campaign_id_campaign"
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_reading_answer_rater_id_rater"),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.id"], name="fk_reading_answer_reading_id_reading"),
    )
    op.create_index(
        "ix_reading_answer_campaign_id_rater_id", "reading_answer", ["campaign_id", "rater_id"]
    )


def _page_visits() -> None:
    op.create_table(
        "page_visit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(length=40), nullable=False),
        sa.Column("first_segment_id", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("last_segment_id", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("active", sa.Double(), nullable=False),
        sa.Column("away", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_page_visit"),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.id"], name="fk_page_visit_reading_id_reading"),
        sa.ForeignKeyConstraint(
            ["first_segment_id"], ["segment.id"], name="fk_page_visit_first_segment_id_segment"
        ),
        sa.ForeignKeyConstraint(
            ["last_segment_id"], ["segment.id"], name="fk_page_visit_last_segment_id_segment"
        ),
        sa.UniqueConstraint("reading_id", "mark", name="uq_page_visit_reading_id_mark"),
        sa.CheckConstraint("active >= 0 AND away >= 0", name=op.f("ck_page_visit_seconds")),
    )


def _highlights() -> None:
    op.create_table(
        "highlight",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(length=40), nullable=False),
        sa.Column("segment_id", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("removed_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_highlight"),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.id"], name="fk_highlight_reading_id_reading"),
        sa.ForeignKeyConstraint(["segment_id"], ["segment.id"], name="fk_highlight_segment_id_segment"),
        sa.UniqueConstraint("reading_id", "mark", name="uq_highlight_reading_id_mark"),
        sa.CheckConstraint('start >= 0 AND "end" > start', name=op.f("ck_highlight_stretch")),
    )


def downgrade() -> None:
    for table in ("reading_answer", "highlight", "page_visit"):
        op.drop_table(table)
    op.drop_index("ix_reading_system_id", "reading")
    op.drop_index("ix_reading_rater_id", "reading")
    op.drop_table("reading")
