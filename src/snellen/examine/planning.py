"""From what somebody chose to a plan: names, the way they are written on the command line, or objects.

Whatever is wrong is said here, in one clear line, before anything is asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Unpack

from snellen.call import Subject
from snellen.errors import UserError
from snellen.examine.judging import JUDGE_ROLE, JUDGE_TABLE
from snellen.examine.options import (
    ExamOptions,
    check_choices,
    checked_until,
    chosen_tasks,
    for_task,
    is_count,
    levels_by_task,
    several,
)
from snellen.examine.plan import ExamPlan
from snellen.examine.procedures import READING_ROLE, SKIPPING, Procedure, cannot, check_role, make_ways, with_judges
from snellen.examine.subjects import SubjectPool
from snellen.examine.task_plans import TaskPlan, fitting
from snellen.item import Stimulus
from snellen.paradigms import PARADIGMS, WORDING, Paradigm
from snellen.paradigms import paradigm as find_paradigm
from snellen.prompts import load
from snellen.shard import parse_shard
from snellen.tasks import PARADIGM, Design, Task, default_task, pack_of, tasks_with
from snellen.tasks import task as find_task
from snellen.tasks.making import ItemRequest
from snellen.tasks.packs import known_levels
from snellen.tasks.sequential import compared_design, sequential_design

PARADIGM_TABLE = "paradigms"
MOST_SAMPLES = 1000


def make_plan(subject: Any, **choices: Unpack[ExamOptions]) -> ExamPlan:
    """The plan for these choices; `subject` is one subject or several, by name or as objects."""
    check_choices(choices)
    shard = parse_shard(choices.get("shard"))
    if shard and choices.get("until") == "compared":
        raise UserError(f"--shard {shard}: a comparison until it is decided cannot be divided; leave it out")
    pool = SubjectPool()
    subjects = pool.all(subject)
    if not subjects:
        raise UserError("no subject given; name one, such as sim/fixated")
    if choices.get("until") == "compared" and len(subjects) != 2:
        names = ", ".join(pool.called(who) for who in subjects)
        raise UserError(f"--until-sure: expected two different subjects to compare; got {names}")
    pack_file = Path(prompts) if (prompts := choices.get("prompts")) else None
    samples = 1 if (given := choices.get("samples")) is None else given
    if not is_count(samples) or samples > MOST_SAMPLES:
        raise UserError(f"--samples {samples}: expected a number from 1 to {MOST_SAMPLES}")
    roles = dict(choices.get("roles") or {})
    for role, given in roles.items():
        if given in ("", [], (), {}):
            raise UserError(f"roles={{{role!r}: {given!r}}}: no subject given; name one or leave the role out")
    readers, judges = (
        pool.for_role(role, roles.pop(role)) if role in roles else () for role in (READING_ROLE, JUDGE_ROLE)
    )
    if len(readers) > 1:
        raise UserError(f"--role {READING_ROLE}: got {len(readers)} subjects; expected one")
    for role, players in ((READING_ROLE, readers), (JUDGE_ROLE, judges)):
        for who in players:
            check_role(who, role, role)
    participants = _Participants(subjects, roles, judges, pool)
    parts = tuple(_parts(choices, pack_file, participants))
    levels = {name: () for part in parts for name in known_levels(part.task)}
    plan = ExamPlan(
        parts=parts,
        paradigm_pack=load(pack_file or WORDING, PARADIGM_TABLE, fallback=WORDING, known={}),
        seed=choices.get("seed", 0),
        samples=samples,
        pool=pool,
        reader=readers[0] if readers else None,
        judge_pack=load(pack_file or WORDING, JUDGE_TABLE, WORDING, levels if pack_file else None) if judges else None,
    )
    if plan.size == 0 or not _asks_what_was_chosen(plan):
        raise UserError(f"nothing to ask: {_why_nothing(plan)}")
    return plan.of_shard(shard) if shard else plan


@dataclass(frozen=True)
class _Participants:
    """Who takes part, as far as it is the same for all tasks."""

    subjects: Sequence[Subject]
    roles: Mapping[str, Any]
    judges: Sequence[Subject]
    pool: SubjectPool

    def is_setting(self, name: str) -> bool:
        """Whether a call to each of the subjects may change this setting."""
        return all(name in who.abilities.per_call for who in self.subjects)

    def ways(self, paradigms: Sequence[Paradigm]) -> tuple[Procedure, ...]:
        return with_judges(make_ways(self.subjects, paradigms, self.roles, self.pool), self.judges, self.pool)


def _parts(choices: ExamOptions, pack_file: Path | None, participants: _Participants) -> Iterator[TaskPlan]:
    given = choices.get("tasks", usual_task(choices.get("design")))
    wanted = chosen_tasks(given, choices.get("data") or {})
    tasks, names = [task for task, _ in wanted], [task.name for task, _ in wanted]
    levels, settings = levels_by_task(choices.get("levels") or {}, tasks, participants.is_setting)
    most = checked_until(choices, len(tasks))
    for who, (name, varied) in product(participants.subjects, settings.items()):
        for level in varied:
            who.abilities.per_call[name](level)  # a wrong level is said now
    if settings and choices.get("until") is not None:
        raise UserError(
            f"--set {next(iter(settings))}: a setting cannot be varied with --until-sure; examine each value"
        )
    paradigms = [find_paradigm(given) for given in several(choices.get("paradigms"))]
    for task, origin in wanted:
        design = task.design(for_task(choices.get("design"), task.name, names, "--design"))
        share, seed = most and most // len(tasks), choices.get("seed", 0)
        if choices.get("until") == "compared":
            design = compared_design(task, levels[task.name], choices.get("margin"), share, seed)
        elif choices.get("until") is not None and not design.tracks:
            design = sequential_design(task, levels[task.name], choices.get("detect"), share, seed)
        elif levels[task.name]:
            design = task.changed(design, levels[task.name])
        n = for_task(choices.get("n"), task.name, names, "--n")
        if n is not None and not is_count(n):
            raise UserError(f"--n {n}: expected at least 1 base item")
        if design.tracks and task.item is None:
            raise UserError(
                f"--design {design.name}: adaptive tracks need single items, which {task.name} does not generate"
            )
        order = ItemRequest(
            task,
            _shortened(design, n),
            design.n if design.tracks else n or design.n,
            choices.get("seed", 0),
            pack_of(task, pack_file),
            origin and origin._replace(prompts=pack_file),
        )
        chosen = _fitting_paradigms(task, paradigms) or [find_paradigm(task.paradigms[0])]
        rungs = [find_paradigm(name) for block in order.design.whole.blocks for name in block.get(PARADIGM, ())]
        ways = participants.ways(list({paradigm.name: paradigm for paradigm in (*chosen, *rungs)}.values()))
        put_by = tuple(paradigm.name for paradigm in chosen)
        yield _without_the_impossible(TaskPlan(order, ways, pack_file is None, settings, put_by, task.notes))


def usual_task(design: Any) -> str:
    """The task that is examined if none is named: the usual one, or the eye chart for a design that only that has."""
    usual = default_task()
    if not isinstance(design, str) or any(own.name == design for own in find_task(usual).designs):
        return usual
    charts = tasks_with(lambda task: task.measures and any(own.name == design for own in task.designs))
    return charts[0].name if charts else usual


def _shortened(design: Design, most: int | None) -> Design:
    """The design with tracks of so many trials at most, if somebody says how many."""
    if most is None or not design.tracks:
        return design
    tracks = (replace(graded, track=replace(graded.track, most=most)) for graded in design.tracks)
    return replace(design, tracks=tuple(tracks))


def _fitting_paradigms(task: Task, chosen: Sequence[Paradigm]) -> list[Paradigm]:
    """The chosen paradigms, if the task can be put that way. Somebody's own may be tried on any task."""
    rungs = [name for rung in task.ladder for put in rung.puts for name in put.paradigms]
    ways = tuple(dict.fromkeys((*task.paradigms, *rungs)))
    for paradigm in chosen:
        if paradigm.name not in ways and PARADIGMS.get(paradigm.name) is paradigm:
            raise UserError(f"{paradigm.name} cannot be used with task {task.name}; expected {', '.join(ways)}")
    return list(chosen)


