"""The page people look at: one self-contained file with the diagnosis first and every trial behind it.

The page's source is in `web/`; its built script and style are in `page/`, so nobody needs node to write a report.
"""

from snellen.report.shown import shown
from snellen.report.write import write_report

__all__ = ["shown", "write_report"]
