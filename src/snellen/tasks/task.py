"""What a task is: factors, designs, items, and how an item is put under a condition.

Every family ends in one `TASK = Task(...)`. Adding one means writing a folder with a `brings.toml` that names it, like
those beside this file, or publishing it under the entry point group `snellen.tasks` (see `snellen.plugins`).
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from snellen.errors import UserError, unknown
from snellen.item import Condition, Item, Question, Stimulus
from snellen.ladder import FREE, Ladder
from snellen.prompts import Pack
from snellen.tasks.detail import Detail, unknown_detail

if TYPE_CHECKING:
    import polars as pl

    from snellen.analysis.study import SameSight, TaskStudy
    from snellen.charts.blocks import Section, Table
    from snellen.subjects.embedding import Embedder
    from snellen.tasks.adaptive import GradedTrack
    from snellen.tasks.sequential import SequentialLadder
    from snellen.tasks.steering import SteeringFamily
    from snellen.tasks.training import NamedTrainset

Levels = Mapping[str, tuple[str, ...]]
"""For each factor the levels to cross."""
PARADIGM = "paradigm"
"""In a block of a design: the paradigms that it is put by, where these are not for whoever asks to choose."""


class Levelled(Protocol):
    """An item, or any value that has its levels."""

    @property
    def levels(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Factor:
    """A variable of a task. The first level is the default.

    `of_item`: the level belongs to the item (which game, which states) and so differs between items; otherwise the
    same item is asked under each level, and levels can be compared pair by pair. `pooled`: an audit looks at all levels
    together, because the answer turns on the level (a positive or a negative query) or because there are many levels
    with few items each. `no_pictures`: the levels under which no picture is shown, so that a paradigm that needs one
    has nothing to do.
    """

    name: str
    levels: tuple[str, ...]
    about: str
    of_item: bool = False
    pooled: bool = False
    no_pictures: tuple[str, ...] = ()


def _nothing_due(stimulus: Stimulus) -> Mapping[str, float]:
    return {}


@dataclass(frozen=True, slots=True)
class Design:
    """Which levels are crossed: the union of blocks, each a full crossing. Factors not named stay at their default.

    A block may name under PARADIGM how it is put: the rungs of the ladder below the task itself. Other blocks are put
    by the paradigm of whoever asks, or by the task's usual one.

    A design with `tracks` is adaptive: beside its blocks, which may be none, each track asks what says most next until
    it has found its threshold.

    A design with a `ladder` asks its rungs until every step is shown or excluded (`--until-sure`).

    `samples`: how often each trial is held at least; more than once where replies must be compared with replies of the
    same subject.
    """

    name: str
    about: str
    n: int
    blocks: tuple[Levels, ...]
    tracks: "tuple[GradedTrack, ...]" = ()
    samples: int = 1
    ladder: "SequentialLadder | None" = None

    @property
    def whole(self) -> "Design":
        """The design with tracks and ladder expanded into blocks over all their levels."""
        ladder = self.ladder.blocks if self.ladder else ()
        blocks = (*self.blocks, *(track.block for track in self.tracks), *ladder)
        return replace(self, blocks=blocks, tracks=(), ladder=None)


def lazy(where: str) -> Callable[..., Any]:
    """A function or class by MODULE:NAME, imported when it is first called: what studies need takes long to load."""
    module, _, name = where.partition(":")

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call


def combinations(levels: Levels) -> Iterator[dict[str, str]]:
    """Every combination of the levels."""
    return (dict(zip(levels, combination, strict=True)) for combination in product(*levels.values()))


def spread(kinds: Iterable[Mapping[str, str]], n: int) -> list[tuple[Mapping[str, str], int]]:
    """Distribute n items over the kinds as evenly as possible; the first kinds get the remainder."""
    names = list(kinds)
    return [(kind, n // len(names) + (place < n % len(names))) for place, kind in enumerate(names)]


def _n_of_each(levels: Levels, n: int) -> Iterator[tuple[Mapping[str, str], int]]:
    return ((kind, n) for kind in combinations(levels))


def _always(levels: Mapping[str, str], condition: Condition) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Task:
    """A family of items. Plain data and three pure functions.

    `items(levels, n, seed)` yields the items (n base items for each combination of item levels named in `levels`).
    `stimulus(item, condition, pack)` puts one under a condition.
    `observe(stimulus)` is what an observer who does not do the task might go by, for the shortcut audit: simple
    features by name.
    `unpictured(item, condition, pack)`, where a task has it, is the stimulus without its pictures and their captions:
    for tasks whose pictures take long to draw, so that the audit can report on truths and texts first.
    `paradigms` are the procedures that make sense for it, the usual one first.
    `counts(levels, n)` says, without making any, how many items of each combination of item levels n gives: by default
    n of each; a task whose combinations do not all exist, or that spreads n items over them, says otherwise.
    `applies(levels, condition)` says whether an item of these levels can be asked under a condition at all: a question
    may be missing from a published set. Not applicable is not zero.
    `due(stimulus)`: how often an observer, named by how its name begins, is right because it goes by a part of what is
    asked for: always, where pieces are counted and it sees how dark the picture is. Only beyond that is it a shortcut.
    `audits_items`: the audit counts every item even where several share a cluster. Boards that are one another turned
    are one cluster for intervals, but show an observer who looks at single cells something else each.
    `probe(stimulus)`, where a task has it, gives further questions about what is in the pictures, for those who want to
    have them all: data sets and sheets.
    `item(kind, index, seed)`, where a task has it, makes one item of a kind without those before it, so that many can
    be made in parallel.
    `ladder`: the rungs by which the diagnosis tells faculties apart.
    `study(rows, seed)`: its own tables, charts and published figures; estimates by condition if there is none.
    `measures`: its study finds thresholds (`MeasuringStudy`): how often right says nothing about its subjects.
    `reads`: columns of the rows that its study reads beside those all studies do: `text`, `tokens_in`, ...; `judge`
    stands for a judge's marks of the same replies.
    `replies(store, rows)`: sections that need more than rows: what was said on the way to an answer, what the makers of
    items know. The store has both; the rows of a large one are without what its calls know (texts, tokens, seconds),
    and have of trials and calls how their keys begin, as whole numbers.
    `similarity(store, rows, embedder)`: a table of how like stated rules are to what was described, for `similarity`.
    `tests(names)`: the levels, as `--set` takes them, that `--tests NAMES` stands for.
    `alike(rows, first, second)`: whether two servers show a model the same pictures (`compare --same-model`).
    `steering()`: its setups for a steering study. `trainsets()`: training sets under names of their own.
    `repeats`: why a fresh item may be one of an exam's in other looks, and what to train on instead; "" if none may.
    `detail(levels)`: the finest thing that must be seen in pictures of these levels, None where that cannot be said.
    `worded`: levels beside those of the factors that a prompt pack may name in `when`; none where they are not known.
    `load(where)` gives the same task over a published set in place of generated items (`--data TASK=WHERE`);
    `notes` are then lines for the user: what of the set could not be used, and why.
    """

    name: str
    title: str
    about: str
    factors: tuple[Factor, ...]
    designs: tuple[Design, ...]
    prompts: Path
    items: Callable[[Levels, int, int], Iterator[Item]]
    stimulus: Callable[[Item, Condition, Pack], Stimulus]
    observe: Callable[[Stimulus], Mapping[str, str | int | float]]
    unpictured: Callable[[Item, Condition, Pack], Stimulus] | None = None
    paradigms: tuple[str, ...] = ("direct", "describe", "ddcot", "ccot")
    counts: "Callable[[Levels, int], Iterable[tuple[Mapping[str, str], int]]]" = _n_of_each
    applies: Callable[[Mapping[str, str], Condition], bool] = _always
    item: Callable[[Mapping[str, str], int, int], Item] | None = None
    probe: Callable[[Stimulus], Sequence[Question]] | None = None
    load: "Callable[[str], Task] | None" = None
    due: Callable[[Stimulus], Mapping[str, float]] = _nothing_due
    audits_items: bool = False
    ladder: Ladder = FREE
    detail: Callable[[Mapping[str, str]], Detail | None] = unknown_detail
    study: "Callable[[pl.DataFrame, int], TaskStudy] | None" = None
    measures: bool = False
    reads: tuple[str, ...] = ()
    replies: "Callable[[Any, pl.DataFrame], tuple[Section, ...]] | None" = None
    similarity: "Callable[[Any, pl.DataFrame, Embedder], Awaitable[Table]] | None" = None
    tests: Callable[[str], str] | None = None
    alike: "Callable[[pl.DataFrame, str, str], SameSight] | None" = None
    steering: "Callable[[], SteeringFamily] | None" = None
    trainsets: "Callable[[], Mapping[str, NamedTrainset]] | None" = None
    repeats: str = ""
    notes: tuple[str, ...] = ()
    worded: Levels = field(default_factory=dict)

    def audited_by(self) -> frozenset[str]:
        """The factors whose levels are audited separately."""
        return frozenset(factor.name for factor in self.factors if not factor.pooled)

    def factor(self, name: str) -> Factor:
        for factor in self.factors:
            if factor.name == name:
                return factor
        raise unknown(f"factor of task {self.name}", name, [f.name for f in self.factors])

    def shows_pictures(self, condition: Mapping[str, str]) -> bool:
        """Whether a stimulus under the condition has pictures."""
        return not any(condition.get(factor.name) in factor.no_pictures for factor in self.factors)

    def with_pictures(self, design: Design) -> Design:
        """The design without the levels that show no pictures."""
        blank = {factor.name: factor.no_pictures for factor in self.factors if factor.no_pictures}
        blocks = (
            {name: tuple(level for level in levels if level not in blank.get(name, ())) for name, levels in b.items()}
            for b in design.blocks
        )
        return replace(design, blocks=tuple(block for block in blocks if all(block.values())))

    def design(self, name: str | None = None) -> Design:
        """The design of that name; without a name, the first."""
        for design in self.designs:
            if name is None or design.name == name:
                return design
        raise unknown(f"design of task {self.name}", str(name), [d.name for d in self.designs])

    def design_ahead(self, name: str | None = None) -> Design:
        """The design of that name, which must not be adaptive; without a name, the first such design."""
        fixed = [design.name for design in self.designs if not design.tracks]
        design = self.design(name or next(iter(fixed), None))
        if design.tracks:
            raise UserError(
                f"design {design.name} of task {self.name}: it is adaptive; choose a fixed one"
                f" ({', '.join(fixed) or 'the task has none'})"
            )
        return design

    def changed(self, design: Design, chosen: Levels) -> Design:
        """The design with the chosen levels only (`--set factor=level,level`).

        Levels that the design has somewhere are taken where it has them; if it has one of them nowhere, all of them
        are put in place of its own everywhere.
        """
        blocks, tracks = design.blocks, design.tracks
        for name, levels in chosen.items():
            factor = self.factor(name)
            for level in levels:
                if level not in factor.levels:
                    raise unknown(f"level of factor {name}", level, factor.levels)
            default = factor.levels[0]
            own = [block.get(name, (default,)) for block in blocks]
            varied = [track.levels_of(name, default) for track in tracks]
            listed = all(any(level in here for here in (*own, *varied)) for level in levels)
            if listed:
                kept = [tuple(level for level in levels if level in here) for here in own]
            else:
                kept = [tuple(levels)] * len(blocks)
            # What a track measures is what its items are: these are chosen among, never put in place of others.
            if listed or factor.of_item:
                tracks = tuple(
                    changed_track for track in tracks for changed_track in track.among(name, levels, default)
                )
            else:
                tracks = tuple(changed_track for track in tracks for changed_track in track.under(name, levels))
            blocks = tuple({**block, name: here} for block, here in zip(blocks, kept, strict=True) if here)
        distinct = dict.fromkeys(_frozen(block) for block in blocks)
        return replace(design, blocks=tuple(dict(block) for block in distinct), tracks=tracks)

    def put_by(self, design: Design, paradigm: str, *, chosen: bool) -> Design:
        """The part of the design that a paradigm asks; `chosen`: it also asks blocks that name no paradigm."""
        blocks = tuple(b for b in design.blocks if (paradigm in b[PARADIGM] if PARADIGM in b else chosen))
        return replace(design, blocks=blocks)

    def item_levels(self, design: Design) -> Levels:
        """The levels that belong to items, over all blocks of the design."""
        return {
            f.name: tuple(dict.fromkeys(level for block in design.blocks for level in block.get(f.name, f.levels[:1])))
            for f in self.factors
            if f.of_item
        }

    def conditions(self, design: Design, item: Levelled) -> list[Condition]:
        """The conditions under which this item is asked, in the design's order, each once."""
        return self._conditions(design, item.levels)

    def asks(self, design: Design, kind: Mapping[str, str]) -> bool:
        """Whether the design asks items of this kind at all: levels of one block need not be asked in another."""
        return bool(self._conditions(design, kind))

    def size(self, design: Design, n: int, of: Design | None = None) -> int:
        """How many stimuli n base items give under the design, without making any; `of` a part of the design, if it is
        given."""
        counts = self.counts(self.item_levels(design), n) if design.blocks else ()
        return self.stimuli_of(counts, of or design)

    def stimuli_of(self, counts: Iterable[tuple[Mapping[str, str], int]], design: Design) -> int:
        """How many stimuli a design makes of so many items of each kind."""
        return sum(count * len(self._conditions(design, kind)) for kind, count in counts)

    def stimuli(self, design: Design, n: int, seed: int, pack: Pack) -> Iterator[Stimulus]:
        """Every stimulus of n base items under the design."""
        for item in self.items(self.item_levels(design), n, seed):
            for condition in self.conditions(design, item):
                yield self.stimulus(item, condition, pack)

    def some_of_each(self, design: Design, n: int, seed: int, pack: Pack) -> Iterator[Stimulus]:
        """Every stimulus of n items of each kind, for viewing."""
        for item in self._of_each(self.item_levels(design), n, seed):
            for condition in self.conditions(design, item):
                yield self.probed(self.stimulus(item, condition, pack))

    def probed(self, stimulus: Stimulus) -> Stimulus:
        """The stimulus with all its probes."""
        more = self.probe(stimulus) if self.probe else ()
        return replace(stimulus, probes=(*stimulus.probes, *more)) if more else stimulus

    def _of_each(self, levels: Levels, n: int, seed: int) -> Iterator[Item]:
        if self.item is not None:
            kinds = [kind for kind, _ in self.counts(levels, self.design().n)]
            yield from (self.item(kind, index, seed) for kind in kinds for index in range(n))
        elif self.counts is _n_of_each:
            yield from self.items(levels, n, seed)
        else:
            seen: Counter[tuple[str, ...]] = Counter()
            for item in self.items(levels, self.design().n, seed):
                kind = tuple(item.levels[name] for name in levels)
                seen[kind] += 1
                if seen[kind] <= n:
                    yield item

    def _conditions(self, design: Design, item_levels: Mapping[str, str]) -> list[Condition]:
        asked = [f for f in self.factors if not f.of_item]
        conditions: dict[Condition, None] = {}
        for block in design.blocks:
            if all(item_levels[name] in levels for name, levels in block.items() if name in item_levels):
                crossing = combinations({f.name: block.get(f.name, f.levels[:1]) for f in asked})
                conditions.update((Condition(levels), None) for levels in crossing)
        return [condition for condition in conditions if self.applies(item_levels, condition)]


def _frozen(block: Levels) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, tuple(levels)) for name, levels in block.items())


def parse_levels(settings: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Levels from command-line words. `settings`: words like `rule=standard,inverse`. Returns the levels by factor.
    Raises `UserError` if a word is not of that form or a factor comes twice.

    >>> parse_levels(["rule=standard,inverse"])
    {'rule': ('standard', 'inverse')}
    """
    chosen: dict[str, tuple[str, ...]] = {}
    for setting in settings:
        name, equals, levels = setting.partition("=")
        if not equals or not name or not all(levels.split(",")):
            raise UserError(f"--set {setting!r}: expected factor=level or factor=level,level")
        if name in chosen:
            raise UserError(f"--set {name} is given twice; list its levels together, as in {name}=one,other")
        chosen[name] = tuple(levels.split(","))
    return chosen
