"""The numbers of a Bongard study, each computed when first asked for."""

from functools import cached_property

import polars as pl

from snellen.analysis.casts import CHAINS, IN_WORDS, ORACLES, ROLES, TRUTH, TWIN, own, side_by_side, with_casts
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.rows import sorted_levels
from snellen.tasks.bongard.study.bias import AnswerLeaning, leanings

CONTEXT = ("prompt", "examples", "pack")
"""Besides who answers and how, what may differ between trials of one query; the plainest level is the first."""
PLAIN = {"prompt": "structured", "examples": "both", "pack": ""}
PARADIGMS = ("dvrl", "direct", "drl", "ca", "describe", *CHAINS)
LADDER = (("drl", "dvrl"), ("ca", "drl"), ("ca", "dvrl"), *((name, "dvrl") for name in CHAINS))
"""The steps of the ladder, and the chains of thought: what should be better, and than what."""
HELPED = ("with help", "without")
"""The two sides of a gap."""
CELL = ("who", "subject", "paradigm", *CONTEXT)


class BongardResults:
    """All numbers of the Bongard trials of all subjects, in the order people expect them."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows = with_casts(rows, "query", "source", "category", "prompt", "examples")
        self.seed = seed
        self.subjects = [who for who in self.rows["who"].unique(maintain_order=True) if who not in ORACLES]
        self.labels: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.paradigms = sorted_levels(self.rows, "paradigm", PARADIGMS)
        self.named = [name for name in CONTEXT if set(self.rows[name].unique()) != {PLAIN[name]}]

    def sources(self, who: str) -> list[str]:
        """Where the problems that a subject was asked come from."""
        return sorted(self.rows.filter(pl.col("who") == who)["source"].cast(pl.String).unique().to_list())

    @cached_property
    def overall(self) -> list[Estimate]:
        """Accuracy of every cast and context, over both queries."""
        return sorted(accuracy(self.rows, CELL, self.seed), key=self.rank)

    @cached_property
    def cells(self) -> list[Estimate]:
        """The same for positive and negative queries apart."""
        return sorted(accuracy(self.rows, [*CELL, "query"], self.seed), key=self.rank)

    @cached_property
    def leanings(self) -> list[AnswerLeaning]:
        """How far each cast leans to one of the two answers."""
        return sorted(leanings(self.rows, CELL, self.seed), key=self.rank)

    def by(self, column: str) -> list[Estimate]:
        """Accuracy by a level of the problems, such as their category."""
        return sorted(accuracy(self.rows, [*CELL, column], self.seed), key=lambda row: (self.rank(row), row[column]))

    @cached_property
    def ladder(self) -> list[Contrast]:
        """Each paradigm minus a plainer one, each subject in all roles. Holm family: the steps of one subject and
        context."""
        alone, steps = own(self.rows), []
        for better, worse in LADDER:
            first, second = (alone.filter(pl.col("paradigm") == name) for name in (better, worse))
            pairs = side_by_side(first, second, ("paradigm", *ROLES))
            step = contrast(pairs, ["who", *CONTEXT], self.seed, (better, worse))
            steps += [row.at(better=better, worse=worse) for row in step]
        return sorted(adjust(steps, ["who", *CONTEXT]), key=self.rank)

    @cached_property
    def in_words(self) -> pl.DataFrame:
        """Pairs in words: `a` from the twin, `b` from the describer named."""
        return self._with_oracle("describer", TWIN, IN_WORDS)

    @cached_property
    def by_rule(self) -> pl.DataFrame:
        """Pairs by rule: `a` with the true one, `b` with that of the inducer named."""
        return self._with_oracle("inducer", TRUTH, ("drl",))

    def _with_oracle(self, role: str, oracle: str, paradigms: tuple[str, ...]) -> pl.DataFrame:
        rows = self.rows.filter(pl.col("paradigm").is_in(paradigms))
        helped = pl.col(role) == oracle
        return side_by_side(rows.filter(helped), rows.filter(~helped), (role,))

    @cached_property
    def gaps(self) -> list[Contrast]:
        """Perception gaps (exact words minus a describer's) and induction gaps (true rule minus an inducer's). `of` is
        whose words or rule they are. Holm family: all of one subject and context."""
        gaps: list[Contrast] = []
        for gap, role, pairs in (("perception", "describer", self.in_words), ("induction", "inducer", self.by_rule)):
            by = ["who", "paradigm", *CONTEXT, role]
            gaps += [row.at(gap=gap, of=row[role]) for row in contrast(pairs, by, self.seed, HELPED)]
        # the sort is stable: perception stays before induction
        return sorted(adjust(gaps, ["who", *CONTEXT]), key=lambda row: self.rank(row.at(paradigm="")))

    @cached_property
    def remains(self) -> list[Contrast]:
        """What is missing to all right although an oracle helps: `application` with the true rule (the query's picture
        must still be seen), `reasoning` with exact words (the rule must still be found, and applied)."""
        left = []
        for gap, role, oracle, by in (
            ("application", "inducer", TRUTH, ("drl",)),
            ("reasoning", "describer", TWIN, IN_WORDS),
        ):
            helped = self.rows.filter(pl.col(role) == oracle, pl.col("paradigm").is_in(by))
            for row in accuracy(helped, ["who", "paradigm", *CONTEXT], self.seed):
                if row.accuracy is not None and row.low is not None and row.high is not None:
                    left.append(
                        Contrast(
                            {**row.levels, "gap": gap, "of": oracle},
                            pairs=row.trials,
                            items=row.items,
                            a=row.accuracy,
                            b=None,
                            difference=1 - row.accuracy,
                            low=1 - row.high,
                            high=1 - row.low,
                        )
                    )
        return sorted(left, key=self.rank)

    @cached_property
    def wordings(self) -> list[Contrast]:
        """Structured minus minimal wording, and with minus without negative examples, the same cast. Holm family: one
        cast."""
        wordings: list[Contrast] = []
        for column, a, b in (("prompt", "structured", "minimal"), ("examples", "both", "positives")):
            by = [name for name in CELL if name != column]
            changed = contrast(paired(self.rows, column, a, b), by, self.seed, (a, b))
            wordings += [row.at(**{column: PLAIN[column], "change": f"{a} against {b}"}) for row in changed]
        return sorted(adjust(wordings, ["subject", "paradigm"]), key=self.rank)

    def rank(self, row: AtLevels) -> tuple[int | str | bool, ...]:
        """Where a result belongs: subjects as examined, plain contexts first, then paradigms and casts."""
        return (
            self.subjects.index(row["who"]) if row["who"] in self.subjects else len(self.subjects),
            *(row[name] != PLAIN[name] for name in CONTEXT),
            *(row[name] for name in CONTEXT),
            PARADIGMS.index(row["paradigm"]) if row.levels.get("paradigm") in PARADIGMS else 0,
            self.labels.index(row["subject"]) if "subject" in row.levels else 0,
            row.levels.get("query", "") != "positive",
        )
