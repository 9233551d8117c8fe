"""What an observer who does not do the task might go by, for the shortcut audit."""

from collections.abc import Mapping

from snellen.item import Stimulus
from snellen.tasks.fixation.games import GAMES, margin


def observe(stimulus: Stimulus) -> Mapping[str, str | int | float]:
    """Simple features of the board. Left out is what the task itself asks for: the line, or who has more pieces.

    Where lines decide, who has more pieces is beside the point, and so is an observer like any other.
    """
    truth = stimulus.item.truth
    cells: str = truth["cells"]
    pieces = len(cells) - cells.count("0")
    features: dict[str, str | int | float] = {
        "piece count": pieces,
        "piece-count parity": "odd" if pieces % 2 else "even",
        "board full": str(pieces == len(cells)),
        "player named first": str(truth["named"][0]),
    }
    if GAMES[stimulus.item.levels["game"]].decided_by == "line":
        features["who has more pieces"] = str(margin(cells))
    columns = truth["columns"]
    features |= {f"cell ({i // columns},{i % columns})": owner for i, owner in enumerate(cells)}
    return features


def due(stimulus: Stimulus) -> Mapping[str, float]:
    """Where pieces are counted, light and colour of the picture count them.

    In boxes, which are dealt, each cell is a vote for its owner, too; played boards are chosen so that no cell is.
    """
    game, truth = GAMES[stimulus.item.levels["game"]], stimulus.item.truth
    if game.decided_by == "line":
        return {}
    counted = dict.fromkeys(("picture: brightness", "picture: colour", "picture: thumbnail"), 1.0)
    if game.name != "dots_boxes":
        return counted
    share = truth["cells"].count(str(truth["winner"])) / len(truth["cells"])
    return {**counted, "cell": share, "picture: single pixel": share}
