"""Options shared by the commands of db."""

from __future__ import annotations

from typing import Annotated

from typer import Option

CampaignName = Annotated[str, Option("--campaign", help="Name of the campaign.")]
Force = Annotated[bool, Option("--force", help="Overwrite existing files.")]
