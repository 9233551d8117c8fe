"""What an observer who does not do the task might go by, for the shortcut audit."""

from collections.abc import Mapping

import numpy as np

from snellen.draw.strokes import SIDE, box, legs, track
from snellen.item import Picture
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.strokes.panels import shapes_of


def observe(panel: Panel, picture: Picture) -> Mapping[str, float]:
    """Simple features of one picture: how much ink, how large, where, how many strokes, how long file and twin are."""
    shapes = shapes_of(panel)
    boxes = [box(np.concatenate(track(legs(shape.strokes, shape.heading, shape.scale)))) for shape in shapes]
    return {
        "ink": sum(stroke.length * shape.scale for shape in shapes for stroke in shape.strokes),
        "box area": sum(width * height for _, width, height in boxes) / SIDE**2,
        "strokes": sum(len(shape.strokes) for shape in shapes),
        "plain strokes": sum(stroke.style == "normal" for shape in shapes for stroke in shape.strokes),
        "shapes": len(shapes),
        "across": sum(shape.x for shape in shapes) / len(shapes),
        "down": sum(shape.y for shape in shapes) / len(shapes),
        "file size": len(picture.data),
        "twin length": len(picture.twin),
    }
