"""The one maker of sentences: terminal, card, JSON and report say the same because they all come from here."""

from collections.abc import Iterator, Sequence

import polars as pl

from snellen.analysis.cells import whole_numbers
from snellen.analysis.contrasts import p_equals
from snellen.analysis.ladder.case import LadderEvidence
from snellen.analysis.ladder.missing import RETRY
from snellen.analysis.ladder.sequential import stopping
from snellen.analysis.ladder.verdict import LadderVerdict, alike
from snellen.analysis.ladder.where import CALL, ORDER, PICTURES, PLACE
from snellen.analysis.rows import asked
from snellen.charts.blocks import Loss, Value, percent
from snellen.faculties import ENTRIES, listed
from snellen.ladder import FEW

ENOUGH = 3
HEADLINE_LEVEL = 0.005
"""So many wrong answers of a kind are worth a word."""
BY_PERCEPTION = {
    "thinking": "it answers the perception questions about the items, but not the items",
    "eyes": "it fails the perception questions about the items, and with them the items",
}
"""The reason, where the items' own perception questions told it."""


def headline(case: LadderEvidence, judgement: LadderVerdict) -> str:
    """The verdict in one sentence or two."""
    who = case.result.subject
    if judgement.verdict == "unclear":
        return f"{who}: no clear diagnosis. {_unclear(case, judgement)}"
    if judgement.verdict == "none":
        untested = f" (not tested: {', '.join(names)})" if (names := _untested(case)) else ""
        return f"{who}: no fault found{untested}. {power_words(judgement.power)}"
    if judgement.verdict == "small":
        return f"{who}: no fault found, but a small loss is likely: {_faults(judgement.faults)}."
    return f"{who} loses {_faults(judgement.faults)}{_because(case, judgement.faults)}{_where(case)}."


def _untested(case: LadderEvidence) -> list[str]:
    """The faculties of rungs that were asked on too few items, or of which too few replies could be read."""
    untested = (loss for loss in case.losses if loss.share.value is None and not case.sequential)
    return list(dict.fromkeys(name for loss in untested for name in loss.faculties))


def power_words(power: float | None) -> str:
    """The smallest fault that the exam finds with 90 % power."""
    if power is None:
        return "This exam has less than 90 % power for faults of any size."
    return f"This exam detects faults affecting {100 * power:.0f} % of items or more (90 % power)."


def _faults(faults: Sequence[Loss]) -> str:
    """Every fault with its size, the first with what it is a share of."""
    first, *others = faults
    listed = [f"{_share(first, 'items')} {_to(first.faculties)}"]
    listed += [f"{_share(loss)} {_to(loss.faculties)}" for loss in others]
    joined = f"{', '.join(listed[:-1])} and {listed[-1]}" if others else listed[0]
    return f"{joined} (which of the two is larger is not shown)" if len(faults) == 2 and alike(*faults) else joined


def _share(loss: Loss, what: str = "") -> str:
    """How much is lost; where not all items have the rung, of those that do."""
    if loss.among is None:
        return in_percent(loss.share, what)
    return in_percent(loss.among, f"items that have the rung {loss.upper!r}")


def _because(case: LadderEvidence, faults: Sequence[Loss]) -> str:
    if len(faults) > 1:
        return ""
    (fault,) = faults
    if fault.faculties == ("leaning",) and case.leaning:
        return f": it {case.leaning.leaning.words} {_asked_where(case)}"
    if case.perception and fault.faculties[0] in case.perception.isolated:
        return f": {BY_PERCEPTION[fault.faculties[0]]}"
    rung = next((rung for rung in case.result.spec.ladder if rung.name == fault.upper), None)
    own = rung.because if rung and fault.faculties[0] in rung.demands else ""
    return f": {own or ENTRIES[fault.faculties[0]].why}"


def _asked_where(case: LadderEvidence) -> str:
    """Whether a leaning shows wherever it is asked, or only where there is something to think about."""
    lowest = case.steps[0].upper.rung.name if case.steps else ""
    everywhere = any(one.rung == lowest for one in case.leanings)
    return "whatever is asked" if everywhere else "whenever it has to think"


def _to(faculties: Sequence[str]) -> str:
    if "eyes" in faculties:
        faculties = [name for name in faculties if name != "clutter"]
    first, *others = faculties
    return listed([ENTRIES[first].lost_to, *(ENTRIES[name].lost_to.removeprefix("to ") for name in others)], "or")


