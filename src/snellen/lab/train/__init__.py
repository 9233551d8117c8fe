"""Training: supervised (SFT) and by reward (GRPO), on TRL and PEFT, with the paper's recipe as defaults.

recipes  every setting as one value, kept in OUT/recipe.json
data     the rows of a set that `snellen lab trainset` wrote, checked, and with the control's answers if one is wanted
layers   the linear layers of the model's parts: vision, connector, language
trainer  TRL's trainers, set up from a recipe
figures  the curve as figures
watch    curves on disk, and whoever wants to be told
run      checks first, then training, then the adapter
"""

from snellen.lab.train.recipes import CONTROLS, METHODS, PARTS, Method, TrainingRecipe, recipe

__all__ = ["CONTROLS", "METHODS", "PARTS", "Method", "TrainingRecipe", "recipe"]
