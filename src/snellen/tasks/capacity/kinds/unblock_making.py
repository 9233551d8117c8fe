"""Thinking of a sliding-block level that needs so many moves.

Deep levels are rare among random ones. So a few blocks are put down, all that can come of them is worked out, and the
state furthest from being solved is taken; then blocks are added or exchanged as long as that makes it no easier.
"""

from dataclasses import dataclass, replace

from snellen.rng import Stream
from snellen.tasks.capacity.draw.blocks import SIDES, BlockTray, SlidingBlock
from snellen.tasks.capacity.kinds.unblock_search import RED, SolvedTray, depths, placed, search

LETTERS = "abcdefghijklmnop"
FEWEST, MOST = 2, 5
"""Blocks moved besides the red one."""
LIMIT = 1500
"""States a search may see: more than that is not asked of anybody."""
_SMALL = 400
"""States the few blocks at the beginning may have; if there are more, other blocks are sooner tried."""
_SHORT = 1
"""How many moves too few the beginning may need."""
_TRIES = 20


@dataclass(frozen=True, slots=True)
class TrayWish:
    """What a level should be like: its extent, the fewest moves, how many blocks besides the red one (from, to)."""

    extent: int
    moves: int
    blocks: tuple[int, int]
    core: int
    """Blocks to begin with."""


def think_of(rng: Stream, wanted: TrayWish) -> tuple[BlockTray, SolvedTray]:
    """A level whose shortest solutions have the wanted number of moves and all move the same blocks."""
    while True:
        level = _core(rng, wanted)
        grown = _grown(rng, level, wanted) if level else None
        if grown:
            return _named(rng, *grown)


def _core(rng: Stream, wanted: TrayWish) -> BlockTray | None:
    level = BlockTray(wanted.extent, (_red(rng, wanted.extent),), "right")
    for _ in range(6 * wanted.core):
        level = _with_one_more(rng, level) or level
        if len(level.blocks) > wanted.core:
            break
    if not _promising(level):
        return None
    near = {state: many for state, many in depths(level, _SMALL).items() if many <= wanted.moves}
    deepest = max(near.values(), default=0)
    if deepest < wanted.moves - _SHORT:
        return None
    return placed(level, rng.choice([state for state, many in near.items() if many == deepest]))


def _promising(level: BlockTray) -> bool:
    """Whether something stands in the red block's row and two long blocks are upright: others are seldom deep."""
    row, standing = level.blocks[RED].row, [block for block in level.blocks if block.upright]
    crossing = any(block.row <= row < block.row + block.length for block in standing)
    return crossing and sum(block.length > 2 for block in standing) >= 2


def _red(rng: Stream, extent: int) -> SlidingBlock:
    return SlidingBlock("R", rng.below(extent), rng.below(extent // 2), 2, False)


def _with_one_more(rng: Stream, level: BlockTray) -> BlockTray | None:
    """The level with another block, if its place is free. None lies in the red block's row: it could never clear it."""
    upright, length = rng.chance(0.55), 3 if rng.chance(0.45) else 2
    tall, wide = (length, 1) if upright else (1, length)
    row, column = rng.below(level.extent - tall + 1), rng.below(level.extent - wide + 1)
    block = SlidingBlock("", row, column, length, upright)
    taken = {cell for other in level.blocks for cell in other.cells()}
    if not taken.isdisjoint(block.cells()) or (not upright and row == level.blocks[RED].row):
        return None
    return replace(level, blocks=(*level.blocks, block))


def _grown(rng: Stream, level: BlockTray, wanted: TrayWish) -> tuple[BlockTray, SolvedTray] | None:
    low, high = wanted.blocks
    room = low + rng.below(high - low + 1)
    solved = search(level, LIMIT, wanted.moves)
    for _ in range(_TRIES):
        if solved is None:
            return None
        if len(level.blocks) > low and _fits(solved, wanted):
            return level, solved
        fewer = level
        if len(level.blocks) > room or rng.chance(0.2):
            gone = 1 + rng.below(len(level.blocks) - 1)
            fewer = replace(level, blocks=level.blocks[:gone] + level.blocks[gone + 1 :])
        other = _with_one_more(rng, fewer)
        other_solved = search(other, LIMIT, wanted.moves) if other else None
        if other and other_solved and len(other_solved.moves) >= len(solved.moves):
            level, solved = other, other_solved
    return None


def _fits(solved: SolvedTray, wanted: TrayWish) -> bool:
    """Whether the answer is the wanted one, and one only."""
    alike = len(solved.sets) == 1
    return alike and len(solved.moves) == wanted.moves and FEWEST <= len(next(iter(solved.sets))) <= MOST


def _named(rng: Stream, level: BlockTray, solved: SolvedTray) -> tuple[BlockTray, SolvedTray]:
    """Letters in any order, so that they tell nothing, and the exit on any side."""
    letters = list(LETTERS[: len(level.blocks) - 1])
    rng.shuffle(letters)
    named = zip(level.blocks, ("R", *letters), strict=True)
    level = replace(level, blocks=tuple(replace(block, name=name) for block, name in named))
    for _ in range(rng.below(len(SIDES))):
        level, solved = _turned(level), _turned_moves(level, solved)
    return level, solved


def _turned(level: BlockTray) -> BlockTray:
    """The level after a quarter turn clockwise: what was above is then right."""
    blocks = []
    for block in level.blocks:
        tall = block.length if block.upright else 1
        row, column = block.column, level.extent - block.row - tall
        blocks.append(replace(block, row=row, column=column, upright=not block.upright))
    return BlockTray(level.extent, tuple(blocks), SIDES[(SIDES.index(level.exit) + 1) % len(SIDES)])


def _turned_moves(level: BlockTray, solved: SolvedTray) -> SolvedTray:
    """Moves to the right become moves down, moves down become moves to the left."""
    turned = tuple((block, -by if level.blocks[block].upright else by) for block, by in solved.moves)
    return replace(solved, moves=turned)
