"""What a plan would take, before it takes anything.

Trials on record cost nothing, and neither does knowing it: their calls are in the store. Of many items still to be made
a few are, drawn by lot from all stretches of the plan, and stand for the others; the estimate then says so. A track is
gone through as far as the store has answers; what it asks next stands for what is left of it.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from snellen.analysis.power import Power
from snellen.call import Call, Reply, Subject
from snellen.engine import CallEstimate, Estimator, ItemRecord, Price, Store
from snellen.engine.batch_records import BatchOptions, handed_in
from snellen.engine.schema import refuse_place
from snellen.errors import UserError
from snellen.examine.catalogue import Catalogue
from snellen.examine.foresight import power_of
from snellen.examine.options import LEAST_CALLS
from snellen.examine.plan import ExamPlan
from snellen.examine.task_plans import TaskPlan
from snellen.examine.track_scheduler import StoredOutcomes, TrackState
from snellen.examine.trial import TrialJob, pretend
from snellen.examine.trial_queue import jobs_of
from snellen.item import Item
from snellen.rng import stream
from snellen.tasks.making import ItemPool, ItemRequest, MadeItem

EXACTLY = 24
"""So many items of a task are all made to count their calls."""
SAMPLED = 12
"""Of more, so many are: some items take a second to draw, and those of a task take about the same calls."""
_STAND_IN = "." * 600


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a plan would take, and for each task of which something is still to be asked, what it would show. `most`:
    what it would take if every track goes on for as long as it may, where there are any."""

    estimate: CallEstimate
    powers: Mapping[str, Power]
    most: CallEstimate | None = None


def estimate_plan(plan: ExamPlan, store: str | Path | None, prices: Mapping[str, Price] | None = None) -> CallEstimate:
    """How many calls, tokens and, with prices, how much money the plan would take after what the store has."""
    return forecast(plan, store, prices).estimate


def forecast(
    plan: ExamPlan,
    store: str | Path | None,
    prices: Mapping[str, Price] | None = None,
    batch: BatchOptions | None = None,
) -> Forecast:
    """What the plan would take after what the store has, and what it would show; without a store, from the start.
    `batch`: how its calls would go in batches; open ones are taken up by single calls, too. Raises `UserError` where
    the store cannot be."""
    path = None if store is None else Path(store)
    if path is not None:
        refuse_place(path)
    powers: dict[str, Power] = {}
    with _opened(path) as opened, ItemPool() as makers:
        in_batch = handed_in(opened, batch.place if batch else "") if opened else frozenset()
        about, most = Estimator(opened, in_batch), Estimator(opened, in_batch)
        for part in plan.parts:
            places = list(_to_make(plan, part, opened, (about, most)))
            chosen = _chosen(part.order, places)
            made_items: list[MadeItem] = []
            for made in _in_order(part.order, chosen, makers):
                jobs = jobs_of(plan, part, made)
                calls = _calls(_to_hold(jobs, opened), opened)
                for estimator in (about, most):
                    estimator.add(calls, len(places) / len(chosen))
                made_items += [made] if jobs else []
            design = part.order.design
            # Tracks go on until they have shown what they are to show; replies to repeats are compared, not counted.
            if made_items and not design.tracks and design.samples == 1:
                powers[part.task.name] = power_of(plan, part, made_items)
        _add_tracks(plan, opened, makers, about, most)
    return Forecast(about.estimate(prices), powers, most.estimate(prices) if plan.subject_tracks else None)


def _opened(path: Path | None) -> AbstractContextManager[Store | None]:
    """The store, if there is one yet."""
    if path is None or not path.exists() or not path.stat().st_size:
        return nullcontext()
    return Store.open(path, readonly=True)


def calls_for(dollars: float, plan: ExamPlan, prices: Mapping[str, Price]) -> int:
    """How many calls to each of its subjects this money pays for. A ladder's calls are priced as its most demanding
    rung, which is the dearest. Raises `UserError` if a subject has no price, or if it pays for too few."""
    if missing := [plan.pool.called(who) for who in plan.players if who.name not in prices]:
        raise UserError(f"--budget {dollars:g}: no price for {', '.join(missing)}; give --price {missing[0]}=IN/OUT")
    by_subject = estimate_plan(plan, None, prices).by_subject.values()
    one_each = sum((part.cost or 0.0) / part.to_make for part in by_subject if part.to_make)
    calls = int(dollars / one_each) if one_each else plan.size
    if calls < LEAST_CALLS * len(plan.parts):
        needed = LEAST_CALLS * len(plan.parts) * one_each
        raise UserError(
            f"--budget {dollars:g}: pays for {calls} calls to each subject; at least ${needed:.3g} is needed"
        )
    return calls


