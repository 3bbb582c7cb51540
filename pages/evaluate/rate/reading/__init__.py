"""A reader's way through a reading study."""
