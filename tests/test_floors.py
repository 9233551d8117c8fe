"""The house stands: a floor imports only floors below it, and `import snellen` stays light."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import snellen

SOURCE = Path(snellen.__file__).parent

FLOORS = [
    {
        "item",
        "answer",
        "beside",
        "garbage",
        "rng",
        "call",
        "prompts",
        "errors",
        "defaults",
        "pictures",
        "fence",
        "masking",
        "names",
        "plugins",
        "shard",
        "ladder",
        "faculties",
    },
    {"draw", "psychometric", "sequential", "charts"},
    {"analysis", "engine", "subjects"},
    {"tasks"},
    {"paradigms"},
    {"report", "replies", "curation"},
    {"examine"},
    {"lab", "bridge", "publish"},
    {"cli"},
    {"__init__", "__main__"},
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS, 1) for room in rooms}
GROUND = 1
"""The rooms of the ground floor are plain values and may use one another (without going round in circles)."""


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement of a file, without its expressions: an eighth of the nodes."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(tree, field, ()):
            yield node
            yield from statements(node)


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every room of ours that is imported, wherever in the file: (line, room). Only the version may come from above."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == "snellen" and rest != "__version__":
                room = rest.partition(".")[0]
                yield node.lineno, room if room in FLOOR else "__init__"


FILES = sorted(SOURCE.rglob("*.py"))


@cache
def imported(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(imports(ast.parse(path.read_text(encoding="utf-8"))))


def test_every_room_has_its_floor() -> None:
    assert {room_of(path) for path in FILES} <= set(FLOOR)


def test_the_floors_in_contributing_are_these() -> None:
    text = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = {
        int(floor): set(re.findall(r"`(\w+)`", rooms))
        for floor, rooms in re.findall(r"(?m)^\| (\d+) \| (.*) \|$", text)
    }
    assert told == {floor: rooms for floor, rooms in enumerate(FLOORS, 1) if "__init__" not in rooms}


def test_a_floor_imports_only_floors_below() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}: {here} must not import {room}"
        for path in FILES
        for here in [room_of(path)]
        for line, room in imported(path)
        if not (FLOOR[room] < FLOOR[here] or room == here or FLOOR[room] == FLOOR[here] == GROUND)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_ground_floor_has_no_circles() -> None:
    uses: dict[str, set[str]] = {room: set() for room in FLOORS[0]}
    for path in FILES:
        if (here := room_of(path)) in uses:
            uses[here] |= {room for _, room in imported(path)} - {here}
    while free := {room for room, used in uses.items() if not used}:
        uses = {room: used - free for room, used in uses.items() if room not in free}
    assert not uses


@pytest.mark.parametrize(
    ("source", "room"),
    [
        ("import snellen.cli.main", "cli"),
        ("from snellen.engine import store", "engine"),
        ("from snellen import item", "item"),
        ("def f():\n    from snellen.report import write", "report"),
        ("from snellen import exam", "__init__"),
    ],
)
def test_the_guard_sees_every_way_to_import(source: str, room: str) -> None:
    assert [found for _, found in imports(ast.parse(source))] == [room]


def test_the_version_may_come_from_the_top() -> None:
    assert not list(imports(ast.parse("from snellen import __version__\nimport json")))


HEAVY = [
    "torch",
    "pandas",
    "polars",
    "inspect_ai",
    "datasets",
    "transformers",
    "scipy",
    "scipy.special",
    "scipy.optimize",
    "aiohttp",
    "fpdf",
    "snellen.report",
]


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    path = [str(SOURCE.parent), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_the_package_and_its_lower_floors_load_nothing_heavy() -> None:
    assert loaded_by("import snellen, snellen.answer, snellen.item, snellen.prompts, snellen.tasks") == set()


def test_whatever_asks_needs_no_torch_and_begins_without_the_science_it_ends_with() -> None:
    loaded = loaded_by("import snellen.engine, snellen.subjects, snellen.examine")
    assert not loaded & {"torch", "pandas", "inspect_ai", "datasets", "scipy.special", "scipy.optimize"}


def test_listing_tasks_and_help_need_no_science() -> None:
    code = """
import io
from snellen.cli import main
sys.stdout = io.StringIO()
for words in (["tasks"], ["--help"], ["exam", "--help"]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit:
        pass
sys.stdout = sys.__stdout__
"""
    assert not loaded_by(code) & {"scipy", "polars", "torch"}
