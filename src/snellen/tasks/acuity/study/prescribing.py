"""The prescription: what to do about what was measured, in plain words."""

from collections.abc import Iterator, Mapping

from snellen.charts.rounds import number
from snellen.psychometric import PosteriorEstimate
from snellen.tasks.acuity.battery import SMALL_PRINT
from snellen.tasks.acuity.study.enlarging import Checked
from snellen.tasks.acuity.study.measuring import Measure
from snellen.tasks.acuity.study.readings import EM, with_unit, within
from snellen.tasks.acuity.study.results import LETTERS, Sitting
from snellen.tasks.acuity.study.sights import member, sight
from snellen.tasks.acuity.study.words import about_cap, blank_pages, percent

SEEN_THINGS = 10.0
"""Percent of blank pages above which seeing things there is worth a prescription (the lower end of the interval)."""
_SMALL = f"letters {EM * float(SMALL_PRINT):g}\u00a0px high"


def prescription(sitting: Sitting) -> tuple[str, ...]:
    """What to do about it, in plain words; only what was measured."""
    lines = [*_sizes(sitting), *_letters(sitting), *_limits(sitting), *_colours(sitting), *_things_seen(sitting)]
    if lines:
        return tuple(lines)
    kinds = {each.kind for each in sitting.readings.values()}
    if "better than drawn" not in kinds:
        return ("Nothing was measured.",) if kinds <= {"not measurable"} else ("No advice.",)
    return ("No advice needed: no limit was found within the range that was drawn.",) if len(kinds) == 1 else (
        "No advice: no limit was found in the tests that could be measured.",)  # fmt: skip


def _sizes(sitting: Sitting) -> Iterator[str]:
    found = sitting.resolution
    if found is not None and found.kind == "shrunk":
        yield f"Send no pictures larger than {about_cap(found)}: they are shrunk before it sees them. Cut them up."
    uneven = [f"{each.canvas}" for each in sitting.fields if each.differ and each.known]
    if uneven:
        sizes = f"{', '.join(uneven[:-1])} and {uneven[-1]}" if len(uneven) > 1 else uneven[0]
        yield f"On {sizes} px acuity depends on position: put what matters where the field map is dark."
    period = sitting.period
    if period is not None and period.grid:
        yield "Whether small things are seen depends on their position in a patch grid: enlarge them."


def _letters(sitting: Sitting) -> Iterator[str]:
    letters = sitting.reading(LETTERS)
    if letters.value is not None:
        yield f"Letters under {letters.said} ({_high(letters.value)}) are lost{_enough(sitting, LETTERS)}."
        yield from _enlarging(sitting)
    elif letters.kind == "worse than drawn":
        yield f"Letters of {with_unit(sight(LETTERS), letters.easiest or 0)} are lost; larger ones were not asked."


def _high(stroke: float) -> str:
    return f"{number(EM * stroke)}\u00a0px high"


def _enough(sitting: Sitting, test: str) -> str:
    """From which size on 95 % are right, or why no size is enough; to be added to what is lost."""
    measure, found = sitting.main[test], sitting.reading(test)
    if measure.reach.at is None:
        return f"; enlarging cannot reach 95\u00a0% right, with {_lapses(measure)}"
    if found.enough is None:
        return ""
    ends = ((found.hardest or 0.0), (found.easiest or 0.0))
    size = f"{number(found.enough.value)}\u00a0px ({within(sight(test), found.enough.low, found.enough.high, ends)})"
    return f"; 95\u00a0% are right from {size} on" + (f", {_high(found.enough.value)}" if test == LETTERS else "")


def _lapses(measure: Measure) -> str:
    """How often it is wrong whatever the size, in words."""
    found = measure.found.lapse
    share = f"{100 * found.value:.0f}\u00a0% ({100 * (found.low or 0):.0f}\u2013{100 * (found.high or 0):.0f})"
    return f"{share} errors even on the easiest charts"


def _enlarging(sitting: Sitting) -> Iterator[str]:
    """How many times small print must be enlarged, how to send it, and whether that held."""
    found = sitting.enlargement
    if found is None:
        return
    if not found.needed:
        yield f"Small print ({_SMALL}) needs no enlarging."
        return
    low, high = (None if end is None else number(end) for end in (found.times.low, found.times.high))
    between = f"{low}\u2013{high}" if low and high else f"at least {low}" if low else f"at most {high}"
    times = f"{number(found.advised)} times ({between})"
    crops = f"crops of {found.crop}\u00a0px, enlarged to {found.canvas}\u00a0px"
    cap = sitting.resolution.side if sitting.resolution is not None and sitting.resolution.kind == "shrunk" else None
    if cap is not None and cap.value < found.advised * found.canvas:
        how = f"send {crops}; a whole picture enlarged this much would be shrunk again"
    else:
        how = f"or send {crops}"
    checked = _checked(found.checked) if found.checked is not None else "Not checked by asking again."
    yield f"Enlarge small print ({_SMALL}) {times} to reach 95\u00a0%, {how}. {checked}"


