"""Scoring and statistics: no Streamlit, no database, no environment variables, no secrets."""

__version__ = "0.1.0"
