"""What a report page holds, unpacked."""

import gzip
import re
from base64 import b64decode
from pathlib import Path


def page_head(page: Path) -> str:
    """The findings in a page as text: JSON, between the lengths of its parts."""
    (packed,) = re.findall(r'id="head">([A-Za-z0-9+/=]*)</script>', page.read_text(encoding="utf-8"))
    return gzip.decompress(b64decode(packed)).decode(errors="replace")
