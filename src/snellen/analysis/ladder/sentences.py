"""The one maker of sentences: terminal, card, JSON and report say the same because they all come from here."""

import shlex
from collections.abc import Iterator, Sequence

import polars as pl

from snellen.analysis.blocks import Loss, Value
from snellen.analysis.casts import IN_WORDS
from snellen.analysis.contrasts import p_text
from snellen.analysis.ladder.case import Case
from snellen.analysis.ladder.leaning import Leaning
from snellen.analysis.ladder.others import Borrowed
from snellen.analysis.ladder.verdict import FEW, Judgement, alike
from snellen.analysis.rows import asked
from snellen.tasks.ladder import Rung

ENOUGH = 3
"""So many wrong answers of a kind are worth a word."""
TO = {
    "form": "to a form that cannot be read",
    "attention": "to slips",
    "thinking": "to thinking",
    "finding": "to finding the rule",
    "applying": "to applying a rule it is given",
    "eyes": "to its eyes",
    "saying": "to saying what it sees",
    "habit": "to habit",
}
WHY = {
    "form": "its replies there give no answer that can be read",
    "attention": "it errs even when it is told the answer",
    "thinking": "it errs even where nothing is left to see, with exact words in place of the pictures",
    "finding": "with the true rule given it solves them, from the examples it does not, even in exact words",
    "applying": "it errs even with the true rule and the query in exact words",
    "eyes": "in exact words it solves them, in pictures it does not",
    "saying": "asked directly it solves them, from its own descriptions it does not",
    "habit": "it solves them until the instruction goes against a habit",
}


def headline(case: Case, judgement: Judgement) -> str:
    """The verdict in one sentence."""
    who = case.climb.subject
    if judgement.verdict == "leaning" and judgement.leaning:
        return f"{who} {judgement.leaning.words} whatever is asked: {_leaning_share(case, judgement.leaning)}."
    if judgement.verdict == "unclear":
        return f"{who}: no clear diagnosis, because {_unclear(case, judgement)}."
    if judgement.verdict == "none":
        return f"{who}: no fault found; one on more than {_hundred(judgement.promise)} of 100 items would have been."
    return f"{who} loses {_faults(judgement.faults)}{_because(judgement.faults)}."


def _faults(faults: Sequence[Loss]) -> str:
    """Every fault with its size, the first with what it is a share of."""
    first, *others = faults
    said = [f"{of_100(first.share, 'items')} {_to(first.faculties)}"]
    said += [f"{of_100(loss.share)} {_to(loss.faculties)}" for loss in others]
    listed = f"{', '.join(said[:-1])} and {said[-1]}" if others else said[0]
    return f"{listed} (which of the two loses more is not shown)" if _a_draw(faults) else listed


def _a_draw(faults: Sequence[Loss]) -> bool:
    return len(faults) == 2 and alike(*faults)


def _because(faults: Sequence[Loss]) -> str:
    return f": {WHY[faults[0].faculties[0]]}" if len(faults) == 1 else ""


def _to(faculties: Sequence[str]) -> str:
    return " or ".join((TO[faculties[0]], *(TO[name].removeprefix("to ") for name in faculties[1:])))


def _hundred(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.0f}"


def of_100(share: Value, what: str = "") -> str:
    """A share as so many of 100 (items, say), with its interval."""
    if share.value is None or share.low is None or share.high is None:
        return "an unknown number"
    number = f"{abs(round(100 * share.value))}" + (f" of 100 {what}" if what else "")
    if share.low <= 0:
        return f"{number} (at most {100 * share.high:.0f})"
    return f"{number} ({100 * share.low:.0f} to {100 * share.high:.0f})"


