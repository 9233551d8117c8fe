"""Who runs the units: processes of this machine, Ray, or Slurm through submitit. Placing and repeating is theirs."""

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

from snellen.bridge.fan.plan import FanPlan, FanUnit
from snellen.bridge.fan.units import Heartbeat, persist, read_beat, run_unit
from snellen.errors import UserError, in_one_line

ARRAY = 1000
"""Jobs of an array: as many as Slurm allows where nobody has changed that."""
WAITING = 16
"""So many units at once that hardly do anything but wait for batches."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """Jobs by unit, the latest heartbeats, and what ends all of them with their stores kept. A job is the engine's
    future of a unit's last heartbeat, and of its store if that has to be sent."""

    jobs: Mapping[str, Any]
    beats: Callable[[], Mapping[str, Heartbeat]]
    stop: Callable[[], None]


@contextmanager
def on_local(plan: FanPlan, units: Sequence[FanUnit]) -> Iterator[Fleet]:
    """A pool of processes on this machine, each with GPUs of its own where units want some."""
    devices, beats, stopping = _gpus() if plan.gpus else [], dict[str, Heartbeat](), Event()
    if plan.gpus > len(devices):
        raise UserError(f"gpus = {plan.gpus:g}: this machine has {len(devices)}")
    fitting = int(len(devices) / plan.gpus) if plan.gpus else max((os.cpu_count() or 1) // plan.cpus, 1)
    if plan.batch and not plan.gpus:
        fitting = max(fitting, WAITING)
    slots: SimpleQueue[int] = SimpleQueue()
    for slot in range(at_once := plan.at_once or fitting):
        slots.put(slot % fitting)

    def hold(unit: FanUnit) -> tuple[Heartbeat, bytes]:
        slot = slots.get()
        first = int(slot * plan.gpus)
        own = ",".join(devices[first : max(first + 1, int((slot + 1) * plan.gpus))])

        def tell(beat: Heartbeat) -> None:
            beats[unit.name] = beat
            if stopping.is_set():
                raise KeyboardInterrupt

        try:
            return persist(unit, plan.place, plan.retries, tell, {"CUDA_VISIBLE_DEVICES": own} if own else {}), b""
        finally:
            slots.put(slot)

    with ThreadPoolExecutor(at_once) as pool:

        def stop() -> None:
            stopping.set()
            pool.shutdown(cancel_futures=True)

        yield Fleet({unit.name: pool.submit(hold, unit) for unit in units}, lambda: beats, stop)


def _gpus() -> list[str]:
    if (visible := os.environ.get("CUDA_VISIBLE_DEVICES")) is not None:
        return [name for name in visible.split(",") if name]
    with suppress(OSError):
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)  # noqa: S607
        return [str(place) for place in range(listed.stdout.count("GPU "))]
    return []


class FanBoard:
    """Heartbeats from all machines of a Ray cluster: an actor."""

    def __init__(self) -> None:
        self._beats: dict[str, Heartbeat] = {}

    def tell(self, unit: str, beat: Heartbeat) -> None:
        self._beats[unit] = beat

    def beats(self) -> dict[str, Heartbeat]:
        return self._beats


