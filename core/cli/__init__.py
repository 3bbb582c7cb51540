"""The command line: `python -m core`, one module a command."""
