"""The puzzle tree and its fits: does the subject see the puzzle, does it reason to the answer, how does it guess?

What is observed of a puzzle is whether the question about a detail was right, and which option was picked. A puzzle
that is seen gets the detail right; then reasoning finds the key with probability `reason`, else an option is guessed.
A puzzle that is not seen is guessed at twice: the detail, taking the answer offered first with probability `first`
(answers are offered in random order), and the option. Guesses fall on option j with probability `guess_j`, whatever the
key. So `see` is had from the details, beyond luck, `reason` from the options picked where the detail was right, and
the guessing from wrong options.

The same tree is written with other roots, so that the shares "seen and solved" and "seen, not solved" have intervals of
their own, and with the options in another order, so that every option's guess has one.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.blocks import Value
from snellen.analysis.inference import Clustered, clustered, fitted, misfit, misfit_p, probability
from snellen.analysis.marvel.puzzles import OPTIONS, SETTING, chosen, place
from snellen.analysis.rows import asked
from snellen.analysis.tree import Floats, Tree, by_root, fit, parse, probabilities

ROOTS = {
    "see": {"solved": "see*reason", "lost": "see*(1-reason)", "blind": "(1-see)"},
    "solved": {"solved": "solved", "lost": "(1-solved)*(1-blind)", "blind": "(1-solved)*blind"},
    "lost": {"lost": "lost", "solved": "(1-lost)*(1-blind)", "blind": "(1-lost)*blind"},
}
SPLITS = ("guess", "(1-guess)*then", "(1-guess)*(1-then)*last", "(1-guess)*(1-then)*(1-last)")
CELLS = OPTIONS * 2 * 2 * OPTIONS
"""Key x where the right answer about the detail was offered x detail wrong or right x option picked."""
_KEY, _SECOND, _RIGHT, _PICKED = np.indices((OPTIONS, 2, 2, OPTIONS)).reshape(4, -1)
TESTED = np.eye(4 * OPTIONS)[(2 * _RIGHT + (_KEY == _PICKED)) * OPTIONS + _PICKED]
"""What the fit test tells apart: detail wrong or right x puzzle wrong or right x option picked. With all cells the
counts would be too few."""
FEW = 8
"""With fewer clusters of puzzles than this a fit is not attempted."""


@cache
def puzzle_tree(root: str = "see", option: int = 0) -> Tree:
    """The tree, rooted so that the parameter of interest stands first; `guess` is the guess of this option."""
    shares = ROOTS[root]
    order = [(option + k) % OPTIONS for k in range(OPTIONS)]
    guess = {name: SPLITS[k] for k, name in enumerate(order)}
    lines = []
    for key in range(OPTIONS):
        for second in (0, 1):
            right, wrong = ("(1-first)", "first") if second else ("first", "(1-first)")
            lines.append(f"[{key} {second}]")
            for j in range(OPTIONS):
                lines.append(f"{key}{second}w{j}: {shares['blind']}*{wrong}*{guess[j]}")
            for j in range(OPTIONS):
                found = f"{shares['solved']} + " if j == key else ""
                lines.append(
                    f"{key}{second}r{j}: {found}{shares['lost']}*{guess[j]} + {shares['blind']}*{right}*{guess[j]}"
                )
    return parse("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Fit:
    """One fitted tree: where, on how much, the parameters as probabilities, and whether it fits.

    `solved` (seen and reasoned out), `lost` (seen, not reasoned out) and `blind` (not seen) are shares of puzzles that
    sum to 1. `guess` has a value for each option. `unread`: puzzles left out because an answer could not be read. `p`:
    the fit test, None if nothing is left to test; `moved`: the share of puzzles that would have to change from right to
    wrong or back, in the detail or in the puzzle, for a perfect fit; `beyond`: how often puzzles whose detail was
    missed are right, minus how often they would be by the tree.
    """

    setting: dict[str, Any]
    puzzles: int
    items: int
    unread: int
    see: Value
    reason: Value
    first: Value
    guess: tuple[Value, ...]
    solved: Value
    lost: Value
    blind: Value
    p: float | None
    moved: float
    beyond: float


@dataclass(frozen=True, slots=True)
class Joint:
    """Detail and puzzle together. `cells`: one for each setting, with how many puzzles were left out as unread;
    `parts`: counts over the `CELLS`, one row for each cluster; `cell_of`: the setting of each such row."""

    cells: list[dict[str, Any]]
    parts: Floats
    cell_of: NDArray[np.intp]


def joint(rows: pl.DataFrame) -> Joint:
    """All puzzles asked for both, in the same setting."""
    same = ["setting", "item"]
    trials = asked(rows)
    details = trials.filter(pl.col("question") == "fine").with_columns(second=place("key", 2))
    seen = pl.when(pl.col("outcome") != "unread").then((pl.col("outcome") == "right").cast(pl.Int64))
    details = details.select(*same, "second", seen=seen)
    puzzles = trials.filter(pl.col("question") == "avr").select(
        *same, *SETTING, "cluster", key_=place("key"), said=chosen()
    )
    both = puzzles.join(details, on=same, how="inner").drop_nulls(["key_", "second"])
    read = pl.col("seen").is_not_null() & pl.col("said").is_not_null()
    index = ((pl.col("key_") * 2 + pl.col("second")) * 2 + pl.col("seen")) * OPTIONS + pl.col("said")
    both = both.with_columns(index=index, read=read, cluster=pl.col("cluster").cast(pl.String))
    cells = both.group_by("setting", maintain_order=True).agg(pl.col(SETTING).first(), left_out=(~pl.col("read")).sum())
    numbered = both.filter("read").join(
        cells.with_row_index("cell").select("setting", "cell"), on="setting", how="left"
    )
    rows_of = numbered.select(pl.struct("cell", "cluster").rank("dense").alias("row") - 1, "cell", "index")
    parts = np.zeros((rows_of["row"].n_unique(), CELLS))
    cell_of = np.zeros(len(parts), dtype=np.intp)
    row = rows_of["row"].to_numpy()
    np.add.at(parts, (row, rows_of["index"].to_numpy()), 1)
    cell_of[row] = rows_of["cell"].to_numpy()
    return Joint(cells.to_dicts(), parts, cell_of)


def fit_all(found: Joint) -> list[Fit]:
    """Fits for every setting with puzzles enough."""
    enough = np.bincount(found.cell_of, minlength=len(found.cells)) >= FEW if len(found.parts) else np.zeros(0, bool)
    chosen_cells = np.flatnonzero(enough)
    if not len(chosen_cells):
        return []
    number = np.full(len(found.cells), -1)
    number[chosen_cells] = np.arange(len(chosen_cells))
    kept = enough[found.cell_of]
    data = clustered(found.parts[kept], number[found.cell_of[kept]], len(chosen_cells))
    return _fits([found.cells[k] for k in chosen_cells], data)


def _fits(cells: list[dict[str, Any]], data: Clustered) -> list[Fit]:
    tree = puzzle_tree()
    theta, bounds = fitted(tree, data, ("see", "reason", "first"))
    _, solved = fitted(puzzle_tree("solved"), data, ("solved",))
    _, lost = fitted(puzzle_tree("lost"), data, ("lost",))
    guesses = [fitted(puzzle_tree("see", option), data, ("guess",)) for option in range(OPTIONS)]
    whole = fit(tree, data.counts)
    off = misfit(tree, data, whole, TESTED)
    p = misfit_p(off.statistic, off.mean, off.square)
    moved, beyond = _four_cells(tree, data.counts, whole)
    done = []
    for k, cell in enumerate(cells):
        n = int(data.counts[k].sum())
        see, reason, _ = theta[k]
        low, high = bounds[k, 0]
        done.append(
            Fit(
                setting={name: cell[name] for name in SETTING},
                puzzles=n,
                items=int(data.items[k]),
                unread=int(cell["left_out"]),
                see=probability(see, bounds[k, 0], n),
                reason=probability(reason, bounds[k, 1], n),
                first=probability(theta[k, 2], bounds[k, 2], n),
                guess=tuple(probability(value[k, 0], ends[k, 0], n) for value, ends in guesses),
                solved=probability(see * reason, solved[k, 0], n),
                lost=probability(see * (1 - reason), lost[k, 0], n),
                blind=probability(1 - see, np.array([1 - high, 1 - low]), n),
                p=None if np.isnan(p[k]) else float(p[k]),
                moved=float(moved[k]),
                beyond=float(beyond[k]),
            )
        )
    return done


def _four_cells(tree: Tree, counts: Floats, theta: Floats) -> tuple[Floats, Floats]:
    """Detail wrong or right x puzzle wrong or right, over all keys: how far the table is off, as a share of puzzles;
    and by how much puzzles with a wrong detail are right more often than the tree has it."""
    expected = by_root(tree, counts)[:, tree.root_of] * probabilities(tree, theta)
    four = np.eye(4)[2 * _RIGHT + (_KEY == _PICKED)]
    real, model = counts @ four, expected @ four
    total = np.maximum(counts.sum(1), 1)
    missed = np.maximum(real[:, :2].sum(1), 1)
    rate = model[:, 1] / np.maximum(model[:, :2].sum(1), 1e-9)
    return np.abs(real - model).sum(1) / (2 * total), real[:, 1] / missed - rate
