"""Exams of the model in memory while it trains: a callback for the Hugging Face `Trainer`, a function for other loops.

The training goes on as if there had been none: its losses are the same to the last bit.
"""

import inspect
import os
import signal
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from snellen.call import Subject
from snellen.defaults import DEFAULT_STORE
from snellen.engine.signals import interrupted_status
from snellen.errors import UserError, in_one_line
from snellen.examine import ExamOptions, make_plan, run_plan
from snellen.examine.options import check_choices, is_count
from snellen.subjects.local.extras import require
from snellen.subjects.local.in_memory import ModelInMemory, undisturbed, weights_now
from snellen.subjects.own import own_subject

require()
from transformers import Trainer, TrainerCallback  # noqa: E402 - only after what makes torchvision loadable

if TYPE_CHECKING:
    from snellen.examine import Exam

MAX_TOKENS, BATCH = 256, 16


def exam_model(
    model: Any,
    processor: Any = None,
    *,
    step: int,
    answer: Callable[..., Any] | None = None,
    store: str | Path = DEFAULT_STORE,
    max_tokens: int = MAX_TOKENS,
    batch: int = BATCH,
    **choices: Unpack[ExamOptions],
) -> "Exam":
    """Examine a model as it is in memory, between two steps of its training, without reloading or changing it.

    `model`: of Hugging Face transformers, also inside DDP, torch.compile or PEFT. `processor`: its processor. `answer`:
    for a model of any other kind, in place of a processor, a function from words and PIL images to its answer, as
    `snellen.exam` takes. `step`: results call the model `step-STEP`. `store`: keeps calls and trials of all steps.
    `max_tokens`, `batch`: the longest reply, and the most calls at once, of a model of transformers. Everything else is
    as in `snellen.exam`: `tasks`, `n`, `seed`, `design`, ...

    Returns the `Exam` of this step. Raises `UserError` for choices that cannot be, and for sharded weights; an
    interrupt is passed on to the training once what was answered is kept.

    >>> wandb.log(exam_model(model, processor, step=step, n=10).scalars(), step=step)  # doctest: +SKIP
    """
    name = f"step-{step}"
    who: Subject = (
        ModelInMemory(name, model, processor, max_tokens=max_tokens, batch=batch)
        if answer is None
        else own_subject(_without_gradients(answer), name=name, settings={"weights": weights_now()})
    )
    with undisturbed(model):
        exam = run_plan(make_plan(who, **choices), store)
        if exam.summary and exam.summary.ended == "interrupted":
            signal.raise_signal(interrupted_status() - 128)  # to whoever would have heard it without the exam
    return exam


def _without_gradients(answer: Callable[..., Any]) -> Callable[..., Any]:
    """The function without gradients: it is called in another thread than the training, with a state of its own. Not in
    inference mode: a tensor that the model keeps from there could not be trained with."""
    import torch

    without: Callable[..., Any] = torch.no_grad()(answer)
    return without


class ExamCallback(TrainerCallback):  # type: ignore[misc]
    """Examines the model every so many steps and at the last one, and logs the result through the trainer, so to
    whatever the run logs to (`report_to`). With the trainers of TRL and Unsloth, too.

    `every`: steps from exam to exam. `processor`: the model's, if the trainer was not given it (`processing_class`).
    `store`: for calls and trials; `snellen.sqlite` in the trainer's output folder if not given. `prefix`: before each
    name; trackers show `eval_` as a section of its own. `max_tokens`, `batch` and choices: as in `exam_model`.

    In a distributed training the first process examines while the others wait; its weights must not be sharded.

    >>> Trainer(..., callbacks=[ExamCallback(every=500, tasks="lamps", n=10)])  # doctest: +SKIP
    """

    def __init__(
        self,
        every: int = 500,
        *,
        processor: Any = None,
        store: str | Path | None = None,
        prefix: str = "eval_",
        max_tokens: int = MAX_TOKENS,
        batch: int = BATCH,
        **choices: Unpack[ExamOptions],
    ) -> None:
        if not is_count(every):
            raise UserError(f"every={every!r}: expected a number of steps, at least 1")
        check_choices(choices)
        self.every, self.prefix = every, prefix
        self._processor, self._store = processor, store
        self._asking: dict[str, Any] = {"max_tokens": max_tokens, "batch": batch}
        self._choices = choices

    def on_train_begin(
        self, args: Any, state: Any, control: Any, model: Any = None, processing_class: Any = None, **_: Any
    ) -> None:
        """Refuse now what could not be asked later."""
        make_plan(ModelInMemory("step-0", model, self._processor or processing_class, **self._asking), **self._choices)

    def on_step_end(
        self, args: Any, state: Any, control: Any, model: Any = None, processing_class: Any = None, **_: Any
    ) -> None:
        if state.global_step % self.every and state.global_step != state.max_steps:
            return
        if state.is_world_process_zero:
            trainer = _trainer()
            try:
                exam = exam_model(
                    model,
                    self._processor or processing_class,
                    step=state.global_step,
                    store=self._store or Path(args.output_dir) / DEFAULT_STORE,
                    **self._asking,
                    **self._choices,
                )
            except Exception as error:  # hours of training are worth more than one exam
                warnings.warn(f"no exam at step {state.global_step}: {in_one_line(error)}", stacklevel=2)
            else:
                if exam.summary and exam.summary.ended == "complete":
                    _log(trainer, {f"{self.prefix}{name}": value for name, value in exam.scalars().items()})
        if int(os.environ.get("WORLD_SIZE", "1")) > 1:
            from accelerate import PartialState

            PartialState().wait_for_everyone()


def _trainer() -> Any:
    """The trainer that called: it passes callbacks everything but itself."""
    frame = inspect.currentframe()
    while frame is not None and not isinstance(frame.f_locals.get("self"), Trainer):
        frame = frame.f_back
    if frame is None:
        raise UserError("ExamCallback belongs to a Trainer of transformers; in another loop call exam_model")
    return frame.f_locals["self"]


def _log(trainer: Any, values: dict[str, float]) -> None:
    """Log as `Trainer` does. Those of TRL would end the averages they keep; and logging now is no reason to leave out
    what is due at this step."""
    is_due = trainer.control.should_log
    Trainer.log(trainer, values)
    trainer.control.should_log = is_due
