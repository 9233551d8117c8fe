"""All kinds of things."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from snellen.draw.things import beasts, limbs, rows
from snellen.draw.things.kind import Kind
from snellen.draw.things.limbs import Body


def _animal(name: str, body: Body, usual: int) -> Kind:
    return Kind(name, "animals", f"a {name}", "legs", "leg", usual, 1, 6, partial(limbs.standing, body),
                "figure", "limbs", "limb", "on this animal", stands=True)


_ALL = (
    _animal("dog", beasts.DOG, 4),
    _animal("hen", beasts.HEN, 2),
    Kind("three-stripe-mark", "marks", "a sportswear mark", "stripes", "stripe", 3, 2, 5, rows.slanted_stripes,
         "figure", "bars", "bar", "in this mark"),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _ALL})
