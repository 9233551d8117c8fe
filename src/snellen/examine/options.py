"""What may be chosen about an exam, and what of it each task gets.

Several tasks can be asked in one exam. What is chosen for all of them is a plain value; what is chosen for one stands
under its name: `n={"lamps": 40}`, `levels={"lamps.count": ("dark",)}`.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from snellen.errors import UserError, unknown
from snellen.tasks import Levels, Task, over_set, task_names
from snellen.tasks import task as find_task
from snellen.tasks.making import Origin

T = TypeVar("T")

ALL_TASKS = "all"
ALL_OTHERS = ""
"""In a choice by task: what the tasks get that are not named."""


class ExamOptions(TypedDict, total=False):
    """The options of an exam; all have defaults."""

    tasks: str | Task | Sequence[str | Task]
    """Names, Python files, or `Task` objects."""
    design: str | Mapping[str, str] | None
    """A named design, for all tasks or by task; without it a quick one."""
    n: int | Mapping[str, int] | None
    """Base items, for all tasks or by task; the design's own number if not given."""
    seed: int
    """The seed of generated items."""
    levels: Mapping[str, str | Sequence[str]]
    """Levels by factor, `{"count": "dark"}`, or by task and factor, `{"lamps.count": ("dark",)}`."""
    paradigms: Any
    """A name, a `Paradigm`, an async function, or a list of these."""
    roles: Mapping[str, Any]
    """From a role to one or several subjects, in any form."""
    data: Mapping[str, str]
    """From a task to the location of its published set."""
    prompts: str | Path | None
    """A prompt pack that replaces the built-in wording."""
    samples: int
    """Samples per trial."""
    until: str | None
    """"sure": ask every task's ladder until each of its steps is shown or excluded, instead of a fixed design.
    "compared": ask two subjects its most demanding rung until one is shown better, or both equivalent."""
    detect: float | None
    """With "sure": the smallest fault to be found or excluded, as a share of the items; 0.2 if not given."""
    margin: float | None
    """With "compared": a smaller difference, as a share of the answers, does not matter; 0.1 if not given."""
    shard: str | None
    """"3/8": only the third of eight equal parts, in a store of its own; `snellen merge` joins them."""
    most: int | None
    """With `until`: the most calls to each subject, divided equally among the tasks; those of the tasks' usual designs
    if not given, and for a comparison about twice those of a fixed one."""


_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "design": ((str, Mapping), "a name, or names by task"),
    "seed": ((int,), "a whole number"),
    "levels": ((Mapping,), "levels by factor, as in {'rule': 'inverse'}"),
    "roles": ((Mapping,), "subjects by role, as in {'describer': 'twin'}"),
    "data": ((Mapping,), "data sets by task, as in {'TASK': 'FOLDER'}"),
    "prompts": ((str, Path), "a file"),
    "until": ((str,), "'sure'"),
    "shard": ((str,), "a part, such as '3/8'"),
    "detect": ((float,), "a share of the items, such as 0.2"),
    "margin": ((float,), "a share of the answers, such as 0.1"),
    "most": ((int,), "a number of calls"),
}
"""What a choice may be, and how to say so. Numbers are checked where they are used."""
_MAY_LACK = ("shard", "design", "levels", "roles", "data", "prompts", "until", "detect", "margin", "most")


def check_choices(choices: Mapping[str, Any]) -> None:
    """Raise `UserError` for unknown options and values of the wrong type."""
    for name, value in choices.items():
        if name not in ExamOptions.__annotations__:
            raise unknown("choice", name, ExamOptions.__annotations__)
        kinds, words = _KINDS.get(name, ((object,), ""))
        if not isinstance(value, kinds) and not (value is None and name in _MAY_LACK):
            raise UserError(f"{name}={value!r}: expected {words}")


_FIXED_ONLY = {"design": None, "n": None, "paradigms": None, "samples": 1}
"""Choices about a design that is fixed, with what they are if nothing is chosen."""
LEAST_MARGIN = 0.02
LEAST_CALLS = 24
"""Fewer close no step of any ladder."""


def checked_until(choices: ExamOptions, tasks: int = 1) -> int | None:
    """The most calls of an exam that stops when it knows, if a number was given. Raises `UserError` for choices that do
    not go with `until`, and for those that need it."""
    until, detect, most = choices.get("until"), choices.get("detect"), choices.get("most")
    if until is None:
        for name, option in (("detect", "--detect"), ("margin", "--margin"), ("most", "--most")):
            if choices.get(name) is not None:
                raise UserError(f"{option} needs --until-sure: a fixed design asks what it says")
        return None
    if until not in ("sure", "compared"):
        raise UserError(f"until={until!r}: expected 'sure' or 'compared'")
    for name, plain in _FIXED_ONLY.items():
        if choices.get(name) not in (plain, None, [], {}):
            option = {"paradigms": "--paradigm"}.get(name, f"--{name}")
            raise UserError(
                f"{option} does not go with --until-sure, which chooses what is asked; leave one of them out"
            )
    margin, other = choices.get("margin"), "detect" if until == "compared" else "margin"
    if choices.get(other) is not None:
        raise UserError(f"{other} does not go with until={until!r}; leave it out")
    if margin is not None and not LEAST_MARGIN <= margin <= 0.5:
        raise UserError(f"--margin {100 * margin:g}: expected points from {100 * LEAST_MARGIN:.0f} to 50")
    if detect is not None and not 0.05 <= detect <= 0.5:
        raise UserError(f"--detect {100 * detect:g}: expected a share of the items from 5 to 50 %")
    if most is not None and not is_count(most, LEAST_CALLS * tasks):
        raise UserError(f"--most {most}: expected at least {LEAST_CALLS * tasks} calls ({LEAST_CALLS} a task)")
    return most


