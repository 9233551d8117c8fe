"""A whole study in a folder: what is there for the same settings is not done again; other settings are refused.

meta.json      settings, the model's fingerprint, versions, passes counted
states.json    which states each seed learns from and tests on
activations/   SETUP.npz: what was read of every row (plain arrays)
rows/          SETUP.parquet: the outcome of every tested row under every control
runs.parquet   one line for each setup, rule, control, layer, alpha and seed
summary.parquet  the same over seeds, with spread and intervals
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl

from snellen.errors import UserError
from snellen.lab.steer.outcomes import joined, runs, summary
from snellen.lab.steer.patches import Recorded
from snellen.lab.steer.rows import Asked, Family, asked, family, split
from snellen.lab.steer.steering import Patchable, Plan, Watch, record, steer
from snellen.report.saving import save

META, STATES, RUNS, SUMMARY = "meta.json", "states.json", "runs.parquet", "summary.parquet"


@dataclass(frozen=True)
class Settings:
    """What a study is of. Whatever is here must be the same for a folder to be gone on with."""

    task: str
    setups: tuple[str, ...]
    states: int
    layers: int
    alphas: tuple[float, ...]
    seeds: tuple[int, ...]
    seed: int
    model: Mapping[str, Any]
    donor: Mapping[str, Any] | None = None

    @property
    def family(self) -> Family:
        return family(self.task)


class Counted(Patchable, Protocol):
    """A model that counts what it computes."""

    @property
    def counts(self) -> Mapping[str, float]: ...


Put = Callable[[Asked], Counted]
"""Puts the rows of a setup before a model."""


@dataclass(frozen=True)
class Study:
    """What a finished study found."""

    folder: Path
    settings: Settings
    depth: int
    runs: pl.DataFrame
    summary: pl.DataFrame
    passes: Mapping[str, float]


def study(folder: Path, settings: Settings, models: tuple[Put, Put | None], batch: int, watch: Watch) -> Study:
    """Do what of the study is not yet done; `models`: whom to steer, and the donor if that is another."""
    meta = _begin(folder, settings)
    found = []
    for setup in settings.setups:
        file = folder / "rows" / f"{setup}.parquet"
        if not file.exists():
            _setup(folder, settings, setup, models, batch, watch, meta)
        found.append(pl.read_parquet(file))
    rows = joined(found)
    lines, over = runs(rows), summary(rows)
    _write_frame(folder / RUNS, lines)
    _write_frame(folder / SUMMARY, over)
    meta["passes"] = totals(meta["counted"])
    _write_json(folder / META, meta)
    return Study(folder, settings, meta["depth"], lines, over, meta["passes"])


def totals(counted: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Passes over all setups, and how many times more one generation for each patch of each row would take."""
    names = dict.fromkeys(name for counts in counted.values() for name in counts)
    sums = {name: sum(counts.get(name, 0) for counts in counted.values()) for name in names}
    done = sum(sums[name] for name in ("read", "read_again", "tails", "pictures") if name in sums)
    return {**sums, "total": done, "times_fewer": sums.get("one_by_one", 0) / done if done else 0.0}


def _setup(
    folder: Path,
    settings: Settings,
    setup: str,
    models: tuple[Put, Put | None],
    batch: int,
    watch: Watch,
    meta: dict[str, Any],
) -> None:
    """One setup: read what is not yet read, patch, and write the outcomes."""
    rows = asked(settings.family, setup, settings.states, settings.seed)
    plan = Plan(tuple(split(rows.rows, seed) for seed in settings.seeds), settings.layers, settings.alphas, batch)
    _note_splits(folder, rows, plan)
    model = models[0](rows)
    own = _recorded(folder, setup, lambda: model, rows, plan, watch, meta)
    put = models[1]
    donor = own if put is None else _recorded(folder, f"{setup}.donor", lambda: put(rows), rows, plan, watch, meta)
    found = steer(model, rows.rows, plan, (own, donor), watch)
    counts = {name: count for name, count in model.counts.items() if name != "read"}
    meta["counted"].setdefault(setup, {}).update({**counts, **_one_by_one(found, rows, settings.alphas[0])})
    meta["depth"] = model.depth
    _write_json(folder / META, meta)
    _write_frame(folder / "rows" / f"{setup}.parquet", found)


def _one_by_one(found: pl.DataFrame, rows: Asked, alpha: float) -> dict[str, float]:
    """What it would have been with one generation for each row and each patch: of all that was done, and of the curve
    of the routed patch alone."""
    patched = found.filter(pl.col("alpha").is_not_null())
    curve = patched.filter(control="router", alpha=alpha)
    return {"one_by_one": float(len(rows.rows) + patched.height), "one_curve": float(len(rows.rows) + curve.height)}


def _recorded(
    folder: Path, name: str, sit: Callable[[], Counted], rows: Asked, plan: Plan, watch: Watch, meta: dict[str, Any]
) -> Recorded:
    """What was read of every row: from the folder, or now."""
    file = folder / "activations" / f"{name}.npz"
    if file.exists():
        with np.load(file, allow_pickle=False) as kept:
            return Recorded(tuple(int(k) for k in kept["layers"]), kept["hidden"], kept["scores"])
    model = sit()
    made = record(model, rows.rows, plan, watch)
    meta["counted"].setdefault(name, {})["read"] = model.counts["read"]
    _write_json(folder / META, meta)
    data = BytesIO()
    np.savez(data, layers=np.array(made.layers), hidden=made.hidden, scores=made.scores)
    save(file, [data.getvalue()], "activations")
    return made


def _note_splits(folder: Path, rows: Asked, plan: Plan) -> None:
    """Who is learnt from and who is tested on, by the states' names."""
    file = folder / STATES
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    names, state = rows.rows.states, rows.rows.state
    known[rows.rows.setup] = {
        str(one.seed): {
            side: [names[k] for k in np.unique(state[which])]
            for side, which in (("learnt", one.learnt), ("tested", one.tested))
        }
        for one in plan.splits
    }
    _write_json(file, known)


def _begin(folder: Path, settings: Settings) -> dict[str, Any]:
    """The folder's own notes; one of other settings is refused."""
    asked_for = json.loads(json.dumps(asdict(settings)))
    file = folder / META
    if not file.exists():
        if folder.exists() and any(folder.iterdir()):
            raise UserError(f"{folder}: holds other things and no {META}; give -o a new folder")
        meta = {"settings": asked_for, "versions": versions(), "counted": {}}
        _write_json(file, meta)
        return meta
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        before = found["settings"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{file}: not the notes of a steering study; give -o a new folder") from None
    for name, value in asked_for.items():
        if before.get(name) != value:
            was, now = _told(before.get(name)), _told(value)
            raise UserError(f"{folder}: holds a study with {name} {was}, not {now}; give -o a new folder")
    return found


def _told(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def versions() -> dict[str, str]:
    """The versions of all that has a say in the numbers."""
    from importlib.metadata import PackageNotFoundError, version

    from snellen import __version__

    found = {"snellen": __version__}
    for name in ("torch", "transformers", "numpy", "scipy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _write_json(file: Path, content: Any) -> None:
    save(file, [json.dumps(content, indent=1).encode()], "notes")


def _write_frame(file: Path, frame: pl.DataFrame) -> None:
    data = BytesIO()
    frame.write_parquet(data)
    save(file, [data.getvalue()], "table")
