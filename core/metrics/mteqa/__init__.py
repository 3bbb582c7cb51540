"""MTEQA (paper E): questions about the reference, answered from the translation."""
