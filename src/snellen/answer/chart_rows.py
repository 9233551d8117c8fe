"""Lines of letters, as somebody reads an eye chart aloud: "1: K D N R S", one line of the reply for each.

The canonical spelling is KDNRS/CZHVO/...: lines from the top, a letter that is left open as a question mark, a line
that is left out as nothing. Lines with numbers go where these say, others follow one another. What is no line of
letters is passed over: a heading, a sentence before or after.
"""

import json
import re
from collections.abc import Sequence

from snellen.answer.tidy import spoken
from snellen.item import Question

CHART_ROWS = "chart-rows"
OPEN = "?"
_MOST = 99
_LINE = re.compile(
    r"\W*(?:(?:line|row)\s*#?\s*)?(?:(?P<number>\d{1,2})\s*(?:[:.)\]|-]|=>|→)*\s*)?(?P<rest>.*)", re.IGNORECASE
)
_CANONICAL = re.compile(r"[A-Z?]{2,9}(?:/[A-Z?]{0,9}){1,98}")
_MARKUP = re.compile(r"[*_`|,;.\-–—/\\'\"()\[\]{}<>]+")
_WORD = re.compile(r"[A-Za-z]{1,40}|[?□■�]+")


def spelled_rows(rows: Sequence[str]) -> str:
    return "/".join(rows)


def read_rows(text: str) -> str:
    """The lines that a reply reads, in canonical spelling; empty if it has none. Where some have numbers, only those
    count, the last of each number."""
    spoken_text = _said(text)
    if _CANONICAL.fullmatch(spoken_text.strip()):
        return spoken_text.strip()
    lines = [match for line in spoken_text.splitlines() if (match := _LINE.match(line)) and _letters(match["rest"])]
    numbered = {int(line["number"]) - 1: _letters(line["rest"]) for line in lines if line["number"]}
    placed = numbered or {k: _letters(line["rest"]) for k, line in enumerate(lines)}
    last = max((at for at in placed if 0 <= at < _MOST), default=-1)
    return spelled_rows([placed.get(k, "") for k in range(last + 1)])


def _said(text: str) -> str:
    """The reply without what was thought before it; of a JSON object, the answer in it."""
    text = spoken(text).text
    try:
        held = json.loads(text)
    except ValueError:
        return text
    return held["answer"] if isinstance(held, dict) and isinstance(held.get("answer"), str) else text


def _letters(text: str) -> str:
    """The letters of a line, if it holds nothing else: single ones with space between them, or several in a row that
    are no word of a sentence (capitals)."""
    parts = _MARKUP.sub(" ", text).split()
    if not parts or not all(_WORD.fullmatch(part) for part in parts):
        return ""
    if not all(len(part) == 1 or part.isupper() or part[0] in "?□■�" for part in parts):
        return ""
    return "".join(re.sub(r"[^A-Z]", OPEN, part.upper()) for part in parts)


def decide_rows(answer: str, question: Question) -> tuple[bool | None, str]:
    """Right is only what has every letter; how many there are of each size is for the study to say."""
    return answer == question.key, ""


def example_rows(question: Question, mechanism: str) -> str:
    return question.key


def reference_rows(question: Question) -> str:
    return f"The lines are, from the top: {', '.join(question.key.split('/'))}. Right is what has every letter."
