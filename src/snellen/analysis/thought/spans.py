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

from snellen.analysis.thought import cues

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
WORD = re.compile(r"[一-鿿]|[^\W一-鿿]+")
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def annotate(text: str) -> list[Span]:
    """The spans of a text by rule."""
    if not text.strip():
        return []
    thought = _THOUGHT.search(text)
    over = thought.end() if thought else len(text)  # what follows the thinking proper is the answer
    sentences = [*_sentences(text, 0, over), *_sentences(text, over, len(text))]
    stages = _stages(text, sentences, over)
    return [*_merged(sentences, stages), *_marks(text, sentences, stages)]


def _sentences(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end between two places; together they are all that is between."""
    for match in _SENTENCE.finditer(text, start, stop):
        if match.end() > start:
            yield start, match.end()
            start = match.end()
    if start < stop:
        yield start, stop


def _stages(text: str, sentences: list[tuple[int, int]], over: int) -> list[str]:
    """The stage of each sentence."""
    found: list[str] = []
    now = "collect"
    for start, end in sentences:
        now = "conclude" if start >= over else _next(now, text[start:end])
        found.append(now)
    return _tidied(text, sentences, found)


def _next(now: str, sentence: str) -> str:
    if cues.CONCLUDING.search(sentence) and not sentence.rstrip().endswith("?"):
        return "conclude"
    if now == "conclude":
        return "analyse" if cues.INTERRUPTION.search(sentence) else "conclude"
    if now == "collect":
        weighs = cues.ANALYSING.count(sentence) > cues.COLLECTING.count(sentence)
        interrupts = cues.INTERRUPTION.search(sentence) is not None
        return "analyse" if (weighs or interrupts) and len(WORD.findall(sentence)) > SHORT else "collect"
    return "analyse"


def _tidied(text: str, sentences: list[tuple[int, int]], stages: list[str]) -> list[str]:
    """A conclusion that analysis follows at length, without a word of doubt, was not one: only the last stays, and
    those that an interruption or a check follows."""
    kept = list(stages)
    ends = [k for k, stage in enumerate(kept) if stage == "conclude"]
    if not ends and len(sentences) > 1 and "analyse" in kept:
        kept[-1] = "conclude"  # the last words are the answer, even if they do not say so
    runs = _runs(kept)
    for stage, first, last in runs[:-1]:
        if stage == "conclude" and last - first >= 2 and not _checks(text, sentences, first + 1, last):
            for k in range(first + 1, last):
                kept[k] = "analyse"
    stage, first, last = runs[-1]
    if stage == "conclude" and last - first > 2:
        _shorten(text, sentences, kept, first, last)
    return kept


def _shorten(text: str, sentences: list[tuple[int, int]], kept: list[str], first: int, last: int) -> None:
    """Within the last conclusion, what goes on weighing at length before the answer is stated again is analysis."""
    again = [k for k in range(first, last) if cues.CONCLUDING.search(text[slice(*sentences[k])])]
    for k, following in pairwise(again):
        if following - k > 3 and not _checks(text, sentences, k + 1, following):
            kept[k + 1 : following] = ["analyse"] * (following - k - 1)


def _checks(text: str, sentences: list[tuple[int, int]], first: int, last: int) -> bool:
    return any(cues.VERIFYING.search(text[slice(*sentences[k])]) for k in range(first, last))


def _runs(stages: list[str]) -> list[tuple[str, int, int]]:
    """Stretches of equal stage: which, from and to."""
    found: list[tuple[str, int, int]] = []
    for k, stage in enumerate(stages):
        if found and found[-1][0] == stage:
            found[-1] = (stage, found[-1][1], k + 1)
        else:
            found.append((stage, k, k + 1))
    return found


def _merged(sentences: list[tuple[int, int]], stages: list[str]) -> Iterator[Span]:
    for stage, first, last in _runs(stages):
        yield Span(sentences[first][0], sentences[last - 1][1], stage)


def _marks(text: str, sentences: list[tuple[int, int]], stages: list[str]) -> list[Span]:
    found: list[Span] = []
    for (start, end), stage in zip(sentences, stages, strict=True):
        sentence = text[start:end]
        back = cues.AGAIN.search(sentence) or (cues.LOOKING.search(sentence) if stage != "collect" else None)
        for label, match in (("revisit", back), ("interruption", cues.INTERRUPTION.search(sentence))):
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
