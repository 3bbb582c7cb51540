"""Why does a metric say what it says."""
