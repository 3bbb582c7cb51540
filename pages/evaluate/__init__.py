"""People rate, and organisers see whether they agree."""
