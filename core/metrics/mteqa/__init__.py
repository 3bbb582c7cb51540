"""MTEQA (Suzuki et al.): questions about the reference, answered from the translation."""
