"""The diagnosis: is it the eyes or the thinking, and if the thinking, finding the rule or applying it?

What a subject loses in words of its own and keeps in exact words is lost to seeing; what it loses even in exact words
is lost to thinking. The rule that turns the two into a verdict is in `stages`. Where the true rule was given as well,
the loss to thinking is split into finding and applying; one is named if the interval of their difference leaves out
zero (taken from the answers by rule alone if seeing is ruled out, which is sharper). Answers by rule alone cannot tell
eyes from thinking, because the examples and the query must be seen there too.
"""

from snellen.analysis.blocks import Diagnosis, Verdict
from snellen.analysis.bongard.evidence import Evidence
from snellen.analysis.bongard.results import Results
from snellen.analysis.contrasts import Contrast, p_text
from snellen.analysis.stages import IN_THE_WORDS, MUCH_UNREAD, above, below, in_words, judge

SHARES = ("share_solved", "share_seeing", "share_finding", "share_applying", "share_thinking")


def diagnose(mine: Evidence, found: Results) -> Diagnosis:
    """The diagnosis of one subject."""
    verdict, why = verdict_of(mine)
    details = (
        *_basis(mine, found.sources(mine.subject)),
        *_gaps(mine, found),
        *_ladder(mine, found),
        *_leaning(mine, found),
        *_reading(mine),
    )
    shares = dict(zip(SHARES, mine.parts.shares, strict=True)) if mine.parts else {}
    losses = {"lost_seeing": mine.seeing, "lost_thinking": mine.thinking}
    known = {name: value for name, value in losses.items() if value.value is not None}
    headline = _headline(mine, verdict, why)
    return Diagnosis(mine.subject, headline, verdict, details, {**mine.accuracies, **known, **shares})


def verdict_of(mine: Evidence) -> tuple[Verdict, str]:
    """The verdict, and for an unclear one the reason."""
    if mine.estimate["accuracy"] is None:
        return "unclear", "it has not answered anything yet"
    if mine.unread > MUCH_UNREAD:
        return "unclear", f"{100 * mine.unread:.0f} % of the answers could not be read"
    if mine.seeing.value is None and below(mine.whole):
        return "sound", ""  # nothing that was not examined can lose much
    verdict = judge(mine.seeing, mine.thinking)
    if verdict != "unclear":
        return verdict, ""
    if mine.seeing.value is not None:
        return "unclear", "there are too few problems to tell"
    if mine.thinking.value is not None:
        return "unclear", f"its own eyes were not examined; on exact words it loses {in_words(mine.thinking)} of 100"
    if mine.whole.value is None:
        return "unclear", "it was never asked about both positive and negative queries without help"
    return "unclear", (
        f"of 100 queries {in_words(mine.whole)} are lost, and nobody gave it exact words to compare with (--paradigm ca"
        " --role describer=SUBJECT,twin)"
    )


def _headline(mine: Evidence, verdict: Verdict, why: str) -> str:
    who = mine.subject
    if verdict == "unclear":
        return f"{who}: no clear diagnosis, because {why}."
    if verdict == "sound":
        return f"{who} solves these problems: of 100 queries no more than a few are lost, to seeing or to thinking."
    seeing, thinking = in_words(mine.seeing), in_words(mine.thinking)
    if above(mine.seeing) and above(mine.thinking):
        return (
            f"{who} fails twice: of 100 queries {seeing} are lost to seeing, and {thinking} to thinking even with exact"
            f" words{_where(mine)}."
        )
    if verdict == "eyes":
        return (
            f"{who} has trouble with its eyes: of 100 queries {seeing} are lost because its own descriptions leave out"
            f" what exact words tell; thinking loses {thinking}."
        )
    seen = "its own eyes were not examined" if mine.seeing.value is None else f"seeing loses {seeing}"
    return (
        f"{who} has trouble thinking: of 100 queries {thinking} are lost even with exact words{_where(mine)}; {seen}."
    )


def _where(mine: Evidence) -> str:
    """Where thinking fails, if that can be told."""
    if mine.lean.low is not None and mine.lean.low > 0:
        return ", mostly in finding the rule"
    if mine.lean.high is not None and mine.lean.high < 0:
        return ", mostly in applying it"
    return ""


def _basis(mine: Evidence, sources: list[str]) -> list[str]:
    if not mine.pairs:
        return [f"Problems from: {', '.join(sources)}."]
    return [
        f"Rests on {mine.pairs} queries ({', '.join(sources)}) answered from its own descriptions and from exact words."
        " Luck is taken out: a lost query is still right half of the time. In brackets 95 % intervals, clustered on"
        " problems."
    ]


def _here(mine: Evidence, each: Contrast) -> bool:
    return each["who"] == mine.subject and all(each[name] == level for name, level in mine.context.items())


NAMES = {
    "perception": "Perception gap: exact words instead of descriptions by {of}",
    "induction": "Induction gap: the true rule instead of one found by {of} (the examples must be seen, too)",
    "application": "Application gap: missing to 100 % with the true rule (the query must be seen, too)",
    "reasoning": "Missing to 100 % with exact words",
}


def _gaps(mine: Evidence, found: Results) -> list[str]:
    said = []
    for each in (*found.gaps, *found.remains):
        if _here(mine, each):
            test = f", p {p_text(each['p_items_holm'])} (paired over problems, Holm)" if "p" in each else ""
            said.append(
                f"{NAMES[each['gap']].format(of=each['of'])}: {100 * each['difference']:.0f} points of accuracy"
                f" ({100 * each['low']:.0f} to {100 * each['high']:.0f}){test}."
            )
    return said


def _ladder(mine: Evidence, found: Results) -> list[str]:
    steps = [each for each in found.ladder if _here(mine, each)]
    said = [
        f"{each['better'].upper()} against {each['worse'].upper()}: {100 * each['difference']:+.0f} points"
        f" ({100 * each['low']:+.0f} to {100 * each['high']:+.0f}), p {p_text(each['p_items_holm'])} (paired over"
        " problems, Holm)."
        for each in steps
    ]
    worse = any(each["high"] < 0 and (each["better"], each["worse"]) == ("ca", "dvrl") for each in steps)
    return [*said, IN_THE_WORDS] if worse and above(mine.seeing) else said


def _leaning(mine: Evidence, found: Results) -> list[str]:
    said = []
    for each in found.leanings:
        tilt, cell = each.contrast, each.cell
        if tilt and _here(mine, cell) and cell["subject"] == mine.subject and tilt["low"] * tilt["high"] > 0:
            side = "positive" if tilt["difference"] > 0 else "negative"
            said.append(
                f'Leans to "{side}" in {cell["paradigm"].upper()}: right on {100 * tilt["a"]:.0f} % of positive and'
                f" {100 * tilt['b']:.0f} % of negative queries."
            )
    return said


def _reading(mine: Evidence) -> list[str]:
    estimate, said = mine.estimate, []
    if estimate["unread"]:
        said.append(
            f"Unread: {100 * estimate['unread_rate']:.1f} % of {estimate['trials']} replies. They count as not right,"
            " and as not solved."
        )
    if estimate["errors"]:
        said.append(
            f"{estimate['errors']} trials failed; they are missing, not wrong. Run the exam again to fill them in."
        )
    return said
