"""What reported tokens say of the size at which pictures are seen: the same question, asked of the bill.

A picture costs so many tokens a patch, after it was shrunk by whatever rule. Patches of every known size, and every
rule with its cap, are held against the tokens reported for canvases of many sizes; those that give these very numbers
(but for a constant: the words around the picture) remain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from snellen.tasks.acuity.eyes.scaling import FITTED, TILE, Size
from snellen.tasks.acuity.study.resolution import RULES, Cap, Rule, size_of

PATCHES = (14, 16, 28, 32, TILE)
_OFF, _ALIKE = 0.03, 0.002
"""By how much of their range tokens may stray from a rule (some servers add a line end to each row of patches), and
within which rules cannot be told apart."""
_LEAST_SIZES = 3


@dataclass(frozen=True, slots=True)
class Tokens:
    """What tokens say. `kind`: they stop growing at a size (`low` to `high`: the side of the largest square that is
    seen whole), grow with every size asked, are the same at every size, or follow no known rule. `patches` and `rules`:
    those that give these numbers. `counts`: tokens by size."""

    kind: Literal["capped", "growing", "fixed", "unclear"]
    counts: tuple[tuple[Size, float], ...]
    low: float | None = None
    high: float | None = None
    patches: tuple[int, ...] = ()
    rules: tuple[Rule, ...] = ()


class _Fit(NamedTuple):
    patch: int
    cap: Cap | None
    off: float


def tokens(rows: pl.DataFrame) -> Tokens | None:
    """What the tokens of one subject say; None where none, or too few sizes, were reported."""
    counts = token_counts(rows)
    if len({size for size, _ in counts}) < _LEAST_SIZES:
        return None
    said = np.array([count for _, count in counts])
    spread = float(said.max() - said.min())
    if spread < 1 + _ALIKE * said.max():
        return Tokens("fixed", counts)
    fits = list(_fits([size for size, _ in counts], said, spread))
    best = min(fits, key=lambda fit: fit.off)
    if best.off > _OFF:
        return Tokens("unclear", counts)
    kept = [fit for fit in fits if fit.off <= best.off + _ALIKE]
    patches = tuple(sorted({fit.patch for fit in kept}))
    if any(fit.cap is None for fit in kept):  # the simplest that does
        return Tokens("growing", counts, patches=patches)
    caps = [fit.cap for fit in kept if fit.cap is not None]
    # A cap anywhere within its last patch costs the same.
    least = min(fit.cap.side - (0 if fit.cap.rule == "tiles" else fit.patch - 1) for fit in kept if fit.cap is not None)
    rules: tuple[Rule, ...] = tuple(rule for rule in RULES if any(cap.rule == rule for cap in caps))
    return Tokens("capped", counts, least, max(cap.side for cap in caps), patches, rules)


def token_counts(rows: pl.DataFrame) -> tuple[tuple[Size, float], ...]:
    """Median tokens by size: those of the picture where they are told apart, else all that went in."""
    column = next((name for name in ("tokens_picture", "tokens_in") if _told(rows, name)), None)
    if column is None:
        return ()
    found = rows.drop_nulls(column).group_by("canvas", maintain_order=True).agg(pl.col(column).median())
    sized = [(size_of(str(canvas)), float(count)) for canvas, count in found.rows()]
    return tuple(sorted((size, count) for size, count in sized if size is not None))


def _told(rows: pl.DataFrame, name: str) -> bool:
    return name in rows.columns and bool((rows[name].fill_null(0) > 0).any())


def _fits(sizes: Sequence[Size], said: "np.ndarray[tuple[int], np.dtype[np.float64]]", spread: float) -> Iterator[_Fit]:
    for patch in PATCHES:
        for cap in (None, *_caps(sizes, patch)):
            seen = [size if cap is None else RULES[cap.rule](size, cap.cap) for size in sizes]
            number = np.array([-(-w // patch) * -(-h // patch) for w, h in seen], np.float64)
            if np.ptp(number) == 0:
                continue
            each, base = np.polyfit(number, said, 1)
            if each > 0 and base > -0.5:
                yield _Fit(patch, cap, float(np.abs(each * number + base - said).max()) / spread)


def _caps(sizes: Sequence[Size], patch: int) -> Iterator[Cap]:
    """Every cap that whole patches can tell, below the largest canvas asked."""
    longest, largest = max(max(size) for size in sizes), max(w * h for w, h in sizes)
    yield from (Cap("edge", each) for each in range(-(-128 // patch) * patch, longest, patch))
    shortest = min(FITTED, max(min(size) for size in sizes))
    yield from (Cap("short", each) for each in range(-(-128 // patch) * patch, shortest, patch))
    yield from (Cap("area", each**2) for each in range(-(-128 // patch) * patch, int(sqrt(largest)), patch))
    if patch == TILE:
        yield from (Cap("tiles", n) for n in range(1, max(-(-w // TILE) * -(-h // TILE) for w, h in sizes)))


def agree(said: Tokens, side: tuple[float, float]) -> bool | None:
    """Whether tokens and answers name the same size; None where the tokens name none."""
    if said.kind != "capped" or said.low is None or said.high is None:
        return None
    return said.low <= side[1] and side[0] <= said.high
