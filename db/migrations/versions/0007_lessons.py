"""Boards of classes, and lessons that teachers save.

Revision ID: 0007
Revises: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("attempt") as attempts:
        attempts.add_column(sa.Column("campaign_id", sa.Integer(), nullable=True))
        attempts.create_foreign_key(
            "fk_attempt_campaign_id_campaign", "campaign", ["campaign_id"], ["id"]
        )
    op.create_table(
        "saved_lesson",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("page", sa.String(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("remark", sa.String(), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved_lesson"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_saved_lesson_rater_id_rater"),
    )


def downgrade() -> None:
    op.drop_table("saved_lesson")
    with op.batch_alter_table("attempt") as attempts:
        attempts.drop_constraint("fk_attempt_campaign_id_campaign", type_="foreignkey")
        attempts.drop_column("campaign_id")
