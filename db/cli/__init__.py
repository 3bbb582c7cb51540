"""The command line: `python -m db`."""
