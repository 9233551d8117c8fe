"""A ladder that is asked until its steps are closed: its rungs, and which items come in which order.

Items come kind by kind in a fixed order in which every level of every factor occurs about equally often at each stop.
An item is asked the same questions on every rung, so that pairs of rungs are pairs; where a rung is asked at several
levels (either target of a rule, either query of a problem), two of them make one item, which is solved if both are
right: guesses are then right once in four times instead of twice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from snellen.errors import UserError
from snellen.ladder import Ladder, Rung, RungQuery
from snellen.rng import stream
from snellen.sequential import COMPARED, Block, Comparison, SequentialDesign
from snellen.sequential.comparing import BATCH, MARGIN, usual_most
from snellen.sequential.design import DETECT

if TYPE_CHECKING:
    from snellen.tasks.task import Design, Levels, Task

_ALL_KINDS = 200
"""So many items have every kind that a task has, and no more than there are of any."""
QUESTIONS = 2


@dataclass(frozen=True, slots=True)
class Draw:
    """An item of a sequential exam: the place of its kind, its number among those of its kind, and among all."""

    kind: int
    index: int
    number: int


@dataclass(frozen=True)
class SequentialLadder:
    """What is asked. `rungs`: those of the task's line that can be asked, the least demanding first. `kinds`: the kinds
    of items in the order of asking, over and over. `turns`: chosen levels of conditions, item by item in turn.
    `questions`: the levels that make the questions of one item, likewise. `detect`: the smallest fault, as a share of
    items, to be found or excluded. `most`: the most calls to a subject. `fixed`: the calls that the task's usual design
    takes. `comparison`: what is to be decided where two subjects are compared on one rung."""

    rungs: Ladder
    kinds: tuple[Mapping[str, str], ...]
    turns: tuple[Mapping[str, str], ...]
    questions: tuple[tuple[Mapping[str, str], ...], ...]
    detect: float
    most: int
    fixed: int
    comparison: Comparison | None = None

    @cached_property
    def partial(self) -> frozenset[str]:
        """Rungs that not every kind of item has."""
        return frozenset(rung.name for rung in self.rungs if not all(map(rung.is_for, self.kinds)))

    def among(self, names: Sequence[str]) -> "SequentialLadder":
        """The ladder with these of its rungs alone."""
        return replace(self, rungs=tuple(rung for rung in self.rungs if rung.name in names))

    def design(self) -> SequentialDesign:
        """The ladder as the statistics see it."""
        return self._design

    @cached_property
    def _design(self) -> SequentialDesign:
        lower = [(), *(rung.demands for rung in self.rungs)]
        return SequentialDesign(
            rungs=tuple(rung.name for rung in self.rungs),
            faculties=tuple(
                tuple(name for name in rung.demands if name not in below)
                for below, rung in zip(lower, self.rungs, strict=False)
            ),
            partial=self.partial,
            having=tuple(sum(map(rung.is_for, self.kinds)) / len(self.kinds) for rung in self.rungs),
            signed=frozenset(rung.name for rung in self.rungs if rung.signature),
            questions=len(self.questions[0]),
            detect=self.detect,
            most=self.most,
        )

    def draws(self, blocks: Sequence[Block]) -> list[list[Draw]]:
        """The items of every block: the next of their kinds, which have all of the block's rungs."""
        drawn: list[list[Draw]] = []
        used: Counter[int] = Counter()
        places: Counter[tuple[int, ...]] = Counter()
        number = 0
        for block in blocks:
            having = self._kinds_having(block.rungs)
            items = []
            for _ in range(block.items):
                kind = having[places[having] % len(having)]
                places[having] += 1
                items.append(Draw(kind, used[kind], number))
                used[kind] += 1
                number += 1
            drawn.append(items)
        return drawn

    def _kinds_having(self, rungs: tuple[int, ...]) -> tuple[int, ...]:
        """The places of the kinds that have all of these rungs."""
        if rungs not in self._having:
            wanted = [self.rungs[rung] for rung in rungs]
            places = (k for k, kind in enumerate(self.kinds) if all(rung.is_for(kind) for rung in wanted))
            self._having[rungs] = tuple(places)
        return self._having[rungs]

    @cached_property
    def _having(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    def query(self, rung: int, kind: Mapping[str, str]) -> RungQuery:
        """How a rung is put to an item of this kind."""
        asked = self.rungs[rung]
        for put in asked.puts:
            if all(kind.get(name, "") in levels for name, levels in put.of.items()):
                return put
        raise ValueError(f"items of kind {dict(kind)} do not have the rung {asked.name}")

    def condition(self, draw: Draw, rung: int, question: int) -> dict[str, str]:
        """The levels under which an item is asked a question on a rung, where they are not the plainest ones."""
        put = self.query(rung, self.kinds[draw.kind])
        own = {name: levels[0] for name, levels in put.levels.items()}
        turn = self.turns[draw.number % len(self.turns)] if self.turns else {}
        return {**turn, **own, **self.questions[draw.number % len(self.questions)][question]}

    @property
    def blocks(self) -> "list[Levels]":
        """Every rung with all its kinds and levels, as the blocks of a design."""
        from snellen.tasks.task import PARADIGM

        kinds = {name: tuple(dict.fromkeys(kind[name] for kind in self.kinds)) for name in self.kinds[0]}
        turns = {
            name: tuple(dict.fromkeys(turn[name] for turn in self.turns)) for turn in self.turns[:1] for name in turn
        }
        asked = [question for questions in self.questions for question in questions]
        nested = {name: tuple(dict.fromkeys(question[name] for question in asked)) for name in asked[0]}
        return [
            {**kinds, **put.of, **turns, **put.levels, **nested, PARADIGM: put.paradigms}
            for rung in self.rungs
            for put in rung.puts
        ]


def sequential_design(task: "Task", chosen: "Levels", detect: float | None, most: int | None, seed: int) -> "Design":
    """The design that asks the task's ladder until it is sure. `chosen`: the levels chosen by factor. Raises
    `UserError` for a task that cannot make single items."""
    from snellen.tasks.task import Design

    usual = task.changed(task.design_ahead(), chosen)
    if task.item is None:
        raise UserError(
            f"--until-sure: {task.name} makes no single items (a published set, or no `item` in its task); leave the"
            " option out"
        )
    levels = task.item_levels(usual)
    kinds = _in_balance([dict(kind) for kind, count in task.counts(levels, _ALL_KINDS) if count], task.name, seed)
    line = [rung for rung in task.ladder if rung.on_line and any(map(rung.is_for, kinds))]
    conditions = {name: own for name, own in chosen.items() if name not in levels}
    varied = {name for rung in line for put in rung.puts for name in put.levels}
    if taken := sorted(varied & set(conditions)):
        raise UserError(f"--set {taken[0]}: the rungs of {task.name} set it themselves; leave it out with --until-sure")
    ladder = SequentialLadder(
        rungs=tuple(line),
        kinds=tuple(kinds),
        turns=tuple(_crossed(conditions)) if conditions else (),
        questions=_questions(_crossed(_nested(line))),
        detect=DETECT if detect is None else detect,
        most=most or calls_of(task, usual),
        fixed=calls_of(task, usual),
    )
    return Design("until sure", "the rungs of the ladder, until every step is shown or excluded", 1, (), ladder=ladder)


def compared_design(task: "Task", chosen: "Levels", margin: float | None, most: int | None, seed: int) -> "Design":
    """The design that asks two subjects the most demanding rung that all items have, until one is shown better or both
    equivalent. `most`: the most calls to each. Raises `UserError` for a task that this cannot be done with."""
    from snellen.tasks.task import Design

    if task.design(None).tracks:
        raise UserError(f"--until-sure: {task.name} measures thresholds in tracks, and these are not compared so")
    ladder = sequential_design(task, chosen, None, most, seed).ladder
    if ladder is None or not ladder.rungs:
        raise UserError(f"--until-sure: {task.name} has no ladder, so no rung to compare on")
    design = ladder.design()
    margin = MARGIN if margin is None else margin
    items = usual_most(margin) if most is None else most // design.questions // BATCH * BATCH
    if items == 0:
        raise UserError(
            f"--most {most}: for {task.name} at least {BATCH * design.questions} calls to each subject are needed,"
            " or there is nothing to look at"
        )
    ladder = replace(
        ladder.among([design.rungs[design.top]]),
        most=items * design.questions,
        comparison=Comparison(margin, most=items),
    )
    return Design(COMPARED, "one rung, until one of two is better or both are equivalent", 1, (), ladder=ladder)


def calls_of(task: "Task", design: "Design") -> int:
    """The trials of a fixed design that one subject is asked."""
    from snellen.tasks.task import PARADIGM

    named = dict.fromkeys(name for block in design.blocks for name in block.get(PARADIGM, ()))
    asked = [task.put_by(design, name, chosen=False) for name in named]
    rest = task.put_by(design, "", chosen=True)
    return sum(task.size(design, design.n, part) for part in (rest, *asked) if part.blocks)


def _nested(line: Sequence[Rung]) -> "dict[str, tuple[str, ...]]":
    """The levels of what a rung is asked at several levels of."""
    return {
        name: levels for rung in line for put in rung.puts for name, levels in put.levels.items() if len(levels) > 1
    }


def _crossed(levels: "Levels") -> list[dict[str, str]]:
    from snellen.tasks.task import combinations

    return list(combinations(levels))


def _questions(nested: Sequence[dict[str, str]]) -> tuple[tuple[Mapping[str, str], ...], ...]:
    """The questions of an item, two at a time; one where there is only one."""
    if len(nested) % QUESTIONS:
        return tuple((question,) for question in nested)
    return tuple(tuple(nested[k : k + QUESTIONS]) for k in range(0, len(nested), QUESTIONS))


def _in_balance(kinds: Sequence[Mapping[str, str]], name: str, seed: int) -> list[Mapping[str, str]]:
    """The kinds in an order in which levels occur about equally often from the start; else by lot."""
    rng = stream(seed, name, "sequential")
    left = rng.sample(list(kinds), len(kinds))
    used: Counter[tuple[str, str]] = Counter()
    ordered = []
    while left:
        kind = min(left, key=lambda own: sum(used[level] for level in own.items()))
        left.remove(kind)
        used.update(kind.items())
        ordered.append(kind)
    return ordered


def as_json(ladder: SequentialLadder) -> dict[str, Any]:
    """What an exam's fingerprint says of it."""
    design = ladder.design()
    if ladder.comparison is not None:
        return {"rung": design.rungs[0], "questions": design.questions, **asdict(ladder.comparison)}
    return {
        **{"rungs": list(design.rungs), "questions": design.questions, "detect": design.detect},
        **{"alpha": design.alpha, "miss": design.miss, "most": design.most, "fixed": ladder.fixed},
    }
