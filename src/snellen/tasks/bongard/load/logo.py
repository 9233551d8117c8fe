"""Bongard-LOGO: 12,000 problems drawn by turtle programs: free-form, basic and abstract shapes.

Layout: `ShapeBongard_V2/{ff,bd,hd}/images/<problem>/{1,0}/<0..6>.png`, 1 the positives, 0 the negatives, number 6 the
query; beside them the programs, `<type>_action_program*.json`, and `ShapeBongard_V2_split.json`. The repository's own
demonstrations, `<problem>/png/{1,0}/`, are read too. Where programs are there, they become the drawings' twins, exact
but for place, size and direction, which programs leave open.

What to know about it: the concept follows from the problem's name. Free-form shapes have no name, only the number of
their strokes, so there the concept says no more than that. Split files name problems, which need not all be there.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.item import NOTHING
from snellen.tasks.bongard.load.problems import Entries, LoadedProblems
from snellen.tasks.bongard.load.strokes import as_rule, in_words
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.data import Unusable, chosen, distinct, read_json, tree, usable_or_why
from snellen.tasks.panels import Panel, Unfit, all_panels, file_panel

OPTIONS = ("split",)
LOOKS_LIKE = "folders of problems, each with drawings in 1 and 0"
CREDIT = "Bongard-LOGO (Nie et al. 2020), MIT"
OBTAIN = (
    "Bongard-LOGO: the archive ShapeBongard_V2.zip linked in GitHub NVlabs/Bongard-LOGO, unpacked (MIT); "
    "give the folder that holds ff, bd and hd"
)
KINDS = {"ff": "free-form shapes", "bd": "basic shapes", "hd": "abstract attributes"}
SPLITS = ("train", "val", "test_ff", "test_bd", "test_hd_comb", "test_hd_novel")
_NAME = re.compile(r"[\w.+-]+", re.ASCII)
_SIDE = 7
_INNER = ("", "png")
"""Where in its folder a demonstration keeps its drawings."""

Programs = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spot:
    """A problem's folder, relative to the root; `kind` is ff, bd or hd, empty for a demonstration."""

    name: str
    folder: str
    kind: str


def recognise(place: Path) -> bool:
    """Whether there are folders of drawings in 1 and 0 here."""
    return place.is_dir() and _home(place) is not None


def load(place: Path, options: Mapping[str, str] = NOTHING) -> LoadedProblems:
    """The problems by type and name, or those of a split in its order. Option: `split`."""
    home = _home(place) or place
    split = chosen(options, "split", SPLITS)
    spots = partial(_of_split, home, split) if split else partial(_spots, home)
    return LoadedProblems(lambda: distinct(_entries(home, spots())), (home,), CREDIT, "a drawing", _twin)


def _home(place: Path) -> Path | None:
    """The folder that holds ff, bd and hd, or else demonstrations, or else is one itself."""
    demonstrations = []
    for path, folders, _ in tree(place):
        if any(_drawings(path / kind) for kind in KINDS if kind in folders):
            return path
        if any(_is_problem(path / inner) for inner in _INNER):
            demonstrations.append(path)
    if not demonstrations:
        return None
    return demonstrations[0].parent if demonstrations[0] != place else place


def _is_problem(folder: Path) -> bool:
    return (folder / "1/0.png").is_file() and (folder / "0/0.png").is_file()


def _drawings(folder: Path) -> str:
    """The name of the folder in which a type's problems are: `images`, or `png` if one made them oneself."""
    return next((name for name in ("images", "png") if (folder / name).is_dir()), "")


def _spots(home: Path) -> Iterator[Spot]:
    for kind in KINDS:
        if inner := _drawings(home / kind):
            for name in sorted(path.name for path in (home / kind / inner).iterdir() if path.is_dir()):
                yield Spot(name, f"{kind}/{inner}/{name}", kind)
    alone = any(_is_problem(home / inner) for inner in _INNER)
    for path in [home] if alone else sorted(path for path in home.iterdir() if path.is_dir()):
        for inner in _INNER:
            if _is_problem(path / inner):
                yield Spot(path.name, (path / inner).relative_to(home).as_posix(), "")


