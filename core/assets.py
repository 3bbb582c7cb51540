"""Paths of the files that come with the program: word lists, prompts, demos, models."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
