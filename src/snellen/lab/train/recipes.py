"""Everything that makes two trainings the same: one frozen value, kept beside what came of it.

Defaults are the paper's where it gives them. It does not give LoRA's alpha (twice the rank here), dropout (none), the
schedule of GRPO (constant), its temperature (1) or how long replies may be.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from snellen.errors import UserError, unknown
from snellen.item import content_digest

Method = Literal["sft", "grpo"]
METHODS: tuple[Method, ...] = get_args(Method)
PARTS = ("vision", "connector", "language")
CONTROLS = ("shuffled", "random")
FILE = "recipe.json"


@dataclass(frozen=True)
class TrainingRecipe:
    """How a model is trained. `batch`: rows a step (for GRPO prompts, each answered `generations` times), over all
    devices; `together`: how many of them a device takes at once. `steps`: instead of `epochs`, if given. `data_digest`
    is of the set's manifest and `base_digest` of the model's weights, so that a set or a model that was
    made anew under the same name is noticed."""

    method: Method
    model: str
    data: str
    data_digest: str = ""
    base_digest: str = ""
    trained_on: str = ""
    parts: tuple[str, ...] = PARTS
    rank: int = 8
    alpha: int = 16
    dropout: float = 0.0
    four_bit: bool = False
    epochs: float = 1.0
    steps: int | None = None
    batch: int = 128
    together: int = 8
    lr: float = 1e-4
    schedule: str = "cosine"
    warmup: float = 0.03
    weight_decay: float = 0.0
    seed: int = 0
    control: str = ""
    save_every: int = 16
    generations: int = 5
    beta: float = 1e-2
    temperature: float = 1.0
    reply_tokens: int = 32

    @property
    def kin(self) -> str:
        """A name for all recipes that differ in nothing but the seed."""
        return content_digest(json.dumps({**asdict(self), "seed": None}, sort_keys=True))[:12]


_OF_GRPO: dict[str, Any] = {"lr": 1e-6, "schedule": "constant", "warmup": 0.0, "weight_decay": 1e-2, "steps": 64}
_ONLY_GRPO = ("generations", "beta", "temperature", "reply_tokens")


def recipe(method: Method, **chosen: Any) -> TrainingRecipe:
    """The paper's recipe with what is chosen otherwise; None stands for the default."""
    given = {name: value for name, value in chosen.items() if value is not None}
    for name in _ONLY_GRPO:
        if method != "grpo" and name in given:
            raise UserError(f"--{name.replace('_', '-')} applies to grpo only; sft learns from the set's own answers")
    if "epochs" in given and "steps" in given:
        raise UserError("--epochs and --steps exclude each other; give one")
    defaults = dict(_OF_GRPO) if method == "grpo" else {}
    if "epochs" in given:
        defaults.pop("steps", None)
    if "rank" in given:
        defaults["alpha"] = 2 * given["rank"]
    made = TrainingRecipe(method, **{**defaults, **given})
    _check(made)
    return replace(made, parts=tuple(part for part in PARTS if part in made.parts))


def _check(made: TrainingRecipe) -> None:
    for part in made.parts:
        if part not in PARTS:
            raise unknown("part", part, PARTS)
    if made.control and made.control not in CONTROLS:
        raise unknown("control", made.control, CONTROLS)
    if made.control == "random" and made.method == "sft":
        raise UserError("--control random gives rewards at random, and sft has none; use --control shuffled, or grpo")
    if made.method == "grpo" and made.generations < 2:
        raise UserError(f"--generations {made.generations}: replies are compared with each other; expected at least 2")
    for name in ("rank", "batch", "together", "save_every", "reply_tokens"):
        if getattr(made, name) < 1:
            raise UserError(f"--{name.replace('_', '-')} {getattr(made, name)}: expected a whole number from 1")
    for name in ("epochs", "lr", "temperature"):
        if not getattr(made, name) > 0:
            raise UserError(f"--{name} {getattr(made, name):g}: expected more than 0")
    if made.steps is not None and made.steps < 1:
        raise UserError(f"--steps {made.steps}: expected a whole number from 1")


def write(made: TrainingRecipe, out: Path) -> None:
    text = json.dumps({**asdict(made), "kin": made.kin}, indent=2) + "\n"
    (out / FILE).write_text(text, encoding="utf-8")


def read(out: Path) -> TrainingRecipe:
    """The recipe in a folder that a training wrote."""
    path = out / FILE
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        names = {field.name for field in fields(TrainingRecipe)}
        return TrainingRecipe(**{**{k: v for k, v in values.items() if k in names}, "parts": tuple(values["parts"])})
    except OSError:
        raise UserError(f"{out}: has no {FILE}; expected a folder that `snellen lab train` wrote") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: not a recipe ({error}); train again into another folder") from None


def differences(one: TrainingRecipe, other: TrainingRecipe) -> list[str]:
    """The settings in which two recipes differ."""
    return [f.name for f in fields(TrainingRecipe) if getattr(one, f.name) != getattr(other, f.name)]
