"""`python -m snellen.lab.pretrain tiny -o DIR`: as `snellen lab pretrain`, with nothing but torch and transformers."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from snellen.lab.pretrain.making import make
from snellen.lab.pretrain.recipe import RECIPES

asked = argparse.ArgumentParser(prog="python -m snellen.lab.pretrain")
asked.add_argument("recipe", choices=RECIPES)
asked.add_argument("-o", "--out", type=Path, required=True)
asked.add_argument("--seed", type=int, default=1)
asked.add_argument("--workers", type=int, default=4)

if __name__ == "__main__":
    chosen = asked.parse_args()
    recipe = replace(RECIPES[chosen.recipe], seed=chosen.seed)
    make(recipe, chosen.out, chosen.workers, None, lambda line: print(json.dumps(line), flush=True))  # noqa: T201
