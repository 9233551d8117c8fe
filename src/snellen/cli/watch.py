"""`snellen watch`: examine the checkpoints of a training run as they are written, with curves and a gate."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.comparing import compare
from snellen.cli.exam import exam, exam_choices
from snellen.cli.exam_output import say_errors, say_interrupted, say_notes
from snellen.cli.groups import GroupedCommand
from snellen.cli.options import examples_epilog
from snellen.errors import UserError, unknown

if TYPE_CHECKING:
    from snellen.analysis.gates import Gate, Judged
    from snellen.bridge.run_logs import RunLog
    from snellen.bridge.watching import CheckpointLoader, CheckpointWatch, ExaminedModel
    from snellen.examine import Exam, ExamPlan

EXAMPLES = """\
  snellen watch runs/sft --n 20 --as local:max_tokens=32      until Ctrl-C
  snellen watch runs/sft --tasks all --until-sure --until-step 5000
  snellen watch runs/lora --base ./my-model --against base --fail-if 'all:accuracy<-3'
  snellen watch runs/sft --once --fail-if 'all:accuracy<-3' --fail-if 'all:unread>2'
  snellen watch runs/sft --n 20 --log tensorboard=runs/sft/exam
"""
NOTES = """\
Checkpoints are folders written by the Hugging Face Trainer, TRL, LLaMA-Factory or ms-swift, plain model folders, and
adapters, in DIR or below it. Each is examined once it is complete. Ctrl-C ends the watch; the same command continues
where it stopped and asks nothing twice.

