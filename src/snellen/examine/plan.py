"""What an exam will ask: the trials, in order, each with a key that says exactly what it is.

Trials come item by item: a plan of a million trials takes no more memory than one of ten. How a plan is made from what
somebody chose is in `planning.py`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from snellen import __version__
from snellen.answer import READER
from snellen.call import Subject
from snellen.engine import ItemRecord
from snellen.examine.compared_tracks import pairs_of
from snellen.examine.judging import JUDGE_ROLE
from snellen.examine.ladder_tracks import ladders_of
from snellen.examine.procedures import Procedure, choosy, knows
from snellen.examine.subjects import SubjectPool
from snellen.examine.task_plans import Presentation, TaskPlan, Trial, fitting
from snellen.examine.tracks import AdaptiveTrack, SubjectTrack, tracks_of
from snellen.examine.untrained import TrainedItems, as_fingerprint, is_trained_on, trained_items
from snellen.item import Item
from snellen.ladder import to_json
from snellen.prompts import Pack
from snellen.sequential import COMPARED
from snellen.shard import SHARD, Shard
from snellen.tasks import PARADIGM, Design
from snellen.tasks.adaptive import as_json
from snellen.tasks.sequential import as_json as ladder_as_json


@dataclass(frozen=True)
class ExamPlan:
    """An exam, ready to run."""

    parts: tuple[TaskPlan, ...]
    paradigm_pack: Pack
    seed: int
    samples: int
    pool: SubjectPool
    reader: Subject | None = None
    """Who reads answers that the rules cannot make out."""
    judge_pack: Pack | None = None
    """What judges are told, if there are any."""
    shard: Shard | None = None
    """Which part of it is this machine's; None: all."""

    def of_shard(self, shard: Shard | None) -> "ExamPlan":
        """The part of this plan that is this shard's; all of it without one."""
        parts = tuple(replace(part, order=replace(part.order, shard=shard)) for part in self.parts)
        return replace(self, parts=parts, shard=shard)

    @cached_property
    def whole(self) -> "ExamPlan":
        """The plan of which this is a shard."""
        return self.of_shard(None) if self.shard else self

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the subjects in the results, each once, in the order of the plan."""
        return tuple(dict.fromkeys(way.label for part in self.parts for way in part.ways))

    @property
    def players(self) -> tuple[Subject, ...]:
        """Everyone who takes part, each once."""
        playing = [who for part in self.parts for way in part.ways for who in way.players.values()]
        beside = [*self.judges, *((self.reader,) if self.reader else ())]
        return tuple({id(who): who for who in (*playing, *beside)}.values())

    @property
    def judges(self) -> tuple[Subject, ...]:
        """Whoever scores answers beside the rules, each once."""
        judging = (way.judge for part in self.parts for way in part.ways if way.judge)
        return tuple({id(who): who for who in judging}.values())

    @cached_property
    def size(self) -> int:
        """The number of trials planned; of tracks about as many as they take."""
        return self.planned.total()

    @cached_property
    def planned(self) -> Counter[str]:
        """The number of trials planned for each subject; of tracks about as many as they take."""
        planned = self._fixed_by_subject.copy()
        for subject_track in self.subject_tracks:
            for label in subject_track.labels:
                planned[label] += subject_track.typical // len(subject_track.labels)
        return planned

    @cached_property
    def fixed_size(self) -> int:
        """The number of trials that are asked whatever the answers are."""
        return self._fixed_by_subject.total()

    @cached_property
    def trained_items(self) -> tuple[TrainedItems, ...]:
        """The items that subjects were trained on: left out for them, and for nobody else."""
        return tuple(trained_items(self.parts, self._count))

    @cached_property
    def subject_tracks(self) -> tuple[AdaptiveTrack, ...]:
        """Tracks and ladders, as each is put to everyone: their own answers decide what they are asked next."""
        tracks = (own for part in self.parts for own in tracks_of(part, self.samples))
        ladders = (own for part in self.parts for own in (pairs_of(part) if part.compares else ladders_of(part)))
        shard = self.shard
        return tuple(
            own for own in (*tracks, *ladders) if shard is None or shard.holds(own.put.part.task.name, *own.labels)
        )

    @property
    def tracks_left_out(self) -> int:
        """How many tracks are not applicable, or not known to someone in the cast."""
        given = [own for own in self.whole.subject_tracks if isinstance(own, SubjectTrack)]
        asked = len({(own.track.name, own.put.part, own.put.way) for own in given})
        chosen = (part for part in self.whole.parts for way in part.ways if way.paradigm.name in part.chosen)
        return sum(len(part.order.design.tracks) for part in chosen) - asked

    def samples_of(self, part: TaskPlan) -> int:
        """How often each trial of a part is held: as often as was chosen, or as its design needs."""
        return max(self.samples, part.order.design.samples)

    @cached_property
    def _fixed_by_subject(self) -> Counter[str]:
        asked: Counter[str] = Counter()
        for part in self.parts:
            for way in part.ways:
                size = part.task.stimuli_of(part.order.counts, fitting(part, way))
                asked[way.label] += size * len(part.settings_crossed) * self.samples_of(part)
        asked.subtract(self._unknown_by_subject)
        for trained in self.trained_items:
            asked[trained.label] -= trained.trials
        return asked

    @cached_property
    def left_out(self) -> int:
        """How many trials are not applicable: an oracle, or a model of few tasks, knows nothing of their item."""
        return self._unknown_by_subject.total()

    @cached_property
    def _unknown_by_subject(self) -> Counter[str]:
        return sum((self._unknown(part) for part in self.parts), Counter())

    @cached_property
    def choosy(self) -> tuple[str, ...]:
        """The players who know only some items; if all know all, the paradigms that need items with a rule."""
        ways = [way for part in self.parts for way in part.ways if choosy(way)]
        players = [who.name for way in ways for who in way.players.values() if who.abilities.knows]
        rules = [way.paradigm.name for way in ways if way.paradigm.needs_rule]
        return tuple(dict.fromkeys(players or rules))

    @property
    def choosy_about(self) -> str:
        """What they know, for the end of a sentence."""
        players = [who for part in self.parts for way in part.ways for who in way.players.values()]
        told = dict.fromkeys(f"{who.name} supports only {who.abilities.only}" for who in players if who.abilities.only)
        return f" ({'; '.join(told)})" if told else ""

    def _unknown(self, part: TaskPlan) -> Counter[str]:
        ways = [way for way in part.ways if choosy(way)]
        if not ways or not part.order.design.blocks:
            return Counter()
        if part.task.item is None:
            items: Iterable[tuple[Item, int]] = ((item, 1) for item in part.order.items())
        else:  # made by one hand: what is known of one is known of all its kind, and making them all takes its time
            items = ((part.task.item(kind, 0, self.seed), count) for kind, count in part.order.counts)
        unknown: Counter[str] = Counter()
        for item, n in items:
            for way in ways:
                unknown[way.label] += 0 if knows(way, item) else n * self._count(part, item, way)
        return unknown

    def _count(self, part: TaskPlan, item: Item, way: Procedure) -> int:
        conditions = part.task.conditions(fitting(part, way), item)
        return len(conditions) * len(part.settings_crossed) * self.samples_of(part)

    def trials(self) -> Iterator[Trial]:
        """Every trial that is asked whatever the answers are, making the items on the way."""
        for part in (part for part in self.parts if part.order.design.blocks):
            for item in part.order.items():
                yield from self.trials_of(part, item)

    def trials_of(self, part: TaskPlan, item: Item | ItemRecord) -> Iterator[Trial]:
        """The trials of one item. Of an item that is only on record, an oracle is taken to know what it has to."""
        put_by = {way: set(part.task.conditions(fitting(part, way), item)) for way in part.ways}
        for condition in part.task.conditions(part.order.design, item):
            for way in part.ways:
                if condition not in put_by[way] or (isinstance(item, Item) and not knows(way, item)):
                    continue
                if is_trained_on(way, part.task.name, item):
                    continue
                for settings in part.settings_crossed:
                    for sample in range(self.samples_of(part)):
                        yield self.trial(Presentation(part, condition, settings, way, sample), item)

    def trial(self, put: Presentation, item: Item | ItemRecord) -> Trial:
        """The trial of an item that is put in this way."""
        key = _key(self._identities[put.way], item, {**put.condition, **put.settings}, put.sample)
        return Trial(put.part, item, put.condition, put.settings, put.way, put.sample, key)

    @cached_property
    def _identities(self) -> dict[Procedure, bytes]:
        return {way: self._identity(part, way) for part in self.parts for way in part.ways}

    def _identity(self, part: TaskPlan, way: Procedure) -> bytes:
        """Everything a trial's key holds besides its item, its condition and which sample it is."""
        players = {role: [who.name, dict(who.settings)] for role, who in way.players.items()}
        words = [part.order.pack.digest] + (
            [self.paradigm_pack.digest] if way.paradigm.words or way.paradigm.version or self.reader else []
        )
        reader = [READER, *([self.reader.name, dict(self.reader.settings)] if self.reader else [])]
        identity: list[Any] = [part.task.name, way.paradigm.name, players, words, *reader]
        if way.judge and self.judge_pack:
            identity.append({JUDGE_ROLE: [way.judge.name, dict(way.judge.settings), self.judge_pack.digest]})
        if way.paradigm.version:
            identity.append({"paradigm": way.paradigm.version})
        return json.dumps(identity, sort_keys=True).encode()

    def spec(self) -> dict[str, Any]:
        """What was asked for, in the words of the command line: of a shard that of the whole, and which shard."""
        whole = self.whole
        return {
            "subject": ", ".join(self.labels),
            "tasks": [part.task.name for part in self.parts],
            "ways": [_way_in_words(way) for part in self.parts for way in part.ways],
            "trials": whole.size,
            **({"tracks": len(whole.subject_tracks)} if whole.subject_tracks else {}),
            **({SHARD: str(self.shard)} if self.shard else {}),
        }

    def fingerprint(self) -> dict[str, Any]:
        """What the results rest on, apart from the items themselves."""
        names = {who.name: self.pool.called(who) for who in self.players if self.pool.called(who) != who.name}
        return {
            "snellen": __version__,
            "subjects": list(self.labels),
            **({"names": names} if names else {}),
            "settings": {who.name: dict(who.settings) for who in self.players},
            "seed": self.seed,
            **({"samples": samples} if (samples := max(map(self.samples_of, self.parts))) > 1 else {}),
            "reader": f"{READER}, then {self.reader.name}" if self.reader else READER,
            **({"judges": [who.name for who in self.judges]} if self.judges else {}),
            **as_fingerprint(self.whole.trained_items),
            "again": self._again(),
            "tasks": {part.task.name: _part_fingerprint(part) for part in self.parts},
        }

    def _again(self) -> dict[str, Any]:
        """What `snellen exam` must be given to ask the same items: by subject (None for one of Python's) and by task;
        and the subjects that take no call without a picture."""
        subjects = [who for who in self.players if self.pool.called(who) in self.labels]
        return {
            "subjects": {self.pool.called(who): self.pool.given(who) for who in subjects},
            "tasks": {part.task.name: _part_again(part, self.seed) for part in self.parts},
            "wordless": [self.pool.called(who) for who in subjects if not who.abilities.words],
        }


