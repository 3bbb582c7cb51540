"""Classes: what is released, links that can be shown again and have a cap, student numbers, guesses.

Revision ID: 0006
Revises: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

COLUMNS = (
    ("campaign", sa.Column("class_released_at", sa.DateTime(), nullable=True)),
    ("campaign", sa.Column("metrics_released_at", sa.DateTime(), nullable=True)),
    ("link", sa.Column("token", sa.String(), nullable=True)),
    ("link", sa.Column("most", sa.Integer(), nullable=True)),
    ("rater", sa.Column("student_number", sa.String(), nullable=False, server_default="")),
)


def upgrade() -> None:
    for table, column in COLUMNS:
        op.add_column(table, column.copy())
    op.create_table(
        "guess",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("item_id", "metric", name="pk_guess"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_guess_item_id_item"),
        sa.CheckConstraint("level BETWEEN 0 AND 2", name=op.f("ck_guess_level")),
    )


def downgrade() -> None:
    op.drop_table("guess")
    for table, column in reversed(COLUMNS):
        op.drop_column(table, column.name)
