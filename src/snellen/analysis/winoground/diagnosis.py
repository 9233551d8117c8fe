"""The Winoground diagnosis: are the pictures not seen, or is who did what to whom not thought through?

Lost to seeing is what exact words would save, lost to thinking what is lost even then: shares of the four choices of a
sample with luck taken out. The rule that turns them into a verdict is in `stages`.
"""

from dataclasses import dataclass

import polars as pl

from snellen.analysis.blocks import Diagnosis, Value, Verdict
from snellen.analysis.casts import IN_WORDS, TWIN, credited, first_of, own, side_by_side
from snellen.analysis.contrasts import p_text
from snellen.analysis.estimates import accuracy
from snellen.analysis.stages import (
    IN_THE_WORDS,
    MUCH_UNREAD,
    Parts,
    above,
    below,
    in_words,
    judge,
    lost,
    missing,
    parts,
    solved,
)
from snellen.analysis.winoground.results import Results

SHARES = ("share_solved", "share_seeing", "share_thinking")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks about one subject; losses are shares of choices, without a value where not examined."""

    subject: str
    seeing: Value
    thinking: Value
    whole: Value
    parts: Parts | None
    unread: float

    @property
    def shares(self) -> tuple[Value, ...]:
        """Solved, lost to seeing, lost to thinking."""
        return () if self.parts is None else (*self.parts.shares[:2], self.parts.shares[4])


def evidence(found: Results, who: str) -> Evidence:
    """All that speaks about one subject, in the built-in wording if it was asked in that."""
    mine = found.rows.filter(pl.col("who") == who)
    mine = mine.filter(pl.col("pack") == mine["pack"].min())
    words = first_of(mine, IN_WORDS)
    exact = words.filter(pl.col("describer") == TWIN)
    pairs = side_by_side(exact, words.filter(pl.col("describer") == who), ("describer",))
    plain = credited(own(mine))
    thinking = solved(pairs, "credit_a", found.seed) if pairs.height else solved(credited(exact), "credit", found.seed)
    marks = pl.concat([pairs["credit_a"], pairs["credit_b"]]) if pairs.height else credited(mine)["credit"]
    return Evidence(
        subject=who,
        seeing=lost(pairs, found.seed),
        thinking=missing(thinking),
        whole=missing(solved(plain, "credit", found.seed)),
        parts=parts(pairs, None, found.seed) if pairs.height else None,
        unread=float((marks == 0.5).sum() / max(len(marks), 1)),
    )


def diagnose(mine: Evidence, found: Results) -> Diagnosis:
    """The diagnosis of one subject."""
    verdict, why = _verdict(mine)
    scores = [each for each in found.scores if each["who"] == mine.subject and each["accuracy"] is not None]
    shares = dict(zip(SHARES, mine.shares, strict=False))
    known = {
        f"{each['score']}_score": Value(each["accuracy"], each["low"], each["high"], each["trials"])
        for each in scores
        if each["subject"] == mine.subject and each["paradigm"] == scores[0]["paradigm"]
    }
    details = (*_scores(scores), *_contrasts(mine, found), *_reading(mine, found))
    return Diagnosis(mine.subject, _headline(mine, verdict, why), verdict, details, {**known, **shares})


def _verdict(mine: Evidence) -> tuple[Verdict, str]:
    if mine.whole.value is None and mine.thinking.value is None:
        return "unclear", "it has not answered enough yet"
    if mine.unread > MUCH_UNREAD:
        return "unclear", f"{100 * mine.unread:.0f} % of the answers could not be read"
    if mine.seeing.value is None and below(mine.whole):
        return "sound", ""
    verdict = judge(mine.seeing, mine.thinking)
    if verdict != "unclear":
        return verdict, ""
    if mine.seeing.value is not None:
        return "unclear", "there are too few samples to tell"
    if mine.thinking.value is not None:
        return "unclear", f"its own eyes were not examined; on exact words it loses {in_words(mine.thinking)} of 100"
    return "unclear", (
        f"of 100 choices {in_words(mine.whole)} are lost, and nobody gave it exact words to compare with (--paradigm ca"
        " --role describer=SUBJECT,twin)"
    )


def _headline(mine: Evidence, verdict: Verdict, why: str) -> str:
    who, seeing, thinking = mine.subject, in_words(mine.seeing), in_words(mine.thinking)
    if verdict == "unclear":
        return f"{who}: no clear diagnosis, because {why}."
    if verdict == "sound":
        return f"{who} tells the pictures and captions apart: of 100 choices no more than a few are lost."
    if above(mine.seeing) and above(mine.thinking):
        return (
            f"{who} fails twice: of 100 choices {seeing} are lost to seeing, and {thinking} to thinking even with exact"
            " words."
        )
    if verdict == "eyes":
        return (
            f"{who} has trouble with its eyes: of 100 choices {seeing} are lost because its own descriptions leave out"
            f" what exact words tell; thinking loses {thinking}."
        )
    seen = "its own eyes were not examined" if mine.seeing.value is None else f"seeing loses {seeing}"
    return f"{who} has trouble thinking: of 100 choices {thinking} are lost even with exact words; {seen}."


def _scores(scores: list[dict[str, object]]) -> list[str]:
    """One line a cast with its three scores."""
    lines: dict[tuple[object, ...], list[str]] = {}
    for each in scores:
        right, low, high = (100 * float(str(each[name])) for name in ("accuracy", "low", "high"))
        cast = (each["subject"], each["paradigm"], each["pack"])
        lines.setdefault(cast, []).append(f"{each['score']} {right:.0f} % ({low:.0f} to {high:.0f})")
    return [f"{cast[0]}, {cast[1]}: {', '.join(words)}." for cast, words in lines.items()]


def _contrasts(mine: Evidence, found: Results) -> list[str]:
    group = [each for each in found.contrasts if each["who"] == mine.subject and each["score"] == "group"]
    said = [
        f"Group score, {each['a_is']} against {each['b_is']}: {100 * each['difference']:+.0f} points"
        f" ({100 * each['low']:+.0f} to {100 * each['high']:+.0f}), p {p_text(each['p_items_holm'])} (paired over"
        " samples, Holm)."
        for each in group
    ]
    worse = any(each["high"] < 0 and each["b_is"] == "direct" for each in group)
    return [*said, IN_THE_WORDS] if worse and above(mine.seeing) else said


def _reading(mine: Evidence, found: Results) -> list[str]:
    estimate = accuracy(found.rows.filter(pl.col("who") == mine.subject), ["who"], found.seed)[0]
    said = []
    if estimate["unread"]:
        said.append(f"Unread: {100 * estimate['unread_rate']:.1f} % of {estimate['trials']} replies; not right.")
    if estimate["errors"]:
        said.append(
            f"{estimate['errors']} trials failed; they are missing, not wrong. Run the exam again to fill them in."
        )
    return said
