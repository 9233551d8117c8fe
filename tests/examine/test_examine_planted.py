"""Limits of difficulty that were planted come out: for every kind of item that has a track, through whole exams.

The observer knows nothing of tracks but how hard an item is; whether it is right is drawn from a psychometric function
with the planted limit, item by item.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log10
from pathlib import Path
from typing import Any, Self

import pytest

import snellen
from snellen.analysis.difficulty import limits
from snellen.call import Abilities, Call, Reply
from snellen.item import Item, Question, Stimulus
from snellen.psychometric import Psychometric
from snellen.rng import stream
from snellen.subjects import answers, speech
from snellen.tasks import task as find_task
from snellen.tasks.adaptive import GradedTrack

STEEP = 8.0


def graded(task: str) -> list[GradedTrack]:
    return list(find_task(task).design("adaptive").tracks)


def planted(track: GradedTrack) -> float:
    """A limit in the middle of what there is."""
    levels = sorted(track.track.levels.values())
    return 10 ** ((levels[0] + levels[-1]) / 2)


@dataclass
class Planted:
    """Somebody with a limit on every track of a task."""

    task: str
    seed: int = 0
    name: str = "planted"
    settings: Mapping[str, Any] = field(default_factory=dict)
    abilities: Abilities = field(default_factory=lambda: Abilities(in_process=True, sees_truth=True))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        assert call.about is not None
        item, question = call.about.item, call.about.question
        own = [each for each in graded(self.task) if self._of(each, call.about)]
        track = max(own, key=lambda each: len(each.condition))  # the one that says most of it
        eye = Psychometric(log10(planted(track)), STEEP, track.track.chance, 0.0, track.track.falling)
        share = float(eye(track.track.levels[item.levels[track.factor]]))
        right = stream(self.seed, "planted", item.id, track.track.name).chance(share)
        said = answers.right(question) if right else _wrong(question, item)
        return Reply(speech.plainly(said, question.form))

    @staticmethod
    def _of(track: GradedTrack, about: Stimulus) -> bool:
        levels = {**about.item.levels, **about.condition}
        return all(levels.get(name) == level for name, level in {**track.kind, **track.condition}.items())


def _wrong(question: Question, item: Item) -> str:
    """Any answer that is not right."""
    rng = stream(0, "wrong", item.id)
    tries = (answers.random(question, rng, None) for _ in range(50))
    return next(said for said in tries if said not in (question.key, *question.also))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("task", "levels"),
    [
        *(("fixation", {"game": game}) for game in ("tictactoe", "reversi", "connect4", "dots_boxes")),
        ("marvel", {}),
        *(("capacity", {"kind": kind}) for kind in ("maze", "jigsaw", "gomoku", "unblock")),
    ],
)
def test_planted_limits_are_found(task: str, levels: dict[str, str], tmp_path: Path) -> None:
    """Of tracks that find a limit the interval holds it; none finds one that lies elsewhere, and none says there is no
    limit, or only limits. Two alternatives and 48 trials may leave it open, and then say so."""
    result = snellen.exam(Planted(task), tasks=task, design="adaptive", levels=levels, store=tmp_path / "s.sqlite")
    tracks = {each.track.name: each for each in graded(task)}
    found = limits(result.rows, result.fingerprints)
    assert found
    for each in found:
        track = tracks[each.tracked.track.name]
        assert each.found.unread == 0
        if each.value is None:
            assert "are too few to locate the threshold" in each.words, (track.track.name, each.words)
            assert track.track.chance == 0.5
            continue
        low, high = each.value.low or 0.0, each.value.high or float("inf")
        assert low <= planted(track) <= high, (track.track.name, each.words)
    assert any(each.value is not None for each in found) or task == "fixation"
