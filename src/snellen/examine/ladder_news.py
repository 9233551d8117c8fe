"""What is said while ladders are asked: steps as they close, and comparisons as they are decided."""

from collections.abc import Iterator, Sequence

from snellen.examine.compared_tracks import SubjectPair
from snellen.examine.ladder_tracks import LadderStatus, SubjectLadder
from snellen.examine.track_scheduler import TrackState
from snellen.faculties import listed
from snellen.sequential import FORM, Status

_WORDS = {
    "shown": "something is lost to {0}",
    "excluded": "a loss of {1:.0f} % or more to {0} is excluded",
    "not measurable": "too little is solved to measure a loss to {0}",
}


def steps_closed(states: Sequence[TrackState]) -> str:
    """How many steps of all ladders are closed."""
    statuses = [status for state in states for _, status, _ in _steps(state)]
    return f"{sum(status != 'open' for status in statuses)} of {len(statuses)} steps closed"


def closed_since(states: Sequence[TrackState], told: set[tuple[str, str, str]], several: bool) -> list[str]:
    """A line for every step that has closed and is not among those `told`, where it is noted. `several`: whether there
    are several subjects, so that each must be named."""
    lines = []
    for state in states:
        own = state.subject_track
        task, who = own.put.part.task.name, own.put.way.label
        for name, status, calls in _steps(state):
            if status == "open" or (task, who, name) in told:
                continue
            told.add((task, who, name))
            detect = own.ladder.detect if isinstance(own, SubjectLadder) else 0.0
            words = _WORDS[status].format(name, 100 * detect)
            lines.append(f"{f'{who}, ' if several else ''}{task}, call {calls:,}: {words}")
    return lines


def decisions(states: Sequence[TrackState]) -> str:
    """How many comparisons are decided; of a single one, how far it is."""
    if len(states) > 1:
        decided = sum(state.over for state in states)
        return f"{decided} of {len(states)} comparisons decided"
    items = len(states[0].known.differences) if states[0].known else 0
    return f"{items:,} items compared"


def decided_since(states: Sequence[TrackState], told: set[tuple[str, str, str]]) -> list[str]:
    """A line for every comparison that is decided and is not among those `told`, where it is noted. The last one is
    said with the result."""
    lines = []
    for state in states:
        own = state.subject_track
        if not isinstance(own, SubjectPair) or not state.over or all(other.over for other in states):
            continue
        if (place := (own.put.part.task.name, own.labels[0], own.labels[1])) not in told:
            told.add(place)
            found = own.result(state.answer)
            lines.append(f"{found.task}: {found.decision}")
    return lines


def _steps(state: TrackState) -> Iterator[tuple[str, Status, int]]:
    """Every step of a ladder with how it stands, and after how many calls it was closed; form last."""
    if not isinstance(own := state.subject_track, SubjectLadder):
        return
    faculties = [*own.ladder.design().faculties, FORM]
    unknown: tuple[Status, ...] = tuple("open" for _ in faculties)
    known: LadderStatus = state.known or LadderStatus(unknown, (0,) * len(faculties))
    for names, status, calls in zip(faculties, known.statuses, known.closed_at, strict=True):
        yield listed(names, "and"), status, calls
