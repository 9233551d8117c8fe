"""Answers in a container: \\boxed{X}, the box tokens of some models, {4}."""

import re
from collections import deque
from collections.abc import Iterator

from snellen.answer.outcomes import outcome
from snellen.answer.rules import Reply, stated, whole
from snellen.answer.tidy import Tidy
from snellen.answer.values import Candidate

_BOX = re.compile(r"oxed\s{0,3}\{|fbox\s{0,3}\{|<\|begin_of_box\|>")
_BACKSLASH = re.compile(r"(?:\\?f?b|\\|\x08)$")  # a careless escape turns the first two letters into a backspace
_BRACE = re.compile(r"[{}]")
_LONGEST = 400
_BRACES = re.compile(r"\{(?<![\w}]\{)([^{}\n]{1,60}?)\\?\}")
_EXAMPLE = re.compile(r"(?:e\.g\.,?|for example,?|for instance,?|such as|like) ?$", re.IGNORECASE)
_TRIES = 20
"""So many braces are looked into, from the last one back, before giving up."""


def contents(letters: Tidy) -> tuple[int, int, int, int] | None:
    """The last box that is closed, not empty and no example: its start, its content's start and end, its end."""
    text = letters.text
    for box in reversed(list(_BOX.finditer(text))):
        inner, outer = _closing(text, box)
        before = _BACKSLASH.sub("", text[max(0, box.start() - 20) : box.start()])
        if text[box.end() : inner].strip() and not _EXAMPLE.search(before):
            start = box.start() - min(box.start(), 20) + len(before)
            return start, box.end(), inner, outer
    return None


def _closing(text: str, box: re.Match[str]) -> tuple[int, int]:
    """Where the box's content ends and where the box ends; an empty content if it is never closed."""
    start = box.end()
    if box[0].startswith("<"):
        end = text.find("<|end_of_box|>", start, start + _LONGEST)
        return (end, end + 14) if end >= 0 else (start, start)
    depth = 1
    for brace in _BRACE.finditer(text, start, start + _LONGEST):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start(), brace.end()
    return start, start


def boxed(reply: Reply) -> Iterator[Candidate]:
    """The last box holds the answer. If what it holds is none, the box still speaks last."""
    found = contents(reply.letters)
    if found:
        start, inner, inner_end, end = found
        answer = _inside(reply, inner, inner_end)
        yield Candidate(answer, "boxed", reply.letters.raw(start, end))


def braces(reply: Reply) -> Iterator[Candidate]:
    """The last {braces} hold the answer. Where braces were asked for, other content in them speaks last, too."""
    text = reply.letters.text
    if "{" not in text:
        return
    for match in reversed(deque(_BRACES.finditer(text), maxlen=_TRIES)):
        if not _EXAMPLE.search(text[max(0, match.start() - 16) : match.start()]):
            answer = _inside(reply, *match.span(1))
            if answer or reply.form.final == "braces":
                yield Candidate(answer, "braces", reply.letters.raw(*match.span()))
                return


def _inside(reply: Reply, start: int, end: int) -> str:
    """The answer that the content alone gives, or an empty one."""
    inner = Reply.of(Tidy(reply.letters.text[start:end]), reply.form)
    for rule in (whole, stated, outcome):
        found = list(rule(inner))
        if found:
            return found[-1].answer
    return ""
