"""Thinking of overlapping photos of a flat in which two kinds of things are to be counted, each thing once.

The flat gets a few more things than wanted. Once the photos are chosen, things that none of them shows clearly are
taken away, then further ones down to the wanted number; what is left is looked at again.

How often the photos show things of a category in all is drawn from `ADDED` before they are taken, and no photo shows
more than `MOST_IN_A_PHOTO`. Few things are seen in many photos, many things in few: the sum over the photos and the
fullest photo say next to nothing about the number, only which of the things are the same does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, permutations
from typing import Any

from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.flats.gather import SINGLE, gather
from snellen.tasks.capacity.flats.layout import HALL, ROOMY, rooms_of
from snellen.tasks.capacity.flats.plan import Flat, told
from snellen.tasks.capacity.flats.views import FlatPhoto, between, distance, looked, sights
from snellen.tasks.capacity.kind import Truth

VIEWS = (4, 5, 6)
COUNTS = (4, 5, 6, 7)
ADDED = (10, 11)
"""What the photos may add up to: enough to show one of seven things twice, and not too many to show of four."""
MOST_IN_A_PHOTO = 3
CLEAR = (1700, 0.6)
"""So many pixels of a thing and such a share of it are seen where it is seen clearly."""
_SURE = (1900, 0.66)
"""The same while photos are chosen, at a small scale: it leaves a margin for the proof at a finer one."""
NOTICED = (600, 0.25)
"""From here on a thing is noticed, and may be counted by someone who adds up photos."""
GLIMPSED = (300, 0.3)
"""Less than this escapes even someone who looks closely, and who could else count by one photo alone."""
LANDMARK = (1500, 0.4)
"""What two photos have in common is seen so well."""
_ROOMS = {4: (1, 2), 5: (1, 2), 6: (1, 2, 2, 3)}
"""How many rooms there may be, by how many photos: in more, they hardly ever show all that is to be counted."""
_PHOTOS_PER_ROOM = {1: 60, 2: 34, 3: 24}
"""Candidates taken in every room, by how many rooms there are. With half as many, many more flats are in vain."""
_CHOICES, _THINNINGS = 240, 12
_FLATS = 4
"""In so many flats the photos must add up to what was drawn; after that to any of `ADDED`, for some never do."""


@dataclass(frozen=True, slots=True)
class Category:
    """What is counted: kinds of things, the most there may be, how many to spare, what it is mistaken for, and in words
    what counts."""

    kinds: tuple[str, ...]
    most: int
    spare: int
    alike: tuple[str, ...]
    meaning: str
    alone: tuple[str, ...] = ()
    """Categories that are not asked together with it."""


CATEGORIES = {name: Category(**facts) for name, facts in table("counting").items()}
LOOSE = {kind for category in CATEGORIES.values() for kind in (*category.kinds, *category.alike) if category.spare}
"""What may be taken away again."""


def plan(index: int) -> tuple[int, int, int]:
    """How many there are of the first and of the second category, and how many photos: each combination in turn, so
    that none of the three tells another."""
    first, second = COUNTS[index % 4], COUNTS[(index // 4 + index) % 4]
    return first, second, VIEWS[(index // 16 + index) % 3]


def make(rng: Stream, size: str, index: int) -> Truth:
    first, second, views = plan(index)
    drawn = (rng.choice(ADDED),), (rng.choice(ADDED),)
    for attempt in count():
        names = _categories(rng, first, second)
        flat = _filled(rng, names, (first, second), views)
        if not _holds_enough(flat, names, (first, second)):
            continue
        seen = sights(rng, flat, _PHOTOS_PER_ROOM[len(flat.rooms)])
        for photos in _choices(rng, seen, names, (first, second), views):
            for pair in permutations(names, 2):
                asked = dict(zip(pair, (first, second), strict=True))
                added = dict(zip(pair, drawn if attempt < _FLATS else (ADDED, ADDED), strict=True))
                kept = _thinned(rng, flat, Tour(photos, asked, added))
                proven = Tour(looked(kept, [sight.photo for sight in photos], True), asked, added) if kept else None
                if proven and proven.holds():
                    return {"size": size, **_written(proven)}
    raise AssertionError  # counting never ends


def _categories(rng: Stream, first: int, second: int) -> tuple[str, ...]:
    """Three categories that go together; the first two of them can be as many as that."""
    while True:
        names = tuple(rng.sample(tuple(CATEGORIES), 3))
        fits = CATEGORIES[names[0]].most >= first and CATEGORIES[names[1]].most >= second
        if fits and not any(name in CATEGORIES[other].alone for name, other in permutations(names, 2)):
            return names


def _filled(rng: Stream, names: Sequence[str], counts: tuple[int, int], views: int) -> Flat:
    """A flat with what may be asked, a few to spare, and what it may be mistaken for."""
    many = rng.choice(_ROOMS[views])
    rooms = rooms_of(rng, many, HALL if many == 1 else ROOMY)
    wanted = {}
    for name, number in zip(names, (*counts, max(counts)), strict=True):
        category = CATEGORIES[name]
        wanted[category.kinds] = min(number, category.most) + category.spare
    for name in names:
        alike = CATEGORIES[name].alike
        if alike not in wanted:
            wanted[alike] = 2 + rng.below(2) if alike[0] not in SINGLE else 1 + rng.below(2)
    return gather(rng, rooms, wanted)


def _holds_enough(flat: Flat, names: Sequence[str], counts: tuple[int, int]) -> bool:
    """Whether there was room for what two of the categories need; to look at photos takes longer than to furnish."""
    there = {name: (_number(flat, CATEGORIES[name].kinds), _number(flat, CATEGORIES[name].alike)) for name in names}
    return any(
        all(there[name][0] >= many and there[name][1] for name, many in zip(pair, counts, strict=True))
        for pair in permutations(names, 2)
    )


def _number(flat: Flat, kinds: Sequence[str]) -> int:
    return len(_named(flat, kinds))


def _choices(
    rng: Stream, seen: Sequence[FlatPhoto], names: Sequence[str], counts: tuple[int, int], views: int
) -> Iterator[tuple[FlatPhoto, ...]]:
    """Some choices of so many photos, each with a landmark in common with one before it, that show enough things."""
    groups = [set(CATEGORIES[name].kinds) for name in names] + [set(CATEGORIES[name].alike) for name in names]
    enough = (*[max(counts)] * len(names), *[1] * len(names))
    album = _album(seen, groups)
    for _ in range(_CHOICES if album.photos else 0):
        chosen, seen_things = album.choice(rng, views, enough)
        if len(chosen) == views and any(
            seen_things[a].bit_count() >= counts[0]
            and seen_things[b].bit_count() >= counts[1]
            and seen_things[a + len(names)]
            and seen_things[b + len(names)]
            for a, b in permutations(range(len(names)), 2)
        ):
            yield tuple(album.photos[number] for number in chosen)


@dataclass(frozen=True, slots=True)
class _Album:
    """Photos to choose from. Sets of things and of photos are bits of whole numbers here: hundreds of flats are tried
    for some items, and set by set the choosing would take as long as the looking.

    `shown[p]` are pairs of a group's number and the things of it that photo p shows; `linked[p]` are the photos with
    a landmark in common with it, `unlike[p]` those that look different.
    """

    photos: tuple[FlatPhoto, ...]
    shown: tuple[tuple[tuple[int, int], ...], ...]
    linked: tuple[int, ...]
    unlike: tuple[int, ...]

    def choice(self, rng: Stream, views: int, enough: Sequence[int]) -> tuple[list[int], list[int]]:
        """The numbers of photos, one after another whichever of some shows most that is new, and all that they show by
        group: fewer photos than wanted where none goes on."""
        chosen: list[int] = []
        shown = [0] * len(enough)
        onward = allowed = (1 << len(self.photos)) - 1
        reached = 0
        while len(chosen) < views and onward:
            pool = [number for number in range(len(self.photos)) if onward >> number & 1]
            lacking = [max(0, many - old.bit_count()) for many, old in zip(enough, shown, strict=True)]
            best = max(rng.sample(pool, (len(pool) + 1) // 2), key=lambda number: self._gain(number, shown, lacking))
            chosen.append(best)
            for group, things in self.shown[best]:
                shown[group] |= things
            allowed, reached = allowed & self.unlike[best], reached | self.linked[best]
            onward = allowed & reached
        return chosen, shown

    def _gain(self, number: int, shown: Sequence[int], lacking: Sequence[int]) -> int:
        """How much of what is still missing a photo shows; where that is the same, what is seen twice is a gain too."""
        gain = 0
        for group, things in self.shown[number]:
            again = (things & shown[group]).bit_count()
            gain += 5 * min(things.bit_count() - again, lacking[group]) + min(2, again)
        return gain


def _album(seen: Sequence[FlatPhoto], groups: Sequence[set[str]]) -> _Album:
    """The photos with a landmark, by what they show of these groups of kinds."""
    marks = {id(sight): frozenset(_landmarks(sight, (1700, 0.48))) for sight in seen}
    photos = tuple(sight for sight in seen if marks[id(sight)])
    bits = {piece.name: 1 << number for number, piece in enumerate(seen[0].flat.pieces)} if seen else {}

    def shown(sight: FlatPhoto) -> Iterator[tuple[int, int]]:
        for group, kinds in enumerate(groups):
            things = sum(bits[name] for name in _seen(sight, kinds, _SURE))
            if things:
                yield group, things

    def others(like: Callable[[FlatPhoto, FlatPhoto], object]) -> tuple[int, ...]:
        return tuple(sum(1 << n for n, other in enumerate(photos) if like(photo, other)) for photo in photos)

    return _Album(
        photos,
        shown=tuple(tuple(shown(sight)) for sight in photos),
        linked=others(lambda photo, other: marks[id(photo)] & marks[id(other)]),
        unlike=others(_unlike),
    )


def _seen(sight: FlatPhoto, kinds: set[str], least: tuple[int, float]) -> list[str]:
    """What of these kinds is seen at least so well."""
    return [piece.name for piece in sight.flat.pieces if piece.kind in kinds and sight.clear(piece.name, *least)]


def _landmarks(sight: FlatPhoto, least: tuple[int, float]) -> list[str]:
    """What tells where a photo was taken: things of which there is one and that are not taken away."""
    single = {piece.kind for piece in sight.flat.pieces if piece.name == piece.kind}
    return _seen(sight, single - LOOSE - {"rug"}, least)


def _unlike(photo: FlatPhoto, other: FlatPhoto) -> bool:
    away, apart = distance(photo.photo.at, other.photo.at), between(photo.photo.yaw, other.photo.yaw)
    return away >= 0.8 and (apart >= 20 or away >= 2.0)


def _thinned(rng: Stream, flat: Flat, tour: "Tour") -> Flat | None:
    """The flat with the wanted numbers left of what the photos show clearly, and a few of other kinds."""
    photos, asked = tour.photos, tour.asked
    groups = {name: _clear_in(photos, CATEGORIES[name].kinds, _SURE) for name in asked}
    counted = {kind for name in asked for kind in CATEGORIES[name].kinds}
    alike = {kind for name in asked for kind in CATEGORIES[name].alike} - counted
    clutter = {kind for category in CATEGORIES.values() for kind in category.kinds if category.spare} - counted - alike
    if any(
        len(groups[name]) < many or (not CATEGORIES[name].spare and _number(flat, CATEGORIES[name].kinds) != many)
        for name, many in asked.items()
    ):
        return None
    like = {kind: _clear_in(photos, (kind,), _SURE) for kind in sorted(alike)}
    if not all(like.values()):
        return None
    left: set[str] = set()
    for name in asked:
        kept = tour.selection(rng, groups[name], name)
        if kept is None:
            return None
        left |= kept
    left |= {name for names in like.values() for name in _few(rng, names, 3)}
    left |= {name for kind in sorted(clutter) for name in _few(rng, _named(flat, (kind,)))}
    loose = counted | alike | clutter
    return Flat(flat.rooms, tuple(piece for piece in flat.pieces if piece.kind not in loose or piece.name in left))


def _few(rng: Stream, names: Sequence[str], most: int = 4) -> list[str]:
    return rng.sample(names, min(len(names), most))


def _named(flat: Flat, kinds: Sequence[str]) -> list[str]:
    return [piece.name for piece in flat.pieces if piece.kind in kinds]


def _clear_in(photos: Sequence[FlatPhoto], kinds: Sequence[str], least: tuple[int, float] = CLEAR) -> list[str]:
    """What of these kinds some photo shows clearly."""
    return sorted({name for sight in photos for name in _seen(sight, set(kinds), least)})


@dataclass(frozen=True, slots=True)
class Tour:
    """The photos with what is counted in them: how many there are by category, and what the photos may add up to."""

    photos: tuple[FlatPhoto, ...]
    asked: Mapping[str, int]
    added: Mapping[str, tuple[int, ...]]

    def per_photo(self, kinds: Sequence[str], least: tuple[int, float] = NOTICED) -> list[list[str]]:
        return [_seen(sight, set(kinds), least) for sight in self.photos]

    def selection(self, rng: Stream, names: Sequence[str], category: str) -> set[str] | None:
        """As many of these things as wanted, which the photos show as often in all as they may."""
        kinds, many = CATEGORIES[category].kinds, self.asked[category]
        shown = [set(ids) for ids in self.per_photo(kinds)]
        seen = {name: [int(name in ids) for ids in shown] for name in rng.sample(names, len(names))}
        room = [MOST_IN_A_PHOTO] * len(self.photos)
        for added in rng.sample(self.added[category], len(self.added[category])):
            for some in map(set, islice(_fitting(tuple(seen), seen, many, added, room), _THINNINGS)):
                if self._is_hard(category, some, _SURE):
                    return some
        return None

    def _is_hard(self, category: str, among: set[str] | None = None, clear: tuple[int, float] = CLEAR) -> bool:
        """Whether the photos add up as wanted, which is too many, and even what is barely seen in one is too few."""
        kinds, many = CATEGORIES[category].kinds, self.asked[category]
        noticed, glimpsed, plain = (
            [len(ids if among is None else among.intersection(ids)) for ids in self.per_photo(kinds, least)]
            for least in (NOTICED, GLIMPSED, clear)
        )
        adds_up = sum(noticed) in self.added[category] and max(noticed) <= MOST_IN_A_PHOTO
        return adds_up and max(glimpsed) < many < sum(plain)

    def holds(self) -> bool:
        """Every counted thing is seen clearly somewhere, and so is all that is like it, of which there is some for each
        category; photos are linked; adding fails."""
        flat = self.photos[0].flat
        for name in self.asked:
            for kinds in (CATEGORIES[name].kinds, CATEGORIES[name].alike):
                if not 0 < _number(flat, kinds) == len(_clear_in(self.photos, kinds)):
                    return False
        marks = [set(_landmarks(sight, LANDMARK)) for sight in self.photos]
        linked = all(marks[number] & set().union(*marks[:number]) for number in range(1, len(marks)))
        return linked and all(map(self._is_hard, self.asked))


def _fitting(
    names: Sequence[str], seen: Mapping[str, Sequence[int]], many: int, added: int, room: Sequence[int]
) -> Iterator[tuple[str, ...]]:
    """So many of the names that are seen so often in all photos together, in each of them as often as there is room."""
    if not many and not added:
        yield ()
    totals = sorted(sum(seen[name]) for name in names)
    if not many or len(names) < many or not sum(totals[:many]) <= added <= sum(totals[-many:]):
        return
    first, *others = names
    left = [free - shown for free, shown in zip(room, seen[first], strict=True)]
    if min(left) >= 0:
        for more in _fitting(others, seen, many - 1, added - sum(seen[first]), left):
            yield first, *more
    yield from _fitting(others, seen, many, added, room)


def _written(tour: Tour) -> dict[str, Any]:
    flat = tour.photos[0].flat
    asked = []
    for name, many in tour.asked.items():
        category = CATEGORIES[name]
        noticed, clear = tour.per_photo(category.kinds), tour.per_photo(category.kinds, CLEAR)
        asked.append(
            {
                "category": name,
                "count": many,
                "photos": [len(ids) for ids in noticed],
                "clear": [len(ids) for ids in clear],
                "alike": _number(flat, category.alike),
            }
        )
    return {
        **told(flat, [sight.photo for sight in tour.photos]),
        "views": len(tour.photos),
        "asked": asked,
        "difficulty": len(tour.photos) + sum(tour.asked.values()),
    }
