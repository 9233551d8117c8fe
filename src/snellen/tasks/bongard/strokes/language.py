"""The language of concepts: what may be said of a picture, and whether it is so.

A concept is a plain sentence. `verdict` reads the sentence and judges a picture by what the checker measures of it:
yes, no or hard to say. `features` lists everything else that can be said of a picture in few words, so that
`separators` can show whether any of it tells two sets of pictures apart as well as the intended concept does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from snellen.tasks.bongard.draw.strokes import STYLES, PenStroke, Points, legs, track
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.strokes.measure import StrokeFigure, resampled
from snellen.tasks.bongard.strokes.names import EVERYDAY, NAMES, names
from snellen.tasks.bongard.strokes.outline import Plan
from snellen.tasks.bongard.strokes.panels import figures_of, shapes_of
from snellen.tasks.bongard.strokes.path import PATH, follows, heard
from snellen.tasks.bongard.strokes.truth import Truth, above, every, negated, some

Value = Truth | int | float
Features = Mapping[str, Value]

ATTRIBUTES: dict[str, Callable[[StrokeFigure], Truth]] = {
    "closed": lambda figure: figure.closed,
    "convex": lambda figure: figure.convex,
    "symmetric": lambda figure: figure.symmetric,
    "meets itself": lambda figure: figure.meets_itself,
    "curved": lambda figure: figure.arcs > 0,
    "right angle": lambda figure: figure.right_angle,
    "acute angle": lambda figure: figure.acute_angle,
    "obtuse angle": lambda figure: figure.obtuse_angle,
    "equal parts": lambda figure: figure.equal_parts,
}

SENTENCES: dict[str, tuple[str, str]] = {
    "closed": ("the shape is closed", "the shape is open"),
    "convex": ("the shape is convex", "the shape is concave"),
    "symmetric": ("the shape has a mirror axis", "the shape has no mirror axis"),
    "meets itself": ("the shape crosses or touches itself", "the shape never crosses or touches itself"),
    "curved": ("the shape has a curved stroke", "the shape has straight strokes only"),
    "right angle": ("the shape has a right angle", "the shape has no right angle"),
    "acute angle": ("the shape has an acute angle", "the shape has no acute angle"),
    "obtuse angle": ("the shape has an obtuse angle", "the shape has no obtuse angle"),
    "equal parts": ("the shape's two parts are equally large", "the shape's two parts are of different size"),
}
"""For each attribute how to say that it is there, and that it is not."""

_SAID = {
    sentence: (attribute, yes)
    for attribute, both in SENTENCES.items()
    for sentence, yes in zip(both, (True, False), strict=True)
}
_COUNT = re.compile(r"the shape has exactly (\d+) (straight|curved) strokes?")
_CONTAINS = "contains "
_SAME_FROM = (0.965, 0.9995)
"""Two tracks that overlap no more than the first are different, from the second on they are the same."""


def counted(many: int, kind: str) -> str:
    """The sentence that there are so many strokes of a kind (straight or curved)."""
    return f"the shape has exactly {many} {kind} stroke{'s' if many > 1 else ''}"


def contains(*wanted: str) -> str:
    """The sentence that shapes with these names are there; of an arrow and the like that it is a perfect one, as the
    near misses are arrows too, of a kind."""
    return _CONTAINS + " and ".join(map(_with_article, wanted))


def _with_article(name: str) -> str:
    if name in EVERYDAY:
        return f"a perfect {name}"
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def verdict(concept: str, panel: Panel) -> Truth:
    """Is the sentence true of this picture (of every shape in it, unless it says "contains")?"""
    if concept.startswith(_CONTAINS):
        return every(some(names(figure).get(name, False) for figure in figures_of(panel)) for name in _wanted(concept))
    if concept.startswith(PATH):
        return every(follows(shape.strokes, heard(concept)) for shape in shapes_of(panel))
    if count := _COUNT.fullmatch(concept):
        many, straight = int(count[1]), count[2] == "straight"
        return every((figure.straight if straight else figure.arcs) == many for figure in figures_of(panel))
    attribute, yes = _attribute_of(concept)
    truths = [ATTRIBUTES[attribute](figure) for figure in figures_of(panel)]
    return every(truths if yes else [negated(truth) for truth in truths])


def _attribute_of(concept: str) -> tuple[str, bool]:
    if concept not in _SAID:
        raise ValueError(f"not a concept of this language: {concept!r}")
    return _SAID[concept]


def _wanted(concept: str) -> list[str]:
    """The names in "contains a square and a perfect arrow"."""
    named = [re.sub(r"^an? (perfect )?", "", words) for words in concept.removeprefix(_CONTAINS).split(" and ")]
    for name in named:
        if name not in NAMES:
            raise ValueError(f"not a shape with a name: {name!r}")
    return named


def same(one: Plan, other: Plan) -> Truth:
    """Are two tracks the same but for place, size and rotation? Their best overlap says it: 1 if they are.

    Of a mirror image it is hard to say.
    """
    a, b = _normal(_moves(one)), _normal(_moves(other))
    truth = above(_overlap(a, b), *_SAME_FROM)
    return None if truth is False and _overlap(a, b.conj()) > _SAME_FROM[0] else truth


def _overlap(a: Points, b: Points) -> float:
    return max(abs(complex(np.vdot(a, b))), abs(complex(np.vdot(a, b[::-1]))))


def _moves(plan: Plan) -> tuple[tuple[float, float, float], ...]:
    return tuple((stroke.size, stroke.angle, stroke.turn) for stroke in plan)


@lru_cache(maxsize=1024)
def _normal(moves: tuple[tuple[float, float, float], ...]) -> Points:
    """Points along the track, around their mean, of unit norm."""
    points = np.concatenate(track(legs([PenStroke(*move) for move in moves])))
    even = resampled(points, 96, closed=False)
    even = even - even.mean()
    return np.asarray(even / np.linalg.norm(even))


def implied(concept: str) -> frozenset[str]:
    """The features that say the same as the concept, and so must tell its two sets apart."""
    if concept.startswith(_CONTAINS):
        wanted = _wanted(concept)
        return frozenset({f"name {wanted[0]}"} if len(wanted) == 1 else ())
    if concept.startswith(PATH):
        return frozenset()
    if count := _COUNT.fullmatch(concept):
        return frozenset({"count straight" if count[2] == "straight" else "count arcs"})
    attribute, _ = _attribute_of(concept)
    also = {"count arcs"} if attribute == "curved" else set()
    return frozenset({f"some {attribute}", f"every {attribute}", *also})


def features(panel: Panel) -> dict[str, Value]:
    """Everything that can be said of a picture in few words: attributes, names, styles, counts, size and place."""
    figures, shapes = figures_of(panel), shapes_of(panel)
    values: dict[str, Value] = {}
    for attribute, test in ATTRIBUTES.items():
        truths = [test(figure) for figure in figures]
        values[f"some {attribute}"], values[f"every {attribute}"] = some(truths), every(truths)
    for figure in figures:
        values |= {f"name {name}": True for name, truth in names(figure).items() if truth}
    used = {stroke.style for shape in shapes for stroke in shape.strokes}
    values |= {f"style {style}": style in used for style in STYLES}
    values |= {
        "count shapes": len(shapes),
        "count strokes": sum(len(figure.sides) for figure in figures),
        "count straight": sum(figure.straight for figure in figures),
        "count arcs": sum(figure.arcs for figure in figures),
        "count styles": len(used),
        "across": sum(shape.x for shape in shapes) / len(shapes),
        "down": sum(shape.y for shape in shapes) / len(shapes),
        "size": sum(figure.size * shape.scale for figure, shape in zip(figures, shapes, strict=True)),
        "length": sum(figure.length * shape.scale for figure, shape in zip(figures, shapes, strict=True)),
    }
    return values


def separators(positives: Sequence[Features], negatives: Sequence[Features]) -> set[str]:
    """The features by which alone the two sets can be told apart. What is hard to say counts as either."""
    labels = {name for panel in (*positives, *negatives) for name in panel}
    return {
        name
        for name in labels
        if _separates([panel.get(name, False) for panel in positives], [panel.get(name, False) for panel in negatives])
    }


def _separates(left: Sequence[Value], right: Sequence[Value]) -> bool:
    ours = {value for value in left if value is not None}
    theirs = {value for value in right if value is not None}
    if not ours or not theirs:
        return False  # nobody could go by what is hard to say in every picture of a side
    if max(ours) < min(theirs) or max(theirs) < min(ours):
        return True
    return not ours & theirs and min(len(ours), len(theirs)) == 1
