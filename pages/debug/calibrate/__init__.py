"""The calibrated score: the page and its tabs."""
