"""From stimuli to plain rows: what anyone sees of a question, its pictures, its name and its place, and the key."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from snellen.item import Picture, Question, Stimulus
from snellen.tasks.audit.guessing import Feature

Observe = Callable[[Stimulus], Mapping[str, Feature]]
Due = Callable[[Stimulus], Mapping[str, float]]

MEMBERS = 9
"""So many labels of a set are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One trial as observers see it, and its key (a label's index in canonical order, or the answer itself).

    `features` are looked at one by one; `words` as a bag; `pictures` in every simple way there is. `choices`: how many
    labels there are to choose from, 0 if the answer is free. `cluster`: what the trial is clustered on, if that is more
    than its item. `due`: how often an observer whose name begins so is right here for a good reason (see `Task.due`).
    `options`: what is offered, where the key is the place of one of these.
    """

    group: str
    item: str
    key: str
    features: Mapping[str, Feature]
    choices: int = 0
    cluster: str = ""
    words: str = ""
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    due: Mapping[str, float] = field(default_factory=dict)
    options: tuple[str, ...] = ()


def nothing_due(stimulus: Stimulus) -> Mapping[str, float]:
    return {}


def observations(
    stimuli: Iterable[Stimulus],
    observe: Observe,
    by: frozenset[str] | None = None,
    due: Due = nothing_due,
    *,
    by_item: bool = False,
) -> Iterator[Observation]:
    """Stimuli as plain rows, apart by these factors (or all). `by_item`: clusters of several items are not heeded."""
    for stimulus in stimuli:
        item = stimulus.item
        features = {**common_features(stimulus), **observe(stimulus)}
        words = " ".join(part for part in stimulus.parts if isinstance(part, str))
        group = _group({**item.levels, **stimulus.condition}, by)
        for part, key, choices in _keys(stimulus.question):
            within = f"{group}, part={part}" if part else group
            yield Observation(
                group=within,
                item=item.id,
                key=key,
                features=features,
                choices=choices,
                cluster="" if by_item else item.cluster,
                words=words,
                pictures=stimulus.pictures,
                due=due(stimulus),
                options=stimulus.question.form.labels if key.isdecimal() and not part else (),
            )


def _group(levels: Mapping[str, str], by: frozenset[str] | None) -> str:
    return ", ".join(f"{factor}={level}" for factor, level in levels.items() if by is None or factor in by)


def _keys(question: Question) -> Iterator[tuple[str, str, int]]:
    """What an observer may guess: the answer, and of an answer in parts each part by itself, of a set each member."""
    labels = question.form.labels
    yield "", str(labels.index(question.key)) if question.key in labels else question.key, len(labels)
    if question.form.kind != "fields" or question.form.check:
        return
    values = dict(part.split(": ", 1) for part in question.key.split("; "))
    for place, part in enumerate(question.form.fields, 1):
        value = values[part.name]
        if part.kind == "set":  # some members are simply more frequent: that alone is no leak
            members = value.split()
            yield from ((f"{part.name} {label}", str(label in members), 0) for label in part.labels[:MEMBERS])
        else:
            yield f"{place}", value, len(part.labels)


def common_features(stimulus: Stimulus) -> dict[str, Feature]:
    """What can be told of the words of any stimulus without understanding them."""
    features: dict[str, Feature] = {
        "prompt length": sum(len(part) for part in stimulus.parts if isinstance(part, str)),
    }
    labels = stimulus.question.form.labels
    spots = [(spot.start(), label) for label in labels for spot in _mentions(label, stimulus.question.text)]
    if spots:
        features["label offered first"] = labels.index(min(spots)[1])
        features["label offered last"] = labels.index(max(spots)[1])
    return features


def _mentions(label: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", text)
