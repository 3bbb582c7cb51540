"""Charts: a trace or a table in, a plotly figure out. No chart computes a score."""
