"""Chart: what a chart's table is after edits.

Charts of ten kinds with invented figures that can be read off exactly; the edits are stated in the prompt, the answer
is the whole table after them. In the standard size 8 to 15 values stand nowhere in the picture (those of a pie are read
off a dial) and two edits follow one another; the large one has up to 20, finer axes and three edits, the small one a
single edit and half of its values written.
"""

from snellen.item import Picture
from snellen.tasks.capacity.draw.charts import draw
from snellen.tasks.capacity.kind import CapacityKind, Truth
from snellen.tasks.capacity.kinds.chart.asking import ask, observe
from snellen.tasks.capacity.kinds.chart.making import make
from snellen.tasks.capacity.kinds.chart.table import chart_of


def show(truth: Truth) -> tuple[Picture, ...]:
    chart = chart_of(truth)
    return (Picture(draw(chart).png(), alt=f"a {chart.kind} chart: {chart.title}"),)


# Not describable: a description of the chart is the old table, and the task is to give the new one
KIND = CapacityKind(
    "chart", 49, make, show, ask, sizes=("standard", "small", "large"), describable=False, observe=observe
)
