"""`snellen trainset` and `snellen train`: what to train on, and training."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.options import seed_option
from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.lab.trainset import Form, Trainset

OF_SPLITS = ("d1", "d2", "d3")
LEGS = "legs"
TRAINSET_EXAMPLES = """\b
Examples:
  snellen trainset d1 -o d1                      the usual rule; its inverse is the test
  snellen trainset d3 -o d3 --format verl        two games under both rules; two others are the test
  snellen trainset legs -o legs                  8,192 animals, to count their legs
  snellen trainset capacity --n 500 -o puzzles   any task, what an exam of the same seed asks held out

The folder is for `snellen train`, for TRL, verl or EasyR1, and for datasets.load_dataset. What is held out of the
splits is in DIR/exam: snellen exam SUBJECT --tasks fixation --data fixation=DIR/exam.
"""


@click.command(epilog=TRAINSET_EXAMPLES)
@click.argument("name", metavar="d1|d2|d3|legs|TASK")
@click.option("-o", "folder", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option(
    "--format",
    "form",
    type=click.Choice(["trl", "verl", "parquet"]),
    default="trl",
    show_default=True,
    help="Rows as TRL's trainers take them (and `snellen train`), as verl and EasyR1 do, or tidy as by `snellen make`.",
)
@click.option("--states", type=click.IntRange(min=2), help="Of d1, d2, d3: states of each game.  [default: 1024]")
@click.option(
    "--test",
    "held_out",
    type=click.IntRange(min=0),
    help="States of each game, or items, held out.  [default: 300, 100]",
)
@click.option(
    "--n", type=click.IntRange(min=1), help="Of legs or a task: base items.  [default: 8192 legs, 1000 items]"
)
@click.option("--design", help="Of a task: which conditions.  [default: its quick design]")
@seed_option
def trainset(name: str, folder: Path, form: "Form", seed: int, **options: Any) -> None:
    """Write a training set whose rows share nothing with what an exam of the same seed asks.

    d1: the usual rule of four games, tested on the inverse. d2: the other way round. d3: two games under both rules,
    tested on two others. legs: animals with 1 to 5 legs. TASK: any task, with its verifier as the reward.
    """
    from snellen.cli.watch import counted
    from snellen.lab.trainset import write_trainset
    from snellen.tasks.export import check_free

    check_free(folder)
    manifest = write_trainset(_trainset(name, seed, **options), folder, form, counted)
    click.echo(f"wrote {manifest['train']['rows']:,} rows to train on and {manifest['test']['rows']:,} to {folder}")
    if left_out := manifest["left_out"]["rows"]:
        click.echo(f"left out {left_out:,} rows whose pictures are held out")


def _trainset(
    name: str, seed: int, states: int | None, held_out: int | None, n: int | None, design: str | None
) -> "Trainset":
    """The set of that name; options of other sets are refused, not ignored."""
    from snellen.lab.trainset import of_legs, of_split, of_task
    from snellen.lab.trainset.splits import HELD_OUT, STATES
    from snellen.lab.trainset.splits import LEGS as ANIMALS

    others = {"--states": states, "--test": held_out, "--n": n, "--design": design}
    takes = {**dict.fromkeys(OF_SPLITS, ("--states", "--test")), LEGS: ("--n",)}.get(
        name, ("--test", "--n", "--design")
    )
    for option, value in others.items():
        if value is not None and option not in takes:
            raise UserError(f"{option} says nothing about {name}; it takes {' and '.join(takes)}")
    if name in OF_SPLITS:
        return of_split(name, seed, states or STATES, HELD_OUT if held_out is None else held_out)
    if name == LEGS:
        return of_legs(n or ANIMALS, seed)
    return of_task(name, design=design, n=n or 1000, held_out=100 if held_out is None else held_out, seed=seed)
