"""What only a whole novel shows: who and what is named, who speaks how, and how each system renders it."""
