"""Own scales of a campaign: their answers in ratings and in drafts, and the score of a draft.

Revision ID: 0011
Revises: 0010
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rating", sa.Column("scales", sa.JSON(), nullable=True))
    op.add_column("draft", sa.Column("score", sa.Double(), nullable=True))
    op.add_column("draft", sa.Column("scales", sa.JSON(), nullable=True))


def downgrade() -> None:
    for table, column in (("draft", "scales"), ("draft", "score"), ("rating", "scales")):
        with op.batch_alter_table(table) as changed:
            changed.drop_column(column)
