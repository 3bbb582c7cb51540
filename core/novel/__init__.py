"""What only a whole novel shows: who and what is named, and how each system renders it throughout."""
