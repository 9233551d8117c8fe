"""An item of any test under a condition: its chart, the question, the key, the twin."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import TypeVar

from snellen.draw import dots
from snellen.draw.sheet import enlarged, picture
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks.acuity.battery import eye_test
from snellen.tasks.acuity.draw import crossings, crowding, dotted, gratings, lines, optotypes, paths, printed, vernier
from snellen.tasks.acuity.kind import BLANK, NOTHING, Description, EyeTest
from snellen.tasks.acuity.lines import LINES, described, line_item, line_question, lines_apply
from snellen.tasks.acuity.view import PRINTED, USUALLY, page_of, view_of
from snellen.tasks.padding import padded

_T = TypeVar("_T")
NAME = "acuity"
ALT = "an eye chart"
NONE = "0"
"""The answer to a chart with nothing on it, where things are counted."""
_DRAWN_BY: Mapping[type, ModuleType] = {
    optotypes.OptotypePage: optotypes,
    lines.LetterLines: lines,
    printed.PrintedLetter: printed,
    crowding.Crowd: crowding,
    gratings.Gabor: gratings,
    dotted.ColourPlate: dotted,
    vernier.Vernier: vernier,
    dots.DotPage: dots,
    crossings.Crossing: crossings,
    paths.Tangle: paths,
}
LINE_BYTES = 8192
_PIXELS = 512
"""So many pixels of empty page take less than a byte."""


def item(levels: Mapping[str, str], index: int, seed: int) -> Item:
    """The index-th item of a test and level. Every answer has its turn once in as many items as there are answers."""
    if levels["test"] == LINES:
        return line_item(levels["level"], index, seed)
    test, level = eye_test(levels["test"]), levels["level"]
    source = stream(seed, NAME, test.name, level, index)
    if level == BLANK:
        answer, intensity = NOTHING, float(_turn(test.papers or (0,), test.name, level, index, seed))
    else:
        answer, intensity = _turn(test.answers or (level,), test.name, level, index, seed), float(level)
    truth = {"test": test.name, "level": level, "answer": answer}
    truth |= test.make(answer, intensity, source)
    known = {"test": test.name, "level": level}
    name = f"{NAME}/{test.name}/{level}-{seed}/{index:04}"
    return Item(name, NAME, known, truth, content_digest(json.dumps(truth, sort_keys=True)))


def _turn(among: Sequence[_T], test: str, level: str, index: int, seed: int) -> _T:
    """Whose turn it is among answers, or greys of empty pages: all in random order, then all in another."""
    order = list(among)
    stream(seed, NAME, test, level, "order", index // len(order)).shuffle(order)
    return order[index % len(order)]


def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    view = view_of(condition)
    empty = view.page.width * view.page.height // _PIXELS
    if item.levels["test"] == LINES:
        read = described(item, view)
        question, shown = line_question(read, condition.of(item), pack), chart(read, max(LINE_BYTES, empty))
        return Stimulus(item, condition, (shown, question.text), question, shown.twin)
    test = eye_test(item.levels["test"])
    shown = chart(test.describe(item.truth, view), max(test.bytes, empty), view.enlarged)
    text = pack.say("question", condition.of(item).but(asks=test.asks), {"answers": ", ".join(test.answers)})
    return Stimulus(item, condition, (shown, text), _question(test, item, text), shown.twin)


def form(test: EyeTest) -> Form:
    """How an answer to a test must look."""
    if not test.answers:
        return Form("number", empty=NONE)
    return Form("choice", test.labels, beyond=test.beyond, empty=NOTHING if test.nothing else "")


def _question(test: EyeTest, item: Item, text: str) -> Question:
    answer = item.truth["answer"]
    key = NONE if answer == NOTHING and not test.answers else answer
    return Question(text, form(test), key, test.betrays(item.truth))


@lru_cache(maxsize=16)
def chart(description: Description, size: int, times: float = 1.0) -> Picture:
    """A chart as a subject gets it, its file brought to `size` bytes or a multiple; `times`: its middle, enlarged."""
    maker = _DRAWN_BY[type(description)]
    drawn, words = maker.painted(description), maker.words(description)
    if times > 1:
        drawn, words = enlarged(drawn, times), f"{words} Its middle is cut out and enlarged {times:g} times."
    return padded(picture(drawn, ALT, words), size)


def applies(levels: Mapping[str, str], condition: Condition) -> bool:
    """Whether a test can be put under a condition, and fits the canvas at this level."""
    if levels["test"] == LINES:
        return lines_apply(condition)
    test = eye_test(levels["test"])
    if any(level != USUALLY[name] and name not in test.varied for name, level in condition.items() if name in USUALLY):
        return False
    if levels["level"] == BLANK:
        return all(condition[name] == USUALLY[name] for name in ("place", "font", "enlarged"))
    if condition["enlarged"] != USUALLY["enlarged"] and condition["place"] != USUALLY["place"]:
        return False  # only the middle is cut out
    wide = float(condition["enlarged"]) * (PRINTED if condition["font"] != USUALLY["font"] else 1.0)
    return wide * test.span(float(levels["level"])) <= page_of(condition["canvas"]).shorter
