"""JSON as servers send it: an odd detail is no reason to lose a good answer."""

import json
from typing import Any

_decode = json.JSONDecoder().decode
_DIGITS = 300
"""Numbers with more digits count nothing that there is."""


def parsed(raw: bytes) -> Any:
    """The data in a body, also if text was cut in the middle of a character or something follows the data. A number
    with absurdly many digits, which the language refuses to read, is null."""
    try:
        return _decode(raw.decode("utf-8", "surrogatepass")) if raw.startswith(b'{"') else json.loads(raw)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data" or not raw.startswith(b"{"):
            raise
        return parsed(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
    except ValueError:
        return json.loads(raw.decode("utf-8", "replace"), parse_int=_integer)


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _DIGITS else None
