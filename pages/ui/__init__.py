"""What the pages share: the database, the session, words, widgets. No page of its own."""
