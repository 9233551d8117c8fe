"""The rule that a reply states, as whoever applies it is given it and whoever studies replies reads it."""

import re

_FIRST_IN_LINE = re.compile(r"^[^\w\n]*(?:\d+[^\w\n]+)?rule[*_ ]*:[\s*_]*", re.IGNORECASE | re.MULTILINE)
_ANYWHERE = re.compile(r"\brule[*_ ]*:[\s*_]*", re.IGNORECASE)


def stated_rule(text: str) -> str:
    """The line that follows the last "Rule:" (at the start of a line, if it stands there at all), without marks of
    emphasis; empty if nothing does."""
    marks = [*_FIRST_IN_LINE.finditer(text)] or [*_ANYWHERE.finditer(text)]
    line = text[marks[-1].end() :].partition("\n")[0] if marks else ""
    return " ".join(line.split()).rstrip("*_")
