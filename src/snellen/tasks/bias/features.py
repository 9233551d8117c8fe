"""What an observer who does not count might go by, for the shortcut audit, and what is owed to whom."""

from collections.abc import Mapping

from snellen.item import Stimulus

KNOWS_THE_THING = 1 / 2
"""Who knows what is drawn knows that it has one part more or one fewer than usual, and no more than that."""
_SEE_PARTS = ("picture: brightness", "picture: colour", "picture: thumbnail", "twin (")


def observe(stimulus: Stimulus) -> Mapping[str, str | int | float]:
    truth = stimulus.item.truth
    return {"thing": truth["kind"], "topic": stimulus.item.levels["topic"], "usual number": truth["usual"]}


def due(stimulus: Stimulus) -> Mapping[str, float]:
    """Anyone may know the thing: by its words, its colours, its place in the set. Whoever sees how much ink there is
    sees the parts, if poorly: that is what the task asks for; the words of the twin list them. Asked what is usual,
    knowing the thing is the task."""
    knows = 1.0 if stimulus.condition["ask"] == "recall" else KNOWS_THE_THING
    return {"": knows, **dict.fromkeys(_SEE_PARTS, 1.0)}
