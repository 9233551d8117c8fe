"""What speaks about one subject: the losses, from the plainest context in which they can be had."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.blocks import Value
from snellen.analysis.bongard.results import CONTEXT, PLAIN, Results
from snellen.analysis.casts import IN_WORDS, TWIN, credited, first_of, own
from snellen.analysis.estimates import accuracy
from snellen.analysis.stages import NOTHING, Parts, below, lean, lost, missing, parts, solved


@dataclass(frozen=True, slots=True)
class Evidence:
    """Losses are shares of queries. `seeing` and `thinking` come from answers in words (own against exact), `finding`
    and `applying` from answers by rule (own against true); `whole` is everything its own answers lose, `way` how
    those were asked. `lean`: lost to finding minus lost to applying. A loss that was not examined has no value."""

    subject: str
    context: dict[str, str]
    seeing: Value
    thinking: Value
    finding: Value
    applying: Value
    whole: Value
    way: str
    parts: Parts | None
    lean: Value
    accuracies: dict[str, Value]
    unread: float
    estimate: dict[str, Any]
    pairs: int


def evidence(found: Results, who: str) -> Evidence:
    """All that speaks about one subject."""
    mine = found.rows.filter(pl.col("who") == who)
    context = _reference(found, mine, who)
    here = _at(mine, context)
    words = first_of(_at(found.in_words.filter(pl.col("describer") == who, pl.col("who") == who), context), IN_WORDS)
    rules = _at(found.by_rule.filter(pl.col("inducer") == who, pl.col("who") == who), context)
    exact = credited(first_of(here.filter(pl.col("describer") == TWIN), IN_WORDS))
    way, plain = _own_way(here)
    seeing = lost(words, found.seed)
    split = parts(words, rules, found.seed) if words.height else None
    thinking = solved(words, "credit_a", found.seed) if words.height else solved(exact, "credit", found.seed)
    return Evidence(
        subject=who,
        context=context,
        seeing=seeing,
        thinking=missing(thinking),
        finding=lost(rules, found.seed),
        applying=missing(solved(rules, "credit_a", found.seed)),
        whole=missing(solved(plain, "credit", found.seed)),
        way=way,
        parts=split,
        lean=lean(rules, found.seed) if below(seeing) else split.lean if split else NOTHING,
        accuracies=_accuracies(here, found.seed),
        unread=_unread(words, rules, plain),
        estimate=accuracy(mine, ["who"], found.seed)[0],
        pairs=words.height,
    )


def _at(rows: pl.DataFrame, context: dict[str, str]) -> pl.DataFrame:
    return rows.filter(*(pl.col(name) == level for name, level in context.items()))


def _reference(found: Results, mine: pl.DataFrame, who: str) -> dict[str, str]:
    """The context a diagnosis rests on: one where its own words stand beside exact ones, if there is any; then the
    plainest; then the one with most trials."""
    helped = found.in_words.filter(pl.col("describer") == who, pl.col("who") == who)
    known = set(helped.select(CONTEXT).unique().rows())
    counts = mine.group_by(CONTEXT).len().rows()

    def order(row: tuple[Any, ...]) -> tuple[Any, ...]:
        *levels, n = row
        changed = (level != PLAIN[name] for name, level in zip(CONTEXT, levels, strict=True))
        return tuple(levels) not in known, *changed, -n, *levels

    return dict(zip(CONTEXT, min(counts, key=order)[:-1], strict=True))


def _own_way(here: pl.DataFrame) -> tuple[str, pl.DataFrame]:
    """How the subject was asked without help, the plainest way, and those trials."""
    mine = credited(own(here))
    for name in ("dvrl", "direct", "drl", *IN_WORDS):
        if not (chosen := mine.filter(pl.col("paradigm") == name)).is_empty():
            return name, chosen
    return "", mine


def _accuracies(here: pl.DataFrame, seed: int) -> dict[str, Value]:
    """Accuracies of the subject on its own, from 0 to 1, by paradigm."""
    return {
        f"accuracy_{each['paradigm']}": Value(each["accuracy"], each["low"], each["high"], each["trials"])
        for each in accuracy(own(here), ["paradigm"], seed)
        if each["accuracy"] is not None
    }


def _unread(words: pl.DataFrame, rules: pl.DataFrame, plain: pl.DataFrame) -> float:
    """The share of unread answers among those the verdict rests on (a half is the credit of no answer)."""
    answers = [frame[name] for frame in (words, rules) for name in ("credit_a", "credit_b")] if words.height else []
    marks = pl.concat(answers or [plain["credit"]])
    return float((marks == 0.5).sum() / max(len(marks), 1))
