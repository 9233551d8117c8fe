"""The capacity diagnosis: which category is weakest, and what the errors betray.

It rests on the plainest setting the subject was asked in. Every wrong answer that matches a mechanism the item foresaw
is put down to a faculty (`mechanisms`); what share of the errors each faculty has is weighed as the overall score is.

- *unclear* comes first if more than a third of the replies could not be read;
- *sound*: the overall score is at least 90 %, and its interval above 80 %;
- *eyes*, *thinking*, *habit*: the faculty with most of the errors, if its lead over the next is shown (its interval is
  above zero), if at least half of the errors have a name, and if these are at least ten;
- otherwise *unclear*.
"""

from snellen.analysis.blocks import Diagnosis, Verdict
from snellen.analysis.capacity.details import details, many
from snellen.analysis.capacity.errors import BLAMED, FATES
from snellen.analysis.capacity.evidence import Evidence, evidence
from snellen.analysis.capacity.kinds import CATEGORY_TITLES, kind_title
from snellen.analysis.capacity.results import Results
from snellen.analysis.stages import MUCH_UNREAD, percent_text

SOUND, SURELY = 0.9, 0.8
NAMED = 0.5
FEWEST = 10
FACULTY_WORDS = {
    "eyes": "has trouble with its eyes: {share} of its errors betray that the picture was not taken in rightly",
    "thinking": "does not think it through: {share} of its errors betray that what was seen was not worked out",
    "habit": "answers by habit: {share} of its errors set aside what was asked for what is usually asked",
}


def judged(mine: Evidence) -> tuple[Verdict, str]:
    """The verdict by the rule above, and for an unclear one the reason."""
    score, fate = mine.overall.value, mine.fate
    if mine.overall.unread > MUCH_UNREAD:
        return "unclear", f"{100 * mine.overall.unread:.0f} % of its replies could not be read"
    if (score.value or 0.0) >= SOUND and (score.low or 0.0) > SURELY:
        return "sound", ""
    if fate.told < FEWEST:
        return "unclear", _too_few(mine)
    if fate.named < NAMED:
        return "unclear", f"{100 * (1 - fate.named):.0f} % of its {fate.wrong} errors match nothing that was foreseen"
    if (fate.lead.low or 0.0) > 0:
        return _verdict(fate.first), ""
    shares = ", ".join(f"{name} {percent_text(fate.blame[name])}" for name in BLAMED[:-1])
    return "unclear", f"its errors are of several sorts, and none is clearly ahead: {shares}"


def _too_few(mine: Evidence) -> str:
    """Why the errors cannot tell: there are none, or few, or few that betray something."""
    wrong, told, unread = mine.fate.wrong, mine.fate.told, mine.overall.unread
    if not wrong and unread:
        return f"none of the answers that could be read is wrong, but {100 * unread:.0f} % of its replies could not be"
    if not wrong:
        return f"it made no error in {many(mine.overall.items, 'item')}: too few to call it sound"
    if wrong < FEWEST:
        return f"it made only {many(wrong, 'error')}; {FEWEST} are needed"
    if not told:
        return f"none of its {wrong} errors betrays anything"
    return f"only {told} of its {wrong} errors {'betrays' if told == 1 else 'betray'} something; {FEWEST} are needed"


def _verdict(faculty: str) -> Verdict:
    return "eyes" if faculty == "eyes" else "thinking" if faculty == "thinking" else "habit"


def diagnose(found: Results, who: str) -> Diagnosis:
    """The diagnosis of one subject."""
    mine = evidence(found, who)
    if mine is None:
        return Diagnosis(
            who, f"{who}: no clear diagnosis, because it has not answered anything yet.", "unclear", (), {}
        )
    verdict, why = judged(mine)
    values = {
        "overall": mine.overall.value,
        **{CATEGORY_TITLES[name].replace(" ", "_"): score.value for name, score in mine.categories.items()},
        **{f"share_{name}": mine.fate.all[name] for name in FATES},
        **{f"errors_due_to_{name}": mine.fate.blame[name] for name in BLAMED[:-1]},
    }
    known = {name: value for name, value in values.items() if value.value is not None}
    return Diagnosis(who, headline(found, mine, verdict, why), verdict, details(found, mine), known)


def headline(found: Results, mine: Evidence, verdict: Verdict, why: str) -> str:
    """The verdict in a sentence, then the score and the weakest category."""
    score = f"overall {percent_text(mine.overall.value)}"
    if verdict == "sound":
        return f"{mine.subject} sees and thinks well enough for these tasks: {score}{_weakest(mine, verdict)}."
    if verdict == "unclear":
        return f"{mine.subject}: no clear diagnosis, because {why}; {score}{_weakest(mine, verdict)}."
    blame = FACULTY_WORDS[verdict].format(share=percent_text(mine.fate.blame[verdict]))
    return f"{mine.subject} {blame}{_telling(found, mine, verdict)}; {score}{_weakest(mine, verdict)}."


def _weakest(mine: Evidence, verdict: Verdict) -> str:
    weakest = mine.weakest
    if weakest is None:
        return ""
    score, shown = weakest
    if verdict == "sound" and not shown:
        return ""
    name = CATEGORY_TITLES.get(score.level, score.level)
    return f", weakest in {name} tasks {percent_text(score.value)}{'' if shown else ', though not clearly'}"


def _telling(found: Results, mine: Evidence, faculty: str) -> str:
    """The mechanism that most errors of a faculty betray."""
    own = [each for each in found.mechanisms if all(each[n] == v for n, v in mine.setting.items())]
    fitting = [each for each in own if each["faculty"] == faculty]
    if not fitting:
        return ""
    most = max(fitting, key=lambda each: each["count"])
    return f", most often “{most['mechanism']}” ({kind_title(most['kind'])})"
