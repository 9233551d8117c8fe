"""A thing under a condition: its drawing and the question about it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image

from snellen.item import Condition, Form, Item, Picture, Question, Stimulus
from snellen.prompts import Pack
from snellen.tasks.bias.draw.things import SIZE, PartsDrawing, ThingKind, anonymous, draw, in_scene, look, plain
from snellen.tasks.bias.draw.things.drawing import shape_words
from snellen.tasks.bias.kinds import ICON, SCENE, kind_of
from snellen.tasks.padding import padded

HABIT, OTHER_WAY = "the usual number", "as far off the other way"
"""What a wrong count betrays: the habit, or, at the same distance on the other side of the key, poor counting. Whoever
miscounts says either as often; a habit says the first."""
NAMELESS = ("anonymous", "plain")
"""The drawings of no thing that could be known."""
_PAINTERS = {"anonymous": anonymous, "plain": plain}
YES_OR_NO = ("yes", "no")
NUMBER = Form("number", final="braces")
_BYTES, _BENT_BYTES, _SCENE_BYTES = 24 << 10, 56 << 10, 320 << 10
"""More than a drawing of the default size takes, straight, bent or in a scene, so that all files are equally long."""


def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    """The item as asked under the condition, in the words of the pack."""
    kind, truth = kind_of(item.truth["kind"]), item.truth
    how = condition["drawing"]
    levels = condition.of(item)
    text = pack.say("prompt", levels, _values(kind, truth, how))
    if condition["ask"] == "recall":
        return Stimulus(item, condition, (text,), Question(text, NUMBER, str(kind.usual)))
    count = kind.usual if how == "ordinary" else truth["count"]
    scene = truth.get("scene", ICON)
    drawing = _drawn(kind.name, count, *truth["look"], scene, how, int(condition["resolution"]))
    question = (_noticing if condition["ask"] == "usual" else _counting)(text, drawing.count, kind.usual, how)
    twin, picture = drawing.picture.twin, replace(drawing.picture, twin="")
    if condition["view"] == "flipped":
        twin, picture = f"{pack.say('flipped', levels, {})} {twin}", flipped(picture)
    # The twin goes with the stimulus, not with the picture: all drawings of an item are seen by the same eyes.
    full = _SCENE_BYTES if scene == SCENE else _BENT_BYTES if how == "anonymous" else _BYTES
    size = full * int(condition["resolution"]) // SIZE
    return Stimulus(item, condition, (padded(picture, size), text), question, twin)


def _counting(text: str, count: int, usual: int, how: str) -> Question:
    """How many? Whoever answers by habit says the usual number, where that is another and the thing can be known."""
    if how != "counterfactual" or count == usual:
        return Question(text, NUMBER, str(count))
    return Question(text, NUMBER, str(count), {str(usual): HABIT, str(2 * count - usual): OTHER_WAY}, habit=HABIT)


def _noticing(text: str, count: int, usual: int, how: str) -> Question:
    """Is this usual? Whoever goes by habit finds that all is as it should be."""
    if count == usual:
        return Question(text, Form("choice", YES_OR_NO), "yes")
    return Question(text, Form("choice", YES_OR_NO), "no", {"yes": HABIT}, habit=HABIT)


def _values(kind: ThingKind, truth: Mapping[str, Any], how: str) -> dict[str, str]:
    shapes = {"anonymous": kind.bare_parts, "plain": _shapes(kind.name, truth["count"], *truth["look"])}
    return {
        "parts": kind.parts,
        "place": kind.place,
        "whole": kind.whole,
        "known": kind.known_as or kind.whole,
        "renamed": kind.alias_parts,
        "shapes": shapes.get(how, ""),
    }


@lru_cache(maxsize=512)
def _shapes(name: str, count: int, seed: int, index: int) -> str:
    kind = kind_of(name)
    return shape_words(kind.recipe(count, look(kind, seed, index)).marks[0])[1]


@lru_cache(maxsize=64)
def _drawn(name: str, count: int, seed: int, index: int, scene: str, how: str, size: int) -> PartsDrawing:
    """Drawn once for all conditions of an item."""
    kind = kind_of(name)
    seen = look(kind, seed, index)
    return _PAINTERS.get(how, draw)(kind, count, in_scene(kind, seen) if scene == SCENE else seen, size)


def flipped(picture: Picture) -> Picture:
    """The picture with its top at the bottom, as PNG without loss."""
    with Image.open(BytesIO(picture.data)) as image:
        image.load()
        out = BytesIO()
        image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(out, "PNG", compress_level=6)
    return replace(picture, data=out.getvalue(), media_type="image/png")


def applies(levels: Mapping[str, str], condition: Condition) -> bool:
    """Nameless drawings are nothing that has a name or a usual number, other words for the parts, and those that are
    compared with them, go with none either, and what is usual can be told without a picture, once for all of them."""
    nameless, other_words = condition["drawing"] in NAMELESS, condition["prompt"] != "base"
    if condition["ask"] == "recall":
        plainest = ("counterfactual", "upright", "base", "class", "640")
        return tuple(condition[name] for name in ("drawing", "view", "prompt", "name", "resolution")) == plainest
    if not nameless and not other_words:
        return True
    return not (nameless and other_words) and condition["ask"] == "count" and condition["name"] == "class"
