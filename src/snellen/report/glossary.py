"""The terms of the report, each explained in a sentence or two: one list for the page and for docs/glossary.md."""

import tomllib
from functools import cache
from importlib import resources

_INTRODUCTION = """\
# Glossary

Every term of the report and of its statistics. On the report page each of them explains itself: point at it, tap it, or
reach it with the Tab key. [Concepts](concepts.md) tells how they belong together, and
[Statistics](statistics.md) has the formulas.
"""


@cache
def glossary() -> dict[str, dict[str, str]]:
    """Groups of terms, each term with its explanation, in the order in which they are shown."""
    return tomllib.loads(resources.files("snellen.report").joinpath("glossary.toml").read_text("utf-8"))


def glossary_page() -> str:
    """The page of the documentation, in Markdown."""
    parts = [_INTRODUCTION]
    for group, terms in glossary().items():
        rows = "".join(f"| **{term}** | {words} |\n" for term, words in terms.items())
        parts.append(f"\n## {group}\n\n| term | meaning |\n|---|---|\n{rows}")
    return "".join(parts)
