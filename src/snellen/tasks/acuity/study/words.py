"""The one maker of sentences about sight: terminal, card, JSON and report all say the same."""

from collections.abc import Iterator, Mapping

from snellen.charts.blocks import Value
from snellen.charts.rounds import number
from snellen.psychometric import PosteriorEstimate
from snellen.tasks.acuity.study.patches import Period
from snellen.tasks.acuity.study.readings import EM, STRAY, CardLine, amount, with_unit
from snellen.tasks.acuity.study.resolution import Resolution, Rule
from snellen.tasks.acuity.study.results import LETTERS, Sitting
from snellen.tasks.acuity.study.sights import sight
from snellen.tasks.acuity.study.tokens import Tokens, agree

_TOLD = ("threshold", "better than drawn", "worse than drawn")
_LOBES = 2
"""So many sizes that a patch may have are named; more are no answer."""
BY: Mapping[Rule, str] = {
    "edge": "by the longer side",
    "short": "by the shorter side",
    "area": "by the area",
    "tiles": "by tiles of 512 px",
}


def headline(sitting: Sitting) -> str:
    """The verdict in one sentence."""
    said = verdict(sitting)
    return f"{sitting.subject}{said if said.startswith(':') else f' {said}'}"


def verdict(sitting: Sitting) -> str:
    """The verdict as a sentence that does not name the subject."""
    does = [*_reads(sitting), *_counts(sitting)]
    sizes = "".join(_arrives(sitting))
    if not does and not sizes:
        return _anything(sitting)
    return f"{', and '.join(does)}{'; ' if does and sizes else ': ' if sizes else ''}{sizes}."


def badge(sitting: Sitting) -> str:
    """The verdict in a few words: the smallest letters, or that they tell nothing; where they were not asked, the first
    test that could be measured, by its name."""
    letters = sitting.reading(LETTERS)
    if letters.kind in _TOLD:
        finest = letters.said.removeprefix("better than ").removeprefix("worse than ").replace(" a stroke", " strokes")
        return f"{'misses' if letters.kind == 'worse than drawn' else 'reads'} {finest}"
    if letters.kind == "not measurable":
        return "not measurable"
    told = (each for each in sitting.readings.values() if each.kind in _TOLD)
    return next((f"{each.title.lower()} {each.said}" for each in told), "not measured")


def _anything(sitting: Sitting) -> str:
    """What there is to say without letters, dots or sizes: the first few tests, else why there is nothing."""
    told = [each for each in sitting.readings.values() if each.kind != "not measurable"]
    if told:
        few = [f"{each.title.lower()} {each.said}" + (f" ({each.within})" if each.within else "") for each in told[:3]]
        return f": {', '.join(few)}."
    if sitting.errors and not sitting.readings:
        return f": nothing could be measured, because no picture was taken ({sitting.errors:,} calls failed)."
    reasons = dict.fromkeys(each.said.removeprefix("not measurable: ") for each in sitting.readings.values())
    return f": nothing could be measured ({'; '.join(reasons) or 'no test was asked at graded levels'})."


def _reads(sitting: Sitting) -> Iterator[str]:
    letters = sitting.reading(LETTERS)
    if letters.value is not None:
        high = f"{number(EM * letters.value)} px high"
        yield f"reads letters down to {letters.said} ({letters.within}), {high}"
    elif letters.kind == "better than drawn":
        yield f"reads letters down to {with_unit(sight(LETTERS), letters.hardest or 0)}, the smallest drawn"
    elif letters.kind == "worse than drawn":
        yield f"reads no letters of {with_unit(sight(LETTERS), letters.easiest or 0)} or less"
    elif letters.kind == "not measurable":
        why = letters.said.removeprefix("not measurable: ")
        yield f"has no measurable acuity ({why})"


def _arrives(sitting: Sitting) -> Iterator[str]:
    found = sitting.resolution
    if found is None or found.kind == "unclear":
        return
    if found.kind == "whole":
        yield f"pictures are not shrunk, at least up to {pixels(found.up_to)} a side"
    elif found.side is not None:
        yield f"pictures larger than {about_cap(found)} are shrunk before it sees them"


def _counts(sitting: Sitting) -> Iterator[str]:
    dots = sitting.reading("number")
    if dots.value is not None:
        yield f"counts to {amount(sight('number'), dots.value)}"
    elif dots.kind == "better than drawn":
        yield f"counts to {amount(sight('number'), dots.hardest or 0)} or more"


def pixels(x: float | None) -> str:
    return "?" if x is None else f"{x:,.0f}\u00a0px"


def span(found: PosteriorEstimate, scale: float = 1.0, unit: str = "") -> str:
    """A number with its interval."""
    low, high = (None if end is None else f"{end / scale:,.3g}" for end in (found.low, found.high))
    if scale == 1.0:
        low, high = (None if end is None else f"{end:,.0f}" for end in (found.low, found.high))
    middle = f"{found.value:,.0f}" if scale == 1.0 else f"{found.value / scale:,.3g}"
    between = "" if low is None or high is None or low == high else f" ({low}\u2013{high})"
    return f"{middle}{unit}{between}"


