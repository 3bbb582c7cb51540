"""Comments coded by hand: a code book for each campaign, its coders, and the codes that they gave.

Revision ID: 0012
Revises: 0011
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comment_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("meaning", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_comment_code"),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_comment_code_campaign_id_campaign"
        ),
        sa.UniqueConstraint("campaign_id", "name", name="uq_comment_code_campaign_id_name"),
    )
    op.create_table(
        "comment_coder",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.DateTime(), nullable=False),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("campaign_id", "rater_id", name="pk_comment_coder"),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_comment_coder_campaign_id_campaign"
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_comment_coder_rater_id_rater"),
    )
    op.create_table(
        "comment_coding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("coder_id", sa.Integer(), nullable=False),
        sa.Column("codes", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_comment_coding"),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_comment_coding_campaign_id_campaign"
        ),
        sa.ForeignKeyConstraint(["author_id"], ["rater.id"], name="fk_comment_coding_author_id_rater"),
        sa.ForeignKeyConstraint(["coder_id"], ["rater.id"], name="fk_comment_coding_coder_id_rater"),
        sa.UniqueConstraint(
            "kind", "source_id", "coder_id", name="uq_comment_coding_kind_source_id_coder_id"
        ),
    )
    for column in ("campaign_id", "author_id", "coder_id"):
        op.create_index(f"ix_comment_coding_{column}", "comment_coding", [column])


def downgrade() -> None:
    for column in ("author_id", "campaign_id", "coder_id"):
        op.drop_index(f"ix_comment_coding_{column}", "comment_coding")
    for table in ("comment_coding", "comment_coder", "comment_code"):
        op.drop_table(table)
