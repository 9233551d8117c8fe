"""All that the acuity trials say, subject by subject."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as part
from functools import cached_property

import polars as pl

from snellen.analysis.acuity.enlarging import Enlargement, enlargement
from snellen.analysis.acuity.measuring import CONDITION, Measure, measures, together
from snellen.analysis.acuity.patches import Period, period
from snellen.analysis.acuity.places import Field, field
from snellen.analysis.acuity.readings import Reading, not_asked, reading
from snellen.analysis.acuity.resolution import Resolution, resolution
from snellen.analysis.acuity.sights import family, known, order
from snellen.analysis.acuity.spots import field_place
from snellen.analysis.acuity.tokens import Tokens, tokens
from snellen.analysis.blocks import Value
from snellen.analysis.estimates import wilson
from snellen.tasks.acuity.kind import BLANK
from snellen.tasks.acuity.view import USUALLY

LETTERS = "letters"
USUAL = USUALLY
"""The condition under which tests are asked if nobody chooses another."""
_PLAIN = ("polarity", "font", "enlarged")
"""Of these letters must be the usual ones to tell of canvases and places."""


@dataclass(frozen=True)
class Sitting:
    """What one subject's trials say."""

    subject: str
    rows: pl.DataFrame = part(repr=False)
    measures: tuple[Measure, ...]

    @cached_property
    def main(self) -> Mapping[str, Measure]:
        """The measure of every test under its usual condition; where that was not asked, under the one asked most."""
        found: dict[str, Measure] = {}
        for each in sorted(self.central, key=lambda each: (unusual(each), -each.found.trials)):
            found.setdefault(each.test, each)
        if LETTERS not in found and (field := self._over_the_field) is not None:
            found[LETTERS] = field
        return dict(sorted(found.items(), key=lambda pair: order(pair[0])))

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        return {test: reading(measure, USUAL) for test, measure in self.main.items()}

    def reading(self, test: str) -> Reading:
        return self.readings.get(test) or not_asked(test)

    def of_family(self, name: str) -> dict[str, Reading]:
        return {test: each for test, each in self.readings.items() if family(test) == name}

    @cached_property
    def _letters(self) -> pl.DataFrame:
        plain = [pl.col(name) == USUAL[name] for name in _PLAIN]
        graded = (pl.col("level") != BLANK) & (pl.col("reason").fill_null("") != "error")
        return self.rows.filter(pl.col("test") == LETTERS, graded, *plain)

    @cached_property
    def resolution(self) -> Resolution | None:
        return resolution([each for each in self._plain_letters if each.condition["place"] == USUAL["place"]])

    @cached_property
    def enlargement(self) -> Enlargement | None:
        """How many times small print must be enlarged, and whether that held; None where that is not known."""
        return enlargement(self.main[LETTERS], self.rows) if LETTERS in self.main else None

    @cached_property
    def tokens(self) -> Tokens | None:
        return tokens(self._letters)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The field maps, the smallest canvas first."""
        maps: dict[str, dict[tuple[int, int], tuple[Measure, Reading]]] = {}
        for each in self._plain_letters:
            at = field_place(each.condition["place"])
            if at is not None:
                maps.setdefault(each.condition["canvas"], {})[at] = each, reading(each, USUAL, brief=True)
        return tuple(field(canvas, maps[canvas]) for canvas in sorted(maps, key=lambda name: (len(name), name)))

    @cached_property
    def period(self) -> Period | None:
        usual = [pl.col(name).cast(pl.String) == USUAL[name] for name in ("polarity", "canvas", "font")]
        return period(self._letters.filter(*usual))

    @property
    def _plain_letters(self) -> list[Measure]:
        """Letters as they usually are, wherever and on whatever canvas."""
        return [
            each
            for each in self.measures
            if each.test == LETTERS and all(each.condition[name] == USUAL[name] for name in _PLAIN)
        ]

    @property
    def _over_the_field(self) -> Measure | None:
        """Letters at all places of the usual canvas together: what there is where nobody asked in the middle."""
        placed = [each for each in self._plain_letters if each.condition["canvas"] == USUAL["canvas"]]
        return together(placed, "many places") if placed else None

    @property
    def central(self) -> list[Measure]:
        """All measures but those of the field."""
        return [each for each in self.measures if each.condition["place"] == USUAL["place"]]

    @cached_property
    def blanks(self) -> Mapping[str, Value]:
        """Of every test, how often something was seen where nothing is (percent of the answers that could be read)."""
        blank = self.rows.filter((pl.col("level") == BLANK) & (pl.col("outcome") != "unread"))
        counts = blank.group_by(pl.col("test").cast(pl.String)).agg((pl.col("outcome") == "wrong").sum(), pl.len())
        found = {test: share(seen, n) for test, seen, n in counts.rows() if known(test)}
        return dict(sorted(found.items(), key=lambda pair: order(pair[0])))

    @cached_property
    def blank_pages(self) -> Mapping[str, int]:
        """Of every test, how many pages with nothing on them were answered at all, read or not."""
        answered = (pl.col("level") == BLANK) & (pl.col("reason").fill_null("") != "error")
        counts = self.rows.filter(answered).group_by(pl.col("test").cast(pl.String)).len()
        return dict(counts.rows())

    @cached_property
    def hallucinated(self) -> Value | None:
        """How often something was seen where nothing is, over all tests (percent of the answers that could be read)."""
        blank = self.rows.filter((pl.col("level") == BLANK) & (pl.col("outcome") != "unread"))
        return share(int((blank["outcome"] == "wrong").sum()), blank.height) if blank.height else None

    @cached_property
    def confusions(self) -> Mapping[str, Mapping[str, int]]:
        """Of letters that were shown: which were named how often, of all that could be read."""
        read = self._letters.filter((pl.col("outcome") != "unread") & pl.col("answer").is_not_null())
        counts: dict[str, dict[str, int]] = {}
        for key, answer, n in read.group_by("key", "answer").len().sort("key", "answer").rows():
            counts.setdefault(str(key), {})[str(answer)] = n
        return counts

    @property
    def trials(self) -> int:
        return self.rows.filter(pl.col("reason").fill_null("") != "error").height

    @property
    def errors(self) -> int:
        return self.rows.height - self.trials

    @cached_property
    def refused(self) -> tuple[str, ...]:
        """Canvases of which not a single picture was taken: every call failed; the smallest first."""
        failed = (pl.col("reason").fill_null("") == "error").all()
        shown = (
            self.rows.filter(pl.col("paradigm").cast(pl.String) == "direct")
            if "paradigm" in self.rows.columns
            else self.rows
        )
        by_canvas = shown.group_by(pl.col("canvas").cast(pl.String)).agg(failed.alias("failed"))
        return tuple(sorted(by_canvas.filter("failed")["canvas"], key=lambda canvas: (len(canvas), canvas)))

    @property
    def unread(self) -> Value:
        asked = self.rows.filter(pl.col("reason").fill_null("") != "error")
        return share(int((asked["outcome"] == "unread").sum()), asked.height) if asked.height else Value(None)


def unusual(measure: Measure) -> int:
    """In how many ways a condition is not the usual one."""
    return sum(measure.condition[name] != level for name, level in USUAL.items())


def share(part: int, whole: int) -> Value:
    """In percent, with Wilson's interval."""
    low, high = wilson(part / whole, whole)
    return Value(100 * part / whole, 100 * low, 100 * high, whole)


class Results:
    """All subjects of the acuity trials."""

    def __init__(self, rows: pl.DataFrame) -> None:
        rows = rows.with_columns(pl.lit(None, pl.String).alias(name) for name in CONDITION if name not in rows.columns)
        self.rows = rows.with_columns(pl.col(name).cast(pl.String).fill_null(USUAL[name]) for name in CONDITION)
        self.subjects: list[str] = self.rows["subject"].cast(pl.String).unique(maintain_order=True).to_list()

    @cached_property
    def sittings(self) -> Mapping[str, Sitting]:
        by_subject: dict[str, list[Measure]] = {subject: [] for subject in self.subjects}
        for each in measures(self.rows):
            by_subject[each.subject].append(each)
        return {
            subject: Sitting(subject, self.rows.filter(pl.col("subject").cast(pl.String) == subject), tuple(own))
            for subject, own in by_subject.items()
        }

    @cached_property
    def tests(self) -> list[str]:
        """Every test that anybody was asked, in the order of the card."""
        return sorted({test for sitting in self.sittings.values() for test in sitting.main}, key=order)
