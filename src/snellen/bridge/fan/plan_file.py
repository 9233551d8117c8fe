"""Plans as files: every mistake is one line that says what to write instead."""

import json
import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from snellen.bridge.fan.plan import FanPlan
from snellen.engine.merge import Keep
from snellen.engine.schema import refuse_object_store
from snellen.errors import UserError, refuse_secret, unknown
from snellen.examine.batching import batch_options
from snellen.examine.subjects import split_short
from snellen.subjects import check_name
from snellen.tasks import task_names

_PRICE = re.compile(r"[0-9.]+(/[0-9.]+){1,3}")
_EXAMPLES = {
    "subjects": '["step-1000=local/./step-1000", "openai/gpt-4.1"]',
    "tasks": '["TASK", "TASK"], or "all"',
    "store": '"runs.sqlite"',
    "folder": '"runs-units"',
    "batch": '"24h", or "24h,then-calls"',
    "exam": "{ n = 40 }",
    "slurm": '{ partition = "gpu" }',
    "prices": '{ "openai/gpt-4.1" = "2/8" }',
}
"""What may be written for a key, where its type does not say it."""
_INSTEAD = {
    "tasks": 'write tasks = ["TASK"], outside [exam]',
    "shard": "write shards = 8, outside [exam]",
    "store": 'write store = "runs.sqlite", outside [exam]',
    "batch": 'write batch = "24h", outside [exam]',
    "price": f"write prices = {_EXAMPLES['prices']}, outside [exam]",
    "budget": "is for a whole exam; write most = CALLS, for each unit, and see the bill of --dry-run",
    "dry-run": "write it after the command: snellen fan PLAN.toml --dry-run",
    "out": "write it later, for the merged store: snellen report STORE -o DIR",
    "open": "write it later, for the merged store: snellen view STORE",
    "log": "write it later, for the merged store: snellen log STORE --to TRACKER",
    "json": "write it later, for the merged store: snellen table profile STORE --format json",
    "no-report": "leave it out: units write no report",
}
"""Options of an exam that are the plan's, or that mean all of it, and what to write instead."""


def read_plan(path: Path, exam_options: Collection[str]) -> FanPlan:
    """Read a plan; `exam_options` may stand in its table `exam`. Raises `UserError` for what it cannot mean."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; write a plan: subjects = [...], tasks = [...]") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{path}: not TOML: {error}") from None
    for name, value in told.items():
        written = json.dumps({name: value}, default=str, ensure_ascii=False)
        refuse_secret(written, f"{path}: {name}", "set it in the environment of every machine")
    try:
        return _plan(told, exam_options)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _plan(told: dict[str, Any], exam_options: Collection[str]) -> FanPlan:
    known = {each.name: each for each in fields(FanPlan)}
    _refuse_unknown("key", told, known)
    if told.get("tasks") in ("all", ["all"]):
        told["tasks"] = list(task_names())
    for name, each in known.items():
        if name in told:
            _check(name, told[name], each.type)
        elif each.default is MISSING and each.default_factory is MISSING:
            raise UserError(f"no {name}; write {name} = {_EXAMPLES[name]}")
    for name in told.get("exam", {}):
        if instead := _INSTEAD.get(name):
            raise UserError(f"{name} in [exam]: {instead}")
    _refuse_unknown("key of [exam]", told.get("exam", {}), exam_options)
    plan = FanPlan(**told)
    _check_values(plan)
    return plan


def _refuse_unknown(what: str, names: Iterable[str], known: Collection[str]) -> None:
    if odd := next((name for name in names if name not in known), None):
        raise unknown(what, odd, known)


def _check(name: str, value: Any, kind: Any) -> None:
    least = 1 if name in ("shards", "cpus") else 0
    wanted, fits = {
        int: (f"a whole number from {least} on", type(value) is int and value >= least),
        float: ("a number from 0 on", type(value) in (int, float) and value >= 0),
        bool: ("true or false", type(value) is bool),
        str: (_EXAMPLES.get(name), isinstance(value, str)),
        list[str]: (_EXAMPLES.get(name), isinstance(value, list) and value and all(isinstance(v, str) for v in value)),
        Keep | None: ('"first" or "both"', value in ("first", "both")),
    }.get(kind, (_EXAMPLES.get(name), isinstance(value, dict)))
    if not fits:
        if kind == list[str] and isinstance(value, str):
            wanted = _as_toml([value])
        raise UserError(f"{name} = {_as_toml(value)}: write {name} = {wanted}")


def _check_values(plan: FanPlan) -> None:
    """What types do not say."""
    if doubled := next((task for task in plan.tasks if plan.tasks.count(task) > 1), None):
        raise UserError(f"tasks: {doubled} is named twice; write it once")
    for name, price in plan.prices.items():
        if not isinstance(price, str) or not _PRICE.fullmatch(price):
            raise UserError(f'prices: {name} = {_as_toml(price)}: write "{name}" = "IN/OUT", as in "2/8"')
    for word in plan.subjects:
        check_name(split_short(word)[1])
    if plan.batch.startswith("files:"):
        raise UserError(f"batch = {_as_toml(plan.batch)}: write a time; files are for one exam: snellen exam --batch")
    if plan.batch:
        try:
            batch_options(plan.batch)
        except UserError:
            raise UserError(f"batch = {_as_toml(plan.batch)}: write batch = {_EXAMPLES['batch']}") from None
    for path in filter(None, (plan.store, plan.folder)):
        refuse_object_store(Path(path))


def _as_toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
