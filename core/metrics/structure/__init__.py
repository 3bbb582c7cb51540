"""Structure alignment of subtrees (Chousa and Hirao)."""
