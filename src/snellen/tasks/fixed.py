"""A task over a fixed set of items, such as a published one, in place of those it would generate."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from snellen.errors import UserError
from snellen.item import Item
from snellen.tasks.task import Design, Levels, Task


@dataclass(frozen=True, slots=True)
class Fixed:
    """The items there are; `where` they come from and `what` they are called, for errors.

    n of them are spread evenly over those of the levels wanted; as many as the whole set has means all that fit.
    """

    everything: tuple[Item, ...]
    where: str
    what: str

    def chosen(self, levels: Levels, n: int) -> list[Item]:
        fitting = [
            item
            for item in self.everything
            if all(item.levels[name] in wanted for name, wanted in levels.items() if name in item.levels)
        ]
        wanted = len(fitting) if n == len(self.everything) else n
        if not 0 < wanted <= len(fitting):
            raise UserError(f"--n {n}: {self.where} has {len(fitting)} usable {self.what} of this kind")
        return [fitting[k * len(fitting) // wanted] for k in range(wanted)]

    def counts(self, levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
        kinds = Counter(tuple(item.levels.items()) for item in self.chosen(levels, n))
        return [(dict(kind), count) for kind, count in kinds.items()]

    def items(self, levels: Levels, n: int, seed: int) -> Iterator[Item]:
        return iter(self.chosen(levels, n))


def over(task: Task, fixed: Fixed, without: tuple[str, ...] = ()) -> Task:
    """The task over these items, without the factors that only generated ones have."""
    return replace(
        task,
        factors=tuple(factor for factor in task.factors if factor.name not in without),
        # Tracks ask for items of the level that says most, as many as it takes: a set has what it has.
        designs=tuple(_over_all(d, len(fixed.everything), without) for d in task.designs if not d.tracks),
        items=fixed.items,
        counts=fixed.counts,
        item=None,
    )


def _over_all(design: Design, n: int, without: tuple[str, ...]) -> Design:
    blocks = ({name: levels for name, levels in block.items() if name not in without} for block in design.blocks)
    return replace(design, n=n, blocks=tuple(blocks))
