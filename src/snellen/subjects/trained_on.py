"""What a model was trained on, so that an exam can leave it out: keys of items, task by task, in a file beside its
weights.

The key of an item stands for its cluster, where it has one: boards that are the same up to symmetry have one key,
whichever seed they come from. `snellen lab trainset` writes the file, `snellen lab train` puts it beside the adapter,
and so do the recipes of models that are made here. Of a model of somebody's own there is none, and nothing is left out.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from snellen.errors import UserError
from snellen.item import content_digest

FILE = "trained_on.json"
_RECIPE = "recipe.json"
_LETTERS = 12

TrainedOn = Mapping[str, frozenset[str]]
"""Keys of items by the name of their task."""


class Identified(Protocol):
    """An item, or the record of one."""

    @property
    def id(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def cluster(self) -> str: ...


def training_key(item: Identified) -> str:
    """The key by which an item is known to have been trained on."""
    return content_digest(item.cluster or f"{item.id} {item.digest}")[:_LETTERS]


def write_trained_on(folder: Path, keys: Mapping[str, Iterable[str]] | None) -> None:
    """Write the file. None: the model was trained, and nobody kept a record of the items."""
    kept = None if keys is None else {task: sorted(set(own)) for task, own in sorted(keys.items())}
    (folder / FILE).write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")


def read_trained_on(*folders: Path) -> TrainedOn | None:
    """What the files in these folders say, taken together; nothing for folders without one. None if one of them says
    that its training items are not on record."""
    together: dict[str, frozenset[str]] = {}
    for folder in folders:
        if not (folder / FILE).is_file():
            continue
        try:
            content = json.loads((folder / FILE).read_text(encoding="utf-8"))
            if content is None:
                return None
            for task, keys in content.items():
                together[task] = together.get(task, frozenset()) | frozenset(map(str, keys))
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise UserError(f"{folder / FILE}: unreadable ({error}); copy it again from the training folder") from None
    return together


def trained_on(base: Path, adapter: Path | None) -> TrainedOn | None:
    """What a model with its adapter was trained on. None if that is not known: `snellen lab train` made the adapter
    before it kept such a record."""
    if adapter is None:
        return read_trained_on(base)
    within = (adapter, adapter.parent, adapter.parent.parent)  # a checkpoint lies one folder deeper
    place = next((folder for folder in within if (folder / FILE).is_file()), None)
    if place is None:
        return None if any((folder / _RECIPE).is_file() for folder in within) else read_trained_on(base)
    return read_trained_on(base, place)
