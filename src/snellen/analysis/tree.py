"""A small engine for multinomial processing trees: write one as text, fit it to many tables of counts at once.

A tree says how hidden events (sees, maps, guesses) lead to what can be observed. Each `[root]` is a kind of
observation that is counted on its own; under it, every category is a sum of products of parameters:

    [first]
    12: see*map + (1-see)*guess*(1-guess)
    11: see*(1-map) + (1-see)*guess*guess
    ...

The text is read by a small grammar (never evaluated), and under every root the categories must sum to one whatever
the parameters are. Fitting is maximum likelihood by the EM algorithm for such trees, sped up by extrapolation
(SQUAREM), with rows of counts side by side, so that a thousand small tables cost little more than one.
"""

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

EDGE = 1e-9
"""As close to 0 or 1 as a derivative is taken."""

_FACTOR = re.compile(r"(?P<one>\(1-(?P<no>[a-z_]\w*)\))|(?P<yes>[a-z_]\w*)|(?P<number>\d+(?:\.\d+)?)")


class TreeError(ValueError):
    """The text of a tree cannot be read, with the line."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed tree: leaves with their exponents, each belonging to a category, each category to a root."""

    parameters: tuple[str, ...]
    roots: tuple[str, ...]
    categories: tuple[tuple[str, str], ...]
    root_of: NDArray[np.intp]
    category_of: NDArray[np.intp]
    """The category each leaf ends in; leaves stand in the order of their categories."""
    first_leaf: NDArray[np.intp]
    """Where the leaves of each category begin."""
    factors: NDArray[np.intp]
    """What each leaf multiplies: k for parameter k, k + (number of parameters) for its complement, the rest for 1."""
    weight: Floats
    yes: Floats
    no: Floats

    def index(self, root: str, category: str) -> int:
        return self.categories.index((root, category))


