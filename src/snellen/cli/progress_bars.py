"""Progress on the terminal: a live bar on standard error, never on standard output."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from snellen.cli.console import plain_console
from snellen.engine import Price, RunProgress

if TYPE_CHECKING:
    from snellen.lab.train.recipes import TrainingRecipe
    from snellen.lab.train.run import Begin
    from snellen.lab.train.watch import Tell
    from snellen.lab.train.watch import TrainingProgress as TrainingProgress

T = TypeVar("T")

SECONDS_BETWEEN_LINES = 15
SECONDS_BETWEEN_BATCH_LINES = 600
LABEL = 40


@contextmanager
def watching(label: str, total: int, prices: Mapping[str, Price]) -> Iterator[Callable[[RunProgress], None]]:
    """A bar with rate, tokens, spend and time left; what it yields is told how the run comes along.

    Where standard error is not a terminal, a line now and then takes the bar's place.
    """
    if not (bar := _bar(TextColumn("{task.fields[note]}", markup=False))).console.is_terminal:
        yield _lines(label, total, prices)
        return
    line = bar.add_task(_short(label), total=total, note="")

    told = 0

    def update(progress: RunProgress) -> None:
        nonlocal told
        bar.start()  # only now, so that an exam that cannot begin shows no bar
        for news in progress.news[told:]:
            bar.console.print(news, markup=False, highlight=False)
        told = len(progress.news)
        done = progress.done + progress.skipped
        bar.update(line, completed=done, total=progress.total, note=_note(progress, prices))

    try:
        yield update
    finally:
        bar.stop()


def _lines(label: str, total: int, prices: Mapping[str, Price]) -> Callable[[RunProgress], None]:
    due = monotonic() + SECONDS_BETWEEN_LINES
    told = False
    news_told = 0
    batches = ""

    def update(progress: RunProgress) -> None:
        nonlocal due, told, news_told, batches
        for news in progress.news[news_told:]:
            click.echo(news, err=True)
        news_told = len(progress.news)
        if progress.interrupted and not told:
            told = True
            click.echo(_ending(progress), err=True)
        # Batches take hours: a line for each change, and one now and then.
        is_news = progress.batches not in ("", batches) and "calls collected" not in progress.batches
        if is_news or monotonic() >= due:
            batches = progress.batches
            due = monotonic() + (SECONDS_BETWEEN_BATCH_LINES if batches else SECONDS_BETWEEN_LINES)
            finished = progress.done + progress.skipped
            of = f"about {progress.total:,}" if progress.note and progress.total else f"{total:,}"
            click.echo(f"{label}: {finished:,} of {of} · {_note(progress, prices)}", err=True)

    return update


@contextmanager
def training(shown: bool) -> "Iterator[tuple[Begin, Tell]]":
    """A bar of steps with the last loss, reward and share unread; only one process of several has it `shown`."""
    bar = _bar(TextColumn("{task.fields[note]}", markup=False))
    live = shown and bar.console.is_terminal
    line = bar.add_task("training", total=None, note="", visible=live)
    due = monotonic()

    def begin(recipe: "TrainingRecipe", rows: int, step: int) -> None:
        after = f", going on after step {step:,}" if step else ""
        parts = ", ".join(recipe.parts)
        words = f"{recipe.method} of {recipe.model} on {rows:,} rows of {recipe.trained_on}; trained: {parts}{after}"
        if shown:
            click.echo(words, err=True)
        if live:
            bar.start()

    def tell(progress: "TrainingProgress") -> None:
        nonlocal due
        named = {"loss": "loss", "reward": "reward", "unread": "unread", "mean_token_accuracy": "tokens right"}
        words = [f"{label} {progress.values[name]:.3f}" for name, label in named.items() if name in progress.values]
        bar.update(line, completed=progress.step, total=progress.total, note=" · ".join(words))
        if shown and not live and (monotonic() >= due or progress.step == progress.total):
            due = monotonic() + SECONDS_BETWEEN_LINES
            left = progress.seconds / progress.here * (progress.total - progress.step)
            words.append(f"{left:,.0f} s left")
            click.echo(f"step {progress.step:,} of {progress.total:,} · {' · '.join(words)}", err=True)

    try:
        yield begin, tell
    finally:
        if live:
            bar.stop()


def counted(things: Iterable[T], total: int | None, label: str) -> Iterator[T]:
    """The things as they are, with a bar that counts them."""
    if not (bar := _bar()).console.is_terminal:
        yield from things
        return
    with bar:
        yield from bar.track(things, total=total, description=label)


def _bar(*more: TextColumn) -> Bar:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        *more,
        TimeRemainingColumn(),
    )
    return Bar(*columns, console=plain_console(stderr=True))


def _note(progress: RunProgress, prices: Mapping[str, Price]) -> str:
    words = [*filter(None, [progress.note, progress.batches])]
    if not progress.batches:
        words.append(f"{progress.rate:,.0f}/s")
    if progress.tokens_out:
        cached = f" ({_thousands(progress.tokens_cached)} cached)" if progress.tokens_cached else ""
        words.append(f"{_thousands(progress.tokens_in)} in{cached}, {_thousands(progress.tokens_out)} out")
    if prices:
        spent = sum(price.spent(tally) for name, price in prices.items() if (tally := progress.tallies.get(name)))
        words.append(f"${spent:,.2f}")
    if progress.errors:
        words.append(f"{progress.errors:,} errors")
    if progress.held_up > 1:
        words.append(f"server busy, {progress.held_up:.0f} s")
    if progress.stopping and (progress.interrupted or not progress.batches):
        words.append(_ending(progress))
    return " · ".join(words)


def _ending(progress: RunProgress) -> str:
    """What an interrupted exam still does; batches need nobody to wait for them."""
    if progress.batches:
        return "stopping; batches stay on record"
    return "finishing calls in progress; press Ctrl-C again to cancel them"


def _short(label: str) -> str:
    """A label that leaves room for the bar."""
    return label if len(label) <= LABEL else f"{label[: LABEL - 1]}…"


def _thousands(tokens: int) -> str:
    return f"{tokens / 1000:,.0f}k" if tokens >= 10_000 else f"{tokens:,}"
