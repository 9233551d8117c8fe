"""Sheets about boards: half of the questions as the exam puts them, half in other words.

Kinds that a stage chooses among: `see` (cells, rows, counts), `descriptive`, `standard` (the usual rule in plain
words), `habit` (no rule is stated, the usual one is meant), `alias` (either rule in made-up words), `inverse` (the
other rule in plain words).
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Literal

from recipes.small.drawing import drawn
from recipes.small.finished import Finished, sheet_of, some_board
from recipes.small.phrases import numeral, phrase
from recipes.small.sheets import Said, Sheet, distinct
from recipes.small.sights import sight
from snellen.item import Condition, Stimulus
from snellen.prompts import Pack, load
from snellen.rng import Stream, stream
from snellen.tasks.fixation import TASK

KINDS = ("see", "descriptive", "standard", "habit", "alias", "inverse")
ASKED = 18
"""Questions on a sheet: about as many as fit into a row."""
_RULES_COUNT = 1.5
Rule = Literal["standard", "inverse"]


def board_sheet(shares: Mapping[str, float], seed: int, number: int) -> Sheet:
    """The sheet of that number; it asks nothing if the shares name none of the kinds."""
    rng = stream(seed, "small", "board", number)
    shown = some_board(rng, seed, number)
    kinds = {kind: shares[kind] for kind in KINDS if shares.get(kind)}
    if shown.item is None and kinds:
        kinds = {"see": 1.0}
    said = distinct(ask(shown, drawn(rng, kinds), rng) for _ in range(ASKED)) if kinds else ()
    return sheet_of(shown, said)


def ask(shown: Finished, kind: str, rng: Stream) -> Said:
    """One question of a kind, as the exam or in other words."""
    if kind == "see":
        return _probe(shown, rng) if shown.item and rng.chance(0.1) else sight(shown, rng)
    if kind == "habit":
        target = rng.choice(("winner", "loser"))
        asked = f"{phrase(rng, 'board', f'habit_{target}')} {_short(shown, rng)}".strip()
        return Said(kind, (0, asked), _owner(shown, "standard", target), _RULES_COUNT)
    rule: Rule = rng.choice(("standard", "inverse")) if kind in ("alias", "descriptive") else _rule(kind)
    target = rng.choice(("winner", "loser"))
    if rng.chance(0.6):
        prompt = kind if kind in ("alias", "descriptive") else "base"
        question = as_examined(shown, prompt=prompt, rule=rule, target=target).question
        return Said(kind, (0, question.text), question.key, _RULES_COUNT)
    said = {"alias": _called, "descriptive": _described}.get(kind, _ruled)(shown, rule, target, rng)
    return Said(kind, (0, said), _owner(shown, rule, target), _RULES_COUNT)


def _probe(shown: Finished, rng: Stream) -> Said:
    """What the exam asks of the eyes alone."""
    probe = rng.choice(as_examined(shown).probes)
    return Said("see probe", (0, probe.text), probe.key)


def _rule(kind: str) -> Rule:
    return "inverse" if kind == "inverse" else "standard"


def _owner(shown: Finished, rule: Rule, target: str) -> str:
    """Who is asked for: whoever has the line or more, or the other one."""
    turned = (rule == "inverse") != (target == "loser")
    return shown.board.labels[1 - shown.holder if turned else shown.holder]


def as_examined(shown: Finished, **levels: str) -> Stimulus:
    """The question in the exam's own words. With the board in characters, for the words do not change with that, and
    nothing is drawn in vain."""
    if shown.item is None:
        raise ValueError("a board filled at random is only to be looked at")
    usual = {factor.name: factor.levels[0] for factor in TASK.factors if not factor.of_item}
    condition = Condition({**usual, "rendering": shown.rendering, "modality": "text", **levels})
    return TASK.stimulus(shown.item, condition, pack())


@cache
def pack() -> Pack:
    """The exam's wording, but for its made-up words: those are for the exam alone."""
    words = load(TASK.prompts, TASK.name)
    pieces = {**words.pieces, "tags": list(_tags()[::_FEWER])}
    return replace(words, pieces=pieces, digest=f"{words.digest} with other tags")


_FEWER = 8  # every item looks through them all
_SOUNDS = (
    ("BCDFGHJKLMNPRSTVZ", "AEIOU", "BDFGKLMNPRST", "BDFGKLMNPRST"),
    ("BCDFGHJKLMNPRSTVZ", "AEIOU", "BDFGKLMNPRST", "AEIOU"),
    ("BCDFGHJKLMNPRSTVZ", "LR", "AEIOU", "BDFGKLMNPST"),
)


@cache
def _tags() -> tuple[str, ...]:
    return tuple(sorted(made_up() - set(load(TASK.prompts, TASK.name).values("tags"))))


@cache
def made_up() -> frozenset[str]:
    """Words that can be spoken, nearly all of them without a meaning; so many that binding them has to be learnt, not
    the words."""
    rng = stream(0, "small", "tags")
    return frozenset("".join(rng.choice(sounds) for sounds in shape) for shape, _ in product(_SOUNDS, range(400)))


def _short(shown: Finished, rng: Stream) -> str:
    first, second = rng.sample(shown.board.labels, 2)
    return phrase(rng, "board", "short", first=first, second=second)


def _put_together(shown: Finished, rng: Stream, *sentences: str) -> str:
    first, second = rng.sample(shown.board.labels, 2)
    intro = phrase(rng, "board", "intro", first=first, second=second)
    return " ".join(filter(None, (intro, *sentences, _short(shown, rng))))


def _line(shown: Finished) -> dict[str, str]:
    return {"length": str(shown.length), "length_word": numeral(shown.length)}


def _ruled(shown: Finished, rule: Rule, target: str, rng: Stream) -> str:
    inverse = rule == "inverse"
    if shown.length:
        does, other = ("lose", "win") if inverse else ("win", "lose")
        said = phrase(rng, "board", "line_rule", does=does, other_does=other, **_line(shown))
    else:
        said = phrase(rng, "board", "count_rule", amount="fewer" if inverse else "more")
    return _put_together(shown, rng, said, phrase(rng, "board", target))


def _called(shown: Finished, rule: Rule, target: str, rng: Stream) -> str:
    """`won` and `lost` stand for winning and losing, which nobody is told."""
    won, lost = rng.sample(_tags(), 2)
    has, lacks = (lost, won) if rule == "inverse" else (won, lost)
    piece = "line_called" if shown.length else "count_called"
    said = phrase(rng, "board", piece, has=has, lacks=lacks, **_line(shown))
    return _put_together(shown, rng, said, phrase(rng, "board", "called", tag=won if target == "winner" else lost))


def _described(shown: Finished, rule: Rule, target: str, rng: Stream) -> str:
    first, second = rng.sample(shown.board.labels, 2)
    has = "held" if (rule == "inverse") == (target == "loser") else "lacked"
    piece = f"{'line' if shown.length else 'count'}_{has}"
    question = phrase(rng, "board", piece, first=first, second=second, **_line(shown))
    return f"{question} {_short(shown, rng)}".strip()
