"""A store whose values are changed as by somebody who knows of the checksums."""

import sqlite3
from contextlib import closing
from pathlib import Path

from snellen.engine.checksums import checksum_of, register


def change(store: Path, statement: str) -> None:
    """Run an UPDATE and make the checksums of its table fit again."""
    table = statement.split()[1]
    with closing(sqlite3.connect(store)) as db, db:
        register(db)
        db.execute(statement)
        db.execute(f"UPDATE {table} SET checksum = {checksum_of(table, {})}")  # noqa: S608 - a test's own words