def about_cap(found: Resolution) -> str:
    """The size from which on pictures are shrunk, by the one rule that remains, else for squares."""
    if found.side is None:
        return "?"
    if len(found.told) != 1 or not found.caps:
        return f"{span(found.side, unit=' px')} a side"
    rule = found.told[0]
    cap = found.caps[rule]
    if rule == "edge":
        return f"{span(cap, unit=' px')} along the longer side"
    if rule == "short":
        return f"{span(cap, unit=' px')} along the shorter side (or 2,048 px along the longer)"
    if rule == "area":
        return f"{span(cap, 1e6, ' megapixels')}"
    return f"{span(cap)} tiles of 512 px"


def resolution_lines(sitting: Sitting) -> tuple[str, ...]:
    """What is known of the size at which pictures are seen; what was not asked is named elsewhere, with all else that
    was not."""
    found, said = sitting.resolution, sitting.tokens
    if found is None:
        lines = []
    elif found.kind == "whole":
        lines = [f"Pictures are not shrunk, at least up to {pixels(found.up_to)} a side."]
    elif found.kind == "unclear":
        lines = [f"Effective resolution: not measurable, because {found.why}."]
    else:
        lines = [f"Pictures larger than {about_cap(found)} are shrunk{_rule_words(found)}."]
    if sitting.refused and sitting.trials and sitting.readings:
        sizes = ", ".join(sitting.refused)
        lines.append(f"Pictures of {sizes}\u00a0px were not taken: every call with one failed.")
    if said is not None:
        lines.append(_token_words(said, found))
    period = sitting.period
    if period is not None:
        lines.append(_period_words(period))
    return tuple(lines)


def _rule_words(found: Resolution) -> str:
    if len(found.told) == 1:
        return ""
    *first, last = (BY[rule].removeprefix("by ") for rule in found.told)
    return f" (whether by {', '.join(first)} or {last} cannot be told from the shapes asked)"


def _token_words(said: Tokens, found: Resolution | None) -> str:
    if said.kind == "fixed":
        return "Reported tokens are the same at every size: pictures are resized, or their tokens not reported."
    if said.kind == "unclear":
        return "Reported tokens follow no known rule."
    patches = " or ".join(map(str, said.patches))
    if said.kind == "growing":
        doubt = "; the answers say otherwise" if found is not None and found.kind == "shrunk" else ""
        return f"Reported tokens grow with every size asked (patches of {patches} px){doubt}."
    size = f"{pixels(said.low)} to {pixels(said.high)}" if said.low != said.high else pixels(said.high)
    side = found.side if found is not None else None
    same = None if side is None or side.low is None or side.high is None else agree(said, (side.low, side.high))
    if found is not None and found.kind == "whole" and found.up_to is not None and said.high is not None:
        same = found.up_to <= said.high
    verdict = {True: ", as the answers do", False: "; the answers say otherwise", None: ""}[same]
    return f"Reported tokens stop growing at squares of {size} (patches of {patches} px){verdict}."


def _period_words(found: Period) -> str:
    if not found.grid:
        return "No effect of the position within a patch at these offsets."
    if found.period is not None:
        return f"Acuity varies with position with a period of {found.period}\u00a0px: a grid of patches of that size."
    sizes = " or ".join(f"{low}" if low == high else f"{low} to {high}" for low, high in found.between[:_LOBES])
    if len(found.between) <= _LOBES and all(high < 2 * low for low, high in found.between):
        return f"Acuity varies with position: a grid of patches of {sizes}\u00a0px."
    return "Acuity varies with position: a grid of patches of unknown size."


def percent(value: Value) -> str:
    """In whole percent, with the interval."""
    if value.value is None or value.low is None or value.high is None:
        return "?"
    return f"{value.value:.0f}\u00a0% ({value.low:.0f}\u2013{value.high:.0f})"


def details(sitting: Sitting) -> tuple[str, ...]:
    """What the verdict rests on: every test in a line, then what was seen where nothing is, then the size."""
    return (*map(line, sitting.readings.values()), *blank_lines(sitting), *resolution_lines(sitting))


def line(found: CardLine) -> str:
    """One test in a line."""
    interval = f" ({found.within})" if found.within else ""
    where = f", {found.condition}" if found.condition else ""
    stray = "; a single curve fits badly" if badly(found) else ""
    unread = f", {found.unread} unread" if found.unread else ""
    easy = f", {found.caught.right} of {found.caught.read} right at the easiest level" if found.caught.read else ""
    return f"{found.title}: {found.said}{interval}, {found.trials} trials{unread}{easy}{where}{stray}."


def badly(found: CardLine) -> bool:
    """Whether no such curve describes the answers."""
    return found.fit is not None and found.fit < STRAY


def blank_lines(sitting: Sitting) -> Iterator[str]:
    """How often something is seen where nothing is."""
    seen = sitting.hallucinated
    if seen is not None:
        yield f"On blank pages it sees something {percent(seen)} of the time ({blank_pages(sitting)})."
    elif sitting.blank_pages:
        yield f"What it sees on blank pages is unknown ({blank_pages(sitting)})."


def blank_pages(sitting: Sitting) -> str:
    """On how many blank pages the rate rests: those that could be read, and of how many where not of all."""
    read, answered = sitting.hallucinated, sum(sitting.blank_pages.values())
    n = (read.n or 0) if read else 0
    return f"{n} pages" if n == answered else f"{n} of {answered} pages could be read"
