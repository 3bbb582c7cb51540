"""BERTScore (Zhang et al., 2020) and what its relatives share with it."""
