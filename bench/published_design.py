"""All 115,200 trials and 3,600 pictures of the published design, made from nothing: CPU seconds.

The budget is 15 s of CPU, all told: states, words, keys, twins, probes and pictures.
"""

import time

from snellen.prompts import load
from snellen.tasks import task

Row = tuple[str, str, str]


def measure() -> list[Row]:
    start = time.process_time()
    fixation = task("fixation")
    design = fixation.design("published")
    trials = 0
    pictures: set[str] = set()
    for shown in fixation.stimuli(design, design.n, 0, load(fixation.prompts, fixation.name)):
        trials += 1
        pictures.update(picture.digest for picture in shown.pictures)
    seconds = time.process_time() - start
    return [(f"published design: {trials:,} trials, {len(pictures):,} pictures", f"{seconds:.1f} s of CPU", "<= 15 s")]
