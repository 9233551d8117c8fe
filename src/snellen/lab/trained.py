"""Which trained subjects belong together, and what they were trained on.

Subjects are named as in the store, or by the folder that `snellen lab train` wrote, or by a pattern (`d1-*`). Those of
the same recipe but for the seed are one training: by their recipes where these can be read, else by their names
(`d1-seed0`, `d1-seed1`); `LABEL=NAME,NAME` says it outright.
"""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from snellen.analysis.transfer import Training
from snellen.errors import UserError, unknown
from snellen.examine.trained import adapter_of
from snellen.lab.train.recipes import FILE, TrainingRecipe, read
from snellen.tasks.training import named_trainsets

_SEED = re.compile(r"(?:[-_. ]?seed|[-_. ]s)[-_=]?\d+$")


def trainings(words: Sequence[str], stored: Sequence[str], base: str) -> list[Training]:
    """The trainings that the words name, in order; subjects that are known to the store, without the base."""
    subjects: dict[tuple[str, str], list[str]] = {}
    for word in words:
        label, names = _named(word, stored, base)
        for name in names:
            key = (label, _set_of(label) or _set_of(name)) if label else _kin(name)
            members = subjects.setdefault(key, [])
            if name not in members:
                members.append(name)
    return [Training(label, trained_on, tuple(names)) for (label, trained_on), names in subjects.items()]


def _named(word: str, stored: Sequence[str], base: str) -> tuple[str, list[str]]:
    """The label, if the word gives one, and the subjects it names."""
    label, equals, rest = word.partition("=")
    if word in stored or not equals or not re.fullmatch(r"[\w .+-]+", label):
        return "", _subjects(word, stored, base)
    names = [rest] if rest in stored else rest.split(",")  # a name in the store may hold commas of its own
    return label, [subject for name in names for subject in _subjects(name, stored, base)]


def _subjects(word: str, stored: Sequence[str], base: str) -> list[str]:
    if word == base:
        raise UserError(f"{base!r} is the base model; name subjects trained from it")
    if word in stored:
        return [word]
    if set("*?[") & set(word) and (fitting := [name for name in stored if fnmatchcase(name, word) and name != base]):
        return fitting
    if (Path(word) / FILE).is_file():
        folder = Path(word).resolve()
        for name in stored:
            if (adapter := adapter_of(name)) is not None and adapter.resolve() in (folder, folder / "adapter"):
                return [name]
        raise UserError(
            f"{word}: no subject in this store has that adapter; run an exam of local/MODEL:adapter={word} first"
        )
    raise unknown("subject in this store", word, stored)


def _kin(name: str) -> tuple[str, str]:
    """Label and set of a subject without a label: by its recipe, or by its name."""
    if (made := _recipe(name)) is not None:
        control = f" {made.control}" if made.control else ""
        return f"{made.trained_on} {made.method}{control} {made.kin[:4]}", made.trained_on
    label = _SEED.sub("", name)
    return (label, _set_of(name)) if _set_of(label) == _set_of(name) and label else (name, _set_of(name))


def _recipe(name: str) -> TrainingRecipe | None:
    adapter = adapter_of(name)
    places: Iterable[Path] = () if adapter is None else (adapter, adapter.parent)
    for place in places:
        if (place / FILE).is_file():
            return read(place)
    return None


def _set_of(name: str) -> str:
    """The training set that a name speaks of; "" if it names none."""
    sets = {own.lower(): own for own in named_trainsets()}
    words = re.search(rf"(?<![a-z0-9])({'|'.join(map(re.escape, sets))})(?![a-z0-9])", name.lower())
    return sets.get(words[1], "") if words else ""
