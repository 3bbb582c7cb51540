"""The hack lab: edited translations under many metrics at once, and what each edit did to each score."""
