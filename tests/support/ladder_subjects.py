"""Subjects of a ladder under a sequential test, as arrays of answers; written apart from what tests them."""

from dataclasses import dataclass

import numpy as np

from snellen.sequential import ItemScore, LadderTest, Replay, SequentialDesign, SequentialResult, replay, result_of

Answers = np.ndarray
"""Whether an answer is right, by question, item and rung."""


@dataclass(frozen=True)
class MadeLadder:
    """A ladder as tasks have them: its rungs (the last may be one against a habit), how often a guess is right, and
    the calls of the usual design."""

    rungs: tuple[str, ...]
    chance: float
    questions: int
    habit: bool
    usual: int

    def design(self, **changes) -> SequentialDesign:
        added = [("attention",), *((f"faculty {k}",) for k in range(1, len(self.rungs)))]
        if self.habit:
            added[-1] = ("habit",)
        return SequentialDesign(
            **{
                "rungs": self.rungs,
                "faculties": tuple(added),
                "questions": self.questions,
                "most": self.usual,
                **changes,
            }
        )


LADDERS = {
    "fixation": MadeLadder(("told", "words", "pictures", "inverse"), 0.5, 2, True, 1020),
    "winoground": MadeLadder(("told", "words", "pictures"), 0.5, 2, False, 600),
    "marvel": MadeLadder(("told", "words", "pictures"), 0.25, 1, False, 720),
    "bias": MadeLadder(("told", "words", "plain", "anonymous", "counter"), 0.05, 1, True, 480),
    "capacity": MadeLadder(("told", "words", "pictures"), 0.12, 1, False, 354),
}


def answers_of(
    ladder: MadeLadder, rng: np.random.Generator, items: int, losses: dict[int, float], slips: float = 0.0
) -> Answers:
    """Answers of a subject that loses these shares of what is left at these steps, for good on every rung above, and
    guesses there; and that guesses at a question now and then for no reason (slips)."""
    steps = len(ladder.rungs)
    solved = np.ones((items, steps), bool)
    for step, loss in losses.items():
        solved[:, step:] &= (rng.random(items) >= loss)[:, None]
    answers = []
    for _ in range(ladder.questions):
        right = solved | (rng.random((items, steps)) < ladder.chance)
        if ladder.habit and steps - 1 in losses:
            right[:, -1] &= ~(solved[:, -2] & ~solved[:, -1])
        slipped = rng.random((items, steps)) < slips
        answers.append(np.where(slipped, rng.random((items, steps)) < ladder.chance, right))
    return np.array(answers)


def score_of(answers: Answers, item: int, rung: int, chance: float) -> ItemScore:
    right = answers[:, item, rung]
    return ItemScore(bool(right.all()), float(right.mean()), chance)


def sat(ladder: MadeLadder, answers: Answers, **changes) -> tuple[Replay, SequentialResult]:
    """The whole exam with these answers, item by item in the order of asking."""
    starts = [0]

    def answered(number: int, place: int, rung: int) -> ItemScore:
        return score_of(answers, starts[number] + place, rung, ladder.chance)

    replayed = replay(ladder.design(**changes), answered, lambda block: starts.append(starts[-1] + block.items))
    return replayed, result_of(replayed.test, replayed.path)


def fed(design: SequentialDesign, blocks) -> LadderTest:
    """A test to which blocks were fed: pairs of rungs and scores."""
    test = LadderTest(design)
    for rungs, scores in blocks:
        test.feed(rungs, scores)
    return test
