"""What is taken when nothing is said."""

from pathlib import Path

DEFAULT_SUBJECT = "local/tiny"
DEFAULT_TASK = "fixation"
EYE_CHART = "acuity"
"""The task whose tests `--tests` chooses."""
DEFAULT_STORE = Path("snellen.sqlite")
DEFAULT_REPORT = Path("snellen-report")
