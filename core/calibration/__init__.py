"""Calibration: a score fitted to a campaign's own raters from the evidence of the metrics."""
