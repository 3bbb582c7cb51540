"""The evidence behind a metric's score, as the pair page and the lessons show it."""
