"""What the store asks SQLite: one statement for each thing it reads or writes."""

from collections.abc import Iterable

from snellen.engine.checksums import COLUMNS, checksum_of, every_column, insert, select

REPLY = (
    "text",
    "finish",
    "tokens_in",
    "tokens_out",
    "model",
    "reasoning",
    "tokens_reasoning",
    "tokens_picture",
    "tokens",
)
CALL = ("key", "subject", "request", "status", "problem", "message", "attempts", "seconds", "at", *REPLY)
LAST_KEY = b"\xff" * 64
"""Behind the start of a key: no key with this start comes later."""
WHEN = COLUMNS["calls"].index("at") + 1
"""Columns of a call up to the time; what comes after it belongs to the reply."""
LATEST = {name: f"excluded.{name}" for name in CALL[1:]} | {"attempts": "calls.attempts + excluded.attempts"}
LATEST["checksum"] = checksum_of("calls", {"key": "calls.key", **LATEST})


def beginning(query: str, many: int) -> str:
    """A query of a table for the rows whose keys begin with one of so many starts, by the values of `spans`."""
    values = ", ".join(["(?, ?)"] * many)
    return f"WITH starts (low, high) AS (VALUES {values}) {query} JOIN starts ON key BETWEEN low AND high"


def spans(starts: Iterable[bytes]) -> list[bytes]:
    """Where keys lie that begin so."""
    return [end for start in starts for end in (start, start + LAST_KEY)]


PUT_IMAGE = insert("images", verb="INSERT OR IGNORE")
PUT_ITEM = insert("items", verb="INSERT OR IGNORE")
PUT_CALL = f"""{insert("calls", CALL)}
    ON CONFLICT (key) DO UPDATE SET {", ".join(f"{name} = {value}" for name, value in LATEST.items())}
    WHERE calls.status <> 'ok'"""  # an answer once recorded is never replaced
PUT_TRIAL = insert("trials", verb="INSERT OR REPLACE")
PUT_MADE = insert("made", verb="INSERT OR IGNORE")
PUT_EXAM = insert("exams")
END_EXAM = f"""UPDATE exams SET finished = ?1, counts = ?2,
    checksum = {checksum_of("exams", {"finished": "?1", "counts": "?2"})} WHERE id = ?3"""  # noqa: S608 - our own columns
SET_META = insert("meta", verb="INSERT OR REPLACE")
GET_REPLY = f"{select('calls', ', '.join(REPLY))} AND +status = 'ok' AND key = ?"
GET_CALLS = every_column("calls")
GET_SUBJECTS = f"{select('calls', 'key, subject')} AND +status = 'ok' AND key IN"
GET_DONE = f"{select('trials', 'key, subject')} AND +reason <> 'error' AND key IN"
GET_OUTCOMES = f"{select('trials', 'key, subject, outcome, labels, mechanism')} AND +reason <> 'error' AND key IN"
GET_TRIAL_CALLS = f"{select('trials', 'key, calls')} AND key IN"
GET_CALLS_FROM = f"{select('calls', 'key')} AND key BETWEEN ? AND ? ORDER BY key"
GET_TRIALS_FROM = f"{select('trials', 'calls')} AND key BETWEEN ? AND ? ORDER BY key"
GET_TRIAL_IDS = "SELECT low, key FROM trials"
GET_REQUESTS = select("calls", "key, request")
GET_MADE = f"{select('made', 'place, id, digest, levels, cluster')} AND source = ?"
GET_IMAGE = f"{select('images', 'data, media_type, alt')} AND digest = ?"
GET_ALTS = select("images", "digest, alt")
GET_TRUTHS = f"{select('items', 'id, truth')} AND +task = ?"
GET_ITEMS = f"{select('items', 'digest, truth')} AND id = ?"
GET_EXAMS = f"{select('exams', ', '.join(COLUMNS['exams']))} ORDER BY id"
GET_META = f"{select('meta', 'value')} AND name = ?"
GET_NOTES = f"{select('meta', 'name, value')} AND name >= ? AND name < ?"
DROP_META = "DELETE FROM meta WHERE name = ?"
GET_LENGTH = f"{select('calls', 'avg(tokens_out)')} AND +subject = ? AND +status = 'ok'"

OF_CACHE = ", ".join(
    f"total(CASE WHEN tokens LIKE '{{%' THEN json_extract(tokens, '$.{name}') END)" for name in ("cached", "written")
)
GET_CACHED = f"{select('calls', f'total(tokens_in), {OF_CACHE}')} AND +subject = ? AND +status = 'ok'"
