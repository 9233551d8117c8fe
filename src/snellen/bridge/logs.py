"""`snellen import inspect LOG`: an Inspect log into a store, for paired statistics and the report.

A log is looked at before anything is written: it must be one, hold samples, and, unless they are of our own
tasks, be scored right or wrong. Then samples are read and written a few at a time, however large the log is.
Importing the same log again changes nothing; a newer log of the same model takes the place of the older one,
trial by trial (give it a `subject` name of its own to keep both).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from snellen import __version__
from snellen.answer import READER
from snellen.bridge.samples import from_header, from_metadata
from snellen.bridge.trials import LogSource, from_sample, outcome_of
from snellen.engine.store import Store
from snellen.errors import UserError, unknown
from snellen.subjects.inspect import require_inspect

__all__ = ["ImportSummary", "import_log"]

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalSampleSummary

T = TypeVar("T")

_AT_A_TIME = 64
_NOT_NEEDED = {"store", "timelines"}
_STEPS = {"events", "events_data"}
_SETTINGS = (  # those that can change an answer; headers and the like may hold secrets and stay behind
    *("temperature", "max_tokens", "top_p", "top_k", "seed", "stop_seqs", "frequency_penalty"),
    *("presence_penalty", "system_message", "reasoning_effort", "reasoning_tokens", "verbosity", "effort"),
)


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """The result of an import."""

    log: str
    store: str
    task: str
    subject: str
    score: str
    """The score used; empty if Snellen's reader scored the trials."""
    outcomes: dict[str, int]
    status: str
    """The status of the evaluation, as Inspect reports it."""

    def __str__(self) -> str:
        total = sum(self.outcomes.values())
        counts = ", ".join(f"{n:,} {outcome}" for outcome, n in sorted(self.outcomes.items()))
        marked = f"by the score {self.score!r}" if self.score else "by Snellen's reader"
        short = "" if self.status == "success" else f"; the evaluation itself did not finish ({self.status})"
        return (
            f"imported {total:,} trials of {self.task} by {self.subject} from {self.log} into {self.store}: "
            f"{counts}, marked {marked}{short}"
        )


def import_log(
    log: str | Path, store: str | Path, *, subject: str | None = None, score: str | None = None
) -> ImportSummary:
    """Read a `log` of Inspect's into a `store`. Returns what was read, in numbers. Raises `UserError` if it cannot be.

    >>> import_log("logs/2026-01-01.eval", "snellen.sqlite")  # doctest: +SKIP

    `subject` is the name its trials get, `inspect/PROVIDER/MODEL` unless given. `score` names the score to go
    by if there are several; without it, the first. Trials of our own tasks are marked by Snellen's reader.
    """
    require_inspect()
    eval_log = _open(Path(log))
    source = eval_log.source(subject, score)
    with Store.open(store) as opened:
        exam = opened.begin_exam({"import": eval_log.path.name}, eval_log.fingerprint(source))
        outcomes: Counter[str] = Counter()
        try:
            for sample in eval_log.samples():
                imported = from_sample(sample, source)
                for picture in imported.pictures:
                    opened.put_image(picture)
                if imported.item is not None:
                    opened.put_item(imported.item)
                for call in imported.calls:
                    opened.add_call(call)
                opened.add_trial(exam, imported.key, imported.trial, [call.key for call in imported.calls])
                outcomes[imported.trial.outcome] += 1
        finally:
            opened.end_exam(exam, {"done": sum(outcomes.values())})
    return ImportSummary(
        eval_log.path.name,
        str(store),
        source.task,
        source.subject,
        source.score,
        dict(outcomes),
        eval_log.header.status,
    )