def in_percent(share: Value, what: str = "") -> str:
    """A share in percent (of items, say) with its CI."""
    value, low, high = whole_numbers(percent(share))
    if value is None or low is None or high is None:
        return "an unknown share"
    between = f"{max(low, 0)}–{max(high, 1)}"
    return f"{value} % of {what} (95 % CI {between})" if what else f"{value} % ({between})"


# Where


def _where(case: LadderEvidence) -> str:
    """The place in a headline, where it is all but certain: a page has many headlines, and each could alarm falsely."""
    return f"; {_place_words(case)}" if case.place and case.place.p < HEADLINE_LEVEL else ""


def where(case: LadderEvidence) -> str:
    """Where the largest loss sits, as a sentence; empty if that is not shown."""
    if case.place is None or case.largest is None:
        return ""
    place = case.place
    test = f"permutation test, {p_equals(place.p)}, Holm over {place.tests} aspects"
    return (
        f"The loss {_to(case.largest.faculties)} depends on the {_aspect(place.aspect)}: {_place_words(case)} ({test})."
    )


def _aspect(name: str) -> str:
    return name if name in (ORDER, PLACE, PICTURES, CALL) else f"factor {name}"


def _place_words(case: LadderEvidence) -> str:
    place = case.place
    if place is None:
        return ""
    there, elsewhere = (f"{100 * min(max(share, 0.0), 1.0):.0f} %" for share in (place.there, place.elsewhere))
    if place.aspect == CALL:
        rises = "rises" if place.level == "later" else "falls"
        return (
            f"it {rises} with the call number, from {elsewhere} in the first third of the calls to {there} in the last"
        )
    named = {
        ORDER: f"where the options are offered {place.level}",
        PLACE: f"where the right option is the {place.level}",
        PICTURES: f"with {place.level} picture{'s' if place.level != '1' else ''}",
    }
    only = "only " if place.there < place.elsewhere else ""
    return (
        f"{only}{there} are lost {named.get(place.aspect, f'with {place.aspect}={place.level}')}, {elsewhere} elsewhere"
    )


# Unclear


def _unclear(case: LadderEvidence, judgement: LadderVerdict) -> str:
    if judgement.why == "few":
        if case.result.unjudged:
            return _needs_judge(case)
        if asked(case.result.trials).is_empty():
            failed = case.result.trials.height
            return f"All {failed} calls failed. {RETRY}" if failed else "It has not answered any item yet."
        return f"Too few items: {case.items} (at least {FEW} are needed)."
    if judgement.why == "together":
        loss = judgement.faults[0]
        names = _to(loss.faculties).removeprefix("to ")
        return f"{_share(loss, 'items')} are lost to {names}, which this exam could not tell apart."
    if judgement.why == "upside down":
        harder = next(one for one in case.harder if "eyes" in one.rung.rung.demands)
        return f"The rung {harder.rung.rung.name!r} is harder for it than {_rungs(harder.above)}, which demands more."
    widest = max(case.losses, key=lambda loss: (loss.among or loss.share).high or 0.0, default=None)
    fixed = {
        "unasked": _no_pictures(case),
        "unread": f"Its replies on {_unread_rungs(case)} could not be read.",
        "one key": "The same option was right every time, so a subject that always gives it would be right, too.",
        "power": _too_few(case, judgement),
        **_unclosed_words(case),
    }
    if judgement.why in fixed:
        return fixed[judgement.why]
    if widest is None:
        return "No rung of its ladder was asked."
    high = 100 * ((widest.among or widest.share).high or 0.0)
    return f"{case.items} items are too few: up to {high:.0f} % may be lost {_to(widest.faculties)}."


def _unclosed_words(case: LadderEvidence) -> dict[str, str]:
    """Why an exam that stops when it knows does not know."""
    if case.sequential is None:
        return {}
    steps = {
        status: _to([name for step in case.sequential.steps if step.status == status for name in step.faculties])
        for status in {step.status for step in case.sequential.steps}
    }
    if not case.sequential.steps:
        return {"unfinished": "The exam has not finished; the same command resumes it."}
    calls = f"After {case.sequential.calls:,} calls it is open whether {100 * case.sequential.detect:.0f} % of items"
    return {
        "open": f"{calls} or more are lost {steps.get('open', '')}.",
        "not measurable": f"So little is solved that a loss {steps.get('not measurable', '')} cannot be measured.",
    }


