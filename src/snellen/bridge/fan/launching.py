"""Running what is missing of a plan, and collecting what comes back."""

import re
from collections.abc import Callable, Mapping, Sequence
from time import sleep
from typing import Any

from snellen.bridge.fan.drivers import on_local, on_ray, on_slurm
from snellen.bridge.fan.plan import FanPlan, FanUnit
from snellen.bridge.fan.units import Heartbeat, read_beat
from snellen.errors import UserError, in_one_line, unknown

_LOOK_SECONDS = 0.5
DRIVERS = {"local": on_local, "ray": on_ray, "slurm": on_slurm}


def check_engine(on: str) -> None:
    """Raise `UserError` unless an engine is called so."""
    if on.startswith("ray://") and not re.fullmatch(r"ray://[^/:]+(:\d+)?", on):
        raise UserError(f"--on {on}: expected ray://HOST:PORT, such as ray://head:10001")
    if on not in DRIVERS and not on.startswith("ray://"):
        raise unknown("engine in --on", on, DRIVERS)


def done_before(plan: FanPlan, units: Sequence[FanUnit]) -> dict[str, Heartbeat]:
    """The units that were finished without errors, with the same options."""
    beats = {unit.name: (unit, read_beat(plan.place / f"{unit.name}.json")) for unit in units}
    return {
        name: beat
        for name, (unit, beat) in beats.items()
        if beat and (beat.state, beat.errors, beat.words) == ("done", 0, unit.words)
        if (plan.place / f"{name}.sqlite").exists()
    }


def fan_out(
    plan: FanPlan, on: str, units: Sequence[FanUnit], watch: Callable[[Mapping[str, Heartbeat]], None]
) -> dict[str, Heartbeat]:
    """Run what is missing of the units; returns how each ended. `watch` gets what is known of all, twice a second."""
    ended = done_before(plan, units)
    missing = {unit.name: unit for unit in units if unit.name not in ended}
    if not missing:
        return ended
    wanted = list(missing.values())
    with on_ray(plan, wanted, on) if on.startswith("ray://") else DRIVERS[on](plan, wanted) as fleet:
        try:
            under_way = dict(fleet.jobs)
            while under_way:
                for name in [name for name, job in under_way.items() if job.done()]:
                    ended[name] = _collected(plan, missing[name], under_way.pop(name))
                watch({**dict.fromkeys(under_way, Heartbeat("queued")), **fleet.beats(), **ended})
                if under_way:
                    sleep(_LOOK_SECONDS)
        except BaseException:
            fleet.stop()
            raise
    return ended


def _collected(plan: FanPlan, unit: FanUnit, job: Any) -> Heartbeat:
    """How a unit ended, written beside its store; the store itself, if it was sent."""
    store = plan.place / f"{unit.name}.sqlite"
    beat: Heartbeat
    try:
        beat, sent = job.result()
    except Exception as error:  # whatever an engine wraps it in
        lines = [line.partition("UnitFailed: ")[2] for line in str(error).splitlines()]
        return Heartbeat("failed", problem=next(filter(None, reversed(lines)), "") or in_one_line(error))
    if sent:
        unfinished = store.with_suffix(".tmp")
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(sent)
        unfinished.replace(store)
    if not store.exists():
        raise UserError(f"{unit.name} ran on {beat.host}, which does not see {plan.place}; set shared = false for Ray")
    beat.write(store.with_suffix(".json"))
    return beat
