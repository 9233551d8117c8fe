"""A state under a condition: the picture or the board in characters, the words, the question with its key."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from snellen.draw.boards import Board, draw, words
from snellen.errors import UserError
from snellen.item import NOTHING, Condition, Form, Item, Picture, Question, Stimulus
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks.fixation import published
from snellen.tasks.padding import padded

HABIT = "default rule"
NOTHING_THERE = "nothing"
_KEPT = 256
_BYTES_PER_CELL = 720  # more than any cell takes, so that all pictures of a kind of board are equally long


@dataclass(frozen=True, slots=True)
class _Scene:
    """What all conditions of an item with the same labels share."""

    board: Board
    twin: str
    values: Mapping[str, str]
    probes: tuple[Question, ...]


_scenes: dict[tuple[str, str, str], _Scene] = {}
_merged: dict[tuple[str, str, str, Condition], Condition] = {}


def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    """The item as asked under the condition, in the words of the pack."""
    scene = _scene(item, "glyph" if condition["rendering"] == "glyph" else "", pack)
    levels = _levels(item, condition)
    values = scene.values
    asked = "" if condition["prompt"] == "descriptive" else condition["target"]
    if condition["prompt"] in ("alias", "semalias"):
        values = {**values, **_tags(item, condition, pack)}
        asked = values["t1" if asked == "winner" else "t2"]
    text = pack.say("prompt", levels, values)
    aloud = condition["response"] == "cot"
    form = Form("choice", scene.board.labels, "boxed" if aloud else "plain", asked, reasoned=aloud)
    question = _question(item, condition, text, form, (values["first"], values["second"]))
    if condition["modality"] == "text":
        parts = (pack.say("with_board", levels, {**values, "words": text, "board": scene.twin}),)
        return Stimulus(item, condition, parts, question, scene.twin, scene.probes)
    picture = _picture(scene.board, condition["rendering"])
    shown = (text, picture) if condition["order"] == "text_first" else (picture, text)
    return Stimulus(item, condition, shown, question, scene.twin, scene.probes)


@lru_cache(maxsize=_KEPT)
def _picture(board: Board, rendering: str) -> Picture:
    return padded(draw(board, rendering), _BYTES_PER_CELL * len(board.cells))


def _question(item: Item, condition: Condition, text: str, form: Form, offered: tuple[str, str]) -> Question:
    """The question with its key: the standard winner, the other player if the rule is inverse, the other again if
    the loser is asked for. Descriptive words come to the same answer without speaking of winning."""
    inverse = condition["rule"] == "inverse"
    right = item.truth["winner"] - 1
    if inverse != (condition["target"] == "loser"):
        right = 1 - right
    labels = form.labels
    # Whoever plays by the usual rule although the words turn it round gives exactly the other answer.
    habit = {labels[1 - right]: HABIT} if inverse and condition["prompt"] != "descriptive" else NOTHING
    return Question(text, form, labels[right], habit, habit=HABIT if habit else "", offered=offered)


def _levels(item: Item, condition: Condition) -> Condition:
    """The condition together with the item's own levels, for choosing words."""
    own = item.levels
    key = (own["game"], own["states"], own["size"], condition)
    levels = _merged.get(key)
    if levels is None:
        levels = _merged[key] = condition.of(item)
    return levels


def _tags(item: Item, condition: Condition, pack: Pack) -> dict[str, str]:
    """The made-up words for winning (t1) and losing (t2). A fresh state keeps its two under all conditions, so that
    conditions differ in nothing else; `tag_a`, `tag_b` are the same two in the alphabet's order."""
    pool = pack.values("tags")
    if len(set(pool)) < 2:
        raise UserError(
            f"{pack.origin}: [{pack.task}] tags has {len(set(pool))} words; give two or more different ones"
        )
    if item.levels["states"] == "published":
        won, lost = published.tags(item, condition, pool)
    else:
        won, lost = stream(0, item.id, "tags").sample(pool, 2)
    one, other = sorted((won, lost))
    return {"t1": won, "t2": lost, "tag_a": one, "tag_b": other}


def _scene(item: Item, kind: str, pack: Pack) -> _Scene:
    key = (item.digest, kind, pack.digest)
    scene = _scenes.get(key)
    if scene is None:
        if len(_scenes) >= _KEPT:  # items come one after the other: what is dropped is rarely wanted again
            _scenes.clear()
        scene = _scenes[key] = _new_scene(item, kind, pack)
    return scene


def _new_scene(item: Item, kind: str, pack: Pack) -> _Scene:
    truth = item.truth
    one, other = truth["glyphs"] if kind == "glyph" else truth["players"]
    labels = (one, other)
    board = Board(item.levels["game"], truth["rows"], truth["columns"], truth["cells"], labels)
    values = {
        "p1": one,
        "p2": other,
        "first": labels[truth["named"][0] - 1],
        "second": labels[truth["named"][1] - 1],
        "rows": str(board.rows),
        "columns": str(board.columns),
        "length": str(truth.get("length", "")),
    }
    return _Scene(board, words(board), values, _probes(item, board, values, pack))


def _probes(item: Item, board: Board, values: Mapping[str, str], pack: Pack) -> tuple[Question, ...]:
    """What is in the picture, rules apart: the content of one cell, and who has the line or more pieces. A pack
    without words for them has no probes."""
    levels = Condition(item.levels)
    probes = []
    if "probe_cell" in pack.pieces:
        rng = stream(0, item.id, "probe")
        contents = board.labels if board.game == "dots_boxes" else (*board.labels, NOTHING_THERE)
        # First what is seen, then where: all contents on the board are asked for alike, however full it is.
        digit = rng.choice(sorted(set(board.cells)))
        cell = rng.choice([place for place, held in enumerate(board.cells) if held == digit])
        row, column = divmod(cell, board.columns)
        places = {**values, "row": str(row + 1), "column": str(column + 1)}
        text = pack.say("probe_cell", levels, places)
        probes.append(Question(text, Form("choice", contents), contents[int(digit) - 1]))
    if "probe_goal" in pack.pieces:
        key = board.labels[item.truth["winner"] - 1]
        probes.append(Question(pack.say("probe_goal", levels, values), Form("choice", board.labels), key))
    return tuple(probes)
