"""Drawings of strokes as they are, or as somebody says they are: shapes with names and attributes, some unknown.

The same judgement serves both, as with scenes (`world`). A **claim** is what a rule may say of a drawing, in
JSON types:

    ["is", attribute, yes or no]        every shape has the attribute, or none does
    ["some", attribute]                 some shape has it
    ["count", "straight"|"curved", n]   every shape has so many strokes of that kind
    ["name", name]                      a shape with that name is there
    ["shapes", n]                       there are so many shapes
    ["style", style], ["size", size]    some stroke is drawn in that style, some shape has that size
    ["path", words]                     every shape follows the path
    ["not", claim], ["and", claim, claim], ["or", claim, claim]
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from snellen.rng import stream
from snellen.tasks.bongard.draw.strokes import PenStroke
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.replies.differences import DescriptionFault, Fault
from snellen.tasks.bongard.strokes.catalogue import MAKERS
from snellen.tasks.bongard.strokes.language import ATTRIBUTES
from snellen.tasks.bongard.strokes.measure import StrokeFigure, measure
from snellen.tasks.bongard.strokes.names import names
from snellen.tasks.bongard.strokes.outline import trace
from snellen.tasks.bongard.strokes.panels import figures_of, shapes_of
from snellen.tasks.bongard.strokes.path import follows, heard
from snellen.tasks.bongard.strokes.truth import Truth, every, negated, some
from snellen.tasks.bongard.strokes.twin import size_of

Claim = Sequence[Any]
_SAMPLES = 24


@dataclass(frozen=True, slots=True)
class DescribedShape:
    """One shape: its attributes where they are known, how many strokes of which kind, its names (what is not among
    `names` it is not, unless `names` is None), its styles and size, its strokes; and the words it was mentioned in."""

    attributes: Mapping[str, Truth]
    straight: int | None = None
    curved: int | None = None
    names: Mapping[str, Truth] | None = None
    styles: frozenset[str] | None = None
    size: str = ""
    strokes: tuple[PenStroke, ...] = ()
    said: str = ""


Drawing = tuple[DescribedShape, ...]


def drawing_facts(panel: Panel) -> Drawing:
    """The drawing as it is."""
    return tuple(
        DescribedShape(
            attributes_of(figure),
            figure.straight,
            figure.arcs,
            names(figure),
            frozenset(stroke.style for stroke in shape.strokes),
            size_of(figure.size * shape.scale),
            shape.strokes,
        )
        for figure, shape in zip(figures_of(panel), shapes_of(panel), strict=True)
    )


def attributes_of(figure: StrokeFigure) -> dict[str, Truth]:
    return {name: test(figure) for name, test in ATTRIBUTES.items()}


@cache
def named(name: str) -> DescribedShape:
    """What a name says of a shape: attributes that all shapes of that name share, its strokes, its other names."""
    figures = [measure(trace(MAKERS[name](rng), rng)) for rng in (stream(k, "named", name) for k in range(_SAMPLES))]
    shared = {
        attribute: test(figures[0])
        for attribute, test in ATTRIBUTES.items()
        if len({test(figure) for figure in figures}) == 1 and test(figures[0]) is not None
    }
    others = {other for figure in figures for other in names(figure)}
    certain = {other: _agreed([names(figure).get(other, False) for figure in figures]) for other in others}
    if "triangle" in name:  # one may be of several kinds at once
        certain |= dict.fromkeys(("right triangle", "isosceles triangle"), None)
    return DescribedShape(shared, figures[0].straight, figures[0].arcs, {**certain, name: True})


def _agreed(truths: Sequence[Truth]) -> Truth:
    """What all say, if they do."""
    return truths[0] if len(set(truths)) == 1 else None


def judge(claim: Claim, drawing: Drawing) -> Truth:
    """Whether the claim is true of the drawing; None if it is hard to say or not known."""
    word, *what = claim
    if word in ("and", "or"):
        return (every if word == "and" else some)(judge(inner, drawing) for inner in what)
    if word == "not":
        return negated(judge(what[0], drawing))
    return _JUDGES[word](what, drawing) if drawing else None


def _has(shape: DescribedShape, attribute: str) -> Truth:
    return shape.attributes.get(attribute)


def _is(what: Sequence[Any], drawing: Drawing) -> Truth:
    attribute, yes = what
    return every(_has(shape, attribute) if yes else negated(_has(shape, attribute)) for shape in drawing)


def _count(what: Sequence[Any], drawing: Drawing) -> Truth:
    kind, number = what
    counts = [shape.straight if kind == "straight" else shape.curved for shape in drawing]
    if kind == "strokes":
        counts = [_both(shape) for shape in drawing]
    return every(None if count is None else count == number for count in counts)


def _both(shape: DescribedShape) -> int | None:
    return None if shape.straight is None or shape.curved is None else shape.straight + shape.curved


def _name(what: Sequence[Any], drawing: Drawing) -> Truth:
    return some(None if shape.names is None else shape.names.get(what[0], False) for shape in drawing)


_JUDGES: dict[str, Callable[[Sequence[Any], Drawing], Truth]] = {
    "is": _is,
    "some": lambda what, drawing: some(_has(shape, what[0]) for shape in drawing),
    "count": _count,
    "name": _name,
    "shapes": lambda what, drawing: len(drawing) == what[0],
    "style": lambda what, drawing: some(None if shape.styles is None else what[0] in shape.styles for shape in drawing),
    "size": lambda what, drawing: some(shape.size == what[0] if shape.size else None for shape in drawing),
    "path": lambda what, drawing: every(
        follows(shape.strokes, heard(what[0])) if shape.strokes else None for shape in drawing
    ),
}


def drawing_differences(described: Drawing, true: Drawing) -> list[DescriptionFault]:
    """All faults of a description of a drawing: shapes missed or invented, names, attributes and counts."""
    pairs = _matched(described, true)
    back = {j: i for i, j in pairs.items()}
    found = [
        DescriptionFault("missed", f"there is a {_called(shape)}", "", (*described, shape))
        for j, shape in enumerate(true)
        if j not in back
    ]
    for i, j in pairs.items():
        found += _faults(described, i, true[j])
    found += [
        DescriptionFault(
            "invented",
            f"there is no {_called(shape)} beside the rest",
            shape.said,
            (*described[:i], *described[i + 1 :]),
        )
        for i, shape in enumerate(described)
        if i not in pairs
    ]
    order = ("missed", "misnamed", "wrong", "invented", "unsaid")
    return sorted(found, key=lambda each: order.index(each.fault))


def _matched(described: Drawing, true: Drawing) -> dict[int, int]:
    """Which described shape is which: by what agrees, as many as there are on both sides."""
    scores = sorted(
        ((_agreement(one, other), -i, -j) for i, one in enumerate(described) for j, other in enumerate(true)),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for _, i, j in scores:
        if -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    return pairs


def _agreement(one: DescribedShape, other: DescribedShape) -> int:
    score = sum(value == other.attributes.get(name) for name, value in one.attributes.items())
    score -= sum(value is not other.attributes.get(name) for name, value in one.attributes.items())
    score += 4 * any(other.names.get(name) for name in _names(one)) if other.names else 0
    return score + 2 * (one.straight == other.straight) + 2 * (one.curved == other.curved)


def _names(shape: DescribedShape) -> list[str]:
    return [name for name, truth in (shape.names or {}).items() if truth]


def _called(shape: DescribedShape) -> str:
    own = _names(shape)
    if own:
        return own[-1]
    if shape.straight is None:
        return "shape"
    return f"shape of {shape.straight} straight and {shape.curved} curved strokes"


def _faults(described: Drawing, place: int, true: DescribedShape) -> list[DescriptionFault]:
    one = described[place]

    def mended(**values: Any) -> Drawing:
        return (*described[:place], replace(one, **values), *described[place + 1 :])

    faults: list[DescriptionFault] = []
    if one.names is None or {n for n, t in one.names.items() if t} != {n for n, t in (true.names or {}).items() if t}:
        fault: Fault = "unsaid" if one.names is None else "misnamed"
        whole = replace(true, said=one.said) if fault == "misnamed" else replace(one, names=true.names)
        changed = (*described[:place], whole, *described[place + 1 :])
        fact = f"the shape is a {_called(true)}" if _names(true) else "the shape has no name of its own"
        faults.append(DescriptionFault(fault, fact, one.said, changed))
    for name, truth in true.attributes.items():
        if truth is not None and one.attributes.get(name) is not truth:
            said = one.attributes.get(name)
            fact = f"{name}: {'yes' if truth else 'no'}"
            wrong: Fault = "unsaid" if said is None else "wrong"
            faults.append(DescriptionFault(wrong, fact, one.said, mended(attributes={**one.attributes, name: truth})))
    for name, number in (("straight", true.straight), ("curved", true.curved)):
        count = getattr(one, name)
        if count != number:
            fact = f"{number} {name} strokes"
            faults.append(
                DescriptionFault("unsaid" if count is None else "wrong", fact, one.said, mended(**{name: number}))
            )
    if not follows(one.strokes, true.strokes):
        wrong = "wrong" if one.strokes else "unsaid"
        faults.append(
            DescriptionFault(wrong, "the strokes and turns of the path", one.said, mended(strokes=true.strokes))
        )
    return faults
