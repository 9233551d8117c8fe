"""What an observer who does not do the test might go by, for the shortcut audit."""

from collections.abc import Mapping

from snellen.item import Stimulus
from snellen.tasks.acuity.draw.crowding import SIDES
from snellen.tasks.acuity.kind import BLANK

_LOOKING = ("picture: brightness", "picture: colour", "picture: thumbnail", "picture: single pixel")
_READING = ("twin (", "twin: spelling", "twin: length", "twin: words")


def observe(shown: Stimulus) -> Mapping[str, str | int | float]:
    """Where a chart stands and what is drawn by lot about it: none of it says what is asked for."""
    truth = shown.item.truth
    features: dict[str, str | int | float] = {"level": truth["level"]} if truth["test"] != "number" else {}
    if "nudge" in truth:
        features |= {"nudged right": truth["nudge"][0], "nudged down": truth["nudge"][1]}
    if "flankers" in truth:
        features |= {f"flanker {side}": letter for side, letter in zip(SIDES, truth["flankers"], strict=True)}
    for name in ("phase", "start", "same_ink", "paper"):
        if name in truth:
            features[name] = str(truth[name])
    if "offset" in truth:
        features["side of the offset"] = "right" if truth["offset"] > 0 else "left"
    if "above" in truth:
        features["red above at the left"] = str(truth["above"][0])
    return features


def due(shown: Stimulus) -> Mapping[str, float]:
    """Light, colour and pixels of a picture are what eyes are for: a letter is known by where its ink is, and in the
    twin by its name. On a blank page the answer is always the same."""
    if shown.item.levels["level"] == BLANK:
        return {"": 1.0}
    return dict.fromkeys((*_LOOKING, *_READING), 1.0)
