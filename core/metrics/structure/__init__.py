"""Structure alignment of subtrees (paper C)."""
