"""The pages, one folder per use, and `ui`, what they share. No script lies directly in here."""
