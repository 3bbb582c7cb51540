"""Campaigns as a whole: loaded, unloaded, checked, scored and reported."""
