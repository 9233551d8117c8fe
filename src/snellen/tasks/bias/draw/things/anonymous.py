"""A thing with its identity taken away: the counted parts stay where they are, all else becomes blobs in other colours.

What surrounds a part stays: the body it comes out of, the gap to its neighbour, what lies over it. Further away than
`NEAR` the body becomes an irregular blob of about the same size, and what is drawn on it becomes patches of about the
same area at other places. Parts lose what names them (feet, branches, flames; see `bare`) and keep place, size and
overlaps; everything is bent a little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from snellen.draw.canvas import mixed
from snellen.draw.looks import Colour
from snellen.draw.soft import STEPS
from snellen.rng import Stream
from snellen.tasks.bias.draw.things.bare import BEND, Recolouring, bare_parts, bent_placing, hull
from snellen.tasks.bias.draw.things.forms import Place, clockwise
from snellen.tasks.bias.draw.things.inks import INK
from snellen.tasks.bias.draw.things.kind import Bare, ColouredPiece, Group, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.page import Box, ScenePage, backdrop, box_of, cast_shadow, lay_piece, outlined
from snellen.tasks.bias.draw.things.raster import Amounts, Points, StepCover, cover, together, widened
from snellen.tasks.bias.draw.things.textured import TexturedPage

NEAR = 0.028
"""How far around a part its surroundings are kept, as a share of the picture."""
_EDGE = 0.015
"""How near to the edge of the picture a blob may come, as a share of the picture."""
_LEAST = 0.00015
"""What takes less of the picture than this makes no blob."""
_BODY, _PATCH, _CLUTTER = 1.7, 2.6, 4.0
"""How many times longer than wide a blob may be."""
_CALM = 0.5
"""How high the waves of a blob are, as a share of the usual, where a lump might be taken for a part."""
_TOUCHES = 12
"""So many pixels of something touch a part if it is among its surroundings."""

_ALIKE = 60
"""Colours whose channels differ by less are alike."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Laid:
    """A piece as it lies on the page, the number of its group, and how much of it is seen."""

    group: int
    piece: ColouredPiece
    area: StepCover
    seen: StepCover


