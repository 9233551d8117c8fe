"""`snellen lab trainset` and `snellen lab train`: what to train on, and training."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from snellen.cli.groups import GroupedCommand
from snellen.cli.options import OutputPath, examples_epilog, seed_option
from snellen.errors import UserError, invocation, unknown

if TYPE_CHECKING:
    from snellen.lab.train.recipes import TrainingRecipe
    from snellen.lab.trainset import Form
    from snellen.tasks.training import Trainset

SIZES = {"--states": "states", "--test": "held_out", "--n": "n", "--design": "design"}
"""Options of `trainset` that say how large a set is to be, and what a set calls them."""
TRAINSET_NOTES = """\
The folder is for `snellen lab train`, or for the trainer that --format names, and for datasets.load_dataset. What is
held out of the splits is in DIR/exam: snellen exam SUBJECT --tasks TASK --data TASK=DIR/exam.
"""


@click.command(epilog=examples_epilog("trainset", more=TRAINSET_NOTES))
@click.argument("name", metavar="SET|TASK")
@click.option(
    "-o", "--out", "folder", required=True, type=OutputPath(file_okay=False), metavar="DIR", help="Folder to write."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["trl", "verl", "llamafactory", "ms-swift", "unsloth", "parquet"]),
    default="trl",
    show_default=True,
    help="Rows as a trainer takes them (trl: also `snellen lab train`; verl: also EasyR1), or as by `snellen make`.",
)
@click.option(
    "--states", type=click.IntRange(min=2), help="Of a set of states, such as d1: states of each kind.  [default: 1024]"
)
@click.option(
    "--test",
    "held_out",
    type=click.IntRange(min=0),
    help="How many states of each kind, or items, are held out.  [default: 300 states, 100 items]",
)
@click.option(
    "--n",
    type=click.IntRange(min=1),
    help="Of a set of items, or of a task: base items.  [default: the set's own, 1000 of a task]",
)
@click.option("--design", help="Of a task: a named design.  [default: its quick one]")
@seed_option
def trainset(name: str, folder: Path, form: "Form", seed: int, **options: Any) -> None:
    """Write a training set, and hold out the first --test items that an exam of the same seed asks.

    SET is one of those that tasks come with (see the examples). It shares no item with what is held out, also none
    that is alike (a board turned or mirrored), and exams of other seeds leave out what was trained on. TASK is any
    task, with its verifier as the reward; its rows share no picture with what is held out.
    """
    from snellen.cli.progress_bars import counted
    from snellen.lab.trainset import write_trainset
    from snellen.tasks.export import check_free

    check_free(folder)
    manifest = write_trainset(_trainset(name, seed, **options), folder, form, counted)
    click.echo(
        f"wrote {manifest['train']['rows']:,} rows to train on and {manifest['test']['rows']:,} held out to {folder}"
    )
    if left_out := manifest["left_out"]["rows"]:
        click.echo(f"left out {left_out:,} rows whose pictures are held out")


def _trainset(
    name: str, seed: int, states: int | None, held_out: int | None, n: int | None, design: str | None
) -> "Trainset":
    """The set of that name; options of other sets are refused, not ignored."""
    from snellen.tasks import task_names
    from snellen.tasks.training import named_trainsets, of_task

    given = {"states": states, "held_out": held_out, "n": n, "design": design}
    sets = named_trainsets()
    if not (name in task_names() or name in sets or name.endswith(".py")):
        raise unknown("training set or task", name, [*sets, *task_names()])
    named = None if name in task_names() else sets.get(name)
    usual: Mapping[str, int] = named.sizes if named else {"n": 1000, "held_out": 100}
    takes = [option for option, size in SIZES.items() if size in usual or (size == "design" and not named)]
    for option, size in SIZES.items():
        if given[size] is not None and option not in takes:
            raise UserError(f"{option} says nothing about {name}; it takes {' and '.join(takes)}")
    chosen: dict[str, Any] = {size: number if given[size] is None else given[size] for size, number in usual.items()}
    return named.make(seed=seed, **chosen) if named else of_task(name, design=design, seed=seed, **chosen)


TRAIN_EXAMPLES = """\b
Examples:
  snellen lab train sft --model Qwen/Qwen2.5-VL-3B-Instruct --data d1 -o d1-sft --four-bit
  snellen lab train grpo --model ./my-model --data d1 -o d1-grpo --part language
  snellen lab train sft --model ./my-model --data d1 -o d1-null --control shuffled --seed 1
  snellen lab train sft -o d1-sft --resume
  accelerate launch -m snellen lab train sft --model ./my-model --data d1 -o d1-sft
  snellen exam local/./my-model:adapter=d1-sft

