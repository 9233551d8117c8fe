"""`snellen why`: in which field two recorded calls differ, so that one was not answered by the other's reply."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import examples_epilog
from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.engine import CallRecord, Store
    from snellen.engine.differences import CallDifference

EXAMPLES = """\
  snellen why snellen.sqlite 3fa91c20 77ab02cd
  snellen why snellen.sqlite 3fa91c20               compared with the most similar call
  snellen why snellen.sqlite 3fa91c20 77ab02cd --json
"""
NOTES = """\
KEY is the key of a call (column `calls` of the exported rows), or the id of a trial, which means the call with its
answer. The first letters are enough.
"""
LETTERS = 12
FEW = 5
"""So many places where a text differs are shown, and so many keys that begin alike."""
WIDTH = 300


@click.command(epilog=examples_epilog("why", EXAMPLES, NOTES))
@click.argument("store", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("first", metavar="KEY1")
@click.argument("second", metavar="[KEY2]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with texts in full.")
def why(store: Path, first: str, second: str | None, as_json: bool) -> None:
    """Say in which fields two recorded calls of STORE differ.

    A call is made again if any part of its key differs: the subject, a setting, the number of the sample, the words,
    the pictures, or their order. Without KEY2, the call is compared with the one that differs least.
    """
    from snellen.engine import Store
    from snellen.engine.differences import differences, unkeyed

    with Store.open(store, readonly=True) as opened:
        one = _call(opened, store, first)
        other = _call(opened, store, second) if second else _nearest(opened, store, one)
    different = differences(one.request, other.request)
    if not as_json:
        for line in _lines(one, other, different):
            click.echo(line)
        return
    keyed = [{"field": each.field, "first": each.first, "second": each.second} for each in different]
    calls = {name: {"key": call.key.hex(), **unkeyed(call)} for name, call in (("first", one), ("second", other))}
    click.echo(json.dumps({"same": one.key == other.key, "differences": keyed, **calls}))


def _call(store: "Store", path: Path, start: str) -> "CallRecord":
    """The one call whose key begins so, or that answered the one trial whose id does."""
    keys = store.calls_from(start.lower())
    if len(keys) > 1:
        several = ", ".join(key.hex()[:LETTERS] for key in keys[:FEW]) + (", ..." if len(keys) > FEW else "")
        raise UserError(f"{start!r}: {len(keys)} calls of {path} begin so ({several}); give more of the key")
    call = store.call(keys[0]) if keys else None
    if call is None:
        raise UserError(
            f"{start!r}: no call or trial of {path} begins so; expected the first letters (0-9, a-f) of a call's key"
            " (column calls of `snellen export`) or of a trial's id (shown in the report)"
        )
    return call


def _nearest(store: "Store", path: Path, call: "CallRecord") -> "CallRecord":
    """The call that has the fewest fields different; rather other words than other pictures."""
    from snellen.engine.differences import differences

    def distance(other: tuple[bytes, str]) -> tuple[int, int, bytes]:
        different = differences(call.request, other[1])
        return len(different), sum(each.is_picture for each in different), other[0]

    others = ((key, request) for key, request in store.requests() if key != call.key)
    nearest = min(others, key=distance, default=None)
    found = store.call(nearest[0]) if nearest else None
    if found is None:
        raise UserError(f"{path}: holds no other call to compare {call.key.hex()[:LETTERS]} with")
    return found


def _lines(one: "CallRecord", other: "CallRecord", different: "list[CallDifference]") -> Iterator[str]:
    from snellen.analysis.cells import clean
    from snellen.engine.differences import unkeyed

    if one.key == other.key:
        yield f"{one.key.hex()[:LETTERS]}: the same call"
        return
    yield f"- {one.key.hex()}"
    yield f"+ {other.key.hex()}"
    if not different:
        yield "They differ in nothing that is part of a key; two versions of Snellen wrote them."
    for each in different:
        yield f"{clean(each.field)}:"
        yield from map(clean, _of_text(each) if each.is_text else _both(each.first, each.second))
    records = unkeyed(one), unkeyed(other)
    names = dict.fromkeys(name for record in records for name in record)
    beside = {name: [record.get(name) for record in records] for name in names}
    changed = {name: (a, b) for name, (a, b) in beside.items() if a != b}
    if changed:
        yield "no part of the key:"
        yield from (clean(f"  {name}: {_short(str(a))} | {_short(str(b))}") for name, (a, b) in changed.items())


def _of_text(difference: "CallDifference") -> Iterator[str]:
    """Both texts around the places where they differ."""
    from snellen.engine.differences import text_changes

    changes = text_changes(difference.first, difference.second)
    for change in changes[:FEW]:
        yield from _both(*change)
    if len(changes) > FEW:
        yield f"  and {len(changes) - FEW:,} more places"


def _both(first: str, second: str) -> tuple[str, str]:
    return f"  - {_short(first)}", f"  + {_short(second)}"


def _short(text: str) -> str:
    """One line; of a long text its start and its end."""
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else f"{line[: WIDTH // 2]} ... {line[-WIDTH // 2 :]}"
