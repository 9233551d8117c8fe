"""Items and stimuli made ahead, elsewhere: in worker processes where that pays, in the same order and with the same
bytes as anywhere else."""

from snellen.tasks.making.order import ItemRequest, MadeItem, Origin
from snellen.tasks.making.pool import ItemPool, make_items, make_stimuli

__all__ = ["ItemPool", "ItemRequest", "MadeItem", "Origin", "make_items", "make_stimuli"]
