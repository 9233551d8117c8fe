"""The same answers give the same numbers: whatever threads and kernels the linear algebra has, whatever processor numpy
is built for, and in whatever order trials were recorded."""

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any

import pytest

import snellen
from support.shown_numbers import shown

TESTS = Path(__file__).parents[1]
CHILD = TESTS / "support" / "shown_numbers.py"
CORES = {"x86_64": ("Haswell", "Nehalem", "Prescott"), "aarch64": ("ARMV8", "NEOVERSEN1", "CORTEXA57")}
"""Kernels of the linear algebra by machine; one that is unknown there is passed over for the machine's own."""
PLAIN = {"x86_64": "X86_V3 X86_V4", "aarch64": "ASIMDHP ASIMDDP ASIMDFHM SVE"}
"""What a processor has that others of its kind lack: numpy is told to do without."""
CLOSE = 1e-6
SETTINGS = [
    {
        "OPENBLAS_CORETYPE": core,
        "OPENBLAS_NUM_THREADS": threads,
        "POLARS_MAX_THREADS": "2" if threads == "1" else "1",
        **({"NPY_DISABLE_CPU_FEATURES": PLAIN.get(platform.machine(), "")} if place == 1 else {}),
    }
    for place, core in enumerate(CORES.get(platform.machine(), ("", "", "")))
    for threads in ("1", "2")
]
FEW = SETTINGS[3:4]
"""Other threads and other kernels on a plainer processor."""


@pytest.fixture(scope="module")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _examined(tmp_path_factory.mktemp("few"), ["winoground"], 4, ("letters",))


def test_a_few_tasks_show_the_same_numbers_everywhere(small_store: Path) -> None:
    _same_everywhere(small_store, FEW)


@pytest.mark.soak
def test_all_tasks_show_the_same_numbers_everywhere(tmp_path: Path) -> None:
    tasks = ["fixation", "bias", "winoground", "bongard", "marvel", "capacity"]
    _same_everywhere(_examined(tmp_path, tasks, 12), SETTINGS)


def _examined(folder: Path, tasks: list[str], n: int, charts: tuple[str, ...] = ("letters", "contrast")) -> Path:
    """A store of simulated subjects who err in several ways: chance, habit and eyes, on tasks and on the eye chart."""
    store = folder / "s.sqlite"
    subjects = ["sim/fixated:see=0.8", "sim/absent"]
    snellen.exam(subjects, tasks=tasks, n=n, store=store)
    snellen.exam(subjects, tasks="acuity", levels={"test": charts}, n=16, store=store)
    return store


def _same_everywhere(store: Path, settings: list[dict[str, str]]) -> None:
    first = json.loads(json.dumps(shown(store)))
    for number, setting in enumerate(settings):
        found = _shown(store, str(number), setting, str(number))
        if found is not None:
            apart = list(_apart(first, found))
            assert not apart, f"{setting}: {len(apart)} differ\n" + "\n".join(apart[:20])


def _shown(store: Path, name: str, setting: dict[str, str], *seed: str) -> Any:
    """What is shown under a setting; None where this processor cannot run its kernels."""
    out = store.with_name(f"{name}.json")
    env = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    ran = subprocess.run(
        [sys.executable, str(CHILD), str(store), str(out), *seed],
        env={**env, **setting},
        capture_output=True,
        text=True,
    )
    if ran.returncode == -signal.SIGILL:
        return None
    assert ran.returncode == 0, f"{setting}\n{ran.stderr}"
    return json.loads(out.read_text(encoding="utf-8"))


def _apart(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Where two differ: numbers by more than a millionth, all else (so also digits that were printed) at all."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for name in one:
            yield from _apart(one[name], other[name], f"{where}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _apart(a, b, f"{where}/{place}")
    elif isinstance(one, float) and isinstance(other, float):
        if not isclose(one, other, rel_tol=CLOSE, abs_tol=1e-9):
            yield f"{where}: {one} and {other}"
    elif one != other:
        lines = zip(str(one).splitlines(), str(other).splitlines(), strict=False)
        first = next(((a, b) for a, b in lines if a != b), (one, other))
        yield f"{where}: " + " and ".join(repr(text)[:200] for text in first)


def test_what_differs_is_told() -> None:
    one = {"text": "loses 36 (21 to 52)", "numbers": [0.25, 1.0], "n": 12}
    assert not list(_apart(one, {**one, "numbers": [0.25 + 1e-9, 1.0]}))
    for change in ({"text": "loses 36 (21 to 53)"}, {"numbers": [0.25001, 1.0]}, {"numbers": [0.25]}, {"n": 13}):
        assert list(_apart(one, {**one, **change})), change
