"""Training sets: of any task, or brought by a task under a name of its own (`Task.trainsets`).

What is held out is what an exam of the same seed asks. A set with a name of its own also says where training on it
should show (`aims`), so that everything else counts as a side effect (`snellen.analysis.transfer`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.prompts import Pack, load
from snellen.rng import stream
from snellen.tasks import task as find_task
from snellen.tasks import tasks_with
from snellen.tasks.making import ItemRequest, Origin, make_stimuli
from snellen.tasks.task import Design

if TYPE_CHECKING:
    from snellen.analysis.transfer import Aims

DIRECT = ("direct", "dvrl")
"""The paradigms that show everything at once and take one answer: what a row of a training set is."""


@dataclass(frozen=True)
class Trainset:
    """A training set before it is written: rows to make, and what a manifest says of them.

    `exam`: stimuli of what is held out, for `snellen exam --data TASK=DIR/exam`; `task` is whose they are.
    """

    name: str
    about: str
    task: str
    seed: int
    train: Callable[[], Iterator[Stimulus]]
    test: Callable[[], Iterator[Stimulus]]
    exam: Callable[[], Iterator[Stimulus]] | None
    size: int
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NamedTrainset:
    """A training set that a task brings. `make(seed, **sizes)`: the set; `sizes`: what of it may be chosen (`states`,
    `held_out`, `n`) with the usual numbers; `aims`: where training on it should show."""

    make: Callable[..., Trainset]
    sizes: Mapping[str, int]
    aims: "Aims"


def named_trainsets() -> dict[str, NamedTrainset]:
    """The sets with names of their own, of all tasks that are installed."""
    made = (task.trainsets() for task in tasks_with(lambda task: task.trainsets) if task.trainsets)
    return {name: trainset for sets in made for name, trainset in sets.items()}


def of_task(name: str, *, design: str | None = None, n: int, held_out: int, seed: int = 0) -> Trainset:
    """Any task: so many items to train on from a seed of their own, and the first of the exam of this seed held out.

    Not one whose fresh items may be those of an exam (`Task.repeats`)."""
    task = find_task(name)
    if task.repeats:
        raise UserError(f"{name}: {task.repeats}")
    chosen = task.put_by(task.design(design), task.paradigms[0], chosen=True)
    if not chosen.blocks or task.paradigms[0] not in DIRECT:
        raise UserError(f"design {chosen.name} of {name}: it has no single-call trials; choose another --design")
    own_seed = stream(seed, "lab", "train", name).below(2**53)
    pack = load(task.prompts, task.name)

    def made(n: int, seed: int) -> Iterator[Stimulus]:
        order = ItemRequest(task, chosen, n, seed, pack, Origin(name, None, None))
        return make_stimuli(order)

    return Trainset(
        name,
        f"{task.about} (design {chosen.name})",
        task.name,
        seed,
        train=lambda: made(n, own_seed),
        test=lambda: made(held_out, seed) if held_out else iter(()),
        exam=None,
        size=task.size(chosen, n),
        settings=_settings(chosen, n, held_out, own_seed, pack),
    )


def _settings(design: Design, n: int, held_out: int, own_seed: int, pack: Pack) -> dict[str, Any]:
    return {
        "design": design.name,
        "train": {"items": n, "seed": own_seed},
        "test": {"items": held_out},
        "disjoint": "no row of train shows a picture of test; rows that would are left out and counted",
        "prompts": pack.digest,
    }


def shown_in(stimuli: Iterable[Stimulus]) -> frozenset[str]:
    """Digests of all the pictures shown."""
    return frozenset(picture.digest for stimulus in stimuli for picture in stimulus.pictures)
