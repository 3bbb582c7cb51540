"""People who are let in, campaigns with a design, marked spans, drafts and check items.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NO_CHANGE = "ratings are only ever added"
WITHDRAWN = (
    "EXISTS (SELECT 1 FROM item JOIN rater ON rater.id = item.rater_id "
    "WHERE item.id = OLD.item_id AND rater.withdrawn_at IS NOT NULL)"
)


def upgrade() -> None:
    _campaigns_and_raters()
    _ways_in()
    _members_and_events()
    _checks_and_drafts()
    _ratings()
    _keep_ratings()


def downgrade() -> None:
    raise NotImplementedError("there is no way back: marked spans would be lost")


def _campaigns_and_raters() -> None:
    """Plain ADD COLUMN: other tables point here, so the tables cannot be made anew."""
    added = {
        "campaign": (
            sa.Column("state", sa.String(), server_default="open", nullable=False),
            sa.Column("design", sa.JSON(), server_default="{}", nullable=False),
            sa.Column("deadline", sa.DateTime(), nullable=True),
            sa.Column("released_at", sa.DateTime(), nullable=True),
        ),
        "rater": (
            sa.Column("role", sa.String(), server_default="rater", nullable=False),
            sa.Column("native_language", sa.String(), server_default="", nullable=False),
            sa.Column("level", sa.String(), server_default="", nullable=False),
            sa.Column("consented_at", sa.DateTime(), nullable=True),
            sa.Column("withdrawn_at", sa.DateTime(), nullable=True),
            sa.Column("seen_at", sa.DateTime(), nullable=True),
        ),
    }
    for table, columns in added.items():
        for column in columns:
            op.add_column(table, column)


def _ways_in() -> None:
    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=True),
        sa.Column("revoked_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_link"),
        sa.UniqueConstraint("token_hash", name="uq_link_token_hash"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_link_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_link_rater_id_rater"),
    )
    op.create_table(
        "account",
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("login", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("locked_until", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("rater_id", name="pk_account"),
        sa.UniqueConstraint("login", name="uq_account_login"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_account_rater_id_rater"),
    )


def _members_and_events() -> None:
    op.create_table(
        "member",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("joined_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_member"),
        sa.UniqueConstraint("campaign_id", "rater_id", name="uq_member_campaign_id_rater_id"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_member_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_member_rater_id_rater"),
    )
    op.create_index("ix_member_rater_id", "member", ["rater_id"])
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_event_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_event_rater_id_rater"),
    )


def _checks_and_drafts() -> None:
    op.create_table(
        "check_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("translation_id", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_text"),
        sa.UniqueConstraint("translation_id", "rule", name="uq_check_text_translation_id_rule"),
        sa.ForeignKeyConstraint(
            ["translation_id"], ["translation.id"], name="fk_check_text_translation_id_translation"
        ),
    )
    op.create_table(
        "item_check",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("check_text_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("item_id", name="pk_item_check"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_item_check_item_id_item"),
        sa.ForeignKeyConstraint(
            ["check_text_id"], ["check_text.id"], name="fk_item_check_check_text_id_check_text"
        ),
    )
    op.create_table(
        "draft",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("item_id", name="pk_draft"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_draft_item_id_item"),
    )


def _ratings() -> None:
    """Nothing points to ratings, so SQLite may make the table anew; that drops its triggers."""
    with op.batch_alter_table("rating") as table:
        table.add_column(sa.Column("spans", sa.JSON(), nullable=True))
        table.drop_constraint(op.f("ck_rating_score_or_skip"), type_="check")
        table.create_check_constraint(
            op.f("ck_rating_score_or_skip"), "score IS NULL OR skipped_reason IS NULL"
        )
        table.create_check_constraint(
            op.f("ck_rating_something"),
            "score IS NOT NULL OR skipped_reason IS NOT NULL OR spans IS NOT NULL",
        )


def _keep_ratings() -> None:
    """Ratings are only ever added; those of a person who has withdrawn may be erased."""
    if op.get_bind().dialect.name == "sqlite":
        for action, unless in (("UPDATE", "0"), ("DELETE", WITHDRAWN)):
            op.execute(f"DROP TRIGGER IF EXISTS rating_no_{action.lower()}")
            op.execute(
                f"CREATE TRIGGER rating_no_{action.lower()} BEFORE {action} ON rating "
                f"WHEN NOT ({unless}) BEGIN SELECT RAISE(ABORT, '{NO_CHANGE}'); END"
            )
    elif op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION rating_is_kept() RETURNS trigger AS $$ BEGIN "
            f"IF TG_OP = 'DELETE' AND {WITHDRAWN} THEN RETURN OLD; END IF; "
            f"RAISE EXCEPTION '{NO_CHANGE}' USING ERRCODE = 'integrity_constraint_violation'; "
            "END $$ LANGUAGE plpgsql"
        )
        op.execute(
            "CREATE TRIGGER rating_is_kept BEFORE UPDATE OR DELETE ON rating "
            "FOR EACH ROW EXECUTE FUNCTION rating_is_kept()"
        )
