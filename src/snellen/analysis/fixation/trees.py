"""The fixation tree and its fits: does the subject see the board, does it map by the stated rule, how does it guess?

A pair is the answers to one board under the standard and the inverse rule; player k is right under the standard one.
A board that is seen gets the standard answer right; under the inverse rule the stated rule wins with probability `map`,
else habit gives the standard answer again. A board that is not seen is guessed at twice, each time player 1 with
probability `guess`.

Labels pull differently in each game (X or Red may be a favourite), so a fit over several games has one guess for each;
else a favourite in one game would pass for habit in another. The same tree is also written with other roots, so that
the shares "follows the rule" and "answers by habit" have intervals of their own.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from snellen.analysis.blocks import Value
from snellen.analysis.fixation.pairs import CATEGORIES, CONTEXT, Pairs
from snellen.analysis.inference import clustered, fitted, misfit, misfit_p, probability
from snellen.analysis.tree import Tree, parse

BRANCHES = """
[{game} 1]
1 11: {habit} + {blind}*{g}*{g}
1 12: {rule} + {blind}*{g}*(1-{g})
1 21: {blind}*(1-{g})*{g}
1 22: {blind}*(1-{g})*(1-{g})
[{game} 2]
2 11: {blind}*{g}*{g}
2 12: {blind}*{g}*(1-{g})
2 21: {rule} + {blind}*(1-{g})*{g}
2 22: {habit} + {blind}*(1-{g})*(1-{g})
"""
ROOTS = {
    "see": {"rule": "see*map", "habit": "see*(1-map)", "blind": "(1-see)"},
    "rule": {"rule": "rule", "habit": "(1-rule)*(1-blind)", "blind": "(1-rule)*blind"},
    "habit": {"habit": "habit", "rule": "(1-habit)*(1-blind)", "blind": "(1-habit)*blind"},
}
ABSENT = Value(None)
FEW = 8
"""With fewer boards than this a fit is not attempted."""


@cache
def fixation_tree(root: str, games: tuple[str, ...], shared_guess: bool = False) -> Tree:
    """The tree over these games, rooted so that the parameter of interest stands first."""
    return parse(
        "".join(
            BRANCHES.format(game=game, g="guess" if shared_guess else f"guess_{number}", **ROOTS[root])
            for number, game in enumerate(games)
        )
    )


@dataclass(frozen=True, slots=True)
class Fit:
    """One fitted tree: where, on how much, the parameters as probabilities, and whether it fits.

    `game` is None for the fit over all games; only that one has the shares of pairs `rule` (seen, and answered by the
    stated rule), `habit` (seen, and answered by habit) and `blind` (not seen), which sum to 1. `unread`: pairs left out
    because an answer could not be read. A parameter that the data do not identify has no value. `p`: the fit test, None
    if nothing is left to test; `moved`: the share of pairs that would have to change category for a perfect fit.
    """

    setting: dict[str, Any]
    game: str | None
    pairs: int
    items: int
    unread: int
    see: Value
    map: Value
    guess: Value
    rule: Value = ABSENT
    habit: Value = ABSENT
    blind: Value = ABSENT
    p: float | None = None
    moved: float = 0.0


def fit_all(pairs: Pairs) -> list[Fit]:
    """Fits for every subject and setting: over all games first, then game by game."""
    if not len(pairs.parts):
        return []
    settings: dict[tuple[Any, ...], list[int]] = {}
    for number, cell in enumerate(pairs.cells):
        key = tuple(cell[name] for name in ("subject", "config", *CONTEXT))
        settings.setdefault(key, []).append(number)
    games = tuple(dict.fromkeys(cell["game"] for cell in pairs.cells))
    by_game = _fit_games(pairs)
    pooled = _fit_pooled(pairs, list(settings.values()), games)
    found: list[Fit] = []
    for whole, members in zip(pooled, settings.values(), strict=True):
        parts = [by_game[number] for number in members if number in by_game]
        if whole.items >= FEW:
            found.append(_with_test(whole, parts))
        if len(members) > 1:
            found += [part for part, _ in parts if part.items >= FEW]
    return found


Moments = tuple[float, float, float]


def _with_test(whole: Fit, parts: list[tuple[Fit, Moments]]) -> Fit:
    """The pooled fit with the fit test of its games together: the tree must hold within games, not be equal across."""
    statistic, mean, square = np.array([moments for _, moments in parts]).sum(0)
    p = float(misfit_p(np.array([statistic]), np.array([mean]), np.array([square]))[0])
    pairs = sum(part.pairs for part, _ in parts)
    moved = sum(part.moved * part.pairs for part, _ in parts) / pairs
    return replace(whole, p=None if np.isnan(p) else p, moved=moved)


def _fit_games(pairs: Pairs) -> dict[int, tuple[Fit, Moments]]:
    """Each cell on its own, with the moments of its fit test."""
    tree = fixation_tree("see", ("any",), shared_guess=True)
    data = clustered(pairs.parts[:, _columns(tree)], pairs.cell_of, len(pairs.cells))
    theta, bounds = fitted(tree, data, ("see", "map", "guess"))
    off = misfit(tree, data, theta)
    p = misfit_p(off.statistic, off.mean, off.square)
    found: dict[int, tuple[Fit, Moments]] = {}
    for number, cell in enumerate(pairs.cells):
        n, items = int(data.counts[number].sum()), int(data.items[number])
        if not n:
            continue
        see, mapped, guess = (probability(theta[number, k], bounds[number, k], n) for k in range(3))
        done = Fit(
            setting=_setting(cell),
            game=cell["game"],
            pairs=n,
            items=items,
            unread=int(cell["left_out"]),
            see=see,
            map=mapped,
            guess=guess,
            p=None if np.isnan(p[number]) else float(p[number]),
            moved=float(off.moved[number]),
        )
        found[number] = done, (float(off.statistic[number]), float(off.mean[number]), float(off.square[number]))
    return found


def _fit_pooled(pairs: Pairs, settings: list[list[int]], games: tuple[str, ...]) -> list[Fit]:
    """Each setting over all its games: shared seeing and mapping, guessing by game."""
    home = np.empty(len(pairs.cells), dtype=np.intp)
    for number, members in enumerate(settings):
        home[members] = number
    game_of = np.array([games.index(cell["game"]) for cell in pairs.cells], dtype=np.intp)[pairs.cell_of]
    width = len(CATEGORIES)
    parts = np.zeros((len(pairs.parts), width * len(games)))
    for number in range(len(games)):
        parts[game_of == number, width * number : width * (number + 1)] = pairs.parts[game_of == number]
    data = clustered(parts, home[pairs.cell_of], len(settings))
    single = clustered(pairs.parts, home[pairs.cell_of], len(settings))

    theta, bounds = fitted(fixation_tree("see", games), data, ("see", "map"))
    _, rule = fitted(fixation_tree("rule", games), data, ("rule",))
    _, habit = fitted(fixation_tree("habit", games), data, ("habit",))
    guess, guess_bounds = fitted(fixation_tree("see", ("any",), True), single, ("guess",))
    found = []
    for number, members in enumerate(settings):
        n = int(data.counts[number].sum())
        see, mapped = theta[number]
        low, high = bounds[number, 0]
        found.append(
            Fit(
                setting=_setting(pairs.cells[members[0]]),
                game=None,
                pairs=n,
                items=int(data.items[number]),
                unread=sum(int(pairs.cells[k]["left_out"]) for k in members),
                see=probability(see, bounds[number, 0], n),
                map=probability(mapped, bounds[number, 1], n),
                guess=probability(guess[number, 0], guess_bounds[number, 0], n),
                rule=probability(see * mapped, rule[number, 0], n),
                habit=probability(see * (1 - mapped), habit[number, 0], n),
                blind=probability(1 - see, np.array([1 - high, 1 - low]), n),
            )
        )
    return found


def _columns(tree: Tree) -> list[int]:
    """Where the tree's categories stand among the columns of `Pairs.parts`."""
    return [CATEGORIES.index(category) for _, category in tree.categories]


def _setting(cell: dict[str, Any]) -> dict[str, Any]:
    return {name: cell[name] for name in ("subject", "config", *CONTEXT)}
