"""A whole study in a folder: what is there for the same settings is not done again; other settings are refused.

meta.json      settings, the model's fingerprint, versions, passes counted
states.json    which states each seed learns from and tests on
activations/   SETUP.npz: what was read of every row (plain arrays)
rows/          SETUP.parquet: the outcome of every tested row under every control
runs.parquet   one line for each setup, rule, control, layer, alpha and seed
summary.parquet  the same over seeds, with spread and intervals
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl

from snellen.errors import UserError
from snellen.lab.steer import keeping
from snellen.lab.steer.outcomes import joined, runs, summary
from snellen.lab.steer.patches import RecordedActivations
from snellen.lab.steer.rows import SteeringRows, asked, family, split
from snellen.lab.steer.steering import Patchable, SteeringPlan, Watch, record, steer
from snellen.tasks.steering import SteeringFamily


@dataclass(frozen=True)
class SteeringSettings:
    """What a study is of. Whatever is here must be the same for a folder to be gone on with. `wording` and `source` are
    the digests of the words that are asked and of the code that makes the boards."""

    task: str
    setups: tuple[str, ...]
    states: int
    layers: int
    alphas: tuple[float, ...]
    seeds: tuple[int, ...]
    seed: int
    wording: str
    source: str
    model: Mapping[str, Any]
    donor: Mapping[str, Any] | None = None

    @property
    def family(self) -> SteeringFamily:
        return family(self.task)


class CountedModel(Patchable, Protocol):
    """A model that counts what it computes, in whole passes over a row."""

    @property
    def counts(self) -> Mapping[str, float]: ...


Put = Callable[[SteeringRows], CountedModel]
"""Puts the rows of a setup before a model."""


@dataclass(frozen=True)
class Lab:
    """Whom to steer, the donor if that is another, how many rows go together, and who is told how far it is."""

    model: Put
    donor: Put | None
    batch: int
    watch: Watch


@dataclass(frozen=True)
class SteeringStudy:
    """What a finished study found."""

    folder: Path
    settings: SteeringSettings
    runs: pl.DataFrame
    summary: pl.DataFrame
    passes: Mapping[str, float]


def study(folder: Path, settings: SteeringSettings, lab: Lab) -> SteeringStudy:
    """Do what of the study is not yet done."""
    meta = keeping.begun(folder, settings)
    frames = []
    for setup in settings.setups:
        file = folder / "rows" / f"{setup}.parquet"
        if not file.exists():
            rows = asked(settings.family, setup, settings.states, settings.seed)
            keeping.write_frame(file, _Setup(folder, settings, lab, rows, meta).steered())
        frames.append(keeping.read_frame(file))
    rows_found = joined(frames)
    lines, over = runs(rows_found), summary(rows_found)
    keeping.write_frame(folder / keeping.RUNS, lines)
    keeping.write_frame(folder / keeping.SUMMARY, over)
    meta["passes"] = totals(meta["counted"])
    keeping.write_json(folder / keeping.META, meta)
    return SteeringStudy(folder, settings, lines, over, meta["passes"])


def totals(counted: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Passes over all setups, and how many times more one generation for each patch of each row would take."""
    names = dict.fromkeys(name for counts in counted.values() for name in counts)
    sums = {name: sum(counts.get(name, 0) for counts in counted.values()) for name in names}
    done = sum(sums[name] for name in ("read", "read_again", "tails", "pictures") if name in sums)
    return {**sums, "total": done, "times_fewer": sums.get("one_by_one", 0) / done if done else 0.0}


@dataclass(frozen=True)
class _Setup:
    """The work on one setup. `meta` are the folder's notes; they are written whenever a step is done."""

    folder: Path
    settings: SteeringSettings
    lab: Lab
    rows: SteeringRows
    meta: dict[str, Any]

    @property
    def plan(self) -> SteeringPlan:
        splits = tuple(split(self.rows.rows, seed) for seed in self.settings.seeds)
        return SteeringPlan(splits, self.settings.layers, self.settings.alphas, self.lab.batch)

    def steered(self) -> pl.DataFrame:
        """Read what is not yet read, then patch: the outcomes of every tested row."""
        rows, setup, put = self.rows.rows, self.rows.rows.setup, self.lab.donor
        model = self.lab.model(self.rows)
        self._note_splits()
        own = self._recorded(setup, lambda: model)
        donor = own if put is None else self._recorded(f"{setup}.donor", lambda: put(self.rows))
        if (own.layers, own.hidden.shape) != (donor.layers, donor.hidden.shape):
            raise UserError(
                f"the donor's activations ({_shape(donor)}) do not fit the model's ({_shape(own)}); a donor must be"
                " the same model with other training"
            )
        frame = steer(model, rows, self.plan, (own, donor), self.lab.watch)
        counts = {name: count for name, count in model.counts.items() if name != "read"}
        self._count(setup, {**counts, **_one_by_one(frame, len(rows), self.settings.alphas[0])})
        return frame

    def _recorded(self, name: str, sit: Callable[[], CountedModel]) -> RecordedActivations:
        """What was read of every row: from the folder, or now."""
        file = self.folder / "activations" / f"{name}.npz"
        if file.exists():
            return keeping.read_recorded(file)
        model = sit()
        made = record(model, self.rows.rows, self.plan, self.lab.watch)
        self._count(name, {"read": model.counts["read"]})
        keeping.write_recorded(file, made)
        return made

    def _count(self, name: str, counts: Mapping[str, float]) -> None:
        self.meta["counted"].setdefault(name, {}).update(counts)
        keeping.write_json(self.folder / keeping.META, self.meta)

    def _note_splits(self) -> None:
        """Who is learnt from and who is tested on, by the states' names."""
        names, state = self.rows.rows.states, self.rows.rows.state
        sides = {
            str(split.seed): {
                side: [names[k] for k in np.unique(state[which])]
                for side, which in (("learnt", split.learnt), ("tested", split.tested))
            }
            for split in self.plan.splits
        }
        keeping.write_json(self.folder / keeping.META, self.meta)
        file = self.folder / keeping.STATES
        keeping.write_json(file, {**keeping.read_json(file), self.rows.rows.setup: sides})


def _shape(recorded: RecordedActivations) -> str:
    layers, _, width = recorded.hidden.shape
    return f"{layers} layers up to {recorded.layers[-1] + 1}, {width} wide"


def _one_by_one(frame: pl.DataFrame, rows: int, alpha: float) -> dict[str, float]:
    """What it would have been with one generation for each row and each patch: of all that was done, and of the curve
    of the routed patch alone."""
    patched = frame.filter(pl.col("alpha").is_not_null())
    curve = patched.filter(control="router", alpha=alpha)
    return {"one_by_one": float(rows + patched.height), "one_curve": float(rows + curve.height)}
