"""Chains of thought whose every sentence a person put in its stage, and how well an annotator does on them.

`golden/thoughts.jsonl` holds a chain a line, written in the styles of today's models: 64 before the rules were changed,
and 24 (`late-...`) after that, before anybody saw what the new rules make of them. The labels say what is done in a
sentence where it stands:

- **collect**: the task is taken in, or what the pictures show is gathered. A picture that is first described late is
  still collecting.
- **analyse**: something is weighed, compared, followed or worked out. Looking again to settle a doubt belongs to it.
- **conclude**: an answer is stated, or one that was stated is checked.
- **revisit**: the picture, or a part of it, is gone back to. The first look at it is none.
- **interruption**: the chain breaks off its own line. A "Hmm" by way of opening, or in passing, is none.

Of every three chains the third is held out: nobody looks at what the rules make of it while the rules are worked on.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from snellen.analysis.thought import MARKS, STAGES, Annotator, annotate

GOLDEN = Path(__file__).parents[1] / "analysis" / "golden" / "thoughts.jsonl"
HELD_OUT_EVERY = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the blanks after it."""

    text: str
    stage: str
    marks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A chain of thought as a person labelled it."""

    name: str
    style: str
    task: str
    held_out: bool
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return "".join(sentence.text for sentence in self.sentences)


def golden_thoughts() -> list[Labelled]:
    return [_labelled(k, json.loads(line)) for k, line in enumerate(GOLDEN.read_text("utf-8").splitlines())]


def _labelled(k: int, chain: dict) -> Labelled:
    sentences = tuple(Sentence(s["text"], s["stage"], frozenset(s.get("marks", ()))) for s in chain["sentences"])
    held_out = k % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
    return Labelled(chain["id"], chain["style"], chain["task"], held_out, sentences)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, and what an annotator says about it."""

    chain: str
    sentence: Sentence
    stage: str
    marks: frozenset[str]


def told(chains: Iterable[Labelled], annotator: Annotator = annotate) -> list[Told]:
    """Every sentence beside what the annotator makes of it: the stage it puts its middle in, the marks in it."""
    return [one for labelled in chains for one in _told(labelled, annotator)]


def _told(labelled: Labelled, annotator: Annotator) -> list[Told]:
    spans = annotator(labelled.text)
    sentences = []
    start = 0
    for sentence in labelled.sentences:
        end, middle = start + len(sentence.text), start + len(sentence.text.rstrip()) // 2
        stage = next(span.label for span in spans if span.label in STAGES and span.start <= middle < span.end)
        marks = frozenset(span.label for span in spans if span.label in MARKS and start <= span.start < end)
        sentences.append(Told(labelled.name, sentence, stage, marks))
        start = end
    return sentences


def stages_right(sentences: Iterable[Told]) -> float:
    """The share of sentences that are put in their stage."""
    alike = [one.stage == one.sentence.stage for one in sentences]
    return sum(alike) / len(alike)


def precision_and_recall(sentences: Iterable[Told], mark: str) -> tuple[float, float]:
    """Of the sentences that the annotator gives a mark, and of those that have it, the share that both agree on."""
    pairs = [(mark in one.marks, mark in one.sentence.marks) for one in sentences]
    both = pairs.count((True, True))
    return both / max(sum(given for given, _ in pairs), 1), both / max(sum(due for _, due in pairs), 1)
