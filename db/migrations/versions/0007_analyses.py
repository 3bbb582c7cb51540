"""Analyses of whole novels: cast lists and voices, stored with a fingerprint of their texts.

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
    op.create_table(
        "analysis",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("packed", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "kind", name="pk_analysis"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_analysis_campaign_id_campaign"),
    )


def downgrade() -> None:
    op.drop_table("analysis")
