"""The original Bongard problems: twelve small drawings each, six on the left that share a rule, six on the right.

Layout: `p001` to `p232` (p077 was never there), each with `0.png` to `11.png`: 0 to 5 left, 6 to 11 right. There is no
query, so each drawing takes its turn: fold k of a problem asks about the k-th of either side and shows the others. Six
folds make one cluster. Rules in words (`bp_solutions.json`, problems 1 to 100) are used if the file is beside the
drawings or given.

What to know about it: blank drawings are meant so (p001 is about emptiness; p137, p202 and p222 have one each), and
p158 and p159 share two drawings. Problems 1 to 100 are Bongard's own, the others came later and have no rule in words.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.item import NOTHING
from snellen.tasks.bongard.load.problems import Entries, LoadedProblems
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.data import Unusable, file_of, read_json, tree
from snellen.tasks.panels import Panel, Unfit, all_panels, file_panel

OPTIONS = ("solutions",)
LOOKS_LIKE = "folders p001, p002, ... of twelve drawings"
CREDIT = "Bongard problems (M. Bongard 1970; later ones by others, collected by H. Foundalis); no licence is stated"
OBTAIN = (
    "original Bongard problems: bin/data/BP of GitHub coolvision/bongard-problems-cnn, and bp_solutions.json from "
    "ml-research/bongard-in-wonderland beside it (no licence stated in either: for your own study)"
)
_NAME = re.compile(r"p\d{3}", re.ASCII)
_SIDE = 6

Solutions = Mapping[str, tuple[str, str]]


def recognise(place: Path) -> bool:
    """Whether there are folders of twelve drawings here."""
    return place.is_dir() and _base(place) is not None


def load(place: Path, options: Mapping[str, str] = NOTHING) -> LoadedProblems:
    """Six folds of each problem. Option: `solutions` (the file with the rules in words)."""
    base = _base(place) or place
    file = file_of(options, "solutions", (base, base.parent, place), "bp_solutions.json")
    solutions, faults = _solutions(file) if file else ({}, ())
    return LoadedProblems(partial(_entries, base, solutions, faults), (base,), CREDIT, "a drawing")


def _base(place: Path) -> Path | None:
    """The folder that holds the folders of the problems."""
    for path, folders, _ in tree(place):
        if any(_NAME.fullmatch(name) and (path / name / "0.png").is_file() for name in folders):
            return path
    return None


def _entries(base: Path, solutions: Solutions, faults: tuple[Unusable, ...]) -> Entries:
    yield from faults
    for name in sorted(path.name for path in base.iterdir() if _NAME.fullmatch(path.name)):
        try:
            panels = all_panels(partial(file_panel, (base,)), [f"{name}/{i}.png" for i in range(2 * _SIDE)])
        except Unfit as fault:
            yield Unusable(f"original/{name}", str(fault))
        else:
            yield from _folds(name, panels, solutions.get(str(int(name[1:]))))


def _folds(name: str, panels: tuple[Panel, ...], solution: tuple[str, str] | None) -> Iterator[Problem]:
    """One problem for each pair of drawings that can be asked about."""
    left, right = panels[:_SIDE], panels[_SIDE:]
    cluster = f"original/{name}"
    concept = "{} (not: {})".format(*solution) if solution else ""
    for k in range(_SIDE):
        yield Problem(f"{cluster}/{k}", cluster, "original", concept, "", _last(left, k), _last(right, k))


def _last(panels: tuple[Panel, ...], k: int) -> tuple[Panel, ...]:
    """The panels with the k-th moved to the end, where queries are."""
    return (*panels[:k], *panels[k + 1 :], panels[k])


def _solutions(path: Path) -> tuple[Solutions, tuple[Unusable, ...]]:
    """The two rules of each problem by number, and what in the file could not be used."""
    content = read_json(path)
    if not isinstance(content, dict):
        raise UserError(f"{path}: expected an object from problem numbers to two rules; download the file again")
    solutions = {number: (rules[0], rules[1]) for number, rules in content.items() if _two_texts(rules)}
    why = "expected the two rules as texts; the problem goes without"
    return solutions, tuple(Unusable(f"{path.name} {number}", why) for number in content if number not in solutions)


def _two_texts(rules: Any) -> bool:
    return isinstance(rules, list) and len(rules) == 2 and all(isinstance(rule, str) for rule in rules)