def parse(text: str) -> Tree:
    """The tree written in `text`."""
    roots: list[str] = []
    categories: list[tuple[str, str]] = []
    leaves: list[tuple[int, float, list[str], list[str]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if line.startswith("[") and line.endswith("]"):
            roots.append(line[1:-1].strip())
        elif line:
            category, colon, formula = line.partition(":")
            if not colon or not roots:
                raise TreeError(f"line {number}: expected '[root]' or 'category: formula', found {line!r}")
            categories.append((roots[-1], category.strip()))
            terms = formula.replace(" ", "").split("+")
            leaves += [(len(categories) - 1, *_product(term, number)) for term in terms]
    if not leaves:
        raise TreeError("the tree has no categories")
    tree = _assemble(roots, categories, leaves)
    _check_sums(tree)
    return tree


def _product(term: str, number: int) -> tuple[float, list[str], list[str]]:
    weight, yes, no = 1.0, [], []
    for factor in term.split("*"):
        found = _FACTOR.fullmatch(factor)
        if not found:
            raise TreeError(f"line {number}: expected a name, (1-name) or a number, found {factor!r}")
        if found["number"]:
            weight *= float(found["number"])
        elif found["no"]:
            no.append(found["no"])
        else:
            yes.append(found["yes"])
    return weight, yes, no


def _assemble(roots: list[str], categories: list[tuple[str, str]], leaves: list[Any]) -> Tree:
    names = tuple(dict.fromkeys(name for _, _, yes, no in leaves for name in (*yes, *no)))
    category_of = np.array([leaf[0] for leaf in leaves], dtype=np.intp)
    chains = [
        [*(names.index(name) for name in yes), *(names.index(name) + len(names) for name in no)]
        for _, _, yes, no in leaves
    ]
    longest = max(map(len, chains), default=0)
    return Tree(
        parameters=names,
        roots=tuple(roots),
        categories=tuple(categories),
        root_of=np.array([roots.index(root) for root, _ in categories], dtype=np.intp),
        category_of=category_of,
        first_leaf=np.searchsorted(category_of, np.arange(len(categories))),
        factors=np.array([chain + [2 * len(names)] * (longest - len(chain)) for chain in chains], dtype=np.intp),
        weight=np.array([leaf[1] for leaf in leaves]),
        yes=np.array([[leaf[2].count(name) for name in names] for leaf in leaves], dtype=np.float64),
        no=np.array([[leaf[3].count(name) for name in names] for leaf in leaves], dtype=np.float64),
    )


def _check_sums(tree: Tree) -> None:
    points = np.random.default_rng(0).uniform(0.05, 0.95, (8, len(tree.parameters)))
    sums = by_root(tree, probabilities(tree, points))
    for root, total in zip(tree.roots, sums.T, strict=True):
        if not np.allclose(total, 1.0):
            raise TreeError(f"the categories of [{root}] do not sum to one")


def by_root(tree: Tree, values: Floats) -> Floats:
    """Sums over the categories of each root."""
    member = np.eye(len(tree.roots))[tree.root_of]
    return np.asarray(values @ member)


# Within the engine rows run along the last axis (leaves x rows): plain products of long vectors, no matrix library.


def _leaves(tree: Tree, theta: Floats) -> Floats:
    """The probability of every leaf: leaves x rows."""
    columns = theta.T
    values = np.concatenate([columns, 1 - columns, np.ones((1, len(theta)))])
    value = tree.weight[:, None] * values[tree.factors[:, 0]]
    for chain in tree.factors.T[1:]:
        value *= values[chain]
    return np.asarray(value)


def _sums(tree: Tree, leaves: Floats) -> Floats:
    """Category probabilities from leaves: categories x rows."""
    return np.asarray(np.add.reduceat(leaves, tree.first_leaf, axis=0))


def probabilities(tree: Tree, theta: Floats) -> Floats:
    """The probability of every category, given parameters (rows x parameters)."""
    return _sums(tree, _leaves(tree, theta)).T


def slopes(tree: Tree, theta: Floats) -> Floats:
    """Derivatives of the category probabilities: rows x categories x parameters."""
    inside = np.clip(theta, EDGE, 1 - EDGE)
    leaves = _leaves(tree, inside).T
    found = np.zeros((len(theta), len(tree.categories), len(tree.parameters)))
    for leaf, category in enumerate(tree.category_of):
        found[:, category] += leaves[:, leaf, None] * (tree.yes[leaf] / inside - tree.no[leaf] / (1 - inside))
    return found


def log_likelihood(tree: Tree, counts: Floats, theta: Floats) -> Floats:
    return _score(counts.T, _sums(tree, _leaves(tree, theta)))


def _score(counts: Floats, p: Floats) -> Floats:
    return np.asarray((counts * np.log(np.maximum(p, 1e-300))).sum(0))


def _step(tree: Tree, counts: Floats, theta: Floats, held: Bools) -> Floats:
    """One EM step: share every count among its leaves, then take each parameter's share of yes."""
    leaves = _leaves(tree, theta)
    ratio = counts.T / np.maximum(_sums(tree, leaves), 1e-300)
    expected = leaves * ratio[tree.category_of]
    yes = np.einsum("lr,lp->rp", expected, tree.yes)
    total = yes + np.einsum("lr,lp->rp", expected, tree.no)
    moved = np.where(total > 1e-12, yes / np.maximum(total, 1e-12), theta)
    return np.asarray(np.where(held, theta, moved))


def climb(
    tree: Tree, counts: Floats, start: Floats, held: Bools, *, steps: int = 200, tolerance: float = 1e-8
) -> Floats:
    """The likelihood's nearest peak from `start`, parameters marked `held` staying where they are."""
    theta = start.copy()
    busy = np.arange(len(theta))
    for _ in range(steps):
        here, n, fixed = theta[busy], counts[busy], held[busy]
        first = _step(tree, n, here, fixed)
        second = _step(tree, n, first, fixed)
        change, bend = first - here, second - 2 * first + here
        length = np.sqrt((change**2).sum(-1) / np.maximum((bend**2).sum(-1), 1e-300))
        stride = np.clip(length, 1.0, 1e4)[:, None]
        leap = np.clip(here + 2 * stride * change + stride**2 * bend, 0.0, 1.0)
        leap = _step(tree, n, leap, fixed)
        better = log_likelihood(tree, n, leap) >= log_likelihood(tree, n, second)
        there = np.where(better[:, None], leap, second)
        theta[busy] = there
        busy = busy[np.abs(there - here).max(-1) > tolerance]
        if not len(busy):
            break
    return theta


def fit(tree: Tree, counts: Floats) -> Floats:
    """Maximum-likelihood parameters for every row of counts, from several starts."""
    rows, size = len(counts), len(tree.parameters)
    if not rows:
        return np.zeros((0, size))
    grid = list(product((0.25, 0.75), repeat=min(size, 3)))
    starts = np.full((len(grid) + 1, size), 0.5)
    for k, point in enumerate(grid, 1):
        starts[k, : len(point)] = point
    many = np.repeat(counts, len(starts), axis=0)
    free = np.zeros((len(many), size), dtype=bool)
    tried = climb(tree, many, np.tile(starts, (rows, 1)), free, steps=10)
    scores = log_likelihood(tree, many, tried).reshape(rows, -1)
    best = tried.reshape(rows, len(starts), size)[np.arange(rows), scores.argmax(-1)]
    return climb(tree, counts, best, free[:rows])
