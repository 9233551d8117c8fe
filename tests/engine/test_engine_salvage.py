"""What is saved of a damaged store, and what is named as lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import snellen
from snellen.engine.salvage import salvage


def test_a_damaged_picture_is_named_once_with_the_trials_that_showed_it(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    snellen.exam("sim/ideal", tasks="fixation", n=1, store=path)
    before = salvage(path).whole
    with closing(sqlite3.connect(path)) as db:
        digest, data = db.execute("SELECT digest, data FROM images").fetchone()
        showing = db.execute("SELECT count(*) FROM calls WHERE request LIKE ?", (f"%{digest}%",)).fetchone()[0]
    content = bytearray(path.read_bytes())
    content[content.index(data[:200]) + 100] ^= 1
    path.write_bytes(content)
    found = salvage(path)
    assert [row.why for row in found.lost if row.table == "images"] == [f"key {digest[:12]}, damaged"]
    assert {row.why for row in found.lost if row.table == "trials"} == {"its picture is lost"}
    lost = sum(row.table == "trials" for row in found.lost)
    assert (found.whole["images"], found.whole["trials"]) == (before["images"] - 1, before["trials"] - lost)
    assert lost == showing
