"""A model's annotation of chains of thought, for `snellen table thoughts --with SUBJECT`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.call import Subject
    from snellen.cli.tables import TableQuery
    from snellen.replies.annotating import Annotations


def annotated(query: "TableQuery", task: str) -> "Annotations | None":
    """The replies to a task as the model annotates them; None if only the calls were to be counted."""
    from snellen.replies.annotating import annotator
    from snellen.replies.thoughts import texts_of, thoughts_of

    who, texts = annotator(query.model or ""), texts_of(thoughts_of(query.exam.rows, task))
    _say_annotation(texts, who, query.exam.store)
    return None if query.dry_run else _annotate(texts, who, query.exam.store)


def _say_annotation(texts: list[str], who: "Subject", store: Path) -> None:
    """How many calls annotating would take."""
    from snellen.engine import Store
    from snellen.replies.annotating import estimate_annotation

    with Store.open(store, readonly=True) as opened:
        part = estimate_annotation(texts, who, opened).total
    click.echo(
        f"{who.name}: {len(texts):,} different replies to annotate, {part.to_make:,} calls to make (more where it is"
        f" asked twice), about {part.tokens_in:,} tokens in; {part.known:,} already in the store",
        err=True,
    )


def _annotate(texts: list[str], who: "Subject", store: Path) -> "Annotations":
    """The texts as the model annotates them; what it said is kept in the store."""
    from snellen.cli.progress_bars import watching
    from snellen.engine import Store
    from snellen.engine.event_loop import run_to_end
    from snellen.engine.signals import interrupted_status
    from snellen.replies.annotating import annotate_all

    with Store.open(store) as opened, watching(who.name, len(texts), {}) as watch:
        annotations = run_to_end(annotate_all(texts, who, opened, watch=watch))
    kept = f"{len(annotations.by_text):,} of {len(texts):,} replies are annotated, and kept in {store}"
    if annotations.problem:
        raise UserError(f"{annotations.problem} ({kept})")
    if annotations.interrupted:
        click.echo(f"Interrupted: {kept}. Run the same command again to resume.", err=True)
        raise click.exceptions.Exit(interrupted_status())
    _say_left(annotations)
    return annotations


def _say_left(annotations: "Annotations") -> None:
    """How many replies the annotator left to the rules, if any."""
    formless, failed = annotations.count("form"), annotations.count("failed")
    if formless or failed:
        reasons = ((formless, "kept no form"), (failed, "calls failed"))
        why = ", ".join(f"{n:,} {reason}" for n, reason in reasons if n)
        asked = len(annotations.by_text) - annotations.count("long")
        again = "; give the same command again to retry failed calls" if failed else ""
        click.echo(
            f"annotator {annotations.who}: {formless + failed:,} of {asked:,} replies left to the rules ({why}){again}",
            err=True,
        )