Gates work as in `snellen compare`, for the last checkpoint of each run against the one that --against names. Exit
status 1: a gate is not passed, or a checkpoint could not be examined.
"""
GROUPS = {
    "What to watch": "--once --every --until-step --stop-after",
    "How to load it": "--as --base",
    "What to ask": "--tasks --tests --design --n --seed --set --samples --data --prompts",
    "How to ask": "--paradigm --role --concurrency",
    "When to stop asking": "--until-sure --detect --most",
    "Gates": "--fail-if --against",
    "Results": "--store --out --log",
}
_OF_EXAM = {
    name for title in ("What to ask", "How to ask", "When to stop asking", "Results") for name in GROUPS[title].split()
}
SHARED = [
    param
    for command, names in ((exam, _OF_EXAM), (compare, {"--fail-if"}))
    for param in command.params
    if param.opts[0] in names
]
"""Options that are those of `snellen exam` and `snellen compare`."""
PAGE_SHARE = 20
"""While checkpoints are waiting, the page is written after so many times what it took: it is of all of them."""
AGAINST = ("first", "best", "previous", "base")


@click.command(cls=GroupedCommand, groups=GROUPS, epilog=examples_epilog("watch", EXAMPLES, NOTES), params=SHARED)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--once", is_flag=True, help="Examine the checkpoints that are there, and end.")
@click.option(
    "--every",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for new checkpoints.",
)
@click.option("--until-step", type=click.IntRange(0), metavar="N", help="End when every run has reached this step.")
@click.option(
    "--stop-after",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End after this long without a new checkpoint.",
)
@click.option(
    "--as",
    "loaded_as",
    default="local",
    show_default=True,
    metavar="KIND[:SETTING=VALUE,...]",
    help="How checkpoints are loaded: local or vllm, with settings such as max_tokens=32,device=cuda:1.",
)
@click.option(
    "--base",
    metavar="MODEL",
    default="",
    help="Folder or Hub name of the model that adapters belong to.  [default: the one that each adapter names]",
)
@click.option(
    "--against",
    type=click.Choice(AGAINST),
    default="first",
    show_default=True,
    help="Checkpoint of the same run that --fail-if compares the last one with; base: the model of --base.",
)
def watch(folder: Path, **options: Any) -> int:
    """Examine each checkpoint in DIR once it is complete, and draw accuracy and losses over the training steps."""
    from snellen.analysis.gates import gate
    from snellen.bridge.run_logs import open_run_log
    from snellen.bridge.watching import CheckpointWatch

    gates = tuple(gate(words) for words in options["gates"])
    if options["against"] == "base" and not options["base"]:
        raise click.UsageError("--against base needs --base MODEL")
    if options["once"] and (options["until_step"] is not None or options["stop_after"]):
        raise click.UsageError("--once does not go with --until-step and --stop-after")
    watcher = CheckpointWatch(
        _spelt_one_way(folder),
        options["store"],
        exam_choices(options),
        _loader(options["loaded_as"], options["base"]),
        options["concurrency"],
        say=lambda line: click.echo(line, err=True),
        progress=_bar,
    )
    plan = watcher.check()
    _check_gates(gates, plan)
    say_notes(plan)
    if not folder.is_dir():
        if options["once"]:
            raise UserError(f"{folder}: no such folder; expected one with checkpoints")
        click.echo(f"There is no folder {folder} yet; waiting for it.", err=True)
    with ExitStack() as stack:
        logs = [stack.enter_context(open_run_log(words)) for words in options["log"]]
        return _Session(watcher, options, gates, logs).run()


def _spelt_one_way(folder: Path) -> Path:
    """The folder as seen from here, however it was named: paths are part of names under which calls are kept."""
    full, here = folder.resolve(), Path.cwd().resolve()
    return full.relative_to(here) if full.is_relative_to(here) else full


def _loader(words: str, base: str) -> "CheckpointLoader":
    """Who loads checkpoints; wrong kinds and settings are refused before there is one."""
    from snellen.bridge.watching import CheckpointLoader
    from snellen.subjects import known_kinds, settings
    from snellen.subjects.finders import FINDERS
    from snellen.subjects.local.subject import SCHEMA

    kind, pairs = settings.split(words)
    if kind not in ("local", "vllm", *(set(known_kinds()[0]) - set(FINDERS))):
        raise UserError(f"--as {kind}: expected local or vllm, with settings after a colon, as in local:max_tokens=32")
    if any(name == "adapter" for name, _ in pairs):
        raise UserError("--as: leave out adapter=; adapters are found in the folder, and --base names their model")
    if kind == "local":
        settings.read(pairs, SCHEMA, "--as local")
    return CheckpointLoader(kind, pairs, base)


def _check_gates(gates: "tuple[Gate, ...]", plan: "ExamPlan") -> None:
    """Gates on tasks that nobody will be asked are refused before anybody is."""
    from snellen.analysis.gates import ALL

    asked = [part.task.name for part in plan.parts]
    for each in gates:
        if each.task not in (*asked, ALL):
            raise unknown("task in --fail-if", each.task, [*asked, ALL])


def _bar(plan: "ExamPlan") -> Any:
    from snellen.cli.progress_bars import watching

    return watching(", ".join(plan.labels), plan.size, {})


@dataclass
class _Session:
    """One run of the command. `judged`: the last verdicts on each run, with the two that were compared."""

    watcher: "CheckpointWatch"
    options: dict[str, Any]
    gates: "tuple[Gate, ...]"
    logs: "list[RunLog]"
    judged: "dict[str, tuple[str, str, list[Judged]]]" = field(default_factory=dict)
    page: Path | None = None
    is_page_old: bool = False
    next_page: float = 0.0

    def run(self) -> int:
        try:
            for examined in self._examined():
                if examined.summary and examined.summary.ended == "interrupted":
                    return say_interrupted(examined.summary, self.watcher.store, 0)
                self._say(examined)
        except KeyboardInterrupt:  # the usual end of a watch
            click.echo("Stopped.", err=True)
        return self._end()

    def _examined(self) -> "Iterator[ExaminedModel]":
        if self.options["against"] == "base":
            yield self.watcher.examine_base()
        last_new = monotonic()
        while True:
            is_new = False
            for checkpoint in self.watcher.new():
                if (examined := self.watcher.examine(checkpoint)) is not None:
                    is_new, last_new = True, monotonic()
                    yield examined
            if is_new:
                continue  # more may have come meanwhile
            if self.is_page_old:
                self._conclude()
            if self._is_over(monotonic() - last_new):
                return
            sleep(min(self.options["every"], self.watcher.settles_in or self.options["every"]))

    def _is_over(self, idle: float) -> bool:
        if self.options["once"]:
            return not self.watcher.settles_in
        last_step: dict[str, int] = {}
        for checkpoint in self.watcher.names.values():
            last_step[checkpoint.run] = max(checkpoint.step or 0, last_step.get(checkpoint.run, 0))
        until, after = self.options["until_step"], self.options["stop_after"]
        is_there = until is not None and bool(last_step) and min(last_step.values()) >= until
        return is_there or (after is not None and idle >= after)

    def _say(self, examined: "ExaminedModel") -> None:
        """A line for each task; of one that was examined before only that it was. Then the page, unless more are
        waiting and pages take long."""
        from snellen.cli.screen import diagnosis_line

        self.is_page_old = True
        if examined.summary is None:
            click.echo(f"{examined.name}: examined before", err=True)
            return
        for diagnosis in examined.exam.diagnoses:
            click.echo(diagnosis_line(diagnosis))
        if examined.summary.errors:
            say_errors(examined.summary, 0)
        self._log(examined)
        if monotonic() >= self.next_page:
            self._conclude()

    def _log(self, examined: "ExaminedModel") -> None:
        """The checkpoint's accuracy and losses at its step, named as `snellen log` names them. A tracker that fails
        does not end the watch: `snellen log` can send what is in the store later."""
        from snellen.analysis.scalars import scalars
        from snellen.names import curve_of, step_of

        told, curve = step_of(examined.name), curve_of(examined.name)
        values = {curve + name: number for name, number in scalars(examined.exam.diagnoses).items()}
        for log in self.logs:
            try:
                log.scalars(values, told.step if told else 0)
            except UserError as error:
                click.echo(f"warning: not logged: {error}", err=True)

    def _conclude(self) -> None:
        """Write the page and hold each run's last checkpoint against the gates."""
        from snellen.bridge.watch_gates import compared
        from snellen.examine import Exam

        begun, exam = monotonic(), Exam(self.watcher.store)
        self.page, self.is_page_old = exam.report(self.options["out"]), False
        for run in dict.fromkeys(checkpoint.run for checkpoint in self.watcher.names.values()):
            pair = compared(exam, run, self.options["against"])
            if self.gates and pair is not None and self.judged.get(run, ())[:2] != pair:
                self._judge(run, pair, exam)
        self.next_page = monotonic() + PAGE_SHARE * (monotonic() - begun)

    def _judge(self, run: str, pair: tuple[str, str], exam: "Exam") -> None:
        from snellen.analysis.gates import judge

        verdicts = judge(exam.untracked, *pair, self.gates)
        self.judged[run] = (*pair, verdicts)
        for verdict in verdicts:
            click.echo(f"{pair[1]} against {pair[0]}: {verdict.line}", err=True)

    def _end(self) -> int:
        watcher = self.watcher
        lacking = [*watcher.problems.values(), *watcher.unfinished.values()]
        if not watcher.names:
            expected = "there is none; expected config.json with safetensors weights"
            raise UserError(f"no checkpoint in {watcher.folder} was examined: {lacking[0] if lacking else expected}")
        if self.is_page_old:
            self._conclude()
        click.echo(f"Report: {self.page}")
        for log in self.logs:
            log.artifact(self.options["out"])
        for problem in lacking:
            click.echo(f"not examined: {problem}", err=True)
        verdicts = [verdict for _, _, own in self.judged.values() for verdict in own]
        if self.gates and not verdicts:
            click.echo("cannot tell: no run has two checkpoints to compare", err=True)
        is_passed = not self.gates or (verdicts and all(verdict.outcome == "passed" for verdict in verdicts))
        return int(not is_passed or bool(watcher.problems))
