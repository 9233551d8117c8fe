"""What a capacity diagnosis rests on, line by line."""

import polars as pl

from snellen.analysis.blocks import Value
from snellen.analysis.capacity.errors import BLAMED
from snellen.analysis.capacity.evidence import Evidence
from snellen.analysis.capacity.kinds import CATEGORY_TITLES, KINDS, VERIFIER, kind_title, setting_words
from snellen.analysis.capacity.papers import PEOPLE, landmarks
from snellen.analysis.capacity.pointing import OFFS
from snellen.analysis.capacity.results import Results
from snellen.analysis.contrasts import p_text
from snellen.analysis.stages import percent_text

TELLING = 4
"""So many mechanisms are named."""


def many(count: int, what: str) -> str:
    """So many of something."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def details(found: Results, mine: Evidence) -> tuple[str, ...]:
    """The lines below the headline."""
    return (
        *_basis(found, mine),
        *_categories(mine),
        *_blame(mine),
        *_mechanisms(found, mine),
        *_counts(found, mine),
        *_describing(found, mine),
        *_aloud(found, mine),
        *_judges(found, mine),
        *_reading(mine),
    )


def _basis(found: Results, mine: Evidence) -> list[str]:
    score = mine.overall
    how = ", ".join(setting_words(mine.setting, found.named)) or "the plainest setting"
    best, figures = next(iter(landmarks().items()))
    lines = [
        f"Rests on {many(score.items, 'item')} of {many(len(score.kinds), 'kind')} ({how}); in brackets 95 % intervals"
        f" over items. On the paper's own items people score {PEOPLE:.0f} %, the {best}, {figures['']:.0f} %."
    ]
    if not score.whole:
        was = "was" if len(score.kinds) == 1 else "were"
        lines.append(f"Not the paper's overall score: only {len(score.kinds)} of {len(KINDS)} kinds {was} asked.")
    return lines


def _categories(mine: Evidence) -> list[str]:
    said = [f"{CATEGORY_TITLES[name]} {percent_text(score.value)}" for name, score in mine.categories.items()]
    return [f"By category: {', '.join(said)}."]


def _blame(mine: Evidence) -> list[str]:
    if not mine.fate.wrong:
        return ["It made no error."]
    said = ", ".join(f"{name} {percent_text(mine.fate.blame[name])}" for name in BLAMED)
    cost = "it costs" if mine.fate.wrong == 1 else "they cost"
    return [f"Of its {many(mine.fate.wrong, 'error')}, by what {cost} overall: {said}."]


def _mechanisms(found: Results, mine: Evidence) -> list[str]:
    own = [
        each for each in found.mechanisms if all(each[n] == v for n, v in mine.setting.items()) and each["mechanism"]
    ]
    most = sorted(own, key=lambda each: -each["count"])[:TELLING]
    said = [
        f"“{each['mechanism']}” in {percent_text(each['share'])} of {many(each['wrong'], 'wrong answer')}"
        f" ({kind_title(each['kind'])})"
        for each in most
    ]
    return [f"What its errors betray most: {'; '.join(said)}."] if said else []


def _counts(found: Results, mine: Evidence) -> list[str]:
    here = [each for each in found.counts if each[0] == mine.setting and each[1]]
    own = [(views, mean, values[OFFS.index("0")].value == 1) for _, views, values, mean in here]
    if len(own) < 2:
        return []
    if all(exact for _, _, exact in own):
        return ["All its counts that could be read are right."]
    said = []
    for views, mean, exact in (own[0], own[-1]):
        bounds = "" if mean.low is None or mean.high is None else f" ({_signed(mean.low)} to {_signed(mean.high)})"
        by = "nothing" if exact else f"{_signed(mean.value or 0.0)}{bounds}"
        said.append(f"{by} with {views} {'view' if views == '1' else 'views'}")
    return [f"Its counts are off by {', '.join(said)} on average."]


def _signed(number: float) -> str:
    return f"{round(number, 1) + 0.0:+.1f}"


def _describing(found: Results, mine: Evidence) -> list[str]:
    for each in found.described:
        same = all(each[name] == level for name, level in mine.setting.items() if name != "describe")
        if same and not each["category"]:
            return [
                f"Describing first changes the score by {100 * each['difference']:+.1f} points"
                f" ({100 * each['low']:+.1f} to {100 * each['high']:+.1f}), p {p_text(each['p_items_holm'])}"
                f" ({many(each['pairs'], 'item')} asked both ways; Holm)."
            ]
    return []


def _aloud(found: Results, mine: Evidence) -> list[str]:
    habit = next((each for each in found.habits if each.setting == mine.setting and not each.kind), None)
    if habit is None:
        return []
    return [
        f"It thinks aloud in {100 * habit.spoken / habit.replies:.0f} % of its replies, in {habit.words:.0f} words"
        f" (median); there it goes back to the picture {habit.revisits:.1f} times and interrupts itself"
        f" {habit.interruptions:.1f} times."
    ]


def _judges(found: Results, mine: Evidence) -> list[str]:
    if found.marks.filter(pl.col("who") == mine.subject, pl.col("judge") != VERIFIER).is_empty():
        return []
    whole = [each for each in found.agreements if not each.kind and each.share.value is not None]
    return [
        f"The judge {each.judge} agrees with the verifier on {percent_text(each.share)} of the {each.source} replies"
        f"{_kappa(each.kappa)}."
        for each in whole
    ]


def _kappa(kappa: Value) -> str:
    if kappa.value is not None:
        return f", kappa {kappa.value:.2f}"
    return f"; {kappa.note}" if kappa.note else ""


def _reading(mine: Evidence) -> list[str]:
    lost = mine.overall.errors
    failed = f" {many(lost, 'call')} failed and {'is' if lost == 1 else 'are'} missing." if lost else ""
    return [f"{100 * mine.overall.unread:.1f} % of the replies could not be read.{failed}"]
