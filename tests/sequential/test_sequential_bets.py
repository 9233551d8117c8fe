"""Every bet is fair: whatever happened before, betting against what holds wins nothing on average (counted out)."""

from collections.abc import Callable, Sequence
from copy import copy
from itertools import combinations, product
from math import comb, exp, fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.sequential import ItemScore, LadderTest, SequentialDesign
from snellen.sequential.expecting import SLIPS, UNREAD, USELESS_TOLD, enough
from support.ladder_subjects import fed

Outcome = tuple[float, dict[int, ItemScore]]
"""How likely it is that an item scores so."""
Wealth = Callable[[LadderTest], float]
quickly = settings(max_examples=16, deadline=None, derandomize=True)


def scored(right: int | None, questions: int, chance: float) -> ItemScore:
    return ItemScore(None) if right is None else ItemScore(right == questions, right / questions, chance)


@st.composite
def designs(draw: st.DrawFn) -> tuple[SequentialDesign, float]:
    steps = draw(st.integers(2, 4))
    faculties = [("attention",), *((f"faculty {k}",) for k in range(1, steps))]
    if draw(st.booleans()):
        faculties[-1] = ("habit",)
    partial = frozenset({draw(st.sampled_from("abcd"[1:steps]))} if steps > 2 and draw(st.booleans()) else ())
    design = SequentialDesign(tuple("abcd"[:steps]), tuple(faculties), partial, questions=draw(st.integers(1, 2)))
    return design, draw(st.sampled_from([0.0, 0.05, 0.25, 0.5]))


@st.composite
def sittings(draw: st.DrawFn) -> tuple[LadderTest, tuple[int, ...], float]:
    """A test with some past, the rungs of the next block, and the chance of a guess."""
    design, chance = draw(designs())
    sets = [rungs for size in range(1, design.steps + 1) for rungs in combinations(range(design.steps), size)]
    rights = st.sampled_from([None, *range(design.questions + 1), *[design.questions] * 4])
    blocks = []
    for _ in range(draw(st.integers(0, 3))):
        rungs = draw(st.sampled_from(sets))
        items = draw(st.lists(st.tuples(*[rights] * len(rungs)), min_size=1, max_size=12))
        blocks.append(
            (
                rungs,
                [{r: scored(n, design.questions, chance) for r, n in zip(rungs, item, strict=True)} for item in items],
            )
        )
    return fed(design, blocks), draw(st.sampled_from(sets)), chance


def continued(test: LadderTest) -> LadderTest:
    twin = copy(test)
    vars(twin).update({name: list(map(copy, value)) for name, value in vars(test).items() if isinstance(value, list)})
    return twin


def growth(test: LadderTest, rungs: tuple[int, ...], outcomes: Sequence[Outcome], wealth: Wealth) -> float:
    """By what a block of two such items multiplies wealth on average."""
    before, terms = wealth(test), []
    for items in product([outcome for outcome in outcomes if outcome[0] > 0], repeat=2 if len(outcomes) < 30 else 1):
        after = continued(test)
        after.feed(rungs, [scores for _, scores in items])
        likely = 1.0
        for share, _ in items:
            likely *= share
        terms.append(likely * exp(wealth(after) - before))
    return fsum(terms)


def spread(draw: st.DataObject, size: int) -> list[float]:
    """Some way to divide 1 among so many outcomes."""
    weights = draw.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    return [weight / sum(weights) for weight in weights] if sum(weights) else [1 / size] * size


@given(sittings(), st.data())
@quickly
def test_nothing_lost_at_a_step(sitting, data) -> None:
    test, rungs, chance = sitting
    steps = [k for k in range(1, test.design.steps) if k in rungs and k - 1 in rungs]
    if not steps:
        return
    step, questions = data.draw(st.sampled_from(steps)), test.design.questions
    pairs = list(product([None, *range(questions + 1)], repeat=2))
    shares = dict(zip(pairs, spread(data, len(pairs)), strict=True))
    outcomes = []
    for (low, high), share in shares.items():  # as likely the other way round: alike solved
        scores = {r: scored(questions, questions, chance) for r in rungs}
        scores |= {step - 1: scored(low, questions, chance), step: scored(high, questions, chance)}
        outcomes.append(((share + shares[high, low]) / 2, scores))
    assert growth(test, rungs, outcomes, lambda after: after.against_none[step].log) <= 1 + 1e-9


@given(sittings(), st.data())
@quickly
def test_just_as_much_lost_as_must_be_found(sitting, data) -> None:
    test, rungs, chance = sitting
    design = test.design
    step = data.draw(st.sampled_from(range(design.steps)))
    others = spread(data, design.steps)
    lost_at = [(1 - design.detect) * share for share in others]  # by step; those that are solved count as the last
    lost_at.append(lost_at[step])
    lost_at[step] = design.detect
    ways = list(product(range(design.questions + 1), repeat=len(rungs)))
    shares = dict.fromkeys(ways, 0.0)
    for place, share in enumerate(lost_at):
        for way in ways:
            likely = share
            for rung, right in zip(rungs, way, strict=True):
                by_habit = place == rung and design.by_habit(rung)
                luck = 1.0 if place > rung else 0.0 if by_habit else chance
                likely *= comb(design.questions, right) * luck**right * (1 - luck) ** (design.questions - right)
            shares[way] += likely
    outcomes = [
        (share, {r: scored(n, design.questions, chance) for r, n in zip(rungs, way, strict=True)})
        for way, share in shares.items()
    ]
    assert growth(test, rungs, outcomes, lambda after: after.against_loss[step].log) <= 1 + 1e-9


