"""Every chart of the findings as a file for a paper: SVG always, PDF with the extra `pdf`.

A block becomes a sheet of marks (one module a kind of block), and a sheet becomes a file (`svg`, `pdf`).
"""

from snellen.report.figures.figure import COLUMN, ENDINGS, NARROWEST, PAGE, WIDEST, Figure, Figures, figures, on_screen

__all__ = ["COLUMN", "ENDINGS", "NARROWEST", "PAGE", "WIDEST", "Figure", "Figures", "figures", "on_screen"]
