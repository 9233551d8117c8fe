"""Drawings that only this task uses."""