def _without_the_impossible(part: TaskPlan) -> TaskPlan:
    """The part without ways that ask for more than someone can do: not applicable, not zero."""
    if part.task.item is not None and not any(_limited(who) for way in part.ways for who in way.players.values()):
        return part  # generated items have words and rules
    reasons = {way: reason for way in part.ways if (first := _first(part, way)) and (reason := cannot(way, first))}
    ways = tuple(way for way in part.ways if way not in reasons)
    spared = (_spared(part, way.wordless) for way in ways if way.wordless)
    return replace(part, notes=(*part.notes, *dict.fromkeys((*reasons.values(), *filter(None, spared)))), ways=ways)


def _limited(who: Subject) -> bool:
    can = who.abilities
    return can.pictures is not None or can.needs_twins or not can.words


def _first(part: TaskPlan, way: Procedure) -> Stimulus | None:
    """The first stimulus that would be put that way; None if there is none."""
    order = part.order
    design = fitting(part, way, part.order.design.whole)
    return next(part.task.stimuli(design, 1, order.seed, order.pack), None) if design.blocks else None


def _spared(part: TaskPlan, who: Subject) -> str:
    """What of a part is not put to someone who takes no call without a picture, if anything."""
    blank = _pictureless(part)
    return f"{SKIPPING} {blank}: {who.name} requires an image" if blank else ""


def _pictureless(part: TaskPlan) -> str:
    """The levels in a part's design that show no picture."""
    blank = {factor.name: factor.no_pictures for factor in part.task.factors}
    chosen = ((name, level) for b in part.order.design.whole.blocks for name, levels in b.items() for level in levels)
    return ", ".join(dict.fromkeys(f"{name}={level}" for name, level in chosen if level in blank.get(name, ())))


def _asks_what_was_chosen(plan: ExamPlan) -> bool:
    """Whether the paradigm that was chosen has anything to put; the rungs below it alone are no exam."""
    chosen = [(part, way) for part in plan.parts for way in part.ways if way.paradigm.name in part.chosen]
    return any(fitting(part, way, part.order.design.whole).blocks for part, way in chosen)


def _why_nothing(plan: ExamPlan) -> str:
    """Why no trial is left: someone cannot do it or does not know it, or the items lack what is asked for."""
    reasons = [note for part in plan.parts for note in part.notes if note.startswith(SKIPPING)]
    if plan.left_out or plan.tracks_left_out:
        reasons = [f"{' and '.join(plan.choosy)} does not support these items{plan.choosy_about}"]
    reasons += [str(trained) for trained in plan.trained_items if trained.items]
    for part in plan.parts:
        for way in part.ways:
            if not fitting(part, way, part.order.design.whole).blocks:
                who = way.paradigm.name if way.paradigm.needs_pictures or not way.wordless else way.wordless.name
                reasons.append(f"{who} requires images, but only {_pictureless(part)} was chosen")
    levels = ", ".join(
        f"{name}={'|'.join(v)}"
        for part in plan.parts
        for b in part.order.design.whole.blocks
        for name, v in b.items()
        if name != PARADIGM
    )
    return (
        "; ".join(dict.fromkeys(reasons))
        or f"no item of the set supports {levels} (published sets do not support every condition)"
    )
