"""Which sentences of two texts belong together: beads of up to six sentences a side, with confidence."""
