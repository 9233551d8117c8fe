"""Solving a sliding-block level, where a block that is pushed slides until something stops it.

Blocks keep to their own row or column, so a state is how far along each of them stands: three bits a block in one
number. The occupied cells are bits too, once row by row and once column by column, so that the line a block lies in is
a few neighbouring bits and how far it can go is looked up. The search goes through all states, move by move, and so
proves the fewest moves. The red block is the first of the level: pushed forwards with a free way it leaves the tray.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from snellen.tasks.capacity.draw.blocks import BlockTray, SlidingBlock

Move = tuple[int, int]
"""Which block, and by how many cells it slides (down or to the right if positive)."""

RED = 0
_BITS, _PLACE = 3, 7


@dataclass(frozen=True, slots=True)
class SolvedTray:
    """The shortest solutions of a level: the sets of blocks they move besides the red one, and one of them in full."""

    sets: frozenset[frozenset[int]]
    moves: tuple[Move, ...]


class _Track(NamedTuple):
    """What the search must know of a block: where its line and its place are among the bits, how far it can go."""

    line: int
    place: int
    own: tuple[int, ...]
    """Its bits within its line, for each place along it."""
    cells: tuple[int, ...]
    """Its bits on both boards, for each place along its line."""
    spans: tuple[tuple[tuple[int, int], ...], ...]
    """The first and last place it can slide to, by what else is in its line and by where it stands."""


@cache
def _spans(extent: int, length: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    places = range(extent - length + 1)
    return tuple(tuple(_span(others, place, extent, length) for place in places) for others in range(1 << extent))


def _span(others: int, place: int, extent: int, length: int) -> tuple[int, int]:
    low = high = place
    while low > 0 and not others >> (low - 1) & 1:
        low -= 1
    while high + length < extent and not others >> (high + length) & 1:
        high += 1
    return low, high


def _track(extent: int, number: int, block: SlidingBlock) -> _Track:
    line, length = (block.column if block.upright else block.row), block.length
    places = range(extent - length + 1)
    along = [((1 << length) - 1) << place + line * extent for place in places]
    across = [sum(1 << (place + step) * extent + line for step in range(length)) for place in places]
    by_row, by_column = (across, along) if block.upright else (along, across)
    return _Track(
        line * extent + (extent**2 if block.upright else 0),
        _BITS * number,
        tuple(((1 << length) - 1) << place for place in places),
        tuple(row | column << extent**2 for row, column in zip(by_row, by_column, strict=True)),
        _spans(extent, length),
    )


class Tray:
    """The moves of a level."""

    def __init__(self, level: BlockTray) -> None:
        self._line = (1 << level.extent) - 1
        self._tracks = [_track(level.extent, number, block) for number, block in enumerate(level.blocks)]
        self._forward = level.exit in ("right", "bottom")
        self._length = level.blocks[RED].length
        self._last = level.extent - self._length if self._forward else 0
        places = [block.row if block.upright else block.column for block in level.blocks]
        both = list(zip(self._tracks, places, strict=True))
        self.start = sum(place << track.place for track, place in both)
        self.taken = sum(track.cells[place] for track, place in both)

    def way_out(self, state: int, taken: int) -> int:
        """By how many cells the red block slides to leave the tray wholly; 0 if something is in its way."""
        track = self._tracks[RED]
        place = state >> track.place & _PLACE
        span = track.spans[taken >> track.line & self._line & ~track.own[place]][place]
        if span[self._forward] != self._last:
            return 0
        return self._last - place + (self._length if self._forward else -self._length)

    def pushes(self, state: int, taken: int) -> list[tuple[int, int, int, int]]:
        """Every move: the state and the occupied cells after it, the block and how far it slides."""
        moves = []
        for number, (line, shift, own, cells, spans) in enumerate(self._tracks):
            place = state >> shift & _PLACE
            low, high = spans[taken >> line & self._line & ~own[place]][place]
            if low < high:
                rest = taken ^ cells[place]
                for to in (low, high):
                    if to != place:
                        moves.append((state ^ (place ^ to) << shift, rest ^ cells[to], number, to - place))
        return moves


def search(level: BlockTray, limit: int, deepest: int = 99) -> SolvedTray | None:
    """The shortest solutions; nothing if there is none so short or if there are more than `limit` states to see."""
    tray = Tray(level)
    before: dict[int, tuple[int, Move] | None] = {tray.start: None}
    layer = {tray.start: (tray.taken, frozenset({0}))}
    for _ in range(deepest):
        out = {state: by for state, (taken, _) in layer.items() if (by := tray.way_out(state, taken))}
        if out:
            movers = frozenset(_members(blocks) for state in out for blocks in layer[state][1])
            last = next(iter(out))
            return SolvedTray(movers, _traced(before, last, (RED, out[last])))
        following: dict[int, tuple[int, frozenset[int]]] = {}
        for state, (taken, sets) in layer.items():
            for after, occupied, block, by in tray.pushes(state, taken):
                moved = sets if block == RED else frozenset(blocks | 1 << block for blocks in sets)
                if after in following:
                    following[after] = (occupied, following[after][1] | moved)
                elif after not in before:
                    before[after] = (state, (block, by))
                    following[after] = (occupied, moved)
        if len(before) > limit:
            return None
        layer = following
    return None


def _members(bits: int) -> frozenset[int]:
    return frozenset(number for number in range(bits.bit_length()) if bits >> number & 1)


def _traced(before: Mapping[int, tuple[int, Move] | None], last: int, out: Move) -> tuple[Move, ...]:
    moves, step = [out], before[last]
    while step is not None:
        state, move = step
        moves.append(move)
        step = before[state]
    return tuple(reversed(moves))


def depths(level: BlockTray, limit: int) -> dict[int, int]:
    """How many moves each state needs that can come of a level; nothing if there are more than `limit` states."""
    tray = Tray(level)
    before: dict[int, list[int]] = {tray.start: []}
    waiting, last = [(tray.start, tray.taken)], []
    for state, taken in waiting:  # grows as states are found
        if tray.way_out(state, taken):
            last.append(state)
        for after, occupied, _, _ in tray.pushes(state, taken):
            if after not in before:
                before[after] = []
                waiting.append((after, occupied))
            before[after].append(state)
        if len(before) > limit:
            return {}
    depth, layer, many = dict.fromkeys(last, 1), last, 1
    while layer:
        many += 1
        layer = list(dict.fromkeys(state for other in layer for state in before[other] if state not in depth))
        depth.update(dict.fromkeys(layer, many))
    return depth


def placed(level: BlockTray, state: int) -> BlockTray:
    """The level with its blocks as the state has them."""
    places = [state >> _BITS * number & _PLACE for number in range(len(level.blocks))]
    both = zip(level.blocks, places, strict=True)
    blocks = (replace(block, row=at) if block.upright else replace(block, column=at) for block, at in both)
    return replace(level, blocks=tuple(blocks))
