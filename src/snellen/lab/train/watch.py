"""How a training comes along: one line of numbers a step on disk, and whoever wants to be told.

`curve.jsonl` holds step, loss, reward, unread share and whatever else the trainer logs. A resumed training goes on
where its checkpoint left off: lines of steps that are taken again are dropped first.
"""

import json
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from snellen.examine.trained import CURVE, curve


class TrainingProgress(NamedTuple):
    """After a step: how many of how many, what the trainer measured, how many steps were taken here (and not before it
    was resumed), and how long they took."""

    step: int
    total: int
    values: Mapping[str, float]
    here: int
    seconds: float


Tell = Callable[[TrainingProgress], None]


def go_back(out: Path, step: int) -> None:
    """Drop the lines after a step: they will be written again."""
    kept = [line for line in curve(out) if line["step"] <= step]
    (out / CURVE).write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")


def watcher(out: Path, tell: Tell, *, writes: bool) -> Any:
    """A callback for the trainer; only one process of several `writes`."""
    from transformers import TrainerCallback

    begun = monotonic()
    steps = 0

    class Watch(TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **others: Any) -> None:
            values = {name: value for name, value in (logs or {}).items() if isinstance(value, int | float)}
            if not writes or "loss" not in values:  # the summary at the end has no loss of its own
                return
            nonlocal steps
            steps += 1
            seconds = monotonic() - begun
            finite = {name: value if isfinite(value) else None for name, value in values.items()}
            line = {"step": state.global_step, **finite, "seconds": round(seconds, 2)}
            with (out / CURVE).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            tell(TrainingProgress(state.global_step, state.max_steps, values, steps, seconds))

    return Watch()