def _unclear(case: Case, judgement: Judgement) -> str:
    if judgement.why == "few":
        if case.climb.trials.is_empty() or asked(case.climb.trials).is_empty():
            return "it has not answered anything yet"
        return f"only {_counted(case.items, 'item')} asked and answered in a way that the ladder knows"
    if judgement.why == "disagree":
        return f"the evidence disagrees: {'; '.join(_disagreeing(case))}"
    if judgement.why == "together":
        loss = judgement.faults[0]
        names = _to(loss.faculties).removeprefix("to ")
        return f"{of_100(loss.share, 'items')} are lost to {names}, which were not told apart"
    if judgement.why == "unasked":
        return "it was not asked about the pictures themselves"
    if judgement.why == "one key":
        return "one and the same option was right every time, and whoever always gives it would be right, too"
    if judgement.why == "upside down":
        upper, lower = case.easier[0].upper.rung.name, case.easier[0].lower.rung.name
        return f"the ladder stands upside down: it solves {upper}, and not {lower}, which demands less"
    widest = max(case.losses, key=lambda loss: loss.share.high or 0.0)
    return (
        f"{case.items} items are too few: up to {_hundred(widest.share.high)} of 100 may still be lost"
        f" {_to(widest.faculties)}"
    )


def _counted(n: int, what: str) -> str:
    return f"{n} {what} was" if n == 1 else f"{n} {what}s were"


def _disagreeing(case: Case) -> Iterator[str]:
    for apart in case.disagreements:
        yield (
            f"the step itself loses {of_100(apart.step)} of 100 {_to(apart.faculties)}, the joint pattern of the items"
            f" says {of_100(apart.tree)}"
        )


def _leaning_share(case: Case, leaning: Leaning) -> str:
    return f"it does so in {100 * leaning.excess:.0f} of 100 answers more than would be right (p {p_text(leaning.p)})"


# What the verdict rests on


def details(case: Case, judgement: Judgement) -> tuple[str, ...]:
    """The lines below the headline."""
    return (
        *_losses(case, judgement),
        *_mechanisms(case, judgement),
        *_easier(case),
        *_beside(case),
        *_leanings(case, judgement),
        *_tree(case),
        *_reading(case),
    )


def _losses(case: Case, judgement: Judgement) -> Iterator[str]:
    others = [loss for loss in case.losses if loss not in judgement.faults and loss.share.value is not None]
    if others:
        said = ", ".join(f"{of_100(loss.share)} {_to(loss.faculties)}" for loss in others)
        yield f"Of 100 items it {'also ' if judgement.faults else ''}loses {said}."
    if case.losses:
        yield f"Rests on {case.items} items; luck is taken out, and in brackets stand 95 % intervals over whole items."
    for loss in case.losses:
        if loss.p is not None and loss.shown and len(loss.faculties) == 1:
            yield f"The step from {loss.lower} to {loss.upper}: p {p_text(loss.p)} (exact, paired over items, Holm)."


def _mechanisms(case: Case, judgement: Judgement) -> Iterator[str]:
    """What the wrong answers betray where a fault is shown: evidence beside the losses, never their ground."""
    stands = {stand.rung.name: stand for stand in case.climb.stands}
    for rung in dict.fromkeys(loss.upper for loss in judgement.faults):
        if rung not in stands or "mechanism" not in stands[rung].trials.columns:
            continue
        trials = stands[rung].trials
        wrong = trials.filter(trials["outcome"] == "wrong")["mechanism"].cast(pl.String).fill_null("")
        counts = [(name, count) for name, count in wrong.value_counts(sort=True).rows() if name]
        if counts and counts[0][1] >= ENOUGH:
            named = ", ".join(f"{count} {name!r}" for name, count in counts[:3])
            yield f"Of its {len(wrong)} wrong answers on {rung}, {named}."


def _easier(case: Case) -> Iterator[str]:
    for easier in case.easier:
        yield (
            f"It finds {easier.upper.rung.name} easier than {easier.lower.rung.name}: {of_100(easier.gain)} of 100 more"
            f" are solved (p {p_text(easier.p)}); {easier.lower.rung.name} is not charged."
        )


def _beside(case: Case) -> Iterator[str]:
    for loss in case.beside:
        yield (
            f"From {loss.lower} to {loss.upper} it loses {of_100(loss.share)} of 100 {_to(loss.faculties)}"
            f" (p {p_text(loss.p)})."
        )


