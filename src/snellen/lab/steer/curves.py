"""What a study found as something to look at: the curve over layers with all its controls, margins, alphas, a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import polars as pl

from snellen.charts.blocks import Curves, Table, Value, percent
from snellen.lab.steer.outcomes import ALL
from snellen.lab.steer.study import SteeringStudy

NAMES = {
    "router": "patched, routed",
    "oracle": "oracle routing",
    "means": "difference of means",
    "random": "random direction",
    "shuffled": "shuffled labels",
    "early": "same patch, early layer",
    "picture": "same patch, picture tokens",
    "probe": "router alone (no model)",
    "none": "no patch",
    "donor": "donor",
}
"""The controls as a legend names them, in its order; those that some figures lack come last, so that all others look
the same in all figures."""
FLAT = ("none", "donor")
_NOTE = (
    "Mean over seeds; bars are 95 % CIs of the routed patch, clustered on states. Picture tokens: some rows of"
    " one seed (`picture_none` has the same rows without a patch)."
)
_TABLE_NOTE = "Means over seeds; router with its 95 % CI clustered by state, and its spread (sd) over seeds."

Reader = Callable[[Mapping[str, float | None]], Value]


def figures(study: SteeringStudy) -> dict[str, Curves]:
    """The figures of a study by the name of their files."""
    charts = {"curve": _over_layers(study, "accuracy"), "margins": _over_layers(study, "margin")}
    if len(study.settings.alphas) > 1:
        charts["alphas"] = _over_alphas(study)
    return charts


def _over_layers(study: SteeringStudy, what: str) -> Curves:
    """The layer curve: every setup, then every setup under its other rule alone."""
    usual = study.settings.alphas[0]
    rows = study.summary.filter(pl.col("alpha").is_null() | (pl.col("alpha") == usual))
    xs = sorted(rows["layer"].drop_nulls().unique().to_list())
    return _curves(study, rows, what, ("layer", xs), f"by layer, alpha {usual:g}")


def _over_alphas(study: SteeringStudy) -> Curves:
    """Accuracy over alphas, the mean of all patched layers: no layer is picked."""
    keys = ("setup", "rule", "control", "alpha")
    rows = (
        study.summary.filter(pl.col("control") != "picture")
        .group_by(keys)
        .agg(pl.col("accuracy", "low", "high", "margin", "margin_low", "margin_high").mean())
        .filter(pl.col("alpha").is_not_null() | pl.col("control").is_in(FLAT))
    )
    # A mean of intervals of the same rows is no interval; the dots stand alone.
    bare = rows.with_columns(low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64))
    xs = sorted(rows["alpha"].drop_nulls().unique().to_list())
    return _curves(study, bare, "accuracy", ("alpha", xs), "by alpha, mean over layers")


def _curves(study: SteeringStudy, rows: pl.DataFrame, what: str, along: tuple[str, list[float]], how: str) -> Curves:
    across, xs = along
    there = set(rows.filter(pl.col(what).is_not_null())["control"])
    controls = [control for control in NAMES if control in there]
    read = _percent if what == "accuracy" else _margin
    panels = [
        (title, tuple(_line(part, control, across, xs, read) for control in controls))
        for title, part in _panels(study, rows)
    ]
    return Curves(
        title=f"Steering: {what} {how}",
        note=_NOTE,
        unit="percent" if what == "accuracy" else "nats",
        quantity="right" if what == "accuracy" else "margin",
        across=across,
        xs=tuple(xs),
        series=tuple(NAMES[control] for control in controls),
        rows=tuple(panels),
        flat=tuple(NAMES[control] for control in FLAT if control in controls),
        bounds=(0.0, 100.0) if what == "accuracy" else None,
    )


def _panels(study: SteeringStudy, rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    other = study.settings.family.rules[1]
    for rule in (ALL, other):
        for setup in study.settings.setups:
            yield setup if rule == ALL else f"{setup}, {rule} only", rows.filter(setup=setup, rule=rule)


def _line(rows: pl.DataFrame, control: str, across: str, xs: Sequence[float], read: Reader) -> tuple[Value | None, ...]:
    own = rows.filter(control=control)
    if control in FLAT:
        return (read(own.row(0, named=True)) if own.height else None,) * len(xs)
    at = {row[across]: row for row in own.iter_rows(named=True)}
    made = [read(at[x]) if x in at else None for x in xs]
    # intervals of ten lines would hide them all: only those of the patch that is studied are drawn
    return tuple(value if control == "router" or value is None else Value(value.value) for value in made)


def _percent(row: Mapping[str, float | None]) -> Value:
    return percent(Value(row["accuracy"], row["low"], row["high"]))


def _margin(row: Mapping[str, float | None]) -> Value:
    return Value(row["margin"], row["margin_low"], row["margin_high"])


def tables(study: SteeringStudy) -> Iterator[Table]:
    """For each setup the accuracy (%) of every control at each layer, under both rules and under the other alone."""
    usual = study.settings.alphas[0]
    rows = study.summary.filter(pl.col("alpha").is_null() | (pl.col("alpha") == usual))
    layers = sorted(rows["layer"].drop_nulls().unique().to_list())
    controls = [control for control in NAMES if control in set(rows["control"])]
    for title, part in _panels(study, rows):
        lines = {control: _line(part, control, "layer", layers, _percent) for control in controls}
        spread = dict(part.filter(control="router").select("layer", 100 * pl.col("accuracy_sd")).iter_rows())
        yield Table(
            name=f"steer-{title}",
            title=f"{title}: right (%), alpha {usual:g}",
            note=_TABLE_NOTE,
            columns=("layer", "router", "sd", *controls[1:]),
            rows=tuple(
                (str(layer), lines["router"][k], spread.get(layer), *(lines[control][k] for control in controls[1:]))
                for k, layer in enumerate(layers)
            ),
            compact=True,
        )


def passes_line(study: SteeringStudy) -> str:
    """The number of forward passes of a study, and how many one generation per patch and row would have taken."""
    passes = study.passes
    return (
        f"{passes['total']:,.0f} passes ({passes['read'] + passes['read_again']:,.0f} prompts read,"
        f" {passes['tails']:,.1f} for all patches of query tokens, {passes['pictures']:,.0f} for those of pictures);"
        f" one generation for each patch of each row would be {passes['one_by_one']:,.0f}"
        f" ({passes['times_fewer']:,.1f} times as many), for the routed patch alone {passes['one_curve']:,.0f}"
    )
