"""Published Bongard sets: four kinds, told apart by their content or named outright.

Each kind is a module of one shape: `recognise(place)`, `load(place, options)`, and in words what it looks like, whom to
credit and how to get it.
"""

from pathlib import Path
from types import ModuleType

from snellen.errors import UserError
from snellen.tasks.bongard.load import hoi, logo, openworld, original
from snellen.tasks.bongard.load.problems import LoadedProblems
from snellen.tasks.data import check_options, parse_where, place_of, with_something

__all__ = ["KINDS", "LoadedProblems", "load"]

KINDS: dict[str, ModuleType] = {"openworld": openworld, "hoi": hoi, "logo": logo, "original": original}


def load(where: str) -> LoadedProblems:
    """The set at `[KIND:]PLACE[:OPTION=VALUE,...]`, of which at least one problem can be used.

    `where`: KIND is openworld, hoi, logo or original, found out if not given; PLACE a folder, a file or an id on the
    Hub. Returns the problems with their pictures, read as they are asked for. Raises `UserError` if there are none.

    >>> next(load("openworld:data/ow:split=test").usable()).positives  # doctest: +SKIP
    """
    asked = parse_where(where, KINDS)
    obtain = KINDS[asked.kind].OBTAIN if asked.kind else "give a folder, a file or an id like rujiewu/Bongard-OpenWorld"
    place = place_of(asked.place, obtain)
    kind = KINDS[asked.kind or _recognised(place)]
    check_options(asked, kind.OPTIONS)
    loaded: LoadedProblems = kind.load(place, asked.options)
    with_something(loaded, place, kind.OBTAIN)
    return loaded


def _recognised(place: Path) -> str:
    """The one kind of set that is here."""
    names = [name for name, kind in KINDS.items() if kind.recognise(place)]
    if len(names) == 1:
        return names[0]
    if names:
        raise UserError(f"{place}: holds {' and '.join(names)}; say which, for instance bongard={names[0]}:{place}")
    kinds = "; ".join(f"{name}: {kind.LOOKS_LIKE}" for name, kind in KINDS.items())
    raise UserError(f"{place}: no Bongard set that we know ({kinds})")
