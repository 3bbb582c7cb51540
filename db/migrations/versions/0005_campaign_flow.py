"""Marks filled in beforehand, decisions between raters, scores of documents, corrected translations.

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
    op.add_column("rating", sa.Column("edited", sa.String(), nullable=True))
    op.add_column("draft", sa.Column("edited", sa.String(), nullable=True))
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


def downgrade() -> None:
    op.drop_table("document_rating")
    op.drop_table("adjudication")
    op.drop_table("prefill")
    op.drop_column("draft", "edited")
    op.drop_column("rating", "edited")
