"""`snellen lab unpack`: the bundled model for other tools."""

from pathlib import Path

import click

from snellen.cli.options import OutputPath
from snellen.errors import invocation

_UNPACK = """\b
Example:
  snellen lab unpack tiny -o tiny && snellen exam local/./tiny
"""


@click.command(epilog=_UNPACK)
@click.argument("model", type=click.Choice(["tiny"]))
@click.option(
    "-o", "--out", "folder", required=True, type=OutputPath(file_okay=False), metavar="DIR", help="Folder to write."
)
def unpack(model: str, folder: Path) -> None:
    """Write the bundled model as a stock Hugging Face folder, to train, steer or serve."""
    from snellen.subjects.local.extras import require

    require()
    from snellen.subjects.tiny import FILE
    from snellen.subjects.tiny.stock import unpack as write
    from snellen.tasks.export import check_free

    check_free(folder)
    write(FILE, folder)
    # `local/tiny` alone is the bundled model itself.
    name = folder if folder.is_absolute() else f"./{folder}"
    click.echo(f"{folder}: a stock Idefics3 with its processor; examine it: {invocation('exam', f'local/{name}')}")
