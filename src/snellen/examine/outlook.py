"""What an exam will be able to tell apart, before anything is asked: the rungs of the ladder in its design."""

from collections.abc import Mapping
from itertools import pairwise

from snellen.examine.task_plans import TaskPlan, fitting
from snellen.faculties import listed
from snellen.ladder import FEW, SELF, Rung, RungQuery
from snellen.tasks import Levels


def tells_apart(part: TaskPlan) -> str:
    """One line: which faculties the part isolates, and which it leaves together; and how many limits it looks for."""
    if (ladder := part.order.design.ladder) is not None and ladder.comparison is not None:
        return (
            f"asks both the same items on the rung {ladder.rungs[0].name}, until one is shown better or both equivalent"
            f" within {100 * ladder.comparison.margin:g} points (at most {ladder.most:,} calls to each)"
        )
    if ladder is not None:
        steps = ", ".join(listed(names, "and") for names in ladder.design().faculties)
        return (
            f"asks until a loss of {100 * ladder.detect:.0f} % of items is shown or excluded for each of {steps}"
            f" (at most {ladder.most:,} calls; the usual design takes {ladder.fixed:,})"
        )
    if tracks := part.order.design.tracks:
        looks = f"measures thresholds in {len(tracks)} adaptive tracks"
        return f"{looks}; {_told_apart(part)}" if _line(part) else looks
    if (times := part.order.design.samples) > 1:
        return f"asks each question {times} times, to compare replies (`snellen compare A B --same-model`)"
    return _told_apart(part)


def _line(part: TaskPlan) -> list[Rung]:
    return [rung for rung in _asked(part) if rung.on_line]


def _asked(part: TaskPlan) -> list[Rung]:
    return [rung for rung in part.task.ladder if is_asked(part, rung)]


def _told_apart(part: TaskPlan) -> str:
    line = _line(part)
    if not line:
        return "asks no rung of the ladder, so it cannot say why answers are wrong"
    steps = [
        line[0].demands,
        *(tuple(name for name in upper.demands if name not in lower.demands) for lower, upper in pairwise(line)),
    ]
    items = {names: _items(part, rung) for names, rung in zip(steps, line, strict=True)}
    few = {names: n for names, n in items.items() if n is not None and n < FEW}
    alone = [names[0] for names in steps if len(names) == 1 and names not in few]
    together = [listed(names, "and") for names in steps if len(names) > 1 and names not in few]
    words = f"separates {', '.join(alone)}" if alone else "separates no faculties"
    for names, n in few.items():
        words += f"; too few items for {listed(names, 'and')}: {n} (at least {FEW} are needed)"
    if not together:
        return words
    from snellen.analysis.ladder.perception import is_undivided  # which loads all of the analysis

    if any(is_undivided(names) for names in steps) and any(rung.covers for rung in _asked(part)):
        return f"{words}; {', '.join(together)} only by the items' perception questions"
    return f"{words}; does not separate {', '.join(together)}"


def _items(part: TaskPlan, rung: Rung) -> int | None:
    """How many items have a rung that not all have; None if all do, or if that is not known in a shard."""
    if all(not put.of for put in rung.puts) or part.order.shard is not None:
        return None
    kinds = [(levels, n) for levels, n in part.order.counts if n]
    own = [n for levels, n in kinds if any(_is_of(levels, put) for put in rung.puts if _puts(part, put))]
    return None if len(own) == len(kinds) else sum(own)


def _is_of(levels: Mapping[str, str], put: RungQuery) -> bool:
    return all(levels.get(name) in wanted for name, wanted in put.of.items())


def is_asked(part: TaskPlan, rung: Rung) -> bool:
    """Whether the part's design asks a rung in some way."""
    return any(_puts(part, put) for put in rung.puts)


def _puts(part: TaskPlan, put: RungQuery) -> bool:
    """Oracles in a cast are named; whoever else plays is taken for the subject itself."""
    return any(
        all(way.levels.get(role) == who for role, who in put.cast.items() if who != SELF) and _meets(part, block, put)
        for way in part.ways
        if way.paradigm.name in put.paradigms
        for block in fitting(part, way).blocks
    )


def _meets(part: TaskPlan, block: Levels, put: RungQuery) -> bool:
    """Whether a block has the levels of a rung, as far as the task has such factors."""
    plainest = {factor.name: factor.levels[:1] for factor in part.task.factors}
    if not put.of.keys() <= plainest.keys():
        return False  # items of another set have it
    wanted = {name: levels for name, levels in (*put.levels.items(), *put.of.items()) if name in plainest}
    return all(set(levels) & set(block.get(name, plainest[name])) for name, levels in wanted.items())
