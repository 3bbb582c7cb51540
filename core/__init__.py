"""Scoring and statistics, without Streamlit and without a database."""

__version__ = "0.1.0"
