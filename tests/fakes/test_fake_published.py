"""Eyes and thinking told apart on the published MARVEL set, by its own perception questions."""

from pathlib import Path

import pytest

import snellen
from fakes.bars import Seen, contradictions
from fakes.knowing import lesson
from fakes.lacking import Mind
from fakes.published import CASES, diagnosed, looks_away, made_set, puzzled
from fakes.server import Part
from snellen.call import Subject
from snellen.examine import make_plan
from snellen.examine.outlook import tells_apart
from snellen.subjects.own import own_subject
from snellen.tasks import marvel

PUBLISHED = Path(__file__).parents[2] / ".." / "shared" / "data" / "marvel"


def subject(mind: Mind) -> Subject:
    async def answers(parts: list[Part]) -> str:
        return mind(parts)

    return own_subject(answers, name=mind.name, pictures="bytes")


@pytest.mark.soak
def test_an_exam_of_a_set_without_words_names_eyes_and_thinking(tmp_path: Path) -> None:
    learned = lesson(marvel.TASK.load(str(made_set(tmp_path / "set", 80))), 0, {})
    fakes = {"sound": (), "away": (looks_away(0.7),), "puzzled": (puzzled(1.0),)}
    subjects = {name: subject(Mind(name, by, learned)) for name, by in fakes.items()}
    (part,) = make_plan("sim/ideal", tasks=learned.task).parts
    assert tells_apart(part) == ("separates attention; thinking and eyes only by the items' perception questions")
    exam = snellen.exam(subjects, tasks=learned.task, store=tmp_path / "s.sqlite")
    found = {one.subject: one for one in exam.findings.diagnoses}
    assert {name: one.verdict for name, one in found.items()} == {
        "sound": "none",
        "away": "eyes",
        "puzzled": "thinking",
    }
    for one in found.values():
        (line,) = [line for line in one.details if "All perception questions" in line]
        assert "one part in 9" in line
        assert not [*contradictions(Seen("marvel", 0, one.subject, one, {}))]
    assert "fails the perception questions about the items" in found["away"].headline
    assert "it answers the perception questions about the items" in found["puzzled"].headline
    assert found["sound"].missing == ()
    shown = {score.rung: score.chance for score in found["away"].rungs}
    assert shown["detail"] == 50
    assert shown["whole count"] == 0


@pytest.mark.soak
def test_few_puzzles_do_not_name_thinking(tmp_path: Path) -> None:
    """One detail of each of 40 puzzles, all right, does not rule out that two in ten panels were missed."""
    where = str(made_set(tmp_path / "set", 40))
    for one in diagnosed(where, "puzzled-30", range(3)):
        assert one.verdict == "unclear"
        assert "own perception questions do not tell on 40 items" in "".join(one.missing)


@pytest.mark.soak
@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published set is not here")
@pytest.mark.parametrize("case", CASES)
def test_what_a_fake_lacks_is_seen_on_the_770_puzzles(case: str) -> None:
    seeds = range(20)
    seen = [
        Seen("marvel", seed, case, one, {})
        for seed, one in zip(seeds, diagnosed(str(PUBLISHED), case, seeds), strict=True)
    ]
    for bar in CASES[case].bars:
        times = sum(map(bar.holds, seen))
        said = "\n".join(one.diagnosis.headline for one in seen if bar.holds(one) == bool(bar.most < 20))
        assert bar.is_met(times, len(seen)), f"{bar.says}: {times} of {len(seen)}\n{said}"
    assert [*contradictions(seen[0])] == []
