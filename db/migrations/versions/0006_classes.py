"""Classes: releases, links that can be shown again, student numbers, guesses, boards; lessons of teachers.

Revision ID: 0006
Revises: 0005
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def columns() -> tuple[tuple[str, sa.Column[Any]], ...]:
    """Each new column with its table."""
    return (
        ("campaign", sa.Column("class_released_at", sa.DateTime(), nullable=True)),
        ("campaign", sa.Column("metrics_released_at", sa.DateTime(), nullable=True)),
        ("link", sa.Column("token", sa.String(), nullable=True)),
        ("link", sa.Column("most", sa.Integer(), nullable=True)),
        ("rater", sa.Column("student_number", sa.String(), nullable=False, server_default="")),
    )


def upgrade() -> None:
    for table, column in columns():
        op.add_column(table, column)
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
    with op.batch_alter_table("attempt") as attempts:
        attempts.add_column(sa.Column("campaign_id", sa.Integer(), nullable=True))
        attempts.create_foreign_key("fk_attempt_campaign_id_campaign", "campaign", ["campaign_id"], ["id"])
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
    op.drop_table("guess")
    for table, column in reversed(columns()):
        op.drop_column(table, column.name)
