"""Numbers, amounts, dates and times in English and Japanese texts."""
