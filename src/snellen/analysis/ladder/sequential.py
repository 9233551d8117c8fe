"""The evidence of an exam that stopped when it knew: its own tests and intervals, which hold wherever it stopped.

The tests of a fixed design do not: whoever looks after every batch and stops at a good moment finds faults in anyone.
"""

from collections.abc import Iterator

from snellen.analysis.ladder.joint import SHOWN_SIZE
from snellen.analysis.ladder.losses import NEXT_TO_NOTHING
from snellen.charts.blocks import Curves, Loss, Value, scaled
from snellen.faculties import listed
from snellen.sequential import FORM, SequentialResult, SequentialStep


def sequential_losses(result: SequentialResult, *, refused: bool = False) -> list[Loss]:
    """The losses as its steps have them: of form out of all items, of the other steps out of what could be read. A
    fault was shown by its bets, and is large enough to be one. `refused`: whether most unread replies decline."""
    form = next(step for step in result.steps if step.faculties == FORM) if result.steps else None
    losses, left, readable = [], 1.0, 1.0
    if form is not None and form.loss >= NEXT_TO_NOTHING:
        share = Value(form.loss, form.low, form.high, form.items)
        faculties = ("refusal",) if refused else FORM
        losses.append(Loss(faculties, share, share, "", "", shown=_is_fault(form), smallest=result.detect))
        left = readable = 1 - form.loss
    for step in result.steps:
        if step is form:
            continue
        own = _share(step, left / (step.having * readable) if readable else 0.0)
        share = scaled(own, step.having * readable)
        left -= share.value or 0.0
        among = own if step.having < 1 and own.value is not None else None
        names = (step.lower, step.upper)
        losses.append(
            Loss(step.faculties, share, share, *names, shown=_is_fault(step), smallest=result.detect, among=among)
        )
    return losses


def _share(step: SequentialStep, left: float) -> Value:
    """What is lost, kept to what is not lost below. Where nothing more could be lost, no number is known."""
    if step.status == "not measurable" or not step.items:
        return Value(None, n=step.items)
    value = min(step.loss, max(left, 0.0))
    return Value(value, min(step.low, value), max(step.high, value), step.items)


def _is_fault(step: SequentialStep) -> bool:
    return step.status == "shown" and step.loss >= SHOWN_SIZE


def stopping(result: SequentialResult) -> Iterator[str]:
    """What was asked, how each step was closed, and what the rules were, as sentences."""
    by_status: dict[str, list[SequentialStep]] = {}
    for step in result.steps:
        by_status.setdefault(step.status, []).append(step)
    threshold = f"{100 * result.detect:.0f} %"
    words = {
        "shown": "Something is lost to {}.",
        "excluded": f"A loss of {threshold} or more is excluded for {{}}.",
        "not measurable": "Too little is solved to measure a loss to {}.",
        "open": "It is open whether something is lost to {}.",
    }
    told = [say.format(_named(by_status[status])) for status, say in words.items() if status in by_status]
    usual = f" (the usual design asks {result.fixed:,})" if result.fixed else ""
    yield f"Stopped after {result.calls:,} calls on {result.items:,} items{usual}. {' '.join(told)}"
    if result.reached:
        yield "The calls ran out before every step was closed. To go on: the same command with a larger --most."
    if result.failed:
        yield f"Items left out because a call failed: {result.failed}. The same command tries these calls again."
    yield (
        f"Sequential tests, valid at every look: at most {100 * result.alpha:.0f} of 100 exams show a loss where there"
        f" is none, and at most {100 * result.miss:.0f} of 100 exclude a loss of {threshold}. Intervals are 95 %"
        " confidence sequences; those of excluded steps end at the threshold, those of shown ones above 0. Accuracies,"
        " contrasts and p-values elsewhere assume a fixed design: of items chosen in this way they only describe."
    )


def _named(steps: list[SequentialStep]) -> str:
    return listed([listed(step.faculties, "and") for step in steps], "and")


def path_chart(subject: str, result: SequentialResult) -> Curves:
    """How the evidence grew, step by step, in percent of what closes a step."""
    threshold = f"less than {100 * result.detect:.0f} % is lost"
    return Curves(
        title=f"Evidence as calls were made: {subject}",
        note=(
            "On a logarithmic scale, from an e-value of 1 (0 %) to the one that closes the step (100 %). A closed step"
            " goes on being asked as long as others need the same rungs."
        ),
        unit="percent",
        quantity="evidence",
        across="calls",
        xs=tuple(float(calls) for calls, _ in result.path),
        series=("something is lost", threshold),
        rows=tuple(
            (
                ", ".join(step.faculties),
                tuple(tuple(Value(evidence[k][side]) for _, evidence in result.path) for side in (0, 1)),
            )
            for k, step in enumerate(result.steps)
        ),
        bounds=(0.0, 100.0),
    )
