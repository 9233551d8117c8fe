"""What lookers are taught before any exam: on charts of another seed."""

from functools import cache

import snellen
from fakes.lookers import Taught, taught
from snellen.prompts import load


@cache
def lesson() -> Taught:
    """Taught on large letters and strong plates of another seed than any exam's."""
    return taught(charts("letters", "50.1", 10), charts("colour-red", "20", 20))


def charts(test, level, many):
    known = snellen.task("acuity")
    design = known.changed(known.design("constant"), {"test": (test,), "level": (level,)})
    shown = known.stimuli(design, many, 77, load(known.prompts, "acuity"))
    return [(each.pictures[0].data, each.question.key) for each in shown]