@given(sittings(), st.data())
@quickly
def test_slips_as_rare_as_they_may_be(sitting, data) -> None:
    test, _, chance = sitting
    questions = test.design.questions
    wrong = spread(data, questions)
    outcomes = [(1 - SLIPS * questions, {0: scored(questions, questions, chance)})]
    outcomes += [(SLIPS * questions * share, {0: scored(n, questions, chance)}) for n, share in enumerate(wrong)]
    assert growth(test, (0,), outcomes, lambda after: after.against_none[0].log) <= 1 + 1e-9


@given(sittings(), st.data())
@quickly
def test_just_enough_solved_to_measure_what_is_above(sitting, data) -> None:
    test, rungs, chance = sitting
    design = test.design
    rung = data.draw(st.sampled_from(rungs))
    least = enough(design, rung, chance)
    wrong = spread(data, design.questions)
    shares = [*[(1 - least) * share for share in wrong], least]
    rest = {r: scored(0, design.questions, chance) for r in rungs}
    outcomes = [(share, rest | {rung: scored(n, design.questions, chance)}) for n, share in enumerate(shares)]
    assert growth(test, rungs, outcomes, lambda after: after.against_use[rung].log) <= 1 + 1e-9


FORM = {
    "unread as rarely as may be": (
        lambda test: UNREAD * test.design.questions,
        lambda after: after.against_none[-1].log,
    ),
    "unread as often as must be found": (lambda test: test.design.detect, lambda after: after.against_loss[-1].log),
    "read just often enough": (lambda test: 1 - USELESS_TOLD, lambda after: after.against_use[-1].log),
}


@pytest.mark.parametrize("name", FORM)
@given(sitting=sittings(), data=st.data())
@quickly
def test_replies_of_an_item_that_cannot_be_read_together(name, sitting, data) -> None:
    """Whether all of an item's replies are unread at once, or each for itself."""
    rate_of, wealth = FORM[name]
    test, rungs, chance = sitting
    rate, questions = rate_of(test), test.design.questions
    together = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    outcomes = []
    for way in product([True, False], repeat=len(rungs)):
        alone = 1.0
        for unread in way:
            alone *= rate if unread else 1 - rate
        at_once = rate if all(way) else 1 - rate if not any(way) else 0.0
        scores = {r: scored(None if un else questions, questions, chance) for r, un in zip(rungs, way, strict=True)}
        outcomes.append((together * at_once + (1 - together) * alone, scores))
    assert growth(test, rungs, outcomes, wealth) <= 1 + 1e-9


@pytest.mark.parametrize("questions", [1, 5, 8])
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
def test_slips_of_many_questions_that_are_tolerated_win_nothing(questions: int, part: float) -> None:
    design = SequentialDesign(("told",), (("attention",),), questions=questions)
    rate = part * SLIPS * questions
    outcomes = [(1 - rate, {0: scored(questions, questions, 0.5)}), (rate, {0: scored(0, questions, 0.5)})]
    assert growth(LadderTest(design), (0,), outcomes, lambda after: after.against_none[0].log) <= 1 + 1e-9


def test_partial_rungs_tell_of_their_own_step_alone() -> None:
    faculties = (("attention",), ("thinking",), ("eyes",), ("clutter",), ("habit",))
    design = SequentialDesign(tuple("abcde"), faculties, frozenset("cd"))
    assert design.above(1, (0, 1, 4)) == 1
    assert design.above(1, (0, 1, 2)) is None, "items that have a partial rung are not all items"
    assert design.above(2, (0, 2)) == 2
    assert design.above(2, (2, 3)) is None, "nor are items that have both all that have one"
    assert design.above(2, (0, 3)) is None
    assert design.above(2, (0, 4)) is None, "all items are not those that have it"


def test_the_order_of_answers_in_a_block_does_not_matter() -> None:
    design = SequentialDesign(("a", "b", "c"), (("attention",), ("thinking",), ("eyes",)), questions=2)
    items = [
        {rung: scored(right, 2, 0.3) for rung, right in enumerate(way)} for way in product([None, 0, 1, 2], repeat=3)
    ]
    one, other = fed(design, [((0, 1, 2), items)]), fed(design, [((0, 1, 2), items[::-1])])
    for name in ("against_none", "against_loss", "against_use"):
        assert [wealth.log for wealth in getattr(one, name)] == [wealth.log for wealth in getattr(other, name)]
    assert one.status == other.status


def test_wealth_that_closes_steps() -> None:
    """The thresholds share alpha among all steps, and the chance to miss a fault among two ways to miss it."""
    test = LadderTest(SequentialDesign(("a", "b", "c"), (("attention",), ("thinking",), ("eyes",))))
    assert fsum(exp(-test.shown_at(step)) for step in range(4)) == pytest.approx(0.01)
    assert exp(-test.excluded_at) + exp(-test.useless_at) * 4 == pytest.approx(0.1)
    test.status[1] = "shown"
    assert fsum(exp(-test.shown_at(step)) for step in (0, 2, 3)) == pytest.approx(0.01)