def _add_tracks(plan: ExamPlan, store: Store | None, makers: ItemPool, about: Estimator, most: Estimator) -> None:
    """What is left of the tracks: the first trial of each subject that is missing stands for all that are to come."""
    recall = StoredOutcomes(plan, store)
    for state in (TrackState(subject_track, recall) for subject_track in plan.subject_tracks):
        held, jobs = _gone_through(state, recall, plan, makers)
        answered = [call for _, calls in store.trial_calls(held) for call in calls] if store else []
        for estimator, trials in ((about, state.expected), (most, state.at_most)):
            estimator.add_answered(answered)
            if jobs:
                estimator.add(_calls(jobs, store), (trials - len(held)) / len(jobs))


def _gone_through(
    state: TrackState, recall: StoredOutcomes, plan: ExamPlan, makers: ItemPool
) -> tuple[list[bytes], list[TrialJob]]:
    """The trials of a track that are on record, and of each subject the first that is not. Where it cannot be told
    without making it which items those were, they are made."""
    subject_track = state.subject_track
    held: list[bytes] = []
    missing_jobs: dict[str, TrialJob] = {}
    while not missing_jobs and (missing := state.step()):
        for track_item in missing:
            put = subject_track.put_at(track_item)
            if put.way.label in missing_jobs:
                continue
            (made,) = makers.make(subject_track.ordered(track_item), 0, 1).result()
            job = TrialJob(plan, plan.trial(put, made.item), made.stimuli[0])
            answer = recall.answer(put.way.label, job.key)
            if answer is None:
                missing_jobs[put.way.label] = job
                if len(missing_jobs) == len(subject_track.labels):
                    break
                continue
            state.tell(track_item, answer)
            held.append(job.key)
    return [*held, *(key for key, _, _ in state.recalled)], list(missing_jobs.values())


def _to_make(plan: ExamPlan, part: TaskPlan, store: Store | None, estimators: Sequence[Estimator]) -> Iterator[int]:
    """The places of the items that must be drawn to know their calls; the calls of the others are counted."""
    for place, item in enumerate(_items(part.order, store)):
        if store is None or item is None:
            yield place
            continue
        keys = [trial.key for trial in plan.trials_of(part, item)]
        done = store.done(keys)
        calls = [call for _, made in store.trial_calls(done) for call in made]
        for estimator in estimators:
            estimator.add_answered(calls)
        if len(done) < len(keys):
            yield place


def _items(order: ItemRequest, store: Store | None) -> Iterable[Item | ItemRecord | None]:
    """What is known of every item before it is drawn: what the store has on record, or the item itself, where all must
    be gone through to come to any; None if nothing is."""
    catalogue = Catalogue(store)
    records = [catalogue.record(order, place) for place in range(order.size)]
    if store is None or order.places is not None or None not in records:
        return records
    return order.items()


def _chosen(order: ItemRequest, places: Sequence[int]) -> Sequence[int]:
    """All of them, or if there are many, some that stand for all: one by lot from each of as many stretches, since
    items at even distances may have more in common than that. Items of a set cost nothing to make, and may share
    pictures, so that none can stand for another."""
    of_a_set = order.origin is not None and order.origin.data is not None
    if len(places) <= EXACTLY or of_a_set:
        return places
    lots = stream(order.seed, order.task.name, "estimate")
    ends = [k * len(places) // SAMPLED for k in range(SAMPLED + 1)]
    return [places[first + lots.below(end - first)] for first, end in pairwise(ends)]


def _in_order(order: ItemRequest, places: Sequence[int], makers: ItemPool) -> Iterator[MadeItem]:
    """These items, a few made ahead."""
    source = iter(places)
    under_way: deque[Future[list[MadeItem]]] = deque()
    while True:
        for place in islice(source, max(0, makers.ahead - len(under_way))):
            under_way.append(makers.make(order, place, 1))
        if not under_way:
            return
        yield from under_way.popleft().result()


def _to_hold(jobs: Sequence[TrialJob], store: Store | None) -> Sequence[TrialJob]:
    done = store.done(job.key for job in jobs) if store else {}
    return [job for job in jobs if job.key not in done]


def _calls(jobs: Sequence[TrialJob], store: Store | None) -> list[Call]:
    """Every call the jobs would make. Where a later call depends on a reply that is not there yet, a stand-in of about
    the right length takes its place: its tokens are right even if its words are not."""
    made: list[Call] = []

    async def ask(_: Subject, call: Call) -> Reply:
        made.append(call)
        reply = store.get_reply(call.key) if store else None
        return reply or Reply(f"[reply to {call.key.hex()}] {_STAND_IN}")

    async def all_jobs() -> None:
        for job in jobs:
            await pretend(job, ask)

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(all_jobs())
    finally:
        loop.close()
    return made
