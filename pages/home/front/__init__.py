"""The front page: what this is, three ways in, and the organiser's campaigns."""
