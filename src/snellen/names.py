"""What names tell, and names that others take: the run and step of a checkpoint, its curve, a file's name.

Whatever orders results by training step (history, gates, run logs, watch) reads names here, so that a checkpoint is on
the same curve everywhere.
"""

import re
from typing import NamedTuple

_STEP = re.compile(
    r"(?:(?<=[-_/.:=@ ])|^)(?:checkpoint|ckpt|global[-_]step|step|iteration|iter|epoch)[-_=.]?(\d+)(?![\d.])", re.I
)
_EDGES = "-_/.:=@ "
_UNNAMED = "checkpoints"
_OTHERS, _OTHERS_ASCII = re.compile(r"[^\w.-]+"), re.compile(r"[^\w.-]+", re.ASCII)


class RunStep(NamedTuple):
    """What a checkpoint is one of, and its step."""

    run: str
    step: int


def step_of(name: str) -> RunStep | None:
    """What a checkpoint is one of, and its step, where the name tells it.

    >>> step_of("local/runs/checkpoint-500")
    RunStep(run='local/runs', step=500)
    >>> step_of("step-1000")
    RunStep(run='checkpoints', step=1000)
    """
    found = list(_STEP.finditer(name))
    if not found:
        return None
    last = found[-1]
    before, after = name[: last.start()].rstrip(_EDGES), name[last.end() :].lstrip(_EDGES)
    return RunStep(" ".join(filter(None, (before, after))) or _UNNAMED, int(last[1]))


def curve_of(name: str) -> str:
    """Where a tracker keeps a subject's curves: its run, or else its name, as the start of their names; empty if its
    name is a step alone.

    >>> curve_of("runs/sft/checkpoint-500"), curve_of("step-500"), curve_of("base")
    ('runs/sft/', '', 'base/')
    """
    told = step_of(name)
    run = told.run if told else name
    parts = [] if told and run == _UNNAMED else map(slug, run.split("/"))
    return "".join(f"{part}/" for part in parts if part)


def slug(name: str, *, ascii_only: bool = False) -> str:
    """A name that every tracker and file system takes: letters, digits and `_`, `.`, `-` between them.

    >>> slug("openai/gpt-4.1:temperature=0.5")
    'openai-gpt-4.1-temperature-0.5'
    """
    return (_OTHERS_ASCII if ascii_only else _OTHERS).sub("-", name).strip("-.")
