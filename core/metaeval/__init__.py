"""Does a metric agree with people? Correlations, pairwise accuracies, and how sure one can be of them."""
