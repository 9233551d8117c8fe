"""The numbers of a Bongard study, each computed when first asked for."""

from functools import cached_property
from typing import Any

import polars as pl

from snellen.analysis.casts import CHAINS, IN_WORDS, ORACLES, ROLES, TRUTH, TWIN, own, side_by_side, with_casts
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import accuracy
from snellen.analysis.rows import sorted_levels
from snellen.tasks.bongard.study.bias import AnswerLeaning, leanings

CONTEXT = ("prompt", "examples", "pack")
"""Besides who answers and how, what may differ between trials of one query; the plainest level is the first."""
PLAIN = {"prompt": "structured", "examples": "both", "pack": ""}
PARADIGMS = ("dvrl", "direct", "drl", "ca", "describe", *CHAINS)
LADDER = (("drl", "dvrl"), ("ca", "drl"), ("ca", "dvrl"), *((name, "dvrl") for name in CHAINS))
"""The steps of the ladder, and the chains of thought: what should be better, and than what."""
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
    def overall(self) -> list[dict[str, Any]]:
        """Accuracy of every cast and context, over both queries."""
        return sorted(accuracy(self.rows, CELL, self.seed), key=self.rank)

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """The same for positive and negative queries apart."""
        return sorted(accuracy(self.rows, [*CELL, "query"], self.seed), key=self.rank)

    @cached_property
    def leanings(self) -> list[AnswerLeaning]:
        """How far each cast leans to one of the two answers."""
        return sorted(leanings(self.rows, CELL, self.seed), key=lambda each: self.rank(each.cell))

    def by(self, column: str) -> list[dict[str, Any]]:
        """Accuracy by a level of the problems, such as their category."""
        return sorted(accuracy(self.rows, [*CELL, column], self.seed), key=lambda each: (self.rank(each), each[column]))

    @cached_property
    def ladder(self) -> list[Contrast]:
        """Each paradigm minus a plainer one, each subject in all roles. Holm family: the steps of one subject and
        context."""
        mine, found = own(self.rows), []
        for better, worse in LADDER:
            first, second = (mine.filter(pl.col("paradigm") == name) for name in (better, worse))
            pairs = side_by_side(first, second, ("paradigm", *ROLES))
            steps = contrast(pairs, ["who", *CONTEXT], self.seed)
            found += [{**each, "better": better, "worse": worse} for each in steps]
        return sorted(adjust(found, ["who", *CONTEXT]), key=self.rank)

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
        found = []
        for gap, role, pairs in (("perception", "describer", self.in_words), ("induction", "inducer", self.by_rule)):
            each_gap = contrast(pairs, ["who", "paradigm", *CONTEXT, role], self.seed)
            found += [{**each, "gap": gap, "of": each[role]} for each in each_gap]
        # the sort is stable: perception stays before induction
        return sorted(adjust(found, ["who", *CONTEXT]), key=lambda each: self.rank({**each, "paradigm": ""}))

    @cached_property
    def remains(self) -> list[dict[str, Any]]:
        """What is missing to all right although an oracle helps: `application` with the true rule (the query's picture
        must still be seen), `reasoning` with exact words (the rule must still be found, and applied)."""
        found = []
        for gap, role, oracle, by in (
            ("application", "inducer", TRUTH, ("drl",)),
            ("reasoning", "describer", TWIN, IN_WORDS),
        ):
            helped = self.rows.filter(pl.col(role) == oracle, pl.col("paradigm").is_in(by))
            for each in accuracy(helped, ["who", "paradigm", *CONTEXT], self.seed):
                if each["accuracy"] is not None:
                    left = {"difference": 1 - each["accuracy"], "low": 1 - each["high"], "high": 1 - each["low"]}
                    found.append({**each, **left, "pairs": each["trials"], "gap": gap, "of": oracle})
        return sorted(found, key=self.rank)

    @cached_property
    def wordings(self) -> list[Contrast]:
        """Structured minus minimal wording, and with minus without negative examples, the same cast. Holm family: one
        cast."""
        found = []
        for column, a, b in (("prompt", "structured", "minimal"), ("examples", "both", "positives")):
            by = [name for name in CELL if name != column]
            changed = contrast(paired(self.rows, column, a, b), by, self.seed)
            found += [{**each, column: PLAIN[column], "factor": column, "levels": (a, b)} for each in changed]
        return sorted(adjust(found, ["subject", "paradigm"]), key=self.rank)

    def rank(self, each: dict[str, Any]) -> tuple[int | str | bool, ...]:
        """Where a result belongs: subjects as examined, plain contexts first, then paradigms and casts."""
        return (
            self.subjects.index(each["who"]) if each["who"] in self.subjects else len(self.subjects),
            *(each[name] != PLAIN[name] for name in CONTEXT),
            *(each[name] for name in CONTEXT),
            PARADIGMS.index(each["paradigm"]) if each.get("paradigm") in PARADIGMS else 0,
            self.labels.index(each["subject"]) if "subject" in each else 0,
            each.get("query", "") != "positive",
        )
