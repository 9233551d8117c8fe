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
    """The set at `[KIND:]PLACE[:OPTION=VALUE,...]`, of which at least one problem can be used."""
    said = parse_where(where, KINDS)
    obtain = KINDS[said.kind].OBTAIN if said.kind else "give a folder, a file or an id like rujiewu/Bongard-OpenWorld"
    place = place_of(said.place, obtain)
    kind = KINDS[said.kind or _recognised(place)]
    check_options(said, kind.OPTIONS)
    loaded: LoadedProblems = kind.load(place, said.options)
    with_something(loaded, place, kind.OBTAIN)
    return loaded


def _recognised(place: Path) -> str:
    """The one kind of set that is here."""
    found = [name for name, kind in KINDS.items() if kind.recognise(place)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(f"{place}: holds {' and '.join(found)}; say which, for instance bongard={found[0]}:{place}")
    known = "; ".join(f"{name}: {kind.LOOKS_LIKE}" for name, kind in KINDS.items())
    raise UserError(f"{place}: no Bongard set that we know ({known})")