def _of_split(home: Path, split: str) -> Iterator[Spot]:
    """The problems that the split file lists."""
    file = home / "ShapeBongard_V2_split.json"
    names = read_json(file) if file.is_file() else None
    if not isinstance(names, dict) or not isinstance(names.get(split), list):
        raise UserError(f"{file}: expected an object with a list under {split!r}; get the file, or leave out split=")
    inner = {kind: _drawings(home / kind) or "images" for kind in KINDS}
    for name in names[split]:
        kind = str(name).partition("_")[0]
        yield Spot(str(name), f"{kind}/{inner.get(kind, 'images')}/{name}", kind)


def _entries(home: Path, spots: Iterator[Spot]) -> Entries:
    programs: dict[str, Programs] = {"": {}}
    for spot in spots:
        if spot.kind not in programs:
            programs[spot.kind] = _programs(home, spot.kind)
        drawn, fault = _drawn(programs[spot.kind], spot.name)
        if fault:
            yield fault
        yield usable_or_why(f"logo/{spot.name}", partial(_problem, home, spot, drawn))


def _programs(home: Path, kind: str) -> Programs:
    """The programs of a type by problem; none if there is no such type or file."""
    if kind not in KINDS or not (home / kind).is_dir():
        return {}
    programs: dict[str, Any] = {}
    for path in sorted((home / kind).iterdir()):
        if path.name.startswith(f"{kind}_action_program") and path.suffix == ".json":
            content = read_json(path)
            if not isinstance(content, dict):
                raise UserError(
                    f"{path}: expected an object from problems to programs; download the file again, or remove it"
                )
            programs.update(content)
    return programs


def _drawn(programs: Programs, name: str) -> tuple[list[Any] | None, Unusable | None]:
    """The programs of a problem's fourteen drawings, if known, and what is wrong with them."""
    if name not in programs:
        return None, None
    try:
        sides = programs[name]
        if not isinstance(sides, list) or [len(side) for side in sides if isinstance(side, list)] != [_SIDE, _SIDE]:
            raise Unfit("expected the programs of seven positives and seven negatives")
        drawn = [*sides[0], *sides[1]]
        for program in drawn:
            in_words(program)
    except Unfit as fault:
        return None, Unusable(f"program of {name}", f"{fault}; its drawings go without twins")
    return drawn, None


def _problem(home: Path, spot: Spot, drawn: list[Any] | None) -> Problem:
    if not _NAME.fullmatch(spot.name):
        raise Unfit("its name should be letters, digits and dashes")
    files = [f"{spot.folder}/{side}/{i}.png" for side in (1, 0) for i in range(_SIDE)]
    panels: tuple[Panel, ...] = all_panels(partial(file_panel, (home,)), files)
    if drawn:
        panels = tuple({**panel, "program": program} for panel, program in zip(panels, drawn, strict=True))
    id = f"logo/{spot.name}"
    rule = as_rule(drawn[0]) if drawn and spot.kind == "ff" else concept(spot)
    return Problem(id, id, "logo", rule, KINDS.get(spot.kind, ""), panels[:_SIDE], panels[_SIDE:])


def concept(spot: Spot) -> str:
    """The concept that a problem's name tells, in words.

    `hd_convex-symmetric_0004` is "convex and symmetric"; `ff_nact2_5_0000` has two shapes, of two and five strokes;
    `00-rectangle_vs_circle` is "rectangle (not: circle)".
    """
    if not spot.kind:
        left, _, right = re.sub(r"^\d+-", "", spot.name).partition("_vs_")
        return f"{_plain(left)} (not: {_plain(right)})" if right else _plain(left)
    inner = re.sub(r"_\d+$", "", spot.name).partition("_")[2]
    if spot.kind == "ff":
        strokes = inner.removeprefix("nact").split("_")
        return " and ".join(f"a certain shape of {number} strokes" for number in strokes)
    return " and ".join(map(_plain, inner.split("-")))


def _plain(name: str) -> str:
    return name.replace("_", " ").strip()


def _twin(panel: Panel) -> str:
    return in_words(panel["program"]) if "program" in panel else ""
