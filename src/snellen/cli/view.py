"""`snellen view`, and what `snellen exam --open` starts: the report page on the loopback, kept up to date."""

import os
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from snellen.cli.options import PRICE_FORM, examples_epilog, store_argument
from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.engine import Price

EXAMPLES = """\
  snellen view snellen.sqlite                     while an exam writes it, or after
  snellen exam openai/gpt-4.1 --open              the same page, as long as the exam runs
"""
NOTES = """\
The address works once and on this machine only. The server ends with Ctrl-C.
"""
NICE = 10
"""The exam comes first where both want the processor."""
LAST_LOOK = 75.0
"""The most seconds that an exam waits for its page to have all of it."""


@click.command(epilog=examples_epilog("view", EXAMPLES, NOTES))
@store_argument
@click.option("--price", "prices", multiple=True, metavar=PRICE_FORM, help="Dollars per million tokens, for the spend.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--with-exam", is_flag=True, hidden=True, help="End when the exam has.")
def view(store: Path, prices: tuple[str, ...], no_browser: bool, with_exam: bool) -> None:
    """Show the report page of STORE in the browser, and keep it up to date while an exam runs."""
    import asyncio

    from snellen.examine.viewing import StoreView
    from snellen.report.live import LiveReport

    source = StoreView(store, dict(map(price_of, prices)))
    live = LiveReport(source, leaves=with_exam)

    def ready() -> None:
        click.echo(live.address)
        sys.stdout.flush()
        if not with_exam:
            click.echo("Press Ctrl-C to stop.", err=True)
        if not no_browser:
            open_browser(live.address)

    if hasattr(os, "nice"):
        os.nice(NICE)
    # A shell ignores Ctrl-C for what it starts in the background; the exam alone decides about the page beside it.
    signal.signal(signal.SIGINT, signal.SIG_IGN if with_exam else signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        asyncio.run(live.serve(ready))
    source.close()


@contextmanager
def beside(store: Path, prices: Mapping[str, "Price"]) -> Iterator[Callable[[], None]]:
    """Yields what starts the page of an exam that has begun. It runs in a process of its own, which only reads the
    store: the exam is as fast as without. At the end the exam waits until the open page has all of it."""
    started: list[subprocess.Popen[str]] = []

    def start() -> None:
        priced = [f"--price={name}={each}" for name, each in prices.items()]
        command = [sys.executable, "-m", "snellen", "view", str(store.absolute()), "--with-exam", *priced]
        child = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        started.append(child)
        Thread(target=_say_address, args=(child,), daemon=True).start()

    try:
        yield start
    finally:
        for child in started:
            try:
                child.wait(LAST_LOOK)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                child.terminate()


def _say_address(child: "subprocess.Popen[str]") -> None:
    address = child.stdout.readline().strip() if child.stdout else ""
    click.echo(f"Live report: {address}" if address else "The live report could not be started.", err=True)


def price_of(word: str) -> tuple[str, "Price"]:
    """A subject and its price, from words like `openai/gpt-4.1=2/8`; a name may hold an equals sign of its own."""
    from snellen.engine import Price

    name, _, numbers = word.rpartition("=")
    try:
        prices = [float(part) for part in numbers.split("/")]
        if not 2 <= len(prices) <= 4 or not all(0 <= price < inf for price in prices):
            raise ValueError
    except ValueError:
        example = "for instance openai/gpt-4.1=2/8, or openai/gpt-4.1=2/8/0.5 with the price of cached input"
        raise UserError(f"--price {word!r}: expected {PRICE_FORM}, {example}") from None
    return name, Price(*prices)


def open_browser(address: str) -> None:
    """Open the address where there is a browser with windows; one in the terminal would take the place of the exam."""
    has_windows = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if has_windows:
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
