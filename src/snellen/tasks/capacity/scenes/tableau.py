"""A sheet of everyday things: some of them dyed, one of them the largest, of one or two kinds several."""

from dataclasses import replace
from functools import cache
from typing import Any

from snellen.draw.icons import pixels
from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.draw.tableaux import HEIGHT, WIDTH
from snellen.tasks.capacity.draw.tableaux import scene as drawn
from snellen.tasks.capacity.placing import CELLS, LARGE, MEDIUM, SMALL, cells, pick, put, scene, words
from snellen.tasks.capacity.scenes.facts import Choice, Facts
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish
from snellen.tasks.capacity.things import NamedThing, countable, thing_of

_PARTS = ("candle", "door", "ladder", "window")
"""What drawings of other things show, too: a cake has candles, a house a door and windows, a fire engine a ladder."""
_SINGLE, _DYED = 11, 4
"""Things of which there is one, and how many of them are dyed."""


def make(rng: Stream, wish: SceneWish) -> Description:
    asked = [thing for thing in countable() if thing.name in (wish.has, wish.lacks)]
    kinds = pick(rng, len(wish.counts), asked)
    dyed = pick(rng, _DYED, (*kinds, *asked), dyed=True)
    free = len(CELLS) - sum(wish.counts) - _DYED
    plain = pick(rng, min(_SINGLE - _DYED, free), (*kinds, *dyed, *asked), dyed=False)
    if wish.has:
        plain[0] = asked[0]
    places = iter(cells(rng, len(dyed) + len(plain) + sum(wish.counts)))
    largest = rng.choice((*dyed, *plain))

    def entry(thing: NamedThing, colour: str = "") -> dict[str, Any]:
        side = LARGE if thing is largest else rng.choice((SMALL, SMALL, SMALL, MEDIUM))
        return put(rng, thing, next(places), side, colour)

    colours = rng.sample(tuple(DYES), _DYED)
    entries = [entry(thing, colour) for thing, colour in zip(dyed, colours, strict=True)]
    entries += [entry(thing) for thing in plain]
    entries += [entry(thing) for thing, number in zip(kinds, wish.counts, strict=True) for _ in range(number)]
    return scene(rng, entries) | {"counted": [thing.plural for thing in kinds]}


def facts(described: Description) -> Facts:
    named = [(thing_of(entry["icon"]), entry) for entry in described["things"]]
    plurals = [thing.plural for thing, _ in named]
    single = {thing.name: entry for thing, entry in named if plurals.count(thing.plural) == 1}
    largest = max(single, key=lambda name: single[name]["side"])
    inks = {thing.name: entry["side"] ** 2 * _fill(entry["icon"]) // 100 for thing, entry in named}
    facts = Facts(
        frame=(WIDTH, HEIGHT),
        boxes={
            name: tuple(entry[axis] + sign * entry["side"] // 2 for sign in (-1, 1) for axis in ("x", "y"))
            for name, entry in single.items()
        },
        counts={plural: plurals.count(plural) for plural in described["counted"]},
        colours={name: entry["colour"] for name, entry in single.items() if "colour" in entry},
        names=[],
        sizes={thing.name: entry["side"] for thing, entry in named},
        inks=inks,
    )
    others = [name for name in single if name != largest]
    if {(largest, name) for name in facts.sizes if name != largest} <= set(facts.larger()):
        question = "What is the largest thing in the picture, as it is drawn?"
        facts = replace(facts, names=[Choice(question, largest, others, frozenset())])
    return replace(facts, sizes={name: facts.sizes[name] for name in single})


@cache
def _fill(icon: str) -> int:
    """How much of its square a drawing covers, in percent: a ball looks larger than a pencil of the same height."""
    return round(100 * float((pixels(icon)[..., 3] > 127).mean()))


TABLEAU = SceneSetting(
    make=make,
    draw=drawn,
    words=words,
    facts=facts,
    things=lambda described: len(described["things"]),
    pool=tuple(thing.name for thing in countable() if thing.icon not in _PARTS),
)