class Anonymous:
    """The anonymous drawing of a scene: the body, the parts as far as they are seen, and what is over them."""

    def __init__(self, scene: ThingScene, look: ThingLook, size: int, bare: Bare = "bent") -> None:
        self.scene, self.look, self.size = scene, look, size
        self._placed = bent_placing(look, size, 0 if bare == "straight" else BEND)
        self._bare = bare_parts(scene, bare == "bars")
        self._dice = look.stream("anonymous blobs")
        laid = list(self._lay_out())
        self._parts = [layer for layer in laid if layer.piece.part is not None]
        self._rest = [layer for layer in laid if layer.piece.part is None]
        self._ink = Recolouring(look, [layer.piece.ink for layer in self._parts])
        self._shown = self._whole([layer.seen for layer in self._parts]) > 0
        self._near, self._touched = (self._grown(self._shown, reach) for reach in (max(2, round(NEAR * size)), 2))
        self._covered = self._whole([layer.area for layer in self._rest]) > STEPS // 2
        self._body = self._blob_body()

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The box of every part, in pixels."""
        return tuple(box_of(self._placed(piece.outlines)) for _, piece in sorted(self._bare.items()))

    def png(self) -> bytes:
        page = backdrop(self.look, self.size)
        if isinstance(page, TexturedPage) and self._body.any():
            cast_shadow(page, self.look, [StepCover(self._body, 0, 0)])
        self._lay_body(page)
        last = max((layer.group for layer in self._rest), default=-1)
        for number, group in enumerate(self.scene.groups):
            self._lay_parts(
                page, [layer for layer in self._parts if layer.group == number], group.edged, number <= last
            )
            if group.role == "kept":
                self._lay_kept(page, group)
            elif group.role == "clutter":
                self._lay_clutter(page, group)
        return page.png()

    # Masks and covers of the whole page

    def _lay_out(self) -> Iterator[_Laid]:
        """Body and bare parts from back to front; nothing of groups with a role of their own but their parts."""
        parts, laid = dict(self._bare), list[_Laid]()
        for number, group in enumerate(self.scene.groups):
            for piece in group.pieces:
                body = None if group.role else piece
                own = body if piece.part is None else parts.pop(piece.part, None)
                area = cover(self._placed(own.outlines), (self.size, self.size)) if own else None
                if own and area:
                    for below in laid:
                        _hide(below.seen, area)
                    laid.append(_Laid(number, own, area, StepCover(area.amount.copy(), area.top, area.left)))
        yield from laid

    def _whole(self, areas: Sequence[StepCover]) -> Amounts:
        whole = np.zeros((self.size, self.size), np.uint8)
        for area in areas:
            np.maximum(whole[_window(area)], area.amount, out=whole[_window(area)])
        return whole

    def _grown(self, mask: Mask, reach: int) -> Mask:
        full = StepCover(mask.astype(np.uint8) * np.uint8(STEPS), 0, 0)
        return widened(full, reach, (self.size, self.size)).amount > 0

    def _filled(self, outlines: Sequence[Points]) -> Mask:
        mask = np.zeros((self.size, self.size), bool)
        edge = _EDGE * self.size
        for line in outlines:
            # Within the page: nothing of the backdrop's edge is to be hidden.
            inside = line - np.maximum(0, line.max(axis=0) - self.size + edge)
            area = cover([inside + np.maximum(0, edge - inside.min(axis=0))], (self.size, self.size))
            if area:
                mask[_window(area)] |= area.amount > STEPS // 2
        return mask

    # The body

    def _blob_body(self) -> Amounts:
        """The body: as it was near parts, blobs elsewhere."""
        from scipy.ndimage import binary_fill_holes, label  # here, for whoever lists the tasks needs none of it

        sticks_out = bool(self._covered[self._shown].mean() < 0.5)
        numbers, many = label(self._covered)
        blobs = np.zeros_like(self._covered)
        for own in (numbers == number for number in range(1, many + 1)):
            far, area = int((own & ~self._near).sum()), int(own.sum())
            if area < _LEAST * own.size:
                continue
            if far < 0.1 * area:  # the parts are over it or all around it
                blobs |= own
            elif area > 0.5 * int(binary_fill_holes(own).sum()):  # of a ring only what is near parts stays
                blobs |= self._blob_for(own, sticks_out)
        edge = max(2, round(_EDGE * self.size))
        inside = np.zeros_like(blobs)
        inside[edge:-edge, edge:-edge] = True
        mask = np.where(self._near & (self._covered | sticks_out), self._covered, blobs) & inside
        numbers, many = label(mask)
        areas = np.bincount(numbers[mask], minlength=many + 1)
        kept: Mask = np.array(areas >= 0.3 * areas.max(), bool)  # scraps that hold no part would look like one
        kept[numbers[self._near & mask]] = True
        return _smooth(mask & kept[numbers], max(1, round(0.004 * self.size)))

    def _blob_for(self, own: Mask, sticks_out: bool) -> Mask:
        """A blob in place of a body, across it. Nothing of one that parts stick out of goes where the parts are, as a
        lump there would look like one of them: not to their side of the body, or, where they are all around it, not
        far from it."""
        roots, (right, down) = own & self._near, self._way_of_parts()
        all_around = sticks_out and hypot(right, down) < 0.5
        holds = self._filled([_hull_of(roots)]) if roots.any() else roots
        height = _CALM if sticks_out else 1
        blob = holds | self._filled([_blob(own, self._dice, _BODY, across=not all_around, height=height)])
        if not sticks_out:
            return blob
        if all_around:
            return blob & self._grown(own, round(NEAR * self.size))
        rows, columns = np.mgrid[: self.size, : self.size]
        ahead = rows * down + columns * right
        return np.asarray(blob & ((own & holds) | (ahead < np.quantile(ahead[self._shown], 0.02))))

    def _way_of_parts(self) -> Place:
        """The mean direction of the parts, right and down: next to nothing if they point all ways, or none."""
        marks = [np.array((mark.begin, mark.end)) for mark in self.scene.marks if mark.begin != mark.end]
        ways = [end - begin for begin, end in self.look.placing(self.size)(marks)]
        right, down = sum(way / np.hypot(*way) for way in ways) / len(ways) if ways else (0.0, 0.0)
        return float(right), float(down)

    def _lay_body(self, page: ScenePage) -> None:
        """The blob in the ink that most of the body has, patches, and the surroundings of parts in their own inks."""
        if not self._body.any():
            return
        if self.look.style == "outline" and any(self.scene.groups[layer.group].edged for layer in self._rest):
            page.lay(outlined(StepCover(self._body, 0, 0), self.size), INK)
        areas: dict[Colour, int] = {}
        for layer in self._rest:
            areas[layer.piece.ink] = areas.get(layer.piece.ink, 0) + int(layer.seen.amount.sum())
        main = max(areas, key=areas.__getitem__)
        self._lay(page, StepCover(self._body, 0, 0), main, True)
        others = [(layer, self._whole([layer.seen])) for layer in self._rest if layer.piece.ink != main]
        counted = {layer.piece.ink for layer in self._parts}
        for layer, seen in others:
            mask = (seen > 0) & ~self._near
            if mask.sum() >= _LEAST * mask.size:  # no patch in the ink of a part: it might be taken for one
                like = any(_distance(layer.piece.ink, part) < _ALIKE for part in counted)
                ink = mixed(layer.piece.ink, main, 60) if like else layer.piece.ink
                self._lay(page, self._patch(mask), ink)
        for layer, seen in others:
            if (seen[self._touched] > 0).sum() > _TOUCHES:
                self._lay(page, StepCover(np.minimum(seen, self._body) * self._near, 0, 0), layer.piece.ink)

    def _patch(self, mask: Mask) -> StepCover:
        """A blob about as large as the mask, on the body where it is furthest from parts."""
        free = np.argwhere((self._body > 0) & ~self._near)
        places = [free[self._dice.below(len(free))] for _ in range(12)] if len(free) else []
        best, own = None, mask[np.ix_(mask.any(axis=1), mask.any(axis=0))]
        for down, right in places:
            area = cover([_blob(own, self._dice, _PATCH, (float(right), float(down)))], mask.shape)
            if area:
                window = _window(area)
                inside = np.minimum(area.amount, self._body[window]) * ~self._near[window]
                if best is None or inside.sum() > best.amount.sum():
                    best = StepCover(inside, area.top, area.left)
        return best or StepCover(np.zeros((1, 1), np.uint8), 0, 0)

    # Parts and what is over them

    def _lay_parts(self, page: ScenePage, parts: Sequence[_Laid], edged: bool, before: bool) -> None:
        """Parts of one group as far as they are seen; `before`: the body is in front of them or joined to them."""
        if parts and edged and self.look.style == "outline":
            line = outlined(together([layer.seen for layer in parts]), self.size)
            if before:
                _hide(line, StepCover(self._body, 0, 0))
            page.lay(line, INK)
        for layer in parts:
            self._lay(page, layer.seen, layer.piece.ink, layer.piece.round)

    def _lay_kept(self, page: ScenePage, group: Group) -> None:
        for piece in group.pieces:
            area = cover(self._placed(piece.outlines), (self.size, self.size))
            if area and piece.part is None:
                self._lay(page, area, piece.ink)

    def _lay_clutter(self, page: ScenePage, group: Group) -> None:
        """A blob for each thing that lies there."""
        from scipy.ndimage import find_objects, label

        for piece in group.pieces:
            area = cover(self._placed(piece.outlines), (self.size, self.size))
            if area is None:
                continue
            numbers, _ = label(area.amount == STEPS)
            for number, window in enumerate(find_objects(numbers), start=1):
                blob = _blob(numbers[window] == number, self._dice, _CLUTTER, height=_CALM)
                corner = area.left + window[1].start, area.top + window[0].start
                own = cover([blob + np.array(corner)], (self.size, self.size))
                if own:
                    self._lay(page, own, piece.ink)

    def _lay(self, page: ScenePage, area: StepCover, ink: Colour, round: bool = False) -> None:
        lay_piece(page, self.look, area, self._ink(ink), round)


def _window(area: StepCover) -> tuple[slice, slice]:
    height, width = area.amount.shape
    return slice(area.top, area.top + height), slice(area.left, area.left + width)


def _hide(below: StepCover, above: StepCover) -> None:
    """Take from a cover what another lies over."""
    (height, width), (high, wide) = below.amount.shape, above.amount.shape
    top, left = max(below.top, above.top), max(below.left, above.left)
    bottom, right = min(below.top + height, above.top + high), min(below.left + width, above.left + wide)
    if top < bottom and left < right:
        own = below.amount[top - below.top : bottom - below.top, left - below.left : right - below.left]
        over = above.amount[top - above.top : bottom - above.top, left - above.left : right - above.left]
        np.minimum(own, STEPS - over, out=own)


def _distance(one: Colour, other: Colour) -> int:
    """The greatest difference of two colours in a channel."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _hull_of(mask: Mask) -> Points:
    rows = np.flatnonzero(mask.any(axis=1))
    first, last = mask[rows].argmax(axis=1), mask.shape[1] - mask[rows, ::-1].argmax(axis=1)
    corners = [(x, y) for x, row in zip((*first, *last), (*rows, *rows), strict=True) for y in (row, row + 1)]
    return hull(np.array(corners, np.float64))


