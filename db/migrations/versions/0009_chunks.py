"""Close reading: chunks of two versions for each reader; marks, times and answers say which chunk they are of.

Revision ID: 0009
Revises: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TABLES = ("highlight", "page_visit", "reading_answer")


def upgrade() -> None:
    op.create_table(
        "chunk_pair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("first_segment_id", sa.Integer(), nullable=False),
        sa.Column("last_segment_id", sa.Integer(), nullable=False),
        sa.Column("left_id", sa.Integer(), nullable=False),
        sa.Column("right_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_chunk_pair"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_chunk_pair_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_chunk_pair_rater_id_rater"),
        sa.ForeignKeyConstraint(
            ["first_segment_id"], ["segment.id"], name="fk_chunk_pair_first_segment_id_segment"
        ),
        sa.ForeignKeyConstraint(
            ["last_segment_id"], ["segment.id"], name="fk_chunk_pair_last_segment_id_segment"
        ),
        sa.ForeignKeyConstraint(["left_id"], ["reading.id"], name="fk_chunk_pair_left_id_reading"),
        sa.ForeignKeyConstraint(["right_id"], ["reading.id"], name="fk_chunk_pair_right_id_reading"),
        sa.UniqueConstraint(
            "campaign_id", "rater_id", "place", name="uq_chunk_pair_campaign_id_rater_id_place"
        ),
        sa.CheckConstraint("place >= 0", name=op.f("ck_chunk_pair_place")),
        sa.CheckConstraint("left_id <> right_id", name=op.f("ck_chunk_pair_sides")),
    )
    op.create_index("ix_chunk_pair_rater_id", "chunk_pair", ["rater_id"])
    for table in TABLES:
        with op.batch_alter_table(table) as changed:
            changed.add_column(sa.Column("chunk_pair_id", sa.Integer(), nullable=True))
            changed.create_foreign_key(
                f"fk_{table}_chunk_pair_id_chunk_pair", "chunk_pair", ["chunk_pair_id"], ["id"]
            )


def downgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table) as changed:
            changed.drop_constraint(f"fk_{table}_chunk_pair_id_chunk_pair", type_="foreignkey")
            changed.drop_column("chunk_pair_id")
    op.drop_index("ix_chunk_pair_rater_id", "chunk_pair")
    op.drop_table("chunk_pair")