def _part_again(part: TaskPlan, seed: int) -> list[str] | None:
    """The options of `snellen exam` for the items of a part; None for a task that only Python has."""
    if (origin := part.order.origin) is None:
        return None
    options = {
        "--data": origin.data and f"{part.task.name}={origin.data}",
        "--prompts": origin.prompts,
        "--n": part.order.n if part.order.n != part.task.design().n else None,
        "--seed": seed or None,
    }
    given = (word for option, value in options.items() if value is not None for word in (option, str(value)))
    return ["--tasks", origin.name, *given]


def _way_in_words(way: Procedure) -> str:
    return f"{way.paradigm.name}: {way.label}" + (f", judged by {way.judge.name}" if way.judge else "")


def _part_fingerprint(part: TaskPlan) -> dict[str, Any]:
    design, pack, ladder = part.order.design.whole, part.order.pack, part.order.design.ladder
    tracks = [as_json(graded) for graded in part.order.design.tracks]
    levels = {name: _levels_of(design, name) for block in design.blocks for name in block if name != PARADIGM}
    return {
        "design": design.name,
        "n": part.order.n,
        "levels": {**levels, **{name: list(varied) for name, varied in part.settings.items()}},
        "paradigms": list(dict.fromkeys(way.paradigm.name for way in part.ways)),
        "prompts": f"{pack.origin} {pack.digest[:12]}",
        **({"tracks": tracks, "tracked_by": list(part.chosen)} if tracks else {}),
        **({COMPARED if part.compares else "until_sure": ladder_as_json(ladder)} if ladder else {}),
        "ladder": to_json(part.task.ladder),
        "plainest": {factor.name: factor.levels[0] for factor in part.task.factors if not factor.of_item},
    }


def _levels_of(design: Design, factor: str) -> list[str]:
    """All levels of a factor that the design's blocks name."""
    return list(dict.fromkeys(level for block in design.blocks for level in block.get(factor, ())))


def _key(identity: bytes, item: Item | ItemRecord, levels: Mapping[str, str], sample: int) -> bytes:
    asked = "\x1f".join((item.id, item.digest, *(f"{k}={levels[k]}" for k in sorted(levels))))
    if sample:  # a first sample is the trial as it always was
        asked += f"\x1fsample={sample}"
    return sha256(identity + asked.encode("utf-8", "surrogatepass")).digest()[:16]