def _leanings(case: Case, judgement: Judgement) -> Iterator[str]:
    for leaning in case.leanings[:1]:
        if leaning is not judgement.leaning:
            yield f"When it does not know, it leans: it {leaning.words}, {_leaning_share(case, leaning)}."


def _tree(case: Case) -> Iterator[str]:
    if case.disagreements:
        return
    if case.tree:
        yield f"The losses are those of the processing tree that the ladder implies; it fits (p {p_text(case.tree.p)})."
    elif len(case.steps) > 1 and case.items >= FEW and case.right.value is not None:
        yield (
            "The losses are those of the steps alone: the processing tree that the ladder implies does not fit, or"
            " there is a leaning that it does not know of."
        )


def _reading(case: Case) -> Iterator[str]:
    trials = case.climb.trials
    replies = asked(trials)
    unread = replies.filter(replies["outcome"] == "unread")
    if unread.height:
        reasons = unread["reason"].value_counts(sort=True).rows()
        why = ", ".join(f"{reason} {count}" for reason, count in reasons)
        yield f"Unread: {100 * unread.height / replies.height:.1f} % of {replies.height} replies ({why})."
    if trials.height > replies.height:
        yield (
            f"{trials.height - replies.height} calls failed; they are missing, not wrong. Run the exam again to fill"
            " them in."
        )


# What could not be told apart


def missing(case: Case) -> tuple[str, ...]:
    """Which faculties were left together, and what would tell them apart."""
    return tuple(_missing(case))


def _missing(case: Case) -> Iterator[str]:
    asked_rungs = {stand.rung.name for stand in case.climb.line}
    left_out = {easier.lower.rung.name for easier in case.easier}
    wanted = [rung for rung in case.climb.outline.ladder if rung.on_line and rung.name not in asked_rungs]
    for step in case.steps:
        names = [name for name in step.faculties if name != "form"]
        between = [rung for rung in wanted if _tells(rung, names)]
        if len(names) < 2:
            continue
        told = f"{' and '.join(names)} were not told apart"
        if between:
            was = "was" if len(between) == 1 else "were"
            yield f"{told}: {_named(between)} {was} not asked. {_remedy(case, asked_rungs)}"
        elif left_out:
            yield f"{told}: {' and '.join(sorted(left_out))} was harder than the rung above it."


def _tells(rung: Rung, names: Sequence[str]) -> bool:
    """Whether a rung demands some of the faculties and not others."""
    demanded = [name in rung.demands for name in names]
    return any(demanded) and not all(demanded)


def _named(rungs: Sequence[Rung]) -> str:
    return " and ".join(rung.name for rung in rungs)


def _remedy(case: Case, asked_rungs: set[str]) -> str:
    """What to ask for. Where the rest of the ladder was asked, these pictures have no exact words: then another's may
    stand in."""
    who, task = case.climb.subject, case.climb.outline.task
    exam = f"snellen exam {shlex.quote(who)} --tasks {task}"
    if "told" not in asked_rungs:
        return f"To ask: `{exam}`."
    own = [put.paradigms[0] for rung in case.climb.outline.ladder for put in rung.puts if "describer" in put.cast]
    describing = next((name for name in own if name in IN_WORDS), IN_WORDS[-1])
    return (
        "These pictures have no exact words; those of a better describer may stand in:"
        f" `{exam} --paradigm {describing} --role describer=OTHER`."
    )


def borrowed_words(one: Borrowed) -> str:
    """What somebody else's words bring, relative to them."""
    who, gain = one.describer, one.gain
    if gain.value is None or gain.low is None or gain.high is None:
        return f"With {who}'s words: nothing to compare with."
    words = (
        f"With {who}'s words it solves {100 * gain.value:+.0f} of 100 against the pictures themselves"
        f" ({100 * gain.low:+.0f} to {100 * gain.high:+.0f}, p {p_text(one.p)})"
    )
    return f"{words}: a loss to its eyes, relative to {who}." if gain.low > 0 else f"{words}."
