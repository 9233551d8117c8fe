"""Unblock Me: the fewest moves that let the red block out of its tray, and which other blocks they move.

A push slides a block as far as it goes, so stopping half-way is no move. All shortest solutions of a level move the
same blocks, which a search through all states proves. A fixed worked example comes first.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from snellen.item import Field, Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.draw.blocks import BlockTray, SlidingBlock, draw, words
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.unblock_making import TrayWish, think_of
from snellen.tasks.capacity.kinds.unblock_search import RED, SolvedTray

_SPREAD = 3 * (3, 4, 5, 6, 7)
"""Fewest moves of the items by turns. Eight comes less often, as such levels are long in the finding."""
_SIZES = {
    "standard": (6, (*_SPREAD, 8), (7, 10), 5),
    "small": (5, (3, 4, 5, 6), (5, 7), 4),
    "large": (7, (3, 4, 5, 6, 3, 4, 5, 6, 7), (8, 11), 4),
}
"""By size: the tray's extent, the fewest moves by turns, how many blocks (from, to), and how many to begin with."""

EXAMPLE = BlockTray(
    5,
    (
        SlidingBlock("R", 2, 0, 2, False),
        SlidingBlock("a", 2, 3, 2, True),
        SlidingBlock("b", 4, 3, 2, False),
        SlidingBlock("c", 0, 2, 2, False),
        SlidingBlock("d", 3, 2, 2, True),
    ),
    "right",
)
"""The worked example: 3 moves, blocks a and c. Its solution is told in the wording."""


def make(rng: Stream, size: str, index: int) -> Truth:
    extent, spread, blocks, core = _SIZES[size]
    level, solved = think_of(rng, TrayWish(extent, spread[index % len(spread)], blocks, core))
    return {"size": size, **_written(level, solved)}


def _written(level: BlockTray, solved: SolvedTray) -> dict[str, Any]:
    names = [block.name for block in level.blocks]
    moves = [[names[block], by] for block, by in solved.moves]
    (moved,) = solved.sets
    return {
        "extent": level.extent,
        "exit": level.exit,
        "blocks": [[block.name, block.row, block.column, block.length, block.upright] for block in level.blocks],
        "moves": len(moves),
        "moved": sorted(names[block] for block in moved),
        "solution": moves,
        "difficulty": len(moves),
    }


def read(truth: Truth) -> BlockTray:
    """The level of a truth."""
    return BlockTray(truth["extent"], tuple(SlidingBlock(*block) for block in truth["blocks"]), truth["exit"])


def show(truth: Truth) -> tuple[Picture, ...]:
    return (draw(EXAMPLE, 400), draw(read(truth)))


def ask(truth: Truth) -> KindQuestion:
    level = read(truth)
    others = sorted(block.name for block in level.blocks[1:])
    form = Form("fields", fields=(Field("moves", "number"), Field("blocks", "set", ("R", *others))))
    key = f"moves: {truth['moves']}; blocks: {' '.join(truth['moved'])}"
    values = {"extent": str(level.extent), "side": level.exit}
    twin = f"{words(level)}\n{_key_to_words(level)}"
    return KindQuestion(form, key, values, {**_move_mechanisms(truth), **_block_mechanisms(truth, level)}, twin=twin)


def _key_to_words(level: BlockTray) -> str:
    return (
        "A letter repeated in neighbouring cells is one block, R the red one; a dot is an empty cell, # the frame. "
        f"The gap in the frame on the {level.exit} side is the exit."
    )


def _move_mechanisms(truth: Truth) -> Mapping[str, str]:
    """What other numbers of moves betray; a number that several mistakes lead to gets the name that claims least."""
    key, red = truth["moves"], [by for name, by in truth["solution"] if name == "R"]
    cells = sum(abs(by) for _, by in truth["solution"])
    named = {key - 1: "one move too few", key + 1: "one move too many"}
    guesses = [
        (key - len(red), "red block not counted"),
        (cells, "single steps counted"),
        (cells - _red_length(truth), "single steps counted"),
        (len(truth["moved"]), "each block counted once"),
        (len(truth["moved"]) + 1, "each block counted once"),
    ]
    for number, mechanism in guesses:
        if number != key:
            named.setdefault(number, mechanism)
    return {f"moves={number}": mechanism for number, mechanism in named.items()}


def _red_length(truth: Truth) -> int:
    length: int = truth["blocks"][RED][3]
    return length


def _block_mechanisms(truth: Truth, level: BlockTray) -> Mapping[str, str]:
    key, others = set(truth["moved"]), {block.name for block in level.blocks[1:]}
    named: dict[str, str] = {}

    def name(blocks: Iterable[str], mechanism: str) -> None:
        if set(blocks) != key:
            named.setdefault("blocks=" + " ".join(sorted(blocks)), mechanism)

    name(key | {"R"}, "red block counted")
    name(in_the_way(level), "moved the blocker only")
    name(others, "all blocks")
    for block in sorted(others):
        if block in key:
            name(key - {block}, "one block missed")
        else:
            name(key | {block}, "one block too many")
    return named


def in_the_way(level: BlockTray) -> set[str]:
    """The blocks between the red one and the exit."""
    red = level.blocks[RED]
    ahead = {
        (row, column) for row in range(level.extent) for column in range(level.extent) if _ahead(level, row, column)
    }
    return {block.name for block in level.blocks if block != red and not ahead.isdisjoint(block.cells())}


def _ahead(level: BlockTray, row: int, column: int) -> bool:
    red = level.blocks[RED]
    along, begin, in_line = (
        (row, red.row, column == red.column) if red.upright else (column, red.column, row == red.row)
    )
    return in_line and (along >= begin + red.length if level.exit in ("right", "bottom") else along < begin)


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    level = read(truth)
    red, others = level.blocks[RED], level.blocks[1:]
    return {
        "exit side": level.exit,
        "blocks": len(others),
        "upright blocks": sum(block.upright for block in others),
        "long blocks": sum(block.length > 2 for block in others),
        "blocks in the way": len(in_the_way(level)),
        "red block's place": red.row * level.extent + red.column,
        "first block": min(others, key=lambda block: (block.row, block.column)).name,
    }


KIND = CapacityKind(
    "unblock", 99, make, show, ask, sizes=tuple(_SIZES), captions=("unblock_example", "unblock_puzzle"), observe=observe
)