def _needs_judge(case: LadderEvidence) -> str:
    """Why nothing is known of free text, and the command that changes it."""
    command = case.result.spec.asking(case.result.subject, "--role", "judge=SUBJECT")
    how = command or "run the exam again with `--role judge=SUBJECT`"
    return (
        f"Its {case.result.unjudged} replies are free text, which only a judge can mark, and no judge was given. To"
        f" have them judged: {how}; replies that are recorded are not asked for again."
    )


def _no_pictures(case: LadderEvidence) -> str:
    """Why there is no answer to the pictures."""
    shown = [rung.name for rung in case.result.spec.ladder if rung.on_line and "eyes" in rung.demands]
    failed = sum(case.result.failed.get(name, 0) for name in shown)
    if failed:
        return f"It did not answer about the pictures themselves: {failed} calls failed. {RETRY}"
    return "It was not asked about the pictures themselves."


def _unread_rungs(case: LadderEvidence) -> str:
    return " and ".join(rung.rung.name for rung in case.untested if rung.is_unread)


def _rungs(names: Sequence[str]) -> str:
    return " and ".join(map(repr, names))


def _too_few(case: LadderEvidence, judgement: LadderVerdict) -> str:
    """What the exam cannot find."""
    if judgement.power is not None:
        return f"{case.items} items are too few. {power_words(judgement.power)}"
    steps = {(step.faculties, step.upper.rung.name) for step in case.steps}
    blind = [loss for loss in case.losses if (loss.faculties, loss.upper) in steps and loss.smallest is None]
    lost = " or ".join(_to(loss.faculties) for loss in blind)
    return f"{case.items} items are too few to detect a loss {lost} with 90 % power."


# What the verdict rests on


def details(case: LadderEvidence, judgement: LadderVerdict) -> tuple[str, ...]:
    """The lines below the headline."""
    return (
        *_losses(case, judgement),
        *([where(case)] if case.place else []),
        *_perception(case),
        *_signature(case),
        *_mechanisms(case, judgement),
        *_harder(case),
        *_beside(case),
        *_leanings(case),
        *_tree(case),
        *_reading(case),
    )


def _rests_on(case: LadderEvidence) -> str:
    """How many items there are; also how many clusters, where several items are one thing: a board and the same board
    turned."""
    items, clusters = case.result.n_items, case.items
    if clusters < items:
        similar = f"Based on {items} items in {clusters} clusters of similar items"
        return f"{similar}, corrected for guessing; 95 % CIs in brackets, by cluster."
    return f"Based on {clusters} items, corrected for guessing; 95 % CIs in brackets, clustered by item."


def _losses(case: LadderEvidence, judgement: LadderVerdict) -> Iterator[str]:
    others = [loss for loss in case.losses if loss not in judgement.faults and loss.share.value is not None]
    if others:
        listed = ", ".join(f"{in_percent(loss.share)} {_to(loss.faculties)}" for loss in others)
        yield f"It {'also ' if judgement.faults else ''}loses {listed}."
    for loss in case.losses:
        if loss.among:
            yield (
                f"{loss.among.n} items have the rung {loss.upper!r}: {in_percent(loss.among)} of them are lost"
                f" {_to(loss.faculties)}, {in_percent(loss.share)} of all items."
            )
    if untested := _untested(case):
        yield f"Not tested: {', '.join(untested)}."
    if case.sequential and case.sequential.steps:
        yield from stopping(case.sequential)
    elif case.losses and not case.sequential:
        yield _rests_on(case)
    for loss in case.losses:
        if loss.p is not None and loss.shown and loss.lower and len(loss.faculties) == 1:
            yield f"The step from {loss.lower} to {loss.upper}: {p_equals(loss.p)} (exact, paired by item, Holm)."
    if judgement.faults and judgement.power is not None and judgement.verdict == "small" and not case.sequential:
        yield power_words(judgement.power)


def _perception(case: LadderEvidence) -> Iterator[str]:
    """How often items were solved whose own perception questions were right, and others."""
    found = case.perception
    if found is None:
        return
    rates = [
        f"{100 * solved / count:.0f} % of {what} {count}"
        for solved, count, what in (
            (found.solved_seen, found.seen, "these"),
            (found.solved_others, found.others, "the other"),
        )
        if count
    ]
    yield (
        f"All perception questions ({', '.join(rung.rung.name for rung in found.probes)}) were answered right on"
        f" {found.seen} of {found.seen + found.others} items; it solves {' and '.join(rates)}. The questions cover"
        f" about one part in {found.parts:.0f} of an item. Errors that could be due to equally frequent misses in the"
        " other parts are not charged to thinking."
    )


