"""Chart: what a chart's table is after an edit.

Bar, line, pie and stacked bar charts with invented figures that can be read off exactly; the edit is stated in the
prompt, the answer is the whole table after it.
"""

from snellen.draw.charts import draw
from snellen.item import Picture
from snellen.tasks.capacity.kind import Kind, Truth
from snellen.tasks.capacity.kinds.chart.asking import ask, observe
from snellen.tasks.capacity.kinds.chart.making import make
from snellen.tasks.capacity.kinds.chart.table import chart_of


def show(truth: Truth) -> tuple[Picture, ...]:
    chart = chart_of(truth)
    return (Picture(draw(chart).png(), alt=f"a {chart.kind} chart: {chart.title}"),)


KIND = Kind(
    name="chart",
    title="Chart modification",
    category="geometric",
    n=49,
    about="the table behind a chart after a stated edit: swap, replace, add, scale, to percent, remove, sort",
    make=make,
    show=show,
    ask=ask,
    describable=False,  # a description of the chart is the old table, and the task is to give the new one
    observe=observe,
)
