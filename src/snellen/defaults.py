"""What is taken when nothing is said."""

from pathlib import Path

DEFAULT_SUBJECT = "local/tiny"
DEFAULT_STORE = Path("snellen.sqlite")
DEFAULT_REPORT = Path("snellen-report")
