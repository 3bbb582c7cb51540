"""Pictures: a trace or a table in, a plotly figure out. Nothing here computes a score."""
