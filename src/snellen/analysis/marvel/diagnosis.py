"""The MARVEL diagnosis: did it fail to count the panels, to see the shapes, or to reason?

It rests on the plainest setting the subject was asked in. The processing tree says of 100 puzzles how many were not
seen (a fault of the *eyes*), how many were seen and not reasoned out (a fault of *thinking*), and how many were solved.
A fault is **shown** if its interval lies above 5 %, and **ruled out** if it ends below 20 %.

- *unclear* comes first if more than a third of the puzzles have an unread answer;
- *habit*: the option picked most is picked more than half of the time, by its whole interval, and fewer than 20 of 100
  puzzles are solved: the position decides, not the picture;
- *sound*: of the puzzles themselves, luck taken out, fewer than 20 of 100 are lost; or both faults are ruled out;
- *eyes*, *thinking*: the larger fault, if it is shown;
- if the tree does not fit (the fit test fails at 1 % **and** more than 5 % of the puzzles would have to change), cannot
  tell, or there is none, the puzzles asked with and without exact words decide: what words save was lost to seeing,
  what is lost even with words is lost to thinking (`stages` has the rule);
- otherwise *unclear*.

Counting panels has no part in the verdict; where it is poor the headline says so.
"""

from snellen.analysis.blocks import Diagnosis, Verdict
from snellen.analysis.marvel.details import details
from snellen.analysis.marvel.evidence import Evidence
from snellen.analysis.marvel.puzzles import COARSE
from snellen.analysis.marvel.results import Results
from snellen.analysis.marvel.trees import Fit
from snellen.analysis.stages import MUCH_UNREAD, above, below, in_words, judge, percent_text

FAVOURITE = 0.5
POOR_COUNT = 0.8
"""Counting is called poor if the interval of all three counts right ends below this."""


def judged(mine: Evidence) -> tuple[Verdict, str]:
    """The verdict by the rule above, and for an unclear one the reason."""
    fit = mine.fit
    if mine.estimate["accuracy"] is None:
        return "unclear", "it has not answered anything yet"
    if mine.whole.value is None:
        return "unclear", "it was asked too few puzzles"
    if mine.unread > MUCH_UNREAD:
        return "unclear", f"{100 * mine.unread:.0f} % of the puzzles have an answer that could not be read"
    if by_habit(mine):
        return "habit", ""
    if below(mine.whole):
        return "sound", ""
    if fit is not None and mine.fitting and fit.lost.value is not None and fit.blind.value is not None:
        verdict = judge(fit.blind, fit.lost)
        if verdict != "unclear":
            return verdict, ""
    if mine.seeing.value is not None and (verdict := judge(mine.seeing, mine.thinking)) != "unclear":
        return verdict, ""
    return "unclear", _why_unclear(mine)


def by_habit(mine: Evidence) -> bool:
    """Whether one option is picked most of the time and little is solved."""
    if mine.bias is None or mine.solved.high is None:
        return False
    return (mine.bias.chosen[mine.bias.favourite].low or 0.0) > FAVOURITE and below(mine.solved)


def _why_unclear(mine: Evidence) -> str:
    if mine.fit is None and mine.seeing.value is None:
        return (
            f"of 100 puzzles {in_words(mine.whole)} are lost, and neither a question about details nor exact words tell"
            " why (ask for all questions, or words=given)"
        )
    if mine.fit is not None and not mine.fitting:
        better = "it solves puzzles whose details it got wrong" if mine.fit.beyond > 0 else "the two do not go together"
        return f"answers about details do not tell what becomes of the puzzles: {better}"
    return "there are too few puzzles to tell"


def diagnose(mine: Evidence, found: Results) -> Diagnosis:
    """The diagnosis of one subject."""
    verdict, why = judged(mine)
    fit = mine.fit
    tree = (
        {"see": fit.see, "reason": fit.reason}
        | {"share_solved": fit.solved, "share_lost": fit.lost, "share_blind": fit.blind}
        if fit
        else {}
    )
    known = {
        name: value
        for name, value in {**mine.measures, **tree, "lost_seeing": mine.seeing, "lost_thinking": mine.thinking}.items()
        if value.value is not None and name not in COARSE
    }
    return Diagnosis(mine.subject, headline(mine, verdict, why), verdict, details(mine, found), known)


def headline(mine: Evidence, verdict: Verdict, why: str) -> str:
    """The verdict in one sentence, and how it counts if that is poor."""
    return _sentence(mine, verdict, why) + _counting(mine)


def _sentence(mine: Evidence, verdict: Verdict, why: str) -> str:
    who, fit = mine.subject, mine.fit
    if verdict == "unclear":
        return f"{who}: no clear diagnosis, because {why}."
    if verdict == "habit" and mine.bias is not None:
        share = mine.bias.chosen[mine.bias.favourite]
        return (
            f"{who} answers by habit: whatever the puzzles show, it picks option {mine.bias.favourite + 1}"
            f" in {percent_text(share)} of them; of 100 puzzles it solves {in_words(mine.solved)} beyond luck."
        )
    if verdict == "sound":
        return f"{who} sees these puzzles and reasons them out: of 100 it loses {in_words(mine.whole)}."
    if fit is not None and mine.fitting and judge(fit.blind, fit.lost) == verdict:
        return _by_tree(who, fit, verdict)
    seeing, thinking = in_words(mine.seeing), in_words(mine.thinking)
    if above(mine.seeing) and above(mine.thinking):
        return (
            f"{who} fails twice: of 100 puzzles {seeing} are lost to seeing, and {thinking} to reasoning even with"
            " exact words."
        )
    if verdict == "eyes":
        return (
            f"{who} has trouble with its eyes: of 100 puzzles {seeing} are lost that exact words would save; reasoning"
            f" loses {thinking}."
        )
    return (
        f"{who} has trouble reasoning: of 100 puzzles {thinking} are lost even with exact words; seeing loses {seeing}."
    )


def _by_tree(who: str, fit: Fit, verdict: Verdict) -> str:
    blind, unreasoned = in_words(fit.blind), in_words(fit.lost)
    if above(fit.blind) and above(fit.lost):
        first, second = f"it does not see the shapes in {blind}", f"and sees but does not reason out {unreasoned}"
        return f"{who} fails twice: of 100 puzzles {first}, {second}."
    if verdict == "eyes":
        reason = f"where it sees, it reasons to the answer {percent_text(fit.reason)}"
        if fit.reason.value is None:
            reason = "too few are left to tell how it reasons"
        return f"{who} has trouble with its eyes: of 100 puzzles it does not see the shapes in {blind}; {reason}."
    return (
        f"{who} sees the shapes and fails to reason: of 100 puzzles it sees but does not reason out {unreasoned}; not"
        f" seen are {blind}."
    )


def _counting(mine: Evidence) -> str:
    counts = mine.measures.get("perc_c")
    if counts is None or counts.high is None or counts.high >= POOR_COUNT:
        return ""
    return f" It miscounts the panels, too: all three counts are right in {percent_text(counts)} of the puzzles."