def _checked(found: Checked) -> str:
    said = f"Checked: {found.right} of {found.read} right at {number(found.times)} times"
    if not found.as_predicted:
        said += f" ({found.predicted.least}\u2013{found.predicted.most} were predicted)"
    return f"{said}." if found.reached else f"{said}: 95\u00a0% was not reached, so enlarge more."


_SIZED = ("alignment", "crossings", "paths")
"""Limited by size, so that enlarging helps."""
_PRESCRIBED: Mapping[str, tuple[str, str]] = {
    "contrast": ("Letters fainter than {} contrast are lost", "Letters of {} contrast are lost."),
    "crowding": ("Keep neighbours {} apart, centre to centre", "Neighbours {} apart are too close."),
    "alignment": ("Steps under {} between lines go unseen", "Steps of {} between lines go unseen."),
    "number": ("Do not have it count more than {}", "It does not count {}."),
    "crossings": ("Crossings closer than {} run together", "Crossings {} apart run together."),
    "paths": ("Lines closer than {} cannot be followed", "Lines {} apart cannot be followed."),
}
"""For each test what a threshold means, and what it means that even the easiest was too hard."""


def _limits(sitting: Sitting) -> Iterator[str]:
    for test, (limit, beyond) in _PRESCRIBED.items():
        found = sitting.reading(test)
        if found.value is not None:
            yield limit.format(found.said) + (f"{_enough(sitting, test)}." if test in _SIZED else ".")
        elif found.kind == "worse than drawn":
            yield beyond.format(with_unit(sight(test), found.easiest or 0))


RED_GREEN, BLUE_YELLOW = ("colour-red", "colour-green"), ("colour-blue", "colour-yellow")


def _colours(sitting: Sitting) -> Iterator[str]:
    """How far from grey a colour must be in the weakest direction, and whether one pair of opponents is weaker."""
    known = [each for each in sitting.of_family("colour").values() if each.value is not None]
    worst = max(known, key=lambda each: each.value or 0.0, default=None)
    lost = [each for each in sitting.of_family("colour").values() if each.kind == "worse than drawn"]
    if lost:
        most = with_unit(sight(lost[0].test), min(each.easiest or 0 for each in lost))
        yield f"Colours within {most} of grey are not seen (towards {', '.join(member(each.test) for each in lost)})."
    if worst is not None:
        yield f"Colours within {worst.said} of grey are not seen (towards {member(worst.test)})."
    ratio = weakness(sitting)
    if ratio is None or ratio.low is None or ratio.high is None or ratio.low <= 1 <= ratio.high:
        return
    weak, strong = ("Red against green", "blue against yellow")
    if ratio.value < 1:
        weak, strong = "Blue against yellow", "red against green"
        ratio = PosteriorEstimate(1 / ratio.value, 1 / ratio.high, 1 / ratio.low)
    times = f"{number(ratio.value)} times ({number(ratio.low or 0)}\u2013{number(ratio.high or 0)})"
    yield f"{weak} must differ {times} as much as {strong}."


def weakness(sitting: Sitting) -> PosteriorEstimate | None:
    """Thresholds of red and green over those of blue and yellow; None where one of the four is no number."""
    found = {test: sitting.main[test].found for test in (*RED_GREEN, *BLUE_YELLOW) if test in sitting.main}
    if len(found) < 4 or any(each.threshold is None for each in found.values()):
        return None
    means = {test: (each.posterior.threshold.mean, each.posterior.threshold.sd) for test, each in found.items()}
    middle = sum(means[test][0] for test in RED_GREEN) / 2 - sum(means[test][0] for test in BLUE_YELLOW) / 2
    half = 1.96 * sum(sd**2 for _, sd in means.values()) ** 0.5 / 2
    return PosteriorEstimate(10**middle, 10 ** (middle - half), 10 ** (middle + half))


def _things_seen(sitting: Sitting) -> Iterator[str]:
    seen = sitting.hallucinated
    if seen is not None and (seen.low or 0) > SEEN_THINGS:
        some = "" if seen.n == sum(sitting.blank_pages.values()) else f" ({blank_pages(sitting)})"
        yield f"It sees things on {percent(seen)} of blank pages{some}: do not trust what it sees in an empty picture."
