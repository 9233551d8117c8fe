"""`python -m snellen.lab.pretrain tiny -o DIR`: make a model on one GPU, with nothing but torch and transformers."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from snellen.lab.pretrain.making import make
from snellen.lab.pretrain.recipe import RECIPES


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m snellen.lab.pretrain", description=__doc__)
    asked.add_argument("recipe", choices=RECIPES)
    asked.add_argument("-o", "--out", type=Path, required=True)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--short", type=float, default=1.0, help="this share of the steps, for a trial")
    asked.add_argument("--boards", type=int, help="so many boards of each game")
    asked.add_argument("--from", dest="begun", type=Path, help="begin with the weights of this file of a stage")
    chosen = asked.parse_args()
    recipe = RECIPES[chosen.recipe]
    stages = tuple(replace(stage, steps=max(1, round(stage.steps * chosen.short))) for stage in recipe.stages)
    recipe = replace(recipe, stages=stages, boards=chosen.boards or recipe.boards, seed=chosen.seed)
    make(recipe, chosen.out, chosen.workers, chosen.begun, lambda line: print(json.dumps(line), flush=True))  # noqa: T201


if __name__ == "__main__":
    main()
