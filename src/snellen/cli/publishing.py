"""`snellen publish`, `snellen verify` and `snellen board`: results for others to read, check and compare."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import DATA_FORM, OutputPath, examples_epilog, pairs, store_argument
from snellen.cli.waiting import waiting

if TYPE_CHECKING:
    from snellen.publish import Verification

PUBLISH_EXAMPLES = """\
  snellen publish                                 snellen.sqlite into the folder published
  snellen publish runs.sqlite -o results --pictures
"""
PUBLISH_NOTES = """\
The report page shows pictures of items that Snellen generates; --pictures also writes them as files. Other pictures are
not published, only their digests. What looks like an API key is masked.
"""
VERIFY_EXAMPLES = """\
  snellen verify published
  snellen verify published --strict               exit status 1 also for what could not be verified
  snellen verify published --data TASK=data/set   with the data set that its items are from
"""
VERIFY_NOTES = """\
Exit status: 0 no differences, 1 differences (each is named), 2 not a published folder. What could not be verified is
counted; with --strict the exit status is then 1, too.
"""
BOARD_EXAMPLES = """\
  snellen board published                         one folder made by `snellen publish`
  snellen board results/* -o site                 many folders
"""
CHECKED = {
    "files": "compared with their digests in the manifest",
    "calls": "compared with the keys of their requests",
    "replies": "read again",
    "failed trials": "without a reply to read",
    "items": "made again from their seeds",
    "stimuli": "(items under a condition) made again",
    "pictures": "compared with those of the items",
    "figures": "computed again",
}
"""What was checked, and the words that follow its count; what differs is among it."""
ALWAYS = ("files", "replies", "items", "figures")
MOST = 30
"""So many differences are printed."""


@click.command(epilog=examples_epilog("publish", PUBLISH_EXAMPLES, PUBLISH_NOTES))
@store_argument
@click.option(
    "-o",
    "--out",
    "folder",
    type=OutputPath(file_okay=False),
    default="published",
    show_default=True,
    help="A new or empty folder.",
)
@click.option("--pictures", is_flag=True, help="Also write the pictures of items that Snellen generates, each once.")
def publish(store: Path, folder: Path, pictures: bool) -> None:
    """Write a folder with everything in STORE, for others to read and verify: trials and calls as Parquet, all numbers,
    the report page, a data card and a manifest."""
    from snellen.publish import publish as write

    with waiting(f"Publishing {store}"):
        count = write(store, folder, pictures=pictures)
    click.echo(f"wrote {count:,} trials to {folder}; check it with `snellen verify {folder}`")


@click.command(epilog=examples_epilog("verify", VERIFY_EXAMPLES, VERIFY_NOTES))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--data", multiple=True, metavar=DATA_FORM, help="The data set that items of TASK are from (repeatable).")
@click.option("--strict", is_flag=True, help="Exit with status 1 also if something could not be verified.")
def verify(folder: Path, data: tuple[str, ...], strict: bool) -> int:
    """Check a folder made by `snellen publish`: every reply is read again, items are made again from their seeds, and
    all figures are computed again and compared."""
    from snellen.publish import verify as check

    with waiting(f"Verifying {folder}"):
        result = check(folder, pairs("--data", data, DATA_FORM))
    _say(result)
    return int(not result.is_fine or (strict and bool(result.unverified)))


def _say(result: "Verification") -> None:
    for note in result.notes:
        click.echo(f"note: {note}")
    for mismatch in result.mismatches[:MOST]:
        click.echo(f"differs: {_line(str(mismatch))}")
    if (more := len(result.mismatches) - MOST) > 0:
        click.echo(f"differs: {more:,} more")
    for what, count in sorted(result.unverified.items()):
        click.echo(f"not verified: {count:,} {_line(what)}")
    for what, about in CHECKED.items():
        if result.done[what] or what in ALWAYS:
            click.echo(f"checked: {result.done[what]:,} {what} {about}")
    count = len(result.mismatches)
    found = f"{count:,} difference{'' if count == 1 else 's'}" if count else "no differences"
    click.echo(f"result: {found}" + ("; not everything could be verified" if result.unverified else ""))


def _line(text: str) -> str:
    """Text from a folder of somebody's, as one line that a terminal shows as it is."""
    from snellen.analysis.cells import clean

    return clean(text)


@click.command(epilog=examples_epilog("board", BOARD_EXAMPLES))
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "-o",
    "--out",
    "site",
    type=OutputPath(file_okay=False),
    default="board",
    show_default=True,
    help="Folder of the site; an earlier board in it is replaced.",
)
def board(folders: tuple[Path, ...], site: Path) -> None:
    """Write a static leaderboard of folders made by `snellen publish`: a row per subject with its losses by faculty and
    links to the trials. There is no single score."""
    from snellen.publish import write_board

    page, notes = write_board(folders, site)
    for note in notes:
        click.echo(f"snellen: {_line(note)}", err=True)
    click.echo(page)
