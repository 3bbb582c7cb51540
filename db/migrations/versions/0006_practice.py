"""Practice items, and what raters answered to them.

Revision ID: 0006
Revises: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _items()
    _runs()
    _answers()


def downgrade() -> None:
    for table in ("practice_answer", "practice_run", "practice_item"):
        op.drop_table(table)


def _items() -> None:
    op.create_table(
        "practice_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("translation_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("piece_start", sa.Integer(), nullable=True),
        sa.Column("piece_end", sa.Integer(), nullable=True),
        sa.Column("severity", sa.String(), nullable=False),
        sa.Column("clean", sa.Boolean(), nullable=False),
        sa.Column("feedback_en", sa.String(), nullable=False),
        sa.Column("feedback_ja", sa.String(), nullable=False),
        sa.CheckConstraint("(low IS NULL) = (high IS NULL)", name="score_range"),
        sa.CheckConstraint("(piece_start IS NULL) = (piece_end IS NULL)", name="piece"),
        sa.PrimaryKeyConstraint("id", name="pk_practice_item"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_practice_item_campaign_id_campaign"),
        sa.ForeignKeyConstraint(
            ["translation_id"], ["translation.id"], name="fk_practice_item_translation_id_translation"
        ),
        sa.UniqueConstraint("campaign_id", "translation_id", name="uq_practice_item_campaign_id_translation_id"),
    )


def _runs() -> None:
    op.create_table(
        "practice_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("correct", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_practice_run"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_practice_run_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_practice_run_rater_id_rater"),
        sa.UniqueConstraint(
            "campaign_id", "rater_id", "number", name="uq_practice_run_campaign_id_rater_id_number"
        ),
    )
    op.create_index("ix_practice_run_rater_id", "practice_run", ["rater_id"])


def _answers() -> None:
    op.create_table(
        "practice_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("practice_item_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("spans", sa.JSON(), nullable=True),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_practice_answer"),
        sa.ForeignKeyConstraint(["run_id"], ["practice_run.id"], name="fk_practice_answer_run_id_practice_run"),
        sa.ForeignKeyConstraint(
            ["practice_item_id"], ["practice_item.id"], name="fk_practice_answer_practice_item_id_practice_item"
        ),
        sa.UniqueConstraint("run_id", "practice_item_id", name="uq_practice_answer_run_id_practice_item_id"),
    )
    op.create_index("ix_practice_answer_practice_item_id", "practice_answer", ["practice_item_id"])
