"""A text cut into stages, with marks where it goes back to the picture and where it interrupts itself.

Three stages, as people describe such chains: **collect** (understand the task, gather what the picture shows),
**analyse** (weigh options, follow rules), **conclude** (state the answer, verify it). A reply begins by collecting. It
analyses from the first sentence that weighs something (an option, a condition, a sum), and concludes where it states
its answer; checking that answer is part of concluding. An interruption after a conclusion ("wait, ...") is a step back
to analysing: a loop. What is called the answer at the very end is a conclusion whatever came before.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from snellen.analysis.thought.cues import ANALYSING, COLLECTING, Cues, cues_within

STAGES = ("collect", "analyse", "conclude")
MARKS = ("revisit", "interruption")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, in characters. The stages (`STAGES`) follow one another without a gap from the first
    character to the last; marks (`MARKS`) lie within them."""

    start: int
    end: int
    label: str


Annotator = Callable[[str], list[Span]]
"""From a text to its spans: stages first, then marks, each in order."""

CLOSE = 12
"""Marks of one sort with at most so many characters between them are one: "Hmm. Wait, let me re-check"."""
SHORT = 4
"""An opening sentence of at most so many words ("Okay, so.") decides nothing."""
_SENTENCE = re.compile(
    r"[^.!?。！？\n]*(?:\.(?=\d)[^.!?。！？\n]*)*(?:[.!?。！？]+[\"')\]*]*(?:\s+|$|(?=[^\x00-\x7f]))|\n\s*|$|[.!?])"
)
_WORD = re.compile(r"[一-鿿]|[^\W一-鿿]+")
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text, where its sentences begin and end, and the cues to look for in them."""

    whole: str
    sentences: list[tuple[int, int]]
    cues: Cues

    def __getitem__(self, k: int) -> str:
        return self.whole[slice(*self.sentences[k])]


def annotate(text: str) -> list[Span]:
    """The spans of a text by rule."""
    if not text.strip():
        return []
    thought = _THOUGHT.search(text)
    over = thought.end() if thought else len(text)  # what follows the thinking proper is the answer
    said = _Text(text, [*_sentences(text, 0, over), *_sentences(text, over, len(text))], cues_within(text))
    stages = _stages(said, over)
    return [*_merged(said, stages), *_marks(said, stages)]


def words(text: str) -> int:
    """How many words a text has; a Chinese character is one."""
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def _sentences(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end between two places; together they are all that is between."""
    for match in _SENTENCE.finditer(text, start, stop):
        if match.end() > start:
            yield start, match.end()
            start = match.end()
    if start < stop:
        yield start, stop


def _stages(said: _Text, over: int) -> list[str]:
    """The stage of each sentence."""
    found: list[str] = []
    now = "collect"
    for k, (start, _) in enumerate(said.sentences):
        now = "conclude" if start >= over else _next(now, said[k], said.cues)
        found.append(now)
    return _tidied(said, found)


def _next(now: str, sentence: str, cues: Cues) -> str:
    if cues.concluding.search(sentence) and not sentence.rstrip().endswith("?"):
        return "conclude"
    if now == "conclude":
        return "analyse" if cues.interruption.search(sentence) else "conclude"
    if now == "collect":
        weighs = ANALYSING.count(sentence) > COLLECTING.count(sentence)
        interrupts = cues.interruption.search(sentence) is not None
        return "analyse" if (weighs or interrupts) and words(sentence) > SHORT else "collect"
    return "analyse"


def _tidied(said: _Text, stages: list[str]) -> list[str]:
    """A conclusion that analysis follows at length, without a word of doubt, was not one: only the last stays, and
    those that an interruption or a check follows."""
    kept = list(stages)
    if "conclude" not in kept and len(kept) > 1 and "analyse" in kept:
        kept[-1] = "conclude"  # the last words are the answer, even if they do not say so
    runs = _runs(kept)
    for stage, first, last in runs[:-1]:
        if stage == "conclude" and last - first >= 2 and not _checks(said, first + 1, last):
            kept[first + 1 : last] = ["analyse"] * (last - first - 1)
    stage, first, last = runs[-1]
    if stage == "conclude" and last - first > 2:
        _shorten(said, kept, first, last)
    return kept


def _shorten(said: _Text, kept: list[str], first: int, last: int) -> None:
    """Within the last conclusion, what goes on weighing at length before the answer is stated again is analysis."""
    again = [k for k in range(first, last) if said.cues.concluding.search(said[k])]
    for k, following in pairwise(again):
        if following - k > 3 and not _checks(said, k + 1, following):
            kept[k + 1 : following] = ["analyse"] * (following - k - 1)


def _checks(said: _Text, first: int, last: int) -> bool:
    return any(said.cues.verifying.search(said[k]) for k in range(first, last))


def _runs(stages: list[str]) -> list[tuple[str, int, int]]:
    """Stretches of equal stage: which, from and to."""
    found: list[tuple[str, int, int]] = []
    for k, stage in enumerate(stages):
        if found and found[-1][0] == stage:
            found[-1] = (stage, found[-1][1], k + 1)
        else:
            found.append((stage, k, k + 1))
    return found


def _merged(said: _Text, stages: list[str]) -> Iterator[Span]:
    for stage, first, last in _runs(stages):
        yield Span(said.sentences[first][0], said.sentences[last - 1][1], stage)


def _marks(said: _Text, stages: list[str]) -> list[Span]:
    found: list[Span] = []
    for k, ((start, _), stage) in enumerate(zip(said.sentences, stages, strict=True)):
        sentence = said[k]
        back = said.cues.again.search(sentence) or (said.cues.looking.search(sentence) if stage != "collect" else None)
        for label, match in (("revisit", back), ("interruption", said.cues.interruption.search(sentence))):
            if match is not None:
                found.append(Span(start + match.start(), start + match.end(), label))
    return _apart(found)


def _apart(marks: list[Span]) -> list[Span]:
    """Marks of one sort that all but touch are one."""
    kept: list[Span] = []
    last: dict[str, Span] = {}
    for mark in marks:
        before = last.get(mark.label)
        if before is None or mark.start - before.end > CLOSE:
            kept.append(mark)
        last[mark.label] = mark
    return kept