def _signature(case: LadderEvidence) -> Iterator[str]:
    """How often the habit's own answer was given, against the one that is equally far off the other way."""
    found = case.signature
    if found is None or found.by_habit + found.other_way < ENOUGH:
        return
    words = f"Wrong answers that follow the habit: {found.by_habit}; equally far off the other way: {found.other_way}."
    if found.supported is False:
        words += " Items that agree with the habit are not answered better, so nothing is charged to habit."
    elif not found.shows_habit:
        words += " The difference is not significant, so nothing is charged to habit."
    yield words


def _mechanisms(case: LadderEvidence, judgement: LadderVerdict) -> Iterator[str]:
    """What the wrong answers betray where a fault is shown: evidence beside the losses, never their ground. Where there
    are two options, a wrong answer can only be the other one: that is no evidence."""
    rungs = {rung.rung.name: rung for rung in case.result.rungs}
    for name in dict.fromkeys(loss.upper for loss in judgement.faults):
        if name not in rungs or "mechanism" not in rungs[name].trials.columns:
            continue
        trials = rungs[name].trials.filter(pl.col("labels").list.len().fill_null(0) != 2)
        wrong = trials.filter(trials["outcome"] == "wrong")["mechanism"].cast(pl.String).fill_null("")
        counts = sorted((-count, kind) for kind, count in wrong.value_counts().rows() if kind)
        if counts and -counts[0][0] >= ENOUGH:
            named = ", ".join(f"{kind!r} {-count}" for count, kind in counts[:3])
            yield f"Mechanisms of its {len(wrong)} wrong answers on {name}: {named}."


def _harder(case: LadderEvidence) -> Iterator[str]:
    for harder in case.harder:
        points = harder.points
        yield (
            f"The rung {harder.rung.rung.name!r} is harder for it than {_rungs(harder.above)}, though it demands less:"
            f" accuracy is {100 * (points.value or 0):.0f} points lower ({100 * (points.low or 0):.0f} to"
            f" {100 * (points.high or 0):.0f}, {p_equals(harder.p)}). It is left out, and no faculty is charged."
        )


def _beside(case: LadderEvidence) -> Iterator[str]:
    for loss in case.beside:
        yield (
            f"Off-ladder comparison: from {loss.lower} to {loss.upper} it loses {in_percent(loss.share)}"
            f" {_to(loss.faculties)} ({p_equals(loss.p)})."
        )


def _leanings(case: LadderEvidence) -> Iterator[str]:
    own = case.leaning.leaning if case.leaning else None
    if own:
        yield (
            f"It {own.words} {_asked_where(case)}: on {own.rung} {100 * own.excess:.0f} percentage points more often"
            f" than this is right ({p_equals(own.p)})."
        )
    for leaning in [one for one in case.leanings if own is None][:1]:
        yield (
            f"When it does not know, it leans: on {leaning.rung} it {leaning.words} {100 * leaning.excess:.0f}"
            f" percentage points more often than this is right ({p_equals(leaning.p)})."
        )


def _tree(case: LadderEvidence) -> Iterator[str]:
    if case.tree and case.tree.is_used:
        yield f"Losses are estimated with the processing tree of the ladder, which fits ({p_equals(case.tree.p)})."
    elif case.tree and case.tree.contradicts:
        names = ", ".join(step.upper.rung.name for step in case.tree.contradicts)
        yield f"Losses are estimated from the paired steps: the processing tree contradicts them ({names})."
    elif len(case.steps) > 1 and (case.tree or case.leaning or case.signature):
        known = case.leaning or case.signature
        what = "leaning" if case.leaning else "the signature of the habit"
        why = f"it does not model {what}" if known else "it does not fit"
        yield f"Losses are estimated from the paired steps; the processing tree is not used ({why})."


def _reading(case: LadderEvidence) -> Iterator[str]:
    trials = case.result.trials
    replies = asked(trials)
    unread = replies.filter(replies["outcome"] == "unread")
    if unread.height:
        reasons = sorted((-count, str(reason)) for reason, count in unread["reason"].value_counts().rows())
        why = ", ".join(f"{reason} {-count}" for count, reason in reasons)
        yield f"Unread: {100 * unread.height / replies.height:.1f} % of {replies.height} replies ({why})."
    if trials.height > replies.height:
        yield (f"{trials.height - replies.height} calls failed; they are missing, not wrong. {RETRY}")
