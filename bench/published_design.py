"""All 115,200 trials and 3,600 pictures of the published design, made from nothing: CPU seconds.

    python bench/published_design.py

The budget is 15 s of CPU, all told: states, words, keys, twins, probes and pictures.
"""

import time
from collections.abc import Iterator

from snellen.item import Stimulus
from snellen.prompts import load
from snellen.tasks import Task, task

BUDGET = 15.0


def trials(fixation: Task) -> Iterator[Stimulus]:
    design = fixation.design("published")
    pack = load(fixation.prompts, fixation.name)
    for item in fixation.items(fixation.item_levels(design), design.n, 0):
        for condition in fixation.conditions(design, item):
            yield fixation.stimulus(item, condition, pack)


def main() -> None:
    start = time.process_time()
    rows, pictures, size = 0, set(), 0
    for shown in trials(task("fixation")):
        rows += 1
        for picture in shown.pictures:
            if picture.digest not in pictures:
                pictures.add(picture.digest)
                size += len(picture.data)
    seconds = time.process_time() - start
    verdict = "within" if seconds <= BUDGET else "OVER"
    print(f"published design: {rows:,} trials, {len(pictures):,} pictures ({size / 1e6:.0f} MB)")
    print(f"{seconds:.2f} s of CPU, {verdict} the budget of {BUDGET:.0f} s ({1e6 * seconds / rows:.0f} us a trial)")


if __name__ == "__main__":
    main()
