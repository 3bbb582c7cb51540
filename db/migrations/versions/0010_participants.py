"""Members: the participant's id and the parameters that a crowd platform sent.

Revision ID: 0010
Revises: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("member") as changed:
        changed.add_column(sa.Column("participant", sa.String(), nullable=True))
        changed.add_column(sa.Column("parameters", sa.JSON(), server_default="{}", nullable=False))
        changed.create_unique_constraint("uq_member_campaign_id_participant", ["campaign_id", "participant"])


def downgrade() -> None:
    with op.batch_alter_table("member") as changed:
        changed.drop_constraint("uq_member_campaign_id_participant", type_="unique")
        changed.drop_column("parameters")
        changed.drop_column("participant")
