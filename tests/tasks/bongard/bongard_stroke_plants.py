"""Planted errors over generated stroke problems, in wordings of their own (see `bongard_plants`)."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bongard_plants import SIDES, Panel, Plant, with_article

from snellen.rng import Stream
from snellen.tasks.bongard import strokes
from snellen.tasks.bongard.replies import LANGUAGES
from snellen.tasks.bongard.replies.filing import WrongVerdict, known
from snellen.tasks.bongard.strokes.freeform import altered
from snellen.tasks.bongard.strokes.language import ATTRIBUTES, verdict
from snellen.tasks.bongard.strokes.names import NAMES, name_of
from snellen.tasks.bongard.strokes.panels import figures_of, shapes_of
from snellen.tasks.bongard.strokes.path import moves

Shape = dict[str, Any]
"""What is said of a shape: name, path, straight, curved, attributes."""


def shapes(panel: Panel) -> list[Shape]:
    return [
        {
            "name": name_of(figure) or "unnamed",
            "path": moves(shape.strokes),
            "strokes": shape.strokes,
            "straight": figure.straight,
            "arcs": figure.arcs,
            **{name: test(figure) for name, test in ATTRIBUTES.items()},
        }
        for figure, shape in zip(figures_of(panel), shapes_of(panel), strict=True)
    ]


_ATTRIBUTE_PROSE: dict[str, tuple[tuple[str, str], ...]] = {
    "closed": (("It is closed", "It is open"), ("Its ends meet", "It is not closed")),
    "convex": (("It is convex", "It is concave"), ("The outline is convex", "The outline is not convex")),
    "symmetric": (("It has a line of symmetry", "It is asymmetrical"), ("It is symmetrical", "It has no mirror axis")),
    "meets itself": (
        ("The line crosses itself", "The line does not cross itself"),
        ("It is self-intersecting", "It never touches itself"),
    ),
    "curved": (
        ("It has a curved line", "It has only straight lines"),
        ("There is a curve in it", "There is no curve in it"),
    ),
    "right angle": (
        ("It has a right angle", "It has no right angle"),
        ("There is a 90-degree corner", "There is no 90-degree corner"),
    ),
    "acute angle": (
        ("It has an acute angle", "It has no acute angle"),
        ("There is a sharp corner", "There is no sharp corner"),
    ),
    "obtuse angle": (
        ("It has an obtuse angle", "It has no obtuse angle"),
        ("There is an obtuse corner", "There is no obtuse corner"),
    ),
    "equal parts": (
        ("Its two parts are equally large", "Its two parts are of different size"),
        ("The two loops are of the same size", "The two loops are unequal"),
    ),
}


def _shape_said(shape: Shape, style: int) -> list[str]:
    name = shape.get("name", "")
    called = (
        "This is an unnamed shape"
        if name == "unnamed"
        else f"This is {with_article(name)}"
        if name
        else "This is a drawing"
    )
    said = [called]
    for attribute, wordings in _ATTRIBUTE_PROSE.items():
        if shape.get(attribute) is not None:
            yes, no = wordings[style]
            said.append(yes if shape[attribute] else no)
    if "straight" in shape:
        said.append(f"It consists of {shape['straight']} straight strokes and {shape['arcs']} curved strokes")
    if "path" in shape and name == "unnamed":
        said.append(f"The pen goes like this: {shape['path']}")
    return said


def strokes_prose(content: list[Shape]) -> str:
    numbers = ("", "Another shape: ", "Another shape: ")
    return " ".join(f"{numbers[k]}{'. '.join(_shape_said(shape, 1))}." for k, shape in enumerate(content))


def strokes_bullets(content: list[Shape]) -> str:
    blocks = [
        f"Shape {k}:\n" + "\n".join(f"- {line}" for line in _shape_said(shape, 0)) for k, shape in enumerate(content, 1)
    ]
    return "\n\n".join(blocks)


_COUNTED = {"straight": "straight", "curved": "arcs"}


def strokes_json(content: list[Shape]) -> str:
    told = []
    for shape in content:
        known = {name: value for name, value in shape.items() if name in ATTRIBUTES or name == "name"}
        known |= {f"{kind} strokes": shape[key] for kind, key in _COUNTED.items() if key in shape}
        if "strokes" in shape:
            known["strokes"] = [
                {"arc": round(s.size, 2), "angle": _sided(s.angle)} if s.angle else {"line": round(s.size, 2)}
                for s in shape["strokes"]
            ]
            known["turns"] = [_sided(s.turn) for s in shape["strokes"][1:]]
        told.append(known)
    return json.dumps({"shapes": told})


def _sided(degrees: float) -> str:
    return f"{'left' if degrees > 0 else 'right'} {abs(degrees):.0f}"


STROKE_FORMS: dict[str, Callable[[list[Shape]], str]] = {
    "json": strokes_json,
    "prose": strokes_prose,
    "bullets": strokes_bullets,
}
_RULE_WORDS = {
    "the shape is closed": "All positive figures are closed outlines whose ends meet",
    "the shape is open": "the outline is not closed",
    "the shape is convex": "Each shape is convex.",
    "the shape is concave": "the figure is not convex",
    "the shape has a mirror axis": "the drawing is symmetrical",
    "the shape has no mirror axis": "the figures are asymmetric, while the negatives are symmetric",
    "the shape crosses or touches itself": "The outline intersects itself",
    "the shape never crosses or touches itself": "the line does not cross itself",
    "the shape has a curved stroke": "there is at least one curve",
    "the shape has straight strokes only": "Only straight lines are drawn",
    "the shape has a right angle": "contains a 90-degree angle",
    "the shape has no right angle": "There are no right angles",
    "the shape has an acute angle": "an acute corner is present",
    "the shape has no acute angle": "without any acute angle",
    "the shape has an obtuse angle": "It has obtuse angles",
    "the shape has no obtuse angle": "no obtuse angles",
    "the shape's two parts are equally large": "the two halves are equal in size",
    "the shape's two parts are of different size": "two unequal parts",
}
"""The generator's sentences in somebody else's words."""


def _dropped(concept: str, content: list[Shape], category: str) -> list[Shape] | None:
    """The description without what the concept is about."""
    if category == "freeform":
        return [{"name": "unnamed", "closed": False} for _ in content]
    if category == "basic":
        named = [k for k, shape in enumerate(content) if shape["name"] in concept]
        return content[: named[0]] + content[named[0] + 1 :] if named and len(content) > 1 else None
    gone = {"name", "straight", "arcs", "path", "strokes", *_about(concept)}
    return [{name: value for name, value in shape.items() if name not in gone} for shape in content]


def _about(concept: str) -> set[str]:
    words = {
        "closed": "closed", "open": "closed", "convex": "convex", "concave": "convex", "mirror": "symmetric",
        "itself": "meets itself", "curved": "curved", "straight": "curved", "right": "right angle",
        "acute": "acute angle", "obtuse": "obtuse angle", "parts": "equal parts",
    }  # fmt: skip
    return {attribute for word, attribute in words.items() if word in concept.split()}


def _misdrawn(concept: str, content: list[Shape], category: str, rng: Stream) -> list[Shape] | None:
    """The description with what the concept is about said otherwise."""
    if category == "freeform":
        [shape] = content
        other = altered(shape["strokes"], rng)
        return [{**shape, "strokes": other, "path": moves(other)}]
    if category == "basic":
        k = next((k for k, shape in enumerate(content) if shape["name"] in concept), None)
        if k is None:
            return None
        other = rng.choice([name for name in NAMES if name not in concept and "triangle" not in name])
        bare = {"name": other}
        return [bare if place == k else shape for place, shape in enumerate(content)]
    if "exactly" in concept:
        return [{"straight": shape["straight"] + 1, "arcs": shape["arcs"] + 1} for shape in content]
    wrong = []
    for shape in content:
        kept = {name: v for name, v in shape.items() if name not in ("name", "path", "strokes", "straight", "arcs")}
        wrong.append({**kept, **{name: not shape[name] for name in _about(concept) if shape.get(name) is not None}})
    return wrong


def stroke_plants(seed: int, index: int) -> Iterator[Plant]:
    problem = strokes.make(seed, index).problem
    rng = Stream(1000 * seed + index)
    sides = {"positive": problem.positives, "negative": problem.negatives}
    concept, category = problem.concept, problem.category
    about = known(concept, sides, LANGUAGES["strokes"])
    for k, (form, write) in enumerate(STROKE_FORMS.items()):
        described = {side: tuple(write(shapes(panel)) for panel in panels[:-1]) for side, panels in sides.items()}
        for side in SIDES:
            content = shapes(sides[side][-1])
            rule = concept if (k + index) % 2 else _reworded(concept)

            def case(
                rule: str, seen: list[Shape], side: str = side, write: Any = write, described: Any = described
            ) -> WrongVerdict:
                return WrongVerdict(side, rule, write(seen), described)

            how = f"{form}, {category}"
            yield Plant(about, case(rule, content), "rule applied wrongly", how)
            if (seen := _dropped(concept, content, category)) is not None and (
                side == "positive" or category != "basic"
            ):
                yield Plant(about, case(rule, seen), "description misses it", how)
            turns = side == "positive" or (category == "abstract" and "exactly" not in concept)
            seen = _misdrawn(concept, content, category, rng) if turns else None
            if seen is not None:
                yield Plant(about, case(rule, seen), "description says it wrongly", how)
            wrong = rng.choice([said for said in _RULE_WORDS if said != concept])
            if not _tells_apart(wrong, sides):
                yield Plant(about, case(_reworded(wrong), content), "rule is wrong", how)


def _tells_apart(rule: str, sides: Mapping[str, Any]) -> bool:
    inside, outside = ([verdict(rule, panel) for panel in sides[side]] for side in SIDES)
    return False not in inside and True not in outside


def _reworded(concept: str) -> str:
    if concept.startswith("contains "):
        return "All positive drawings show " + concept.removeprefix("contains ").replace("perfect ", "")
    return _RULE_WORDS.get(concept, concept).replace("the shape has exactly", "It is made of exactly")
