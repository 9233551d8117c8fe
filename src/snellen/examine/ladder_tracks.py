"""A ladder that is put to one subject until its steps are closed (`--until-sure`)."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, product
from typing import Any, NamedTuple

from snellen.examine.procedures import Procedure, choosy, knows
from snellen.examine.task_plans import Presentation, TaskPlan
from snellen.examine.tracks import TrackAnswer, TrackItem, TrackStep
from snellen.examine.untrained import is_trained_on
from snellen.item import Condition
from snellen.ladder import RungQuery
from snellen.sequential import ALL, Block, ItemScore, Replay, SequentialResult, Status, replay, result_of
from snellen.sequential.replaying import BlockMemory
from snellen.tasks.making import ItemRequest
from snellen.tasks.sequential import Draw, SequentialLadder


class LadderQuestion(NamedTuple):
    """One question about one item on one rung."""

    draw: Draw
    rung: int
    question: int


class LadderStatus(NamedTuple):
    """How every step stands, form last, and after how many calls it was closed."""

    statuses: tuple[Status, ...]
    closed_at: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SubjectLadder:
    """A ladder as it is put to one subject. `ways`: by paradigm how it is put; those of the most demanding rung are
    `put`'s. `beside`: how it is put to others who are asked the same items."""

    ladder: SequentialLadder
    put: Presentation
    ways: dict[str, Procedure]
    order: ItemRequest
    beside: tuple[Procedure, ...] = ()
    memory: BlockMemory = field(default_factory=dict, init=False, repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.put.way.label,)

    @property
    def most(self) -> int:
        return self.ladder.most

    @property
    def typical(self) -> int:
        """A fifth of the usual design: more where faults overlap, less where there is none."""
        return min(self.most, max(1, self.ladder.fixed // 5))

    @property
    def skips_failures(self) -> bool:
        return True

    @property
    def batch(self) -> int:
        return self.ladder.design().questions

    def advance(self, answered: Callable[[TrackItem], TrackAnswer | None], known: Any) -> TrackStep:
        progress = self._replay(answered)
        statuses = LadderStatus(tuple(progress.test.status), tuple(_closed_at(progress)))
        if progress.over:
            return TrackStep((), (), statuses)
        drawn = self.ladder.draws(progress.blocks)
        missing: list[LadderQuestion] = []
        needed: list[LadderQuestion] = []
        for number, block in enumerate(progress.blocks):
            for place, draw in enumerate(drawn[number]):
                unanswered = [one for one in self.questions(draw, block.rungs) if answered(one) is None]
                missing += unanswered
                is_last = number == len(progress.blocks) - 1
                needed += unanswered if not is_last or place in block.head or not progress.waits else []
        return TrackStep(missing, needed or missing, statuses)

    def result(self, answered: Callable[[TrackItem], TrackAnswer | None]) -> SequentialResult:
        """The state of the ladder as far as its answers reach."""
        progress = self._replay(answered)
        return replace(result_of(progress.test, progress.path), fixed=self.ladder.fixed)

    def _replay(self, answered: Callable[[TrackItem], TrackAnswer | None]) -> Replay:
        blocks: list[Block] = []
        drawn: list[list[Draw]] = []

        def chosen(block: Block) -> None:
            blocks.append(block)
            drawn[:] = self.ladder.draws(blocks)

        def score(number: int, place: int, rung: int) -> ItemScore | None:
            return self._score([answered(one) for one in self.questions(drawn[number][place], (rung,))], rung)

        return replay(self.ladder.design(), score, chosen, self.memory)

    def questions(self, draw: Draw, rungs: Sequence[int]) -> Iterator[LadderQuestion]:
        """What is asked about an item on some rungs."""
        for rung, question in product(rungs, range(self.ladder.design().questions)):
            yield LadderQuestion(draw, rung, question)

    def _score(self, answers: Sequence[TrackAnswer | None], rung: int) -> ItemScore | None:
        known = [answer for answer in answers if answer is not None]
        if len(known) < len(answers):
            return None
        right = [answer.outcome == "right" for answer in known]
        options = max(answer.options for answer in known)
        signature = self.ladder.rungs[rung].signature
        mechanisms = Counter(answer.mechanism for answer in known)
        unread = [answer.outcome == "unread" for answer in known]
        return ItemScore(
            right=None if any(unread) else all(right),
            unread=sum(unread) / len(unread),
            failed=any(answer.failed for answer in known),
            share=sum(right) / len(right),
            chance=1 / options if options > 1 else 0.0,
            signature=_sign(mechanisms[signature[0]] - mechanisms[signature[1]]) if signature else 0,
        )

    # Where an item is found, and how it is put

    def ordered(self, track_item: LadderQuestion) -> ItemRequest:
        draw, rung, question = track_item
        block = {name: (level,) for name, level in self.ladder.condition(draw, rung, question).items()}
        design = replace(self.order.design, blocks=(block,), ladder=None)
        kind = self.ladder.kinds[draw.kind]
        return replace(self.order, design=design, chosen=((kind, self._index(draw)),))

    def put_at(self, track_item: LadderQuestion) -> Presentation:
        draw, rung, question = track_item
        levels = {**self.put.condition, **self.ladder.condition(draw, rung, question)}
        paradigms = self.ladder.query(rung, self.ladder.kinds[draw.kind]).paradigms
        way = next(self.ways[name] for name in paradigms if name in self.ways)
        return self.put._replace(condition=Condition(levels), way=way)

    def made_as(self, track_item: LadderQuestion) -> Hashable:
        draw, rung, question = track_item
        levels = tuple(sorted(self.ladder.condition(draw, rung, question).items()))
        return self.order, draw.kind, self._index(draw), levels

    def _index(self, draw: Draw) -> int:
        """The number of an item among those of its kind; those that someone was trained on are passed over."""
        task = self.put.part.task
        trained = [way for way in (self.put.way, *self.beside) if way.trained_on(task.name)]
        if not trained or task.item is None:
            return draw.index
        make, kind = task.item, self.ladder.kinds[draw.kind]
        items = ((k, make(kind, k, self.order.seed)) for k in count())
        fresh = (k for k, item in items if not any(is_trained_on(way, task.name, item) for way in trained))
        return next(islice(fresh, draw.index, None))


def ladders_of(part: TaskPlan) -> Iterator[SubjectLadder]:
    """The ladder of a part, once for every subject that can be asked it, and every setting."""
    ladder = part.order.design.ladder
    if ladder is None:
        return
    plainest = Condition({factor.name: factor.levels[0] for factor in part.task.factors if not factor.of_item})
    order = replace(part.order, to_come=ladder.fixed)
    for label in dict.fromkeys(way.label for way in part.ways):
        ways = {way.paradigm.name: way for way in part.ways if way.label == label and _can_ask(part, way)}
        puts = ((rung, tuple(put for put in rung.puts if _is_askable(part, put, ways))) for rung in ladder.rungs)
        rungs = tuple(replace(rung, puts=own) for rung, own in puts if own)
        top = next((ways[name] for name in part.chosen if name in ways), None)
        if top is None or not rungs:
            continue
        for settings in part.settings_crossed:
            put = Presentation(part, plainest, settings, top, 0)
            yield SubjectLadder(replace(ladder, rungs=rungs), put, ways, order)


def _is_askable(part: TaskPlan, put: RungQuery, ways: Mapping[str, Procedure]) -> bool:
    """True if one of the procedures can put a rung so: those that need a picture are shown one."""
    way = next((ways[name] for name in put.paradigms if name in ways), None)
    if way is None:
        return False
    plainest = {factor.name: factor.levels[0] for factor in part.task.factors if not factor.of_item}
    levels = {**plainest, **{name: levels[0] for name, levels in put.levels.items()}}
    return not way.needs_pictures or part.task.shows_pictures(levels)


def _can_ask(part: TaskPlan, way: Procedure) -> bool:
    """True if the cast of a procedure can be asked the task's items."""
    ladder = part.order.design.ladder
    if not choosy(way) or ladder is None or part.task.item is None:
        return True
    return knows(way, part.task.item(ladder.kinds[0], 0, part.order.seed))


def _closed_at(progress: Replay) -> Iterator[int]:
    """By step the calls after which its evidence sufficed; those so far where another step's did."""
    for step in range(len(progress.test.status)):
        closing = (calls for calls, evidence in progress.path if max(evidence[step]) >= ALL)
        yield next(closing, progress.test.calls)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
