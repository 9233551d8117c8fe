"""`snellen card`: the eye chart of a subject with its prescription, as a picture or on the terminal."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from snellen.cli.options import store_argument

if TYPE_CHECKING:
    from snellen.tasks.acuity.study import Card

EXAMPLES = """\b
Examples:
  snellen card snellen.sqlite                                     on the terminal
  snellen card snellen.sqlite ocr/rapidocr -o card.svg
  snellen card snellen.sqlite openai/gpt-4.1 anthropic/claude -o both.png --dark

SVG and PNG need nothing more; PDF needs pip install 'snellen[pdf]'. Several subjects stand side by side.
"""


@click.command(epilog=EXAMPLES)
@store_argument
@click.argument("subjects", metavar="[SUBJECT]...", nargs=-1)
@click.option(
    "-o", "path", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="FILE.svg, .pdf, .png."
)
@click.option("--dark", is_flag=True, help="On dark paper.")
def card(store: Path, subjects: tuple[str, ...], path: Path | None, dark: bool) -> None:
    """Write the card of each SUBJECT in STORE that the eye chart was put to; without SUBJECT, of all of them."""
    from snellen.examine import Exam

    if path is None and dark:
        raise click.UsageError("--dark goes with -o FILE")
    if path is not None:
        from snellen.tasks.acuity.card import check_ending

        check_ending(path)  # before anything is read
    cards = cast("tuple[Card, ...]", Exam(store).cards(tuple(dict.fromkeys(subjects))))
    if path is None:
        from snellen.cli.screen import plain_console
        from snellen.cli.sight import show_card

        for each in cards:
            show_card(each, plain_console())
        return
    from snellen.tasks.acuity.card import DARK, LIGHT, beside, draw, save_card

    tones = DARK if dark else LIGHT
    sheets = [draw(each, tones) for each in cards]
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        click.echo(save_card(sheets[0] if len(sheets) == 1 else beside(sheets, tones), path))
    for warning in heard:
        if warning.category is UserWarning:
            click.echo(f"snellen: {path}: {warning.message}", err=True)