def _blob(
    mask: Mask, dice: Stream, longest: float, at: Place | None = None, across: bool = False, height: float = 1
) -> Points:
    """An irregular outline of about the place (or `at` another) and area of a mask, in its direction or `across` it.
    `height`: that of its waves, as a share of the usual one."""
    rows, columns = np.nonzero(mask)
    many = len(rows)
    # In whole numbers, and without a library's choice of axes: the same blob on every machine.
    x, y, xx, yy, xy = (int(sum_.sum()) for sum_ in (columns, rows, columns**2, rows**2, columns * rows))
    a, b, c = (xx * many - x * x) / many**2, (xy * many - x * y) / many**2, (yy * many - y * y) / many**2
    turn, away = atan2(2 * b, a - c) / 2 + (pi / 2 if across else 0), hypot(a - c, 2 * b)
    wide, narrow = (max(0.3, (a + c + sign * away) / 2) ** 0.5 for sign in (1, -1))
    wide = min(wide, longest * narrow)
    size = (1.1 * many / (pi * narrow * wide)) ** 0.5
    angles = np.arange(72) * (pi / 36)
    waves = [(k, height * dice.between(0.03, 0.1), dice.between(0, 2 * pi)) for k in (2, 3, 4, 5, 7)]
    reach = size * (1 + sum(high * np.cos(k * angles + phase) for k, high, phase in waves))
    along, off = reach * wide * np.cos(angles), reach * narrow * np.sin(angles)
    right, down = at or (x / many, y / many)
    line = np.stack((right + along * cos(turn) - off * sin(turn), down + along * sin(turn) + off * cos(turn)), axis=1)
    return clockwise(line)


def _smooth(mask: Mask, reach: int) -> Amounts:
    """The mask as a cover with a smooth edge: three means over squares, in whole numbers."""
    sums, side = mask.astype(np.int64), 2 * reach + 1
    for axis in (0, 1) * 3:
        ends = [(reach + 1, reach) if axis == k else (0, 0) for k in (0, 1)]
        added = np.cumsum(np.pad(sums, ends, "edge"), axis=axis)
        sums = added[side:] - added[:-side] if axis == 0 else added[:, side:] - added[:, :-side]
    share = sums / side**6
    return np.asarray(np.rint(np.clip((share - 0.5) * 2.2 * reach + 0.5, 0, 1) * STEPS), np.uint8)
