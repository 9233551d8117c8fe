"""No share that is printed exceeds 100 %, whatever the store holds."""

import re

import numpy as np
import polars as pl

from snellen.analysis.ladder.study import LadderStudy
from snellen.charts.blocks import to_json
from support.ladder_rows import PUT, SPEC, ladder_rows, nested
from support.lengths import few_and_more

SHARES = re.compile(r"(\d+) %|\((?:95 % CI )?(\d+)–(\d+)\)")


def random_store(seed):
    """Few or many items, in clusters of their own or all in one, some rungs, options and faults: as it comes."""
    rng = np.random.default_rng([27, seed])
    given = ((), ("x", "y"), ("x", "y", "z"))[rng.integers(3)]
    known = ("told", "words", "pictures") if given else tuple(PUT)
    rows = ladder_rows(
        n=int(rng.integers(1, 14)),
        options=((), ("A", "B"), ("A", "B", "C", "D"))[rng.integers(3)],
        given=given,
        rungs=[rung for rung in known if rng.random() < 0.85] or ["pictures"],
        refuse=rng.choice([0, 0, 0.5]),
        lean=rng.choice([0, 0, 0.5]),
        calls=int(rng.integers(1, 3)),
        seed=seed,
        **{name: rng.random() ** 0.5 for name in ("attend", "think", "see", "follow")},
    )
    folds = ("item", pl.lit("one problem"), pl.col("item").cast(pl.String).str.tail(1))[rng.integers(3)]
    return rows.with_columns(cluster=folds), nested(*given) if given else SPEC


def shares_in(study):
    """Every share in the sentences, the tables and the JSON of a study, in percent."""
    for diagnosis in study.diagnoses:
        for sentence in (diagnosis.headline, *diagnosis.details, *diagnosis.missing, diagnosis.where):
            yield from (float(number) for match in SHARES.finditer(sentence) for number in match.groups() if number)
        losses = to_json(diagnosis)
        for loss in (*losses["losses"], *losses["beside"]):
            for value in (loss["share"], loss["step"], loss["among"] or {}):
                yield from (100 * value[end] for end in ("value", "low", "high") if value.get(end) is not None)
    for row in study.tables()["beads-losses"].make().rows:
        for value in row[4:6]:
            yield from (end for end in (value.value, value.low, value.high) if end is not None)


@few_and_more("seeds", [range(5)], [range(5, 60)])
def test_no_share_exceeds_100_percent(seeds):
    for seed in seeds:
        rows, spec = random_store(seed)
        study = LadderStudy(rows, spec, 0)
        beyond = [share for share in shares_in(study) if not -100 <= share <= 100]
        assert not beyond, (seed, beyond)


def test_three_folds_of_one_problem_lose_at_most_all():
    rows = ladder_rows(n=3, see=0.0, rungs=("told", "words", "pictures"), guess=0, seed=4)
    study = LadderStudy(rows.with_columns(cluster=pl.lit("one problem")), SPEC, 0)
    assert max(shares_in(study)) == 100