Defaults are the paper's recipe: LoRA of rank 8 on all linear layers, 128 rows a step; sft: one epoch, learning rate
1e-4 with a cosine schedule; grpo: 64 steps, 5 replies a prompt, KL 0.01, learning rate 1e-6.
"""


TRAIN_GROUPS = {
    "What to train": "--model --data --part --rank --four-bit --control",
    "How to train": "--epochs --steps --batch --together --lr --seed",
    "GRPO": "--generations --beta --temperature --reply-tokens",
    "Results": "-o --save-every --resume",
}


@click.command(cls=GroupedCommand, groups=TRAIN_GROUPS, epilog=TRAIN_EXAMPLES)
@click.argument("method", type=click.Choice(["sft", "grpo"]))
@click.option("--model", metavar="ID_OR_PATH", help="A model folder, or a model on the Hugging Face Hub.")
@click.option("--data", metavar="DIR", help="A set that `snellen lab trainset` wrote in the format trl.")
@click.option(
    "-o", "--out", "out", required=True, type=OutputPath(file_okay=False), metavar="OUT", help="Folder of the adapter."
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="vision|connector|language",
    help="Which part is trained (repeatable).  [default: all three]",
)
@click.option("--rank", type=int, help="Rank of LoRA.  [default: 8]")
@click.option("--four-bit", is_flag=True, default=None, help="Hold the model's own weights in four bits (QLoRA).")
@click.option("--epochs", type=float, help="Passes through the set.  [default: 1 for sft]")
@click.option("--steps", type=int, help="Number of steps, in place of epochs.  [default: 64 for grpo]")
@click.option("--batch", type=int, help="Rows (grpo: prompts) per step, over all devices.  [default: 128]")
@click.option("--together", type=int, help="Rows that a device processes at once.  [default: 8]")
@click.option("--lr", type=float, help="Learning rate.  [default: 1e-4; 1e-6 for grpo]")
@click.option("--generations", type=int, help="Replies to each prompt.  [default: 5]")
@click.option("--beta", type=float, help="Weight of the KL term.  [default: 0.01]")
@click.option("--temperature", type=float, help="Temperature of replies.  [default: 1]")
@click.option("--reply-tokens", type=int, help="Most tokens of a reply.  [default: 32]")
@click.option(
    "--control", metavar="shuffled|random", help="A control: train on shuffled answers or (grpo) random rewards."
)
@click.option("--save-every", type=int, help="Steps between checkpoints.  [default: 16]")
@click.option("--seed", type=int, help="Seed of the order of rows, new weights and replies.  [default: 0]")
@click.option("--resume", is_flag=True, help="Continue from the last checkpoint in OUT, with its settings.")
def train(method: Literal["sft", "grpo"], out: Path, resume: bool, **chosen: Any) -> None:
    """Train a model on a set, by its answers (sft) or by rewarding right ones (grpo). The result is OUT/adapter."""
    from snellen.cli.progress_bars import training
    from snellen.lab.train.run import train
    from snellen.lab.train.trainer import is_main

    made = _recipe(method, out, resume, {**chosen, "parts": chosen["parts"] or None})
    with training(is_main()) as (begin, tell):
        done = train(made, out, resume=resume, begin=begin, tell=tell)
    if is_main():
        command = invocation("exam", f"{_subject(made.model)}:adapter={out}")
        click.echo(f"trained {done.steps:,} steps; examine it: {command}")


def _subject(model: str) -> str:
    """The subject that a model is: a folder says that it is one, lest it be taken for `local/tiny` or the Hub's."""
    plain = Path(model).is_dir() and not Path(model).is_absolute() and not model.startswith((".", "~"))
    return f"local/./{model}" if plain else f"local/{model}"


def _recipe(method: Literal["sft", "grpo"], out: Path, resume: bool, chosen: dict[str, Any]) -> "TrainingRecipe":
    """The recipe as chosen; a resumed training has its own, and what is given besides must agree with it."""
    from snellen.lab.train.recipes import read, recipe

    if resume:
        before = read(out)
        given = {"method": method, **{name: value for name, value in chosen.items() if value is not None}}
        for name, value in given.items():
            if value != getattr(before, name):
                raise UserError(f"--resume: {name} is {getattr(before, name)!r} in {out}/recipe.json; leave it out")
        return before
    for option in ("model", "data"):
        if not chosen[option]:
            raise UserError(f"--{option} is missing; see `snellen lab train --help`")
    return recipe(method, **chosen)
