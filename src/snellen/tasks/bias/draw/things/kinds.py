"""All kinds of things, read from the tables in `data/`.

A file has families of things. What a family says (topic, what is counted, how it is built) holds for each of its
things, which say the rest. `build` names how the thing is drawn: with one of the layouts here, whose measures and
sketches (see `sketch`) the table gives, or by a function of `singles` or `boards` that needs next to none.

    usual, range        the number everybody expects; the least and the most the thing can be drawn with
    parts, alias_parts  what is counted, by its name and by words that do not give the thing away
    coats               the colours it may have, by the names its sketches use. Where an ink has several colours (or a
                        palette of `inks.toml`), every combination is a coat; a list of tables is a list of coats

Colours are "#rrggbb". Whatever `ThingKind` has a field for may stand in a table.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

from snellen.tasks.bias.draw.things import boards, singles
from snellen.tasks.bias.draw.things.arranged import (
    Arranged,
    ColumnArrangement,
    RingArrangement,
    RowArrangement,
    arranged,
)
from snellen.tasks.bias.draw.things.flags import Striped, striped
from snellen.tasks.bias.draw.things.inks import Coat, palette, read_colour
from snellen.tasks.bias.draw.things.kind import Mark, Recipe, ThingKind
from snellen.tasks.bias.draw.things.limbs import Body, LegShape, standing
from snellen.tasks.bias.draw.things.sides import LimbedBody, on_both_sides
from snellen.tasks.bias.draw.things.sketch import sketch

_DATA = Path(__file__).with_name("data")
_FILES = ("animals.toml", "marks.toml", "objects.toml")
_LAYOUTS: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "standing": (Body, standing),
    "sides": (LimbedBody, on_both_sides),
    "stripes": (Striped, striped),
}
_ARRANGEMENTS: Mapping[str, type[RingArrangement] | type[RowArrangement] | type[ColumnArrangement]] = {
    "ring": RingArrangement,
    "row": RowArrangement,
    "columns": ColumnArrangement,
}
_KIND_FIELDS = {field.name for field in fields(ThingKind)} - {"part"}
_SKETCHES = ("part", "behind", "front", "over", "body")


def _tables() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every thing's name and table, with what its family says."""
    for file in _FILES:
        for family in tomllib.loads((_DATA / file).read_text(encoding="utf-8")).values():
            shared = {key: value for key, value in family.items() if not isinstance(value, dict)}
            yield from ((name, {**shared, **thing}) for name, thing in family.items() if isinstance(thing, dict))


def _value(key: str, value: Any) -> Any:
    """A value of a table as the field of that name has it."""
    if key in _SKETCHES:
        return sketch(value)
    if key == "coats":
        return tuple(coat for table in ([value] if isinstance(value, dict) else value) for coat in _coats(table))
    if key == "leg":
        return LegShape(**value)
    if isinstance(value, dict):
        return Mark(**{name: _value(name, part) for name, part in value.items()})
    if isinstance(value, list):
        return tuple(_value("", part) for part in value)
    return read_colour(value) if isinstance(value, str) and value.startswith("#") else value


def _coats(table: Mapping[str, str | list[str]]) -> Iterator[Coat]:
    return (dict(zip(table, colours, strict=True)) for colours in product(*map(palette, table.values())))


def _recipe(build: str, measures: dict[str, Any]) -> Recipe:
    """How a thing is drawn: by the layout of that name, or by the function."""
    if build in _ARRANGEMENTS:
        layout = _ARRANGEMENTS[build]
        own = {field.name: measures.pop(field.name) for field in fields(layout) if field.name in measures}
        return partial(arranged, Arranged(arrangement=layout(**own), **measures))
    if build in _LAYOUTS:
        layout_of, drawn = _LAYOUTS[build]
        return partial(drawn, layout_of(**measures))
    drawn = getattr(singles, build, None) or getattr(boards, build)
    return partial(drawn, **measures) if measures else drawn


def _kind(name: str, table: dict[str, Any]) -> ThingKind:
    build, (fewest, most) = table.pop("build"), table.pop("range")
    measures = {key: _value(key, value) for key, value in table.items() if key not in _KIND_FIELDS}
    own = {key: _value(key, value) for key, value in table.items() if key in _KIND_FIELDS}
    if build == "standing":
        own["stands"] = measures["ground"]
    own.setdefault("whole", f"{'an' if name[0] in 'aeiou' else 'a'} {name}")
    return ThingKind(
        name=name,
        fewest=fewest,
        most=most,
        part=_singular(own["parts"]),
        recipe=_recipe(build, measures),
        **own,
    )


def _singular(parts: str) -> str:
    words = parts.split()
    at = next(k for k, word in enumerate(words) if word.rstrip(",").endswith("s"))
    words[at] = words[at].replace("s,", ",").removesuffix("s")
    return " ".join(words)


KINDS: Mapping[str, ThingKind] = MappingProxyType({name: _kind(name, table) for name, table in _tables()})
