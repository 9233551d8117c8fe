"""The methods section in Markdown or LaTeX, or only what it cites, in BibTeX."""

import re
from collections.abc import Callable
from textwrap import fill

from snellen.analysis.latex_text import UNI, breakable, escaped
from snellen.analysis.tables import escape_markdown
from snellen.examine.methods import MethodsSection

_WIDTH = 100
_PARTS = re.compile(r"(`[^`]*`|\[@[^\]]*\])")


def _markdown(section: MethodsSection) -> str:
    def part(text: str) -> str:
        return text if text.startswith(("`", "[@")) else escape_markdown(text)

    paragraphs = [_wrapped(f"**{title}.** {_set(text, part)}") for title, text in section.paragraphs]
    return "\n\n".join(["## Methods", *paragraphs, "## References", f"```bibtex\n{_bibtex(section)}\n```"])


def _latex(section: MethodsSection) -> str:
    def part(text: str) -> str:
        if text.startswith("`"):
            return rf"\texttt{{{breakable(text[1:-1])}}}"
        if text.startswith("[@"):
            return rf"\cite{{{','.join(key.strip()[1:] for key in text[1:-1].split(';'))}}}"
        return escaped(text)

    paragraphs = [_wrapped(rf"\paragraph{{{title}.}} {_set(text, part)}") for title, text in section.paragraphs]
    needs = [UNI] if any(r"\uni{" in paragraph for paragraph in paragraphs) else []
    head = ["% references: snellen methods STORE --format bibtex", *needs]
    return "\n".join([*head, r"\section{Methods}", *paragraphs])


def _bibtex(section: MethodsSection) -> str:
    return "\n\n".join(reference.bibtex for reference in section.references)


def _set(text: str, part: Callable[[str], str]) -> str:
    """The text with its code, citations and words each set by `part`."""
    return "".join(map(part, _PARTS.split(text)))


def _wrapped(text: str) -> str:
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


METHODS_STYLES: dict[str, Callable[[MethodsSection], str]] = {"md": _markdown, "latex": _latex, "bibtex": _bibtex}
