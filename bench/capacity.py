"""The eleven capacity kinds: how long items and pictures take, and the solvers behind the boards."""

from statistics import fmean
from time import process_time

from snellen.rng import stream
from snellen.tasks.capacity.kind import CapacityKind
from snellen.tasks.capacity.kinds import KINDS, gomoku_search, kind_of, maze_routes, unblock_search

EACH = 6
CORES = 2
SOLVERS = {
    "gomoku": (gomoku_search, "best"),
    "unblock": (unblock_search, "search"),
    "maze": (maze_routes, "shortest"),
}


def measure() -> list[tuple[str, str, str]]:
    seconds = {name: _seconds(kind_of(name)) for name in KINDS}
    whole = sum(kind_of(name).n * each for name, each in seconds.items())
    slowest = sorted(KINDS, key=lambda name: -seconds[name])[:4]
    told = ", ".join(f"{name} {seconds[name]:.2f} s" for name in slowest)
    rows = [
        (f"1,173 items with pictures on {CORES} cores", f"{whole / CORES / 60:.1f} min", "under 10 min"),
        ("the slowest kinds, CPU an item", told, ""),
    ]
    for name in SOLVERS:
        rows.append((f"{name}: a solver's call, mean and longest", _solver(name), "under 50 ms"))
    return rows


def _seconds(kind: CapacityKind) -> float:
    """CPU seconds an item of this kind takes, once everything is warm."""
    kind.show(kind.make(stream(0, "warm", kind.name), kind.sizes[0], 0))
    before = process_time()
    for index in range(EACH):
        kind.show(kind.make(stream(index, "bench", kind.name), kind.sizes[0], index))
    return (process_time() - before) / EACH


def _solver(name: str) -> str:
    """How long the proof takes: every call of the solver while items are made."""
    module, function = SOLVERS[name]
    solve, times = getattr(module, function), list[float]()

    def timed(*given: object, **more: object) -> object:
        before = process_time()
        try:
            return solve(*given, **more)
        finally:
            times.append(process_time() - before)

    users = [found for found in _modules(name) if getattr(found, function, None) is solve]
    for user in (module, *users):
        setattr(user, function, timed)
    try:
        for index in range(20):
            kind_of(name).make(stream(index, "bench", name), kind_of(name).sizes[0], index)
    finally:
        for user in (module, *users):
            setattr(user, function, solve)
    return f"{1000 * fmean(times):.1f} ms, {1000 * max(times):.0f} ms"


def _modules(name: str) -> list[object]:
    from importlib import import_module

    return [import_module(f"snellen.tasks.capacity.kinds.{name}{part}") for part in ("", "_making")]