@dataclass(frozen=True)
class _Log:
    """An open log with its header and sample summaries."""

    path: Path
    header: EvalLog
    listing: Sequence[EvalSampleSummary | EvalSample]

    def samples(self) -> Iterator[EvalSample]:
        """All samples, a few at a time in memory where the format allows."""
        from inspect_ai.log import read_eval_log_samples_by_id

        unread = _NOT_NEEDED if from_header(self.header.eval.metadata).in_steps else _NOT_NEEDED | _STEPS
        if self.header.samples is not None:
            yield from self.header.samples
            return
        for start in range(0, len(self.listing), _AT_A_TIME):
            wanted = [(sample.id, sample.epoch) for sample in self.listing[start : start + _AT_A_TIME]]
            try:
                samples = read_eval_log_samples_by_id(
                    self.path, wanted, resolve_attachments=True, exclude_fields=unread
                )
            except Exception as error:
                raise UserError(
                    f"log {self.path}: a sample after the first {start:,} cannot be read ({_line(error)}); earlier"
                    " samples are imported; get an intact copy of the log and import it again"
                ) from None
            yield from samples

    def source(self, subject: str | None, score: str | None) -> LogSource:
        """What all trials share; raises `UserError` if the scores are not right or wrong."""
        spec = self.header.eval
        return LogSource(
            task=spec.task,
            subject=subject or f"inspect/{spec.model}",
            settings=self._settings(),
            log=spec.eval_id or spec.run_id,
            score=self._score(score),
            header=from_header(spec.metadata),
            roles={role: f"inspect/{_first(model).model}" for role, model in (spec.model_roles or {}).items()},
        )

    def fingerprint(self, source: LogSource) -> dict[str, Any]:
        spec = self.header.eval
        return {
            "snellen": __version__,
            "subjects": list(dict.fromkeys(map(source.label, source.header.roles or ("",)))),
            "settings": {source.subject: dict(source.settings)},
            **({"samples": epochs} if (epochs := max(sample.epoch for sample in self.listing)) > 1 else {}),
            "reader": "" if source.score else READER,
            **source.header.plan,
            "inspect": {
                "log": self.path.name,
                "task": spec.task,
                "version": str(spec.task_version),
                "created": spec.created,
                "model": spec.model,
                "score": source.score,
                "packages": dict(spec.packages),
            },
        }

    def _settings(self) -> dict[str, Any]:
        """The decoding, from the model's own options and those of the evaluation."""
        config = self.header.eval.model_generate_config.merge(self.header.plan.config)
        chosen = ((name, getattr(config, name, None)) for name in _SETTINGS)
        return {name: value for name, value in chosen if value is not None}

    def _is_ours(self) -> bool:
        first = next(_Log(self.path, self.header, self.listing[:1]).samples())
        return from_metadata(first.metadata) is not None

    def _score(self, wanted: str | None) -> str:
        """The score to go by, after a look at every sample's; none for our own tasks."""
        if self._is_ours():
            if wanted is not None:
                raise UserError(f"log {self.path}: a Snellen task, scored by its own reader; leave out {wanted!r}")
            return ""
        names = list(dict.fromkeys(name for sample in self.listing for name in sample.scores or ()))
        if not names:
            raise UserError(f"log {self.path}: it has no scores; score it first: inspect score {self.path}")
        if wanted is not None and wanted not in names:
            raise unknown(f"score in log {self.path}", wanted, names)
        name = wanted or names[0]
        for sample in self.listing:
            score = (sample.scores or {}).get(name)
            if score is not None and outcome_of(score) is None:
                others = ", ".join(other for other in names if other != name) or "no other"
                raise UserError(
                    f"log {self.path}: sample {sample.id!r} has {name} = {score.value!r}; expected C, I, N, "
                    f"1 or 0; choose another score (there are: {others}) or score the log anew"
                )
        return name


def _open(path: Path) -> _Log:
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    advice = "give a .eval or .json file that inspect eval wrote"
    if path.is_dir():
        raise UserError(f"log {path}: this is a folder; {advice}")
    if not path.is_file():
        raise UserError(f"log {path}: no such file; {advice}")
    whole = path.suffix == ".json"  # this format can only be read in one piece
    try:
        header = read_eval_log(path, header_only=not whole, resolve_attachments=whole)
        listing = header.samples if whole else read_eval_log_sample_summaries(path)
    except Exception as error:  # a file may be anything, and so may what goes wrong with it
        raise UserError(f"log {path}: not an Inspect log ({_line(error)}); {advice}") from None
    if not listing:
        raise UserError(f"log {path}: it has no samples (the evaluation is {header.status}); run it again")
    return _Log(path, header, listing)


def _first(models: T | list[T]) -> T:
    """The model in a role; the first, if there are several."""
    return models[0] if isinstance(models, list) else models


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
