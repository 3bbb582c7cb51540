"""The first tables, and the triggers that keep ratings as they were given.

Revision ID: 0001
Revises: none
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _campaigns()
    _texts()
    _raters_and_items()
    _ratings()
    _metric_scores()
    if op.get_bind().dialect.name == "sqlite":
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER rating_no_{action.lower()} BEFORE {action} ON rating "
                "BEGIN SELECT RAISE(ABORT, 'ratings are only ever added'); END"
            )


def downgrade() -> None:
    for table in ("metric_score", "rating", "item", "rater", "translation", "segment", "system", "campaign"):
        op.drop_table(table)


def _campaigns() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_ja", sa.String(), nullable=True),
        sa.Column("source_lang", sa.String(), nullable=False),
        sa.Column("target_lang", sa.String(), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("description_en", sa.String(), nullable=False),
        sa.Column("description_ja", sa.String(), nullable=False),
        sa.Column("guideline_en", sa.String(), nullable=True),
        sa.Column("guideline_ja", sa.String(), nullable=True),
        sa.Column("credits_en", sa.String(), nullable=False),
        sa.Column("credits_ja", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_campaign"),
        sa.UniqueConstraint("name", name="uq_campaign_name"),
    )
    op.create_table(
        "system",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=True),
        sa.Column("label_ja", sa.String(), nullable=True),
        sa.Column("is_reference", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_system"),
        sa.UniqueConstraint("campaign_id", "name", name="uq_system_campaign_id_name"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_system_campaign_id_campaign"),
    )


def _texts() -> None:
    op.create_table(
        "segment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=True),
        sa.Column("reference", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_segment"),
        sa.UniqueConstraint(
            "campaign_id", "document", "position", name="uq_segment_campaign_id_document_position"
        ),
        sa.CheckConstraint("position >= 0", name=op.f("ck_segment_position")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_segment_campaign_id_campaign"),
    )
    op.create_table(
        "translation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("segment_id", sa.Integer(), nullable=False),
        sa.Column("system_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_translation"),
        sa.UniqueConstraint("segment_id", "system_id", name="uq_translation_segment_id_system_id"),
        sa.ForeignKeyConstraint(["segment_id"], ["segment.id"], name="fk_translation_segment_id_segment"),
        sa.ForeignKeyConstraint(["system_id"], ["system.id"], name="fk_translation_system_id_system"),
    )
    op.create_index("ix_translation_system_id", "translation", ["system_id"])


def _raters_and_items() -> None:
    op.create_table(
        "rater",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rater"),
        sa.UniqueConstraint("key", name="uq_rater_key"),
    )
    op.create_table(
        "item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("translation_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_item"),
        sa.UniqueConstraint(
            "rater_id", "translation_id", "kind", name="uq_item_rater_id_translation_id_kind"
        ),
        sa.UniqueConstraint("campaign_id", "rater_id", "place", name="uq_item_campaign_id_rater_id_place"),
        sa.CheckConstraint("place >= 0", name=op.f("ck_item_place")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_item_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_item_rater_id_rater"),
        sa.ForeignKeyConstraint(
            ["translation_id"], ["translation.id"], name="fk_item_translation_id_translation"
        ),
    )
    op.create_index("ix_item_translation_id", "item", ["translation_id"])


def _ratings() -> None:
    op.create_table(
        "rating",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("skipped_reason", sa.String(), nullable=True),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rating"),
        sa.UniqueConstraint("item_id", "revision", name="uq_rating_item_id_revision"),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_rating_revision")),
        sa.CheckConstraint("score BETWEEN 0 AND 100", name=op.f("ck_rating_score")),
        sa.CheckConstraint(
            "(score IS NULL) <> (skipped_reason IS NULL)", name=op.f("ck_rating_score_or_skip")
        ),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_rating_item_id_item"),
    )


def _metric_scores() -> None:
    op.create_table(
        "metric_score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("translation_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("missing", sa.String(), nullable=True),
        sa.Column("trace", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_metric_score"),
        sa.UniqueConstraint(
            "translation_id", "metric", "signature", name="uq_metric_score_translation_id_metric_signature"
        ),
        sa.CheckConstraint(
            "(score IS NULL) <> (missing IS NULL)", name=op.f("ck_metric_score_score_or_missing")
        ),
        sa.ForeignKeyConstraint(
            ["translation_id"], ["translation.id"], name="fk_metric_score_translation_id_translation"
        ),
    )
