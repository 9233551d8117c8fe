"""Tables that tests make piece by piece."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl


def table_of(pieces: Sequence[Mapping[str, Any]], **kinds: Any) -> pl.DataFrame:
    """The rows of all pieces, in a tenth of the time that a table of each would take. What is neither list nor array
    stands for every row of its piece. `kinds`: of columns that their values do not tell."""
    whole: dict[str, list[Any]] = {name: [] for name in pieces[0]}
    for piece in pieces:
        for name, values in piece.items():
            if isinstance(values, np.ndarray):
                whole[name] += values.tolist()
            else:
                whole[name] += values if isinstance(values, list) else [values] * len(piece["item"])
    return pl.DataFrame(whole, schema_overrides=kinds)
