"""Items of the fixation task: published and fresh states as values that say all that is known about them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any

from snellen.errors import UserError
from snellen.item import Item, content_digest
from snellen.tasks.fixation import fresh, published
from snellen.tasks.fixation.games import Game, completed, game_named, lines, margin, winner
from snellen.tasks.fixation.symmetry import canonical
from snellen.tasks.task import Levels, combinations

TASK_NAME = "fixation"
_ENDLESS = 10**9


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


def counts(levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
    """n of each kind there is. Published states exist in one size, which is asked for once however many sizes are."""
    kinds = [kind for kind in combinations(levels) if kind["states"] != "published" or kind["size"] == "small"]
    if not kinds:
        raise _small_only(levels["size"])
    for kind in kinds:
        if kind["states"] == "fresh":
            fresh.check_room(game_named(kind["game"]), kind["size"], n)
    return [(kind, n) for kind in kinds]


def item(kind: Mapping[str, str], index: int, seed: int) -> Item:
    """One item of a kind. Boards do not repeat, so that those before it are known first; they are remembered."""
    game, size = game_named(kind["game"]), kind["size"]
    if kind["states"] == "published":
        return next(islice(_published(game, (size,), index + 1), index, None))
    with _ALONE:
        made, more = _begun(game.name, size, seed)
        made.extend(islice(more, max(0, index + 1 - len(made))))
    return made[index]


_ALONE = Lock()
"""Items are made by threads too, and these remember them together."""


@lru_cache(maxsize=32)
def _begun(game: str, size: str, seed: int) -> tuple[list[Item], Iterator[Item]]:
    """The first items of a kind as far as they were made, and the others to come."""
    most = fresh.room(game_named(game), size) or _ENDLESS
    return [], _fresh(game_named(game), size, most, seed)


def _published(game: Game, sizes: tuple[str, ...], n: int) -> Iterator[Item]:
    """The first n published states. They exist in one size, which is asked for once however many sizes are."""
    if "small" not in sizes:
        raise _small_only(sizes)
    if n > published.COUNT:
        raise UserError(f"--n {n}: the published set has {published.COUNT} states of each game; ask for fewer")
    for number, cells in enumerate(published.boards(game.name)[:n], 1):
        extra: dict[str, Any] = {"glyphs": list(published.glyphs(game.name, number)), "named": [1, 2]}
        if game.name != "dots_boxes":
            extra["first"] = 1
        levels = {"game": game.name, "states": "published", "size": "small"}
        yield _item(f"{TASK_NAME}/{game.name}/published/{number:03d}", levels, game, cells, extra)


def _small_only(sizes: Sequence[str]) -> UserError:
    return UserError(f"size={','.join(sizes)}: published states are small; set size=small or states=fresh")


def _fresh(game: Game, size: str, n: int, seed: int) -> Iterator[Item]:
    for number, state in enumerate(fresh.states(game, size, n, seed)):
        yield fresh_item(f"{TASK_NAME}/{game.name}/fresh-{size}-{seed}/{number:04d}", game, size, state)


def fresh_item(name: str, game: Game, size: str, state: fresh.State) -> Item:
    """The item of a state, with this id."""
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
    return Item(name, TASK_NAME, levels, truth, digest, cluster_of(game, levels["size"], cells))


def cluster_of(game: Game, size: str, cells: str) -> str:
    """The class of boards that are the same up to turning, mirroring and exchanging the players."""
    return f"{TASK_NAME}/{game.name}/{size}/{canonical(game.shape(size), cells)}"