@contextmanager
def on_ray(plan: FanPlan, units: Sequence[FanUnit], address: str | None = None) -> Iterator[Fleet]:
    """Tasks of Ray: of the cluster at the address, of one that runs here, or of a new one on this machine."""
    _require("ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    is_ours = not ray.is_initialized()
    if is_ours:
        try:
            ray.init(address, include_dashboard=False, log_to_driver=False, logging_level="error")
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise UserError(f"--on {address or 'ray'}: no such cluster answers ({in_one_line(error)})") from None
    try:
        board = ray.remote(num_cpus=0, max_restarts=-1)(FanBoard).remote()
        wanted = {"num_cpus": plan.cpus, "num_gpus": plan.gpus, "memory": int(plan.memory_gb * 2**30) or None}
        task = ray.remote(**wanted, max_retries=plan.retries, retry_exceptions=True)(ray_unit)
        refs = {unit.name: task.remote(unit, plan.place, _sent(plan, unit), board) for unit in units}

        def beats() -> dict[str, Heartbeat]:
            with suppress(ray.exceptions.RayError):  # its machine was lost: it begins again on another one
                return dict(ray.get(board.beats.remote()))
            return {}

        def stop() -> None:
            for ref in refs.values():
                ray.cancel(ref)
            ray.wait(list(refs.values()), num_returns=len(refs))

        yield Fleet({name: ref.future() for name, ref in refs.items()}, beats, stop)
    finally:
        if is_ours:
            ray.shutdown()


def _sent(plan: FanPlan, unit: FanUnit) -> bytes | None:
    """What is here of a unit's store, if machines do not see it; None if they do."""
    store = plan.place / f"{unit.name}.sqlite"
    return None if plan.shared else store.read_bytes() if store.exists() else b""


def ray_unit(unit: FanUnit, folder: Path, sent: bytes | None, board: Any) -> tuple[Heartbeat, bytes]:
    """A unit on a machine of the cluster; where that does not see the folder, in a folder of its own."""
    here = folder if sent is None else Path(tempfile.gettempdir(), "snellen-fan", *folder.parts[1:])
    store = here / f"{unit.name}.sqlite"
    if sent and not store.exists():
        here.mkdir(parents=True, exist_ok=True)
        store.write_bytes(sent)
    beat = run_unit(unit, here, lambda beat: board.tell.remote(unit.name, beat))
    if sent is None:
        return beat, b""
    with closing(sqlite3.connect(store)) as db:
        return beat, db.serialize()


@dataclass(frozen=True, slots=True)
class SlurmUnit:
    """A unit as a job of submitit, which calls `checkpoint` before time is up or the job is preempted."""

    unit: FanUnit
    folder: Path
    retries: int

    def __call__(self) -> tuple[Heartbeat, bytes]:
        file = self.folder / f"{self.unit.name}.json"
        return persist(self.unit, self.folder, self.retries, lambda beat: beat.write(file)), b""

    def checkpoint(self) -> Any:
        """The same again: it goes on from its store."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self)


@contextmanager
def on_slurm(plan: FanPlan, units: Sequence[FanUnit]) -> Iterator[Fleet]:
    """Job arrays. `cluster = "local"` in [slurm] is submitit's stand-in on this machine, to try a plan."""
    _require("submitit")
    import submitit

    own = {"minutes": 240, "cluster": "slurm", **plan.slurm}
    shared = {"timeout_min": own.pop("minutes"), "cpus_per_task": plan.cpus, "gpus_per_node": ceil(plan.gpus)}
    times = {f"{name}_max_num_timeout": plan.retries for name in ("slurm", "local")}
    jobs: dict[str, Any] = {}
    try:
        executor = submitit.AutoExecutor(plan.place / "slurm", cluster=own.pop("cluster"), **times)
        own["array_parallelism"] = plan.at_once or len(units)
        executor.update_parameters(
            name="snellen", mem_gb=plan.memory_gb or None, **shared, **{f"slurm_{name}": own[name] for name in own}
        )
        for first in range(0, len(units), ARRAY):
            with executor.batch():
                some = units[first : first + ARRAY]
                jobs |= {unit.name: executor.submit(SlurmUnit(unit, plan.place, plan.retries)) for unit in some}
    except (AssertionError, NameError, RuntimeError, ValueError, submitit.core.utils.FailedJobError) as error:
        raise UserError(f"[slurm]: {in_one_line(error)}") from None

    def beats() -> dict[str, Heartbeat]:
        found = {name: read_beat(plan.place / f"{name}.json") for name, job in jobs.items() if not job.done()}
        return {name: beat for name, beat in found.items() if beat}

    def stop() -> None:
        for job in jobs.values():
            job.cancel(check=False)

    yield Fleet(jobs, beats, stop)


def _require(library: str) -> None:
    extra = {"submitit": "slurm"}.get(library, library)
    if find_spec(library) is None:
        raise UserError(f"--on {extra} needs {library}: pip install 'snellen[{extra}]'")
