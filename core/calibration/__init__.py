"""A score fitted to a campaign's own raters: from the metrics' evidence to what these people say."""
