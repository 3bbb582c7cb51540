"""Practice, marks filled in beforehand, decisions, scores of documents, corrected translations.

Revision ID: 0005
Revises: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _practice_items()
    _practice_runs()
    _practice_answers()
    op.add_column("rating", sa.Column("edited", sa.String(), nullable=True))
    op.add_column("draft", sa.Column("edited", sa.String(), nullable=True))
    _prefills()
    _adjudications()
    _document_ratings()


def downgrade() -> None:
    for table in ("practice_answer", "practice_run", "practice_item"):
        op.drop_table(table)
    op.drop_table("document_rating")
    op.drop_table("adjudication")
    op.drop_table("prefill")
    op.drop_column("draft", "edited")
    op.drop_column("rating", "edited")


def _practice_items() -> None:
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


def _practice_runs() -> None:
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


def _practice_answers() -> None:
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


def _prefills() -> None:
    op.create_table(
        "prefill",
        sa.Column("translation_id", sa.Integer(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("translation_id", name="pk_prefill"),
        sa.ForeignKeyConstraint(
            ["translation_id"], ["translation.id"], name="fk_prefill_translation_id_translation"
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_prefill_rater_id_rater"),
    )


def _adjudications() -> None:
    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("translation_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("spans", sa.JSON(), nullable=True),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_adjudication"),
        sa.ForeignKeyConstraint(
            ["translation_id"], ["translation.id"], name="fk_adjudication_translation_id_translation"
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_adjudication_rater_id_rater"),
        sa.UniqueConstraint("translation_id", "revision", name="uq_adjudication_translation_id_revision"),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_adjudication_revision")),
        sa.CheckConstraint("score BETWEEN 0 AND 100", name=op.f("ck_adjudication_score")),
    )


def _document_ratings() -> None:
    op.create_table(
        "document_rating",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("system_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_document_rating"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_document_rating_rater_id_rater"),
        sa.ForeignKeyConstraint(["system_id"], ["system.id"], name="fk_document_rating_system_id_system"),
        sa.UniqueConstraint(
            "rater_id",
            "system_id",
            "document",
            "revision",
            name="uq_document_rating_rater_id_system_id_document_revision",
        ),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_document_rating_revision")),
        sa.CheckConstraint("score BETWEEN 0 AND 100", name=op.f("ck_document_rating_score")),
    )
    op.create_index("ix_document_rating_system_id", "document_rating", ["system_id"])
