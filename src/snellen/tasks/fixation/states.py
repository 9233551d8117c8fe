"""Items of the fixation task: published and fresh states as values that say all that is known about them."""

import json
from collections.abc import Iterator
from typing import Any

from snellen.errors import UserError
from snellen.item import Item, content_digest
from snellen.tasks.fixation import fresh, published
from snellen.tasks.fixation.games import Game, completed, game_named, lines, margin, winner
from snellen.tasks.task import Levels

TASK_NAME = "fixation"


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    """n items for each game, kind of states and size named in the levels."""
    if n < 1:
        raise UserError(f"--n {n}: ask for at least one state of each game")
    for name in levels.get("game", ("tictactoe",)):
        game = game_named(name)
        for states in levels.get("states", ("fresh",)):
            sizes = levels.get("size", ("small",))
            if states == "published":
                yield from _published(game, sizes, n)
            else:
                for size in sizes:
                    yield from _fresh(game, size, n, seed)


def _published(game: Game, sizes: tuple[str, ...], n: int) -> Iterator[Item]:
    """The first n published states. They exist in one size, which is asked for once however many sizes are."""
    if "small" not in sizes:
        raise UserError(f"size={','.join(sizes)}: published states are small; set size=small or states=fresh")
    if n > published.COUNT:
        raise UserError(f"--n {n}: the published set has {published.COUNT} states of each game; ask for fewer")
    for number, cells in enumerate(published.boards(game.name)[:n], 1):
        extra: dict[str, Any] = {"glyphs": list(published.glyphs(game.name, number)), "named": [1, 2]}
        if game.name != "dots_boxes":
            extra["first"] = 1
        levels = {"game": game.name, "states": "published", "size": "small"}
        yield _item(f"{TASK_NAME}/{game.name}/published/{number:03d}", levels, game, cells, extra)


def _fresh(game: Game, size: str, n: int, seed: int) -> Iterator[Item]:
    for number, state in enumerate(fresh.states(game, size, n, seed)):
        yield fresh_item(f"{TASK_NAME}/{game.name}/fresh-{size}-{seed}/{number:04d}", game, size, state)


def fresh_item(name: str, game: Game, size: str, state: fresh.State) -> Item:
    """The item that a state is, under this name."""
    extra: dict[str, Any] = {"glyphs": list(state.glyphs), "named": list(state.named)}
    if state.moves:
        extra |= {"first": state.first, "moves": list(state.moves)}
    levels = {"game": game.name, "states": "fresh", "size": size}
    return _item(name, levels, game, state.cells, extra)


def _item(name: str, levels: dict[str, str], game: Game, cells: str, extra: dict[str, Any]) -> Item:
    """The item, with who won and why read off the board by the rules alone."""
    shape = game.shape(levels["size"])
    truth: dict[str, Any] = {
        "players": list(game.labels),
        "winner": winner(game, shape, cells),
        "cells": cells,
        "rows": shape.rows,
        "columns": shape.columns,
        **extra,
    }
    if game.decided_by == "line":
        held = list(completed(shape, cells))
        patterns = dict.fromkeys(lines(shape)[line] for line in held)
        truth |= {"length": shape.length, "line": list(held[0]), "pattern": " and ".join(patterns)}
    else:
        truth["margin"] = abs(margin(cells))
    digest = content_digest(TASK_NAME, name, json.dumps(truth, sort_keys=True))
    return Item(name, TASK_NAME, levels, truth, digest)
