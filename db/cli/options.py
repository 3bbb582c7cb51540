"""Options shared by the commands of db."""

from __future__ import annotations

from typing import Annotated

from typer import Option

CampaignName = Annotated[str, Option("--campaign", help="Name of the campaign.")]
ScaleName = Annotated[
    str,
    Option(
        "--scale",
        help="One of the campaign's own scales; its answers, mapped to 0-100, are taken as scores.",
        show_default="the protocol's score",
    ),
]
Force = Annotated[bool, Option("--force", help="Overwrite existing files.")]
