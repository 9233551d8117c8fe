"""What a capacity diagnosis rests on, line by line."""

import polars as pl

from snellen.analysis.capacity.errors import BLAMED
from snellen.analysis.capacity.evidence import Evidence
from snellen.analysis.capacity.kinds import CATEGORY_TITLES, KINDS, VERIFIER, kind_title, setting_words
from snellen.analysis.capacity.papers import PEOPLE, landmarks
from snellen.analysis.capacity.results import Results
from snellen.analysis.contrasts import p_text
from snellen.analysis.stages import percent_text

TELLING = 4
"""So many mechanisms are named."""


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
        f"Rests on {score.items} items of {len(score.kinds)} kinds ({how}); in brackets 95 % intervals over items."
        f" On the paper's own items people score {PEOPLE:.0f} %, the {best}, {figures['']:.0f} %."
    ]
    if not score.whole:
        lines.append(f"Not the paper's overall score: {len(score.kinds)} of {len(KINDS)} kinds were asked.")
    return lines


def _categories(mine: Evidence) -> list[str]:
    said = [f"{CATEGORY_TITLES[name]} {percent_text(score.value)}" for name, score in mine.categories.items()]
    return [f"By category: {', '.join(said)}."]


def _blame(mine: Evidence) -> list[str]:
    if not mine.fate.wrong:
        return ["It made no error."]
    said = ", ".join(f"{name} {percent_text(mine.fate.blame[name])}" for name in BLAMED)
    return [f"Of its {mine.fate.wrong} errors, by what they cost overall: {said}."]


def _mechanisms(found: Results, mine: Evidence) -> list[str]:
    own = [
        each for each in found.mechanisms if all(each[n] == v for n, v in mine.setting.items()) and each["mechanism"]
    ]
    most = sorted(own, key=lambda each: -each["count"])[:TELLING]
    said = [
        f"“{each['mechanism']}” in {percent_text(each['share'])} of {each['wrong']} wrong answers"
        f" ({kind_title(each['kind'])})"
        for each in most
    ]
    return [f"What its errors betray most: {'; '.join(said)}."] if said else []


def _counts(found: Results, mine: Evidence) -> list[str]:
    own = [(views, mean) for setting, views, _, mean in found.counts if setting == mine.setting and views]
    if len(own) < 2:
        return []
    said = []
    for views, mean in (own[0], own[-1]):
        bounds = "" if mean.low is None or mean.high is None else f" ({mean.low:+.1f} to {mean.high:+.1f})"
        said.append(f"{round(mean.value or 0.0, 1) + 0.0:+.1f}{bounds} with {views} views")
    return [f"Its counts are off by {', '.join(said)} on average."]


def _describing(found: Results, mine: Evidence) -> list[str]:
    for each in found.described:
        same = all(each[name] == level for name, level in mine.setting.items() if name != "describe")
        if same and not each["category"]:
            return [
                f"Describing first changes the score by {100 * each['difference']:+.1f} points"
                f" ({100 * each['low']:+.1f} to {100 * each['high']:+.1f}), p {p_text(each['p_items_holm'])}"
                f" ({each['pairs']} items asked both ways; Holm)."
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
        f"{'' if each.kappa.value is None else f', kappa {each.kappa.value:.2f}'}."
        for each in whole
    ]


def _reading(mine: Evidence) -> list[str]:
    failed = f" {mine.overall.errors} calls failed and are missing." if mine.overall.errors else ""
    return [f"{100 * mine.overall.unread:.1f} % of the replies could not be read.{failed}"]
