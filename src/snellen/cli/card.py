"""`snellen card`: the eye chart of a subject with its prescription, as a picture or on the terminal."""

import warnings
from pathlib import Path

import click

from snellen.cli.options import store_argument

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
    from snellen.charts.page_files import check_ending, save_page
    from snellen.examine import Exam

    if path is None and dark:
        raise click.UsageError("--dark goes with -o FILE")
    if path is not None:
        check_ending(path)  # before anything is read
    cards = Exam(store).cards(tuple(dict.fromkeys(subjects)))
    if path is None:
        from snellen.cli.screen import plain_console

        for card in cards:
            card.show(plain_console())
        return
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        click.echo(save_page(cards[0].draw(*cards[1:], dark=dark), path))
    for warning in heard:
        if warning.category is UserWarning:
            click.echo(f"snellen: {path}: {warning.message}", err=True)
