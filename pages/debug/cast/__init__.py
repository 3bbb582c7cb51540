"""The cast list and its glossary."""
