"""Lessons: what is shown, asked and to be answered, kind by kind. Nearly all is asked just as an exam does.

The kinds are what stages of a recipe choose among. With the picture: `read` (the board out, place by place), `see`
(single cells, counts, who has more), `descriptive`, `standard` (the usual rule in plain words), `alias` (either rule in
made-up words), `inverse` (the other rule in plain words). Without: `words` (the board in characters), `fact` (who has
the line or more is said, what follows is asked) and `told`, the first two also as `inverse words` and `inverse fact`.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from snellen.call import Reply
from snellen.item import Condition, Item, Parts, Question, Stimulus
from snellen.paradigms import PARADIGMS, WORDING
from snellen.prompts import Pack, load
from snellen.rng import Stream, stream
from snellen.tasks.fixation import TASK

FACTS = {
    "line": "The board is not shown. This much is known: {} has the line.",
    "count": "The board is not shown. This much is known: {} has more.",
}
_WORDS = """
BRON CADE DUSK FENT GOVE HIRT JALM KOBE LUNT MARP NISK OLVE PRUD QUIM RAST SELB TRON ULKE VARD WEMP YOLT ZIBB
BLAF CREM DOLG FASK GRUN HEPT JORV KLIM LASP MUND NARV OSKE PELM RULK SIND TAVE VESP WOLF YARM ZUND
"""
OTHER_TAGS = tuple(_WORDS.split())
"""More made-up words than an exam has, so that binding them has to be learnt, not the words."""


@dataclass(frozen=True, slots=True)
class Lesson:
    kind: str
    parts: Parts
    answer: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is taught about the same pictures: as many lessons of every kind, in the same order, on every sheet of a
    course. `keys` are those of its items (see `snellen.subjects.trained_on`)."""

    keys: tuple[str, ...]
    lessons: tuple[Lesson, ...]


def answer(question: Question) -> str:
    """The right reply, in the form that is asked for."""
    return f"{{{question.key}}}" if question.form.final == "braces" else question.key


def lessons(item: Item) -> Iterator[Lesson]:
    """What one board teaches: some of every kind."""
    rng = stream(0, item.id, "lessons")
    look = rng.choice(("base",) * 4 + ("checkerboard", "glyph"))
    shown = _asked(item, _condition(rng, rendering=look))
    yield from _sights(shown, rng)
    for _ in range(2):
        yield _direct("descriptive", _asked(item, _varied(rng, look, "descriptive", None)))
        yield _direct("standard", _asked(item, _varied(rng, look, "base", "standard")))
        yield _direct("inverse", _asked(item, _varied(rng, look, "base", "inverse")))
    for prompt in ("alias", "semalias"):
        for rule in ("standard", "inverse"):
            yield _direct("alias", _asked(item, _varied(rng, look, prompt, rule)))
    for prompt, known in (("base", "standard"), ("descriptive", None), ("alias", None)):
        yield _in_words("words", _asked(item, _varied(rng, look, prompt, known)), rng)
        yield from_the_fact("fact", _asked(item, _varied(rng, look, prompt, known)))
    yield _in_words("inverse words", _asked(item, _varied(rng, look, "base", "inverse")), rng)
    yield from_the_fact("inverse fact", _asked(item, _varied(rng, look, "base", "inverse")))
    yield _put("told", "told", _asked(item, _varied(rng, look, "base", "standard")))


def _varied(rng: Stream, look: str, prompt: str, rule: str | None) -> Condition:
    return _condition(
        rng, rendering=look, prompt=prompt, rule=rule or rng.choice(("standard", "inverse")), order=_order(rng)
    )


def _order(rng: Stream) -> str:
    return rng.choice(("image_first", "image_first", "text_first"))


def _condition(rng: Stream, **levels: str) -> Condition:
    usual = {factor.name: factor.levels[0] for factor in TASK.factors if not factor.of_item}
    return Condition({**usual, "target": rng.choice(("winner", "loser")), **levels})


def _asked(item: Item, condition: Condition) -> Stimulus:
    return TASK.stimulus(item, condition, _pack())


@cache
def _pack() -> Pack:
    pack = load(TASK.prompts, TASK.name)
    tags = [*pack.values("tags"), *OTHER_TAGS]
    return replace(pack, pieces={**pack.pieces, "tags": tags}, digest=f"{pack.digest} and more tags")


def _direct(kind: str, stimulus: Stimulus) -> Lesson:
    return Lesson(kind, stimulus.parts, stimulus.question.key)


def _in_words(kind: str, stimulus: Stimulus, rng: Stream) -> Lesson:
    """The board in characters, in either of the two ways an exam has."""
    if rng.chance():
        return _put(kind, "words", stimulus)
    condition = stimulus.condition.but(modality="text")
    return _direct(kind, _asked(stimulus.item, condition))


def from_the_fact(kind: str, stimulus: Stimulus) -> Lesson:
    """Rules without anything to see or to find."""
    truth, question = stimulus.item.truth, stimulus.question
    fact = FACTS["line" if "line" in truth else "count"].format(question.form.labels[truth["winner"] - 1])
    return Lesson(kind, (f"{fact}\n\n{question.text}",), question.key)


def _put(kind: str, paradigm: str, stimulus: Stimulus) -> Lesson:
    return Lesson(kind, put(paradigm, stimulus), stimulus.question.key)


def put(paradigm: str, stimulus: Stimulus) -> Parts:
    """What a paradigm of one call says, whoever is asked."""
    said: list[Parts] = []

    async def ask(role: str, *parts: Any, **settings: Any) -> Reply:
        said.append(parts)
        return Reply("")

    with suppress(StopIteration):  # nobody is waited for, so the first step is the last
        PARADIGMS[paradigm].run(stimulus, ask, paradigm_words).__await__().send(None)
    return said[-1]


def paradigm_words(piece: str, **values: str) -> str:
    """The paradigms' own words."""
    return _words().say(piece, Condition({}), values)


@cache
def _words() -> Pack:
    return load(WORDING, "paradigms")


def _sights(stimulus: Stimulus, rng: Stream) -> Iterator[Lesson]:
    """What is on the board, rules apart."""
    picture = stimulus.pictures
    for probe in stimulus.probes:
        yield Lesson("see", (*picture, probe.text), probe.key)
    labels = stimulus.question.form.labels
    names = ("nothing", *labels)
    cells = stimulus.item.truth["cells"]
    yield Lesson("read", (*picture, READ), " ".join(names[int(digit)] for digit in cells))
    player = rng.below(2)
    count = str(cells.count(str(player + 1)))
    yield Lesson("see", (*picture, COUNT.format(labels[player])), count)


READ = "Read the board out, place by place and row by row."
COUNT = "How many places does {} hold? Reply with a number and nothing else."
