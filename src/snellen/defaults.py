"""What is taken when nothing is said."""

from pathlib import Path

DEFAULT_SUBJECT = "local/tiny"
DEFAULT_STORE = Path("snellen.sqlite")
DEFAULT_REPORT = Path("snellen-report")
DEFAULT_LISTED = 100_000
"""Trials that a report page lists: a browser opens so many in about a second."""
NOT_OVER = 75
"""The exit status of an exam whose batches are not over: try again later (EX_TEMPFAIL)."""
CACHE_WRITE = 1.25
"""Price of input that a provider writes to its cache, as a multiple of other input, where it has a price."""
