"""`snellen lab`: training sets, training, what it brought, steering."""

import click

from snellen.cli.groups import CommandGroup, Sections

SECTIONS: Sections = {
    "Commands": {
        "trainset": ("snellen.cli.training:trainset", "Write a training set, with what an exam asks held out."),
        "train": ("snellen.cli.training:train", "Train a model on such a set: SFT or GRPO."),
        "transfer": ("snellen.cli.transfer:transfer", "Gains, transfer and side effects of training."),
        "steer": ("snellen.cli.steer:steer", "Patch a local model's activations, layer by layer, with controls."),
        "unpack": ("snellen.cli.unpacking:unpack", "Write the bundled model as a Hugging Face folder."),
    }
}


@click.group("lab", cls=CommandGroup, sections=SECTIONS)
def lab() -> None:
    """Train and steer models, and measure what that changes."""
