"""Items and stimuli made ahead, elsewhere: in worker processes where that pays, in the same order and with the same
bytes as anywhere else."""

from snellen.tasks.making.order import Made, Order, Origin
from snellen.tasks.making.pool import Makers, make_items, make_stimuli

__all__ = ["Made", "Makers", "Order", "Origin", "make_items", "make_stimuli"]