def is_count(value: Any, least: int = 1) -> bool:
    """True for an integer of at least `least`; booleans do not count."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def several(given: Any) -> list[Any]:
    """A value or list of values as a list; names may be comma-separated."""
    if given is None:
        return []
    if isinstance(given, str):
        return [name.strip() for name in given.split(",")]
    return list(given) if isinstance(given, list | tuple) else [given]


def chosen_tasks(given: Any, data: Mapping[str, str]) -> list[tuple[Task, Origin | None]]:
    """The tasks, each with how another process finds it, over the published sets that were given for them."""
    if "" in several(given) or not several(given):
        raise UserError(f"--tasks {given!r}: expected comma-separated names; `snellen tasks` lists them")
    if ALL_TASKS in several(given):
        given = task_names()
    by_name: dict[str, tuple[Task, Origin | None]] = {}
    for wanted in several(given):
        task, origin = (find_task(wanted), Origin(wanted)) if isinstance(wanted, str) else _own_task(wanted)
        keys = [key for key in (task.name, wanted) if isinstance(key, str) and key in data]
        for key in keys[:1]:
            place = _place(key, data[key])
            task, origin = over_set(task, place), origin and origin._replace(data=place)
        by_name[task.name] = (task, origin)
    names = [*by_name, *(wanted for wanted in several(given) if isinstance(wanted, str))]
    for name in data:
        if name not in names:
            raise unknown("task in --data", name, names)
    return list(by_name.values())


def _place(task: str, place: Any) -> str:
    if not isinstance(place, str | Path):
        raise UserError(f"data={{{task!r}: {place!r}}}: expected a data set: a folder or a name on the Hub")
    return str(place)


def _own_task(task: Any) -> tuple[Task, Origin | None]:
    if not isinstance(task, Task):
        raise UserError(f"expected a task name, a Python file or a Task; got {type(task).__name__}")
    try:
        ours = find_task(task.name) is task
    except UserError:
        ours = False
    return task, Origin(task.name) if ours else None


def for_task(given: T | Mapping[str, T] | None, task: str, tasks: Sequence[str], option: str) -> T | None:
    """The choice for a task: given for all tasks, by name, or under the empty name for all others."""
    if not isinstance(given, Mapping):
        return given
    for name in given:
        if name and name not in tasks:
            raise unknown(f"task in {option}", name, tasks)
    return given.get(task, given.get(ALL_OTHERS))


def levels_by_task(
    given: Mapping[str, str | Sequence[str]], tasks: Sequence[Task], is_setting: Callable[[str], bool]
) -> tuple[dict[str, dict[str, tuple[str, ...]]], Levels]:
    """The levels chosen for each task, and those of settings of the subjects. `TASK.factor` is for that task, `factor`
    alone for every task that has it."""
    by_task: dict[str, dict[str, tuple[str, ...]]] = {task.name: {} for task in tasks}
    settings: dict[str, tuple[str, ...]] = {}
    for name, value in sorted(
        given.items(), key=lambda pair: "." in str(pair[0])
    ):  # what names a task goes before what does not
        levels = _levels(name, value)
        task_name, dot, factor = name.rpartition(".")
        if dot and task_name not in by_task:
            raise unknown("task in --set", task_name, by_task)
        having = [t for t in tasks if (not dot or t.name == task_name) and any(f.name == factor for f in t.factors)]
        for task in having:
            by_task[task.name][factor] = levels
        if not having and not dot and is_setting(name):
            settings[name] = levels
        elif not having:
            wanted = [t for t in tasks if not dot or t.name == task_name]
            what = f"factor of task {wanted[0].name}" if len(wanted) == 1 else "factor of these tasks"
            raise unknown(what, factor, list(dict.fromkeys(f.name for t in wanted for f in t.factors)))
    return by_task, settings


def _levels(name: Any, given: Any) -> tuple[str, ...]:
    """One or several levels as text, as on the command line; numbers are levels of settings."""
    levels = given if isinstance(given, list | tuple) else (given,)
    if not isinstance(name, str) or not levels or not all(isinstance(level, str | int | float) for level in levels):
        raise UserError(
            f"levels={{{name!r}: {given!r}}}: expected a factor and its levels, as in {{'rule': ('inverse',)}}"
        )
    words = (str(level).lower() if isinstance(level, bool) else str(level) for level in levels)
    return tuple(dict.fromkeys(words))
