"""From stimuli to plain rows: what anyone sees of a question, its pictures, its name and its place, and the key."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from snellen.item import Question, Stimulus
from snellen.tasks.audit.guessing import Feature
from snellen.tasks.audit.observer import Observation

Observe = Callable[[Stimulus], Mapping[str, Feature]]
Due = Callable[[Stimulus], Mapping[str, float]]

MEMBERS = 9
"""So many labels of a set are looked at one by one."""


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
                twin=stimulus.twin or "\n".join(picture.twin for picture in stimulus.pictures),
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
    """Which label the question names first, and which last."""
    features: dict[str, Feature] = {}
    labels = stimulus.question.form.labels
    spots = [(spot.start(), label) for label in labels for spot in _mentions(label, stimulus.question.text)]
    if spots:
        features["label offered first"] = labels.index(min(spots)[1])
        features["label offered last"] = labels.index(max(spots)[1])
    return features


def _mentions(label: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", text)
