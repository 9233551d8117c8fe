"""A text cut into stages, with marks where it goes back to the picture and where it interrupts itself.

Three stages, as people describe such chains: **collect** (understand the task, gather what the picture shows),
**analyse** (weigh options, follow rules), **conclude** (state the answer, verify it). Each sentence is evidence for
stages (`evidence`), and the chain is the likeliest way through them (`path`). An interruption after a conclusion
("wait, ...") is a step back to analysing: a loop. What follows the thinking proper is the answer.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from snellen.analysis.thought.cues import Plain, Weights, plain, small
from snellen.analysis.thought.evidence import evidence, standing, together
from snellen.analysis.thought.marks import Before, breaks_off, confirms, goes_back, looks, pictures_named
from snellen.analysis.thought.path import best_path
from snellen.analysis.thought.sentences import SHORT, sentences, words

STAGES = ("collect", "analyse", "conclude")
MARKS = ("revisit", "interruption")


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A stretch of a text, in characters. The stages (`STAGES`) follow one another without a gap from the first
    character to the last; marks (`MARKS`) lie within them."""

    start: int
    end: int
    label: str


Annotator = Callable[[str], list[TextSpan]]
"""From a text to its spans: stages first, then marks, each in order."""

CLOSE = 12
"""Marks of one sort with at most so many characters between them are one: "Hmm. Wait, let me re-check"."""
BROKEN_OFF: Weights = (0.0, 1.9, 0.0)
LOOKED_AGAIN: Weights = (0.0, 0.8, 0.0)
"""What an interruption and a look back say for the stages."""
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the rules make of a sentence, wherever it stands: what it says for the stages, whether it is a few words,
    where it breaks off, goes back to the picture, makes sure with it or looks at it, and which pictures it names."""

    weights: Weights
    bare: bool
    broken: re.Match[str] | None
    back: re.Match[str] | None
    sure: re.Match[str] | None
    look: re.Match[str] | None
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence: where it begins and ends, what is made of it, and whether it is the first to name its pictures."""

    start: int
    end: int
    reading: _Reading
    first_look: bool

    def weights(self, k: int, n: int) -> Weights:
        """What it says for each stage as the k-th of n."""
        return together([self.reading.weights, standing(k, n, self.reading.bare)])

    def back(self, stage: str) -> re.Match[str] | None:
        """Where it goes back to the picture: in so many words, or because the first stage is over."""
        reading = self.reading
        late = reading.sure or (None if self.first_look else reading.look)
        return reading.back or (late if stage != "collect" else None)


def annotate(text: str) -> list[TextSpan]:
    """The spans of a text by rule."""
    if not text.strip():
        return []
    thought = _THOUGHT.search(text)
    over = thought.end() if thought else len(text)  # what follows the thinking proper is the answer
    chain = list(_read(text, over))
    thinking = [sentence for sentence in chain if sentence.start < over]
    path = best_path([sentence.weights(k, len(thinking)) for k, sentence in enumerate(thinking)])
    stages = [STAGES[stage] for stage in path] + ["conclude"] * (len(chain) - len(thinking))
    return [*_merged(chain, stages), *_marks(chain, stages)]


def _read(text: str, over: int) -> Iterator[_Sentence]:
    """The sentences. A chain that turns in circles says the same again and again; it is read once."""
    lowered = small(text)
    known: dict[tuple[str, Before], _Reading] = {}
    named: set[str] = set()
    before = Before(anything=False, asked=False)
    for start, end in [*sentences(text, 0, over), *sentences(text, over, len(text))]:
        sentence = lowered[start:end]
        reading = known.get((sentence, before))
        if reading is None:
            reading = known[sentence, before] = _reading(plain(sentence), before)
        yield _Sentence(start, end, reading, bool(reading.names) and named.isdisjoint(reading.names))
        named |= reading.names
        before = Before(before.anything or not reading.bare, sentence.rstrip().endswith(("?", "？")))


def _reading(sentence: Plain, before: Before) -> _Reading:
    broken, back = breaks_off(sentence, before), goes_back(sentence, before)
    turns = [weights for turn, weights in ((broken, BROKEN_OFF), (back, LOOKED_AGAIN)) if turn]
    return _Reading(
        weights=together([evidence(sentence), *turns]),
        bare=words(sentence.text) <= SHORT,
        broken=broken,
        back=back,
        sure=confirms(sentence),
        look=looks(sentence),
        names=pictures_named(sentence),
    )


def _merged(chain: list[_Sentence], stages: list[str]) -> Iterator[TextSpan]:
    for stage, run in groupby(zip(chain, stages, strict=True), key=lambda pair: pair[1]):
        own = [sentence for sentence, _ in run]
        yield TextSpan(own[0].start, own[-1].end, stage)


def _marks(chain: list[_Sentence], stages: list[str]) -> list[TextSpan]:
    marks: list[TextSpan] = []
    for sentence, stage in zip(chain, stages, strict=True):
        for label, match in (("revisit", sentence.back(stage)), ("interruption", sentence.reading.broken)):
            if match is not None:
                marks.append(TextSpan(sentence.start + _begin(match), sentence.start + match.end(), label))
    return _apart(marks)


def _begin(match: re.Match[str]) -> int:
    """Where the words of a match begin, without the signs before them."""
    return match.end() - len(match[0].lstrip(" .,;:!?(…—–-*#\n"))


def _apart(marks: list[TextSpan]) -> list[TextSpan]:
    """Merge marks with the same label that are at most CLOSE characters apart; the first is kept."""
    kept: list[TextSpan] = []
    last: dict[str, TextSpan] = {}
    for mark in marks:
        before = last.get(mark.label)
        if before is None or mark.start - before.end > CLOSE:
            kept.append(mark)
        last[mark.label] = mark
    return kept
