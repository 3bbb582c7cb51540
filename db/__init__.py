"""What lasts: campaigns, translations, raters, ratings and scores, in one SQLite file or another database."""
