"""What a visitor sees first."""
