"""Generated samples: the same words in two captions, with the parts of two things exchanged, and a picture of each.

Half of the samples exchange roles: who does what to whom (`roles`). In the others it is places or properties: who is
above or left of whom, whose tile has which colour, who is large and who small, who is inside a frame, and of which
there are two. The two pictures are alike in all that the captions do not speak of.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from snellen.draw.icons import Icon, icons
from snellen.draw.scenes import BACKGROUNDS, CELL, SIZES, TILES, Scene
from snellen.rng import Stream, stream
from snellen.tasks.winoground.roles import ROLE, role_sample
from snellen.tasks.winoground.sample import Sample

Claim = Mapping[str, str]
"""What a caption says, in JSON types: {"swap": "above", "one": "dog", "other": "apple"}."""

PLACES = ("above", "colour", "left", "frame", "size", "number")
SWAPS = tuple(swap for place in PLACES for swap in (place, ROLE))
"""What is exchanged, in turns."""

CAPTIONS = {
    "above": "the {one} is above the {other}",
    "left": "the {one} is to the left of the {other}",
    "colour": "the {one} is on a {first} tile and the {other} is on a {second} tile",
    "size": "the {one} is large and the {other} is small",
    "frame": "the {one} is inside a frame and the {other} is outside of it",
    "number": "the {one} is there twice and the {other} is there once",
}


def samples(n: int, seed: int) -> Iterator[Sample]:
    """The first n samples of this seed; the kinds of exchange take turns."""
    return (sample_at(i, seed) for i in range(n))


def sample_at(i: int, seed: int) -> Sample:
    """The sample with this number, made by itself."""
    rng, name = stream(seed, "winoground", i), f"generated-{seed}/{i:04}"
    swap = SWAPS[i % len(SWAPS)]
    if swap != ROLE:
        return _scene_sample(name, swap, rng)
    before = i // len(SWAPS) * SWAPS.count(ROLE) + SWAPS[: i % len(SWAPS)].count(ROLE)
    return role_sample(name, before, rng)


def _scene_sample(name: str, swap: str, rng: Stream) -> Sample:
    one, other = _pair(rng)
    first, second = rng.sample(tuple(TILES), 2)
    claims = [
        {"swap": swap, "one": a.name, "other": b.name, "first": first, "second": second}
        for a, b in ((one, other), (other, one))
    ]
    scenes = _scenes(swap, (one, other), (first, second), rng)
    return Sample(
        name,
        (caption(claims[0]), caption(claims[1])),
        ({"scene": scenes[0], "claim": claims[0]}, {"scene": scenes[1], "claim": claims[1]}),
        {"tag": (swap,)},
    )


def caption(claim: Claim) -> str:
    return CAPTIONS[claim["swap"]].format_map(claim)


def _pair(rng: Stream) -> tuple[Icon, Icon]:
    """Two things that nobody takes for one another: of different categories."""
    while True:
        one, other = rng.sample([icon for icon in icons() if not icon.name.endswith("s")], 2)  # "is", never "are"
        if one.category != other.category:
            return one, other


def _scenes(swap: str, pair: tuple[Icon, Icon], tiles: tuple[str, str], rng: Stream) -> tuple[Scene, Scene]:
    """The scene of each caption. In the second, the two things have changed places or properties."""
    background = rng.choice(tuple(BACKGROUNDS))
    cells = _cells(swap, rng)
    sizes = (rng.choice(SIZES),) * 2 if swap != "size" else ("large", "small")
    colours = tiles if swap == "colour" else (tiles[0],) * 2
    looks = [(sizes[k], colours[k], swap == "frame" and k == 0) for k in range(2)]
    one, other = pair

    def scene(placed: list[tuple[Icon, tuple[int, int], tuple[str, str, bool]]]) -> Scene:
        return {"background": background, "things": [_thing(*entry) for entry in placed]}

    if swap == "number":
        return tuple(  # type: ignore[return-value]
            scene([(a, cells[0], looks[0]), (a, cells[1], looks[0]), (b, cells[2], looks[0])])
            for a, b in ((one, other), (other, one))
        )
    if swap in ("above", "left"):
        return (
            scene([(one, cells[0], looks[0]), (other, cells[1], looks[1])]),
            scene([(one, cells[1], looks[0]), (other, cells[0], looks[1])]),
        )
    return (
        scene([(one, cells[0], looks[0]), (other, cells[1], looks[1])]),
        scene([(one, cells[0], looks[1]), (other, cells[1], looks[0])]),
    )


def _cells(swap: str, rng: Stream) -> list[tuple[int, int]]:
    """Three different cells (row, column), of which the first is above or left of the second where that matters."""
    while True:
        cells = rng.sample([(row, column) for row in range(3) for column in range(3)], 3)
        (row, column), (other_row, other_column) = cells[:2]
        if swap == "above" and row >= other_row:
            continue
        if swap == "left" and column >= other_column:
            continue
        return cells


def _thing(kind: Icon, cell: tuple[int, int], look: tuple[str, str, bool]) -> dict[str, Any]:
    row, column = cell
    size, tile, framed = look
    middle = CELL // 2
    return {
        "kind": kind.name,
        "x": column * CELL + middle,
        "y": row * CELL + middle,
        "size": size,
        "tile": tile,
        "framed": framed,
    }
