"""People's scores: normalised per rater, compared between raters, joined into one number per item."""
