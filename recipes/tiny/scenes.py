"""Scenes and captions to learn to match. The captions of most lessons speak of other things, as in the training of
usual models of pictures and words: who knows what is in a picture can choose, whatever stands where and who does what.
`exchanged` kinds have the task's own pairs of captions, with the same words; stages choose how many of them there are.
"""

from collections.abc import Iterator
from functools import cache

from recipes.tiny.lessons import Lesson, Sheet, answer, put
from snellen.item import Condition, Item
from snellen.prompts import Pack, load
from snellen.rng import Stream, stream
from snellen.subjects.trained_on import training_key
from snellen.tasks.panels import Panel
from snellen.tasks.winoground import TASK, drawn, item_of
from snellen.tasks.winoground.generated import SWAPS, sample_at
from snellen.tasks.winoground.sample import Sample

TASK_NAME = TASK.name
HELD_OUT = (0, 991)
"""Seeds of exams whose captions are never learnt from, for the first `_SAMPLES` of each."""
_SAMPLES = 300
_LEARNT = "0123"
"""First letters of the keys of captions that may be learnt from: a quarter, so that no exam loses more."""
NAME = "What is in the picture? Reply with the names and nothing else."


def sheet(number: int, seed: int) -> Sheet:
    """A sample, and a caption and a picture of another one of the same kind that take the place of its own."""
    rng = stream(seed, "pretrain", "scenes", number)
    turn = number % len(SWAPS)
    own, other = (next(_learnable(turn, rng)) for _ in range(2))
    k = rng.below(2)
    mixed = Sample(own.id, (own.captions[k], other.captions[0]), (own.panels[k], other.panels[0]), own.tags)
    items = (item_of(mixed, "generated"), item_of(own, "generated"))
    keys = tuple(training_key(item_of(sample, "generated")) for sample in (own, other))
    return Sheet(keys, tuple(_lessons(*items, rng)))


def _learnable(turn: int, rng: Stream) -> Iterator[Sample]:
    while True:
        index = rng.below(2**20) * len(SWAPS) + turn
        sample = sample_at(index, rng.below(2**53))
        key = training_key(item_of(sample, "generated"))
        if key[0] in _LEARNT and key not in held_out():
            yield sample


@cache
def held_out() -> frozenset[str]:
    return frozenset(training_key(item) for seed in HELD_OUT for item in TASK.items({}, _SAMPLES, seed))


def _lessons(mixed: Item, own: Item, rng: Stream) -> Iterator[Lesson]:
    for panel in (*mixed.truth["panels"], own.truth["panels"][rng.below(2)]):
        yield Lesson("named", (drawn(panel), NAME), ", ".join(_names(panel)))
    for item, kind in ((mixed, ""), (own, "exchanged ")):
        for given in TASK.factor("given").levels:
            stimulus = TASK.stimulus(item, Condition({"given": given}), _pack())
            one = f"{kind}{given.split('_')[0]}"
            yield Lesson(one, stimulus.parts, answer(stimulus.question))
            yield Lesson(f"{one} words", put("words", stimulus), answer(stimulus.question))
    stimulus = TASK.stimulus(own, Condition({"given": rng.choice(TASK.factor("given").levels)}), _pack())
    yield Lesson("scene told", put("told", stimulus), answer(stimulus.question))


def _names(panel: Panel) -> list[str]:
    """What is there, in the order of the alphabet: neither place nor role decides."""
    if "deed" in panel:
        return sorted((panel["deed"]["one"], panel["deed"]["other"]))
    return sorted(thing["kind"] for thing in panel["scene"]["things"])


@cache
def _pack() -> Pack:
    return load(TASK.prompts, TASK.name)
