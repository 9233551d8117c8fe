"""The page as HTML: everything inside one file, and a policy that lets nothing else run.

Model output is hostile. None of it is ever put into the page as markup: it travels compressed, in characters that mean
nothing to HTML, and the script puts it on the screen as text. The policy names the hashes of our own script and
style, so that even a mistake there could not run what a model wrote.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from snellen.report.container import pack, squeeze


def built(name: str) -> str:
    """A file of the built page."""
    return (files("snellen.report") / "page" / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def policy(script: str, style: str, *, live: bool = False) -> str:
    """The content security policy: our script, our style, pictures that are inside the page; nothing else. A `live`
    page may also ask the server that it came from."""
    rules = (
        "default-src 'none'",
        f"script-src 'sha256-{_hash(script)}'",
        f"style-src 'sha256-{_hash(style)}'",
        *(("img-src data: blob: 'self'", "connect-src 'self'") if live else ("img-src data: blob:",)),
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(rules)


def page(
    title: str, head: Mapping[str, Any], payloads: Mapping[str, str], pictures: Iterator[str], *, live: bool = False
) -> Iterator[str]:
    """The page, piece by piece: what is read first comes first, so the diagnosis shows while the rest still loads."""
    script, style = built("report.js"), built("report.css")
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(script, style, live=live))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(printable(title))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<div id="app"></div>\n<noscript>This report needs JavaScript; it uses no network.</noscript>\n'
        f'<script type="text/plain" id="head">{squeeze(pack(head, {}))}</script>\n<script>{script}</script>\n'
    )
    for name, payload in payloads.items():
        yield f'<script type="text/plain" id="{name}">{payload}</script>\n'
    yield from pictures
    yield "</body>\n</html>\n"


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")


def printable(text: str) -> str:
    """The text without what cannot be seen, for a title or an attribute."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
