"""Four folded solids of which exactly one comes from the net.

No leak: four **colourings** (what each face of the solid carries) are drawn first, each is looked at from some side,
and the four are kept only if *no* view can be had of any of the other colourings. So each of the four could be the
right one; which one is, is drawn last, and only then its net is drawn. What is wrong with the others is found by
comparing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.solid.bodies import Place, SolidBody, SolidView, mirroring, neighbours, turnings
from snellen.tasks.marvel.patterns.solid.designs import DESIGNS, PLAIN, FaceDesign
from snellen.tasks.marvel.patterns.solid.drawing import choose_net, dusty, net_panel, view_panel
from snellen.tasks.marvel.patterns.solid.faces import Content, merge, mirrored, period, turned
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish

Stock = Sequence[FaceDesign]
"""The designs that faces may carry."""
Colouring = tuple[Content, ...]
"""What each face of a solid carries."""
View = tuple[Content, ...]
"""What each face that a camera shows carries."""

_TRIES = 30
_DIRECTED = {4: (0.4, 0.7, 1.0), 3: (0.7, 0.8, 1.0)}
"""The share of faces whose mark has a direction, for squares and triangles, by the number of rules: the more of them,
the more the turn of a mark counts besides its place. With three faces around a corner triangles need more of them."""


def make(rng: Stream, wish: PuzzleWish, solid: SolidBody, stock: Stock = PLAIN, family: str = "") -> PuzzleDraft | None:
    """A puzzle about this solid, its faces carrying designs of this stock."""
    camera = rng.choice(solid.cameras)
    for _ in range(_TRIES):
        colourings = _near(rng, wish, solid, stock) if wish.near else _far(rng, wish, solid, stock)
        views = _views(rng, wish, solid, camera, colourings)
        if len(set(views)) < CHOICES or any(_edge_lost(solid, camera, view) for view in views):
            continue
        if _apart(solid, camera, colourings, views):
            made = _draft(rng, wish, solid, camera, colourings, views)
            return replace(made, family=family) if family else made
    return None


def _apart(solid: SolidBody, camera: SolidView, colourings: Sequence[Colouring], views: Sequence[View]) -> bool:
    """Whether no colouring can look like the view of another."""
    for own, colouring in zip(views, colourings, strict=True):
        possible = all_views(solid, camera, colouring)
        if any(view in possible for view in views if view is not own):
            return False
    return True


def _draft(
    rng: Stream,
    wish: PuzzleWish,
    solid: SolidBody,
    camera: SolidView,
    colourings: Sequence[Colouring],
    views: Sequence[View],
) -> PuzzleDraft:
    right = rng.below(CHOICES)
    panels = [view_panel(solid, camera, view) for view in views]
    net = net_panel(solid, choose_net(rng, solid, colourings[right]), colourings[right])
    if wish.clutter:
        net, *panels = (dusty(rng, panel) for panel in (net, *panels))
    others = [i for i in range(CHOICES) if i != right]
    rng.shuffle(others)
    possible = all_views(solid, camera, colourings[right])
    in_mirror = all_views(solid, camera, mirror_image(solid, colourings[right]))
    wrong = tuple((panels[i], mechanism(views[i], colourings[right], possible, in_mirror)) for i in others)
    rule = f"Folded along its lines, with the marks outside, the net becomes a {solid.name} that shows these faces."
    return PuzzleDraft((net, panels[right]), wrong, rule, solid.name)


# Colourings


def _sizes(solid: SolidBody) -> list[int]:
    return [len(cycle) for cycle in solid.faces]


def _pool(rng: Stream, wish: PuzzleWish, stock: Stock, sides: int, many: int) -> list[Content]:
    """Different designs for as many faces, turned anyhow."""
    names = [design.name for design in stock if design.sides == sides]
    rng.shuffle(names)
    looks: set[str] = set()
    directed = max(1, round(_DIRECTED[sides][min(3, max(1, wish.rules)) - 1] * many))
    plain = sum(period(name) == 1 for name in names)
    directed = min(max(directed, many - plain), len(names) - plain)  # a die has only three of either sort
    wanted = {True: directed, False: many - directed}
    chosen = []
    for name in names:
        kind = period(name) > 1
        if wanted[kind] > 0 and DESIGNS[name].looks not in looks:
            looks.add(DESIGNS[name].looks)
            wanted[kind] -= 1
            chosen.append(name)
    rng.shuffle(chosen)
    return [(name, rng.below(period(name))) for name in chosen]


def _dealt(rng: Stream, solid: SolidBody, pools: dict[int, list[Content]]) -> Colouring:
    """Contents of the pools on the faces of the solid, in any place and turn."""
    hands = {sides: rng.sample(pool, len(pool)) for sides, pool in pools.items()}
    return tuple(turned(hands[sides].pop(), rng.below(sides)) for sides in _sizes(solid))


def _pools(rng: Stream, wish: PuzzleWish, solid: SolidBody, stock: Stock, spare: int) -> dict[int, list[Content]]:
    """Contents for the faces by their number of sides; `spare` more than needed of the commonest kind."""
    many = Counter(_sizes(solid))
    commonest = max(many, key=lambda sides: many[sides])
    return {
        sides: _pool(rng, wish, stock, sides, count + (spare if sides == commonest else 0))
        for sides, count in many.items()
    }


def _far(rng: Stream, wish: PuzzleWish, solid: SolidBody, stock: Stock) -> list[Colouring]:
    """The same marks on other faces, turned otherwise; at times with a mark that not all of them have."""
    spare = len(stock) > len(solid.faces) and rng.chance(0.35)
    pools = _pools(rng, wish, solid, stock, int(spare))
    return [_dealt(rng, solid, pools) for _ in range(CHOICES)]


def _near(rng: Stream, wish: PuzzleWish, solid: SolidBody, stock: Stock) -> list[Colouring]:
    """A solid, two changes of it (two faces swapped or one turned), and both together; or one face in four turns."""
    first = _dealt(rng, solid, _pools(rng, wish, solid, stock, 0))
    fourfold = [face for face, (name, _) in enumerate(first) if period(name) == CHOICES]
    if fourfold and rng.chance(0.2):
        face = rng.choice(fourfold)
        return [_turn_face(first, face, by) for by in range(CHOICES)]
    a = _change(rng, solid, first, ())
    b = _change(rng, solid, first, a)
    return [first, _changed(first, a), _changed(first, b), _changed(_changed(first, a), b)]


def _change(rng: Stream, solid: SolidBody, colouring: Colouring, taken: Sequence[int]) -> tuple[int, ...]:
    """One face to be turned or two to be swapped, none of those taken."""
    sizes = _sizes(solid)
    free = [face for face in range(len(sizes)) if face not in taken]
    turns = [(face,) for face in free if period(colouring[face][0]) > 1]
    swaps = [(a, b) for a in free for b in free if a < b and sizes[a] == sizes[b]]
    kinds = [kind for kind in (turns, swaps) if kind]
    return rng.choice(rng.choice(kinds)) if kinds else ()


def _changed(colouring: Colouring, change: tuple[int, ...]) -> Colouring:
    if len(change) == 1:
        return _turn_face(colouring, change[0], max(1, period(colouring[change[0]][0]) // 2))
    if len(change) == 2:
        a, b = change
        swapped = {a: colouring[b], b: colouring[a]}
        return tuple(swapped.get(face, content) for face, content in enumerate(colouring))
    return colouring


def _turn_face(colouring: Colouring, face: int, by: int) -> Colouring:
    return (*colouring[:face], turned(colouring[face], by), *colouring[face + 1 :])


# Views


def _views(
    rng: Stream, wish: PuzzleWish, solid: SolidBody, camera: SolidView, colourings: Sequence[Colouring]
) -> list[View]:
    """A view of each: near ones at times all from the same side, others each from any."""
    ways = sights(solid, camera)
    shared = rng.below(len(ways)) if wish.near and rng.chance() else None
    return [look(colouring, ways[rng.below(len(ways)) if shared is None else shared]) for colouring in colourings]


@cache
def sights(solid: SolidBody, camera: SolidView) -> tuple[tuple[Place, ...], ...]:
    """For every way to turn the solid: which of its faces are where the camera shows one, and how they are turned."""
    seen = []
    for turning in turnings(solid):
        at = {place: (face, by) for face, (place, by) in enumerate(turning)}
        seen.append(tuple(at[shown.place] for shown in camera.shown))
    return tuple(seen)


def look(colouring: Colouring, sight: Sequence[Place]) -> View:
    """What is seen of the solid turned this way."""
    return tuple(turned(colouring[face], by) for face, by in sight)


def all_views(solid: SolidBody, camera: SolidView, colouring: Colouring) -> set[View]:
    """Whatever can be seen of the solid."""
    ways = [[turned(content, by) for by in range(DESIGNS[content[0]].sides)] for content in colouring]
    return {tuple([ways[face][by] for face, by in sight]) for sight in sights(solid, camera)}


@cache
def _edges(solid: SolidBody, camera: SolidView) -> tuple[tuple[Place, Place], ...]:
    """The edges between faces that the camera shows: (which of them, which side of it) for both."""
    order = {shown.place: i for i, shown in enumerate(camera.shown)}
    return tuple(
        ((order[face], side), (order[other], side_there))
        for (face, side), (other, side_there) in neighbours(solid).items()
        if face < other and face in order and other in order
    )


def _edge_lost(solid: SolidBody, camera: SolidView, view: View) -> bool:
    """Whether an edge cannot be seen, or not all of it, since the faces on both sides of it are black."""
    return any(merge(view[a], side_a, view[b], side_b) for (a, side_a), (b, side_b) in _edges(solid, camera))


# Mechanisms


def mirror_image(solid: SolidBody, colouring: Colouring) -> Colouring:
    """The solid as a mirror shows it."""
    at = {
        place: turned(mirrored(content), by) for content, (place, by) in zip(colouring, mirroring(solid), strict=True)
    }
    return tuple(at[face] for face in range(len(colouring)))


def mechanism(view: View, colouring: Colouring, possible: set[View], in_mirror: set[View]) -> str:
    """What is wrong with a view of a solid that can look in these ways, and in those in a mirror."""
    names = tuple(name for name, _ in view)
    if Counter(names) - Counter(name for name, _ in colouring):
        return "foreign face"
    if view in in_mirror:
        return "mirror image"
    misturned = [_misturned(view, other) for other in possible if names == tuple(name for name, _ in other)]
    if misturned:
        return min(misturned)[1]
    arrangements = {tuple(name for name, _ in other) for other in possible}
    swaps = [(i, j) for i in range(len(view)) for j in range(i)]
    if any(_swapped(names, i, j) in arrangements for i, j in swaps):
        return "two faces swapped"
    return "opposite faces side by side"


def _misturned(view: View, other: View) -> tuple[int, str]:
    """How many faces are turned otherwise, and what to say of it."""
    steps = [(DESIGNS[a[0]].sides, (a[1] - b[1]) % period(a[0])) for a, b in zip(view, other, strict=True) if a != b]
    if len(steps) > 1:
        return len(steps), "several faces turned"
    sides, by = steps[0]
    return 1, f"face turned by {min(by, sides - by) * 360 // sides} degrees"


def _swapped(names: tuple[str, ...], i: int, j: int) -> tuple[str, ...]:
    listed = list(names)
    listed[i], listed[j] = listed[j], listed[i]
    return tuple(listed)
