"""MARVEL."""
