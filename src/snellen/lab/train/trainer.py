"""TRL's trainers, set up from a recipe."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from snellen.errors import UserError, in_one_line
from snellen.lab.reward import RandomReward, rewarding
from snellen.lab.train.layers import chosen_layers, end_tokens, picture_tokens
from snellen.lab.train.recipes import TrainingRecipe
from snellen.names import step_of

CHECKPOINTS = "checkpoints"
_KEPT = 2
"""So many of the last checkpoints are kept."""
_COUNTS_PICTURES = "llava_onevision"
_STATE = "trainer_state.json"


class StepShares(NamedTuple):
    """How a step's rows are dealt out: so many at once on each device, so many times."""

    together: int
    times: int


def shares(made: TrainingRecipe, devices: int) -> StepShares:
    """The batch in equal parts: as many rows at once as are allowed, or the next smaller number that comes out even."""
    rows = made.batch * (made.generations if made.method == "grpo" else 1)
    share, rest = divmod(rows, devices)
    if rest:
        raise UserError(
            f"--batch {made.batch}: {rows} rows per step cannot be divided over {devices} devices; choose a multiple"
        )
    together = next(k for k in range(min(made.together, share), 0, -1) if share % k == 0)
    return StepShares(together, share // together)


def processes() -> int:
    """How many processes train together, as `accelerate launch` says."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_main() -> bool:
    return os.environ.get("RANK", "0") == "0"


def trainer(made: TrainingRecipe, model: Any, processor: Any, rows: Any, out: Path) -> Any:
    """A trainer that is ready to go. Whatever TRL has against the model is one line."""
    from peft import LoraConfig

    lora = LoraConfig(
        r=made.rank,
        lora_alpha=made.alpha,
        lora_dropout=made.dropout,
        target_modules=chosen_layers(model, made.parts),
        task_type="CAUSAL_LM",
    )
    build = _grpo if made.method == "grpo" else _sft
    try:
        built = build(made, model, processor, rows, _common(made, out), lora)
    except (ValueError, TypeError, ImportError, NotImplementedError, KeyError, AttributeError) as error:
        raise UserError(f"{made.model}: TRL cannot train this model by {made.method} ({in_one_line(error)})") from error
    from transformers.trainer_callback import PrinterCallback, ProgressCallback

    for printing in (PrinterCallback, ProgressCallback):
        built.remove_callback(printing)
    return built


def _common(made: TrainingRecipe, out: Path) -> dict[str, Any]:
    """What both of TRL's configurations are told."""
    import torch

    on_gpu = torch.cuda.is_available()
    dealt = shares(made, processes())
    return {
        "output_dir": str(out / CHECKPOINTS),
        "per_device_train_batch_size": dealt.together,
        "gradient_accumulation_steps": dealt.times,
        "num_train_epochs": made.epochs,
        "max_steps": made.steps or -1,
        "learning_rate": made.lr,
        "lr_scheduler_type": made.schedule,
        "warmup_steps": made.warmup,  # below 1 it is a share of all steps
        "weight_decay": made.weight_decay,
        "seed": made.seed,
        "use_cpu": not on_gpu,
        "bf16": on_gpu,
        "gradient_checkpointing": on_gpu,
        "logging_steps": 1,
        "save_steps": made.save_every,
        "save_total_limit": _KEPT,
        "report_to": [],
        "disable_tqdm": True,
    }


def _sft(made: TrainingRecipe, model: Any, processor: Any, rows: Any, common: dict[str, Any], lora: Any) -> Any:
    from trl import SFTConfig, SFTTrainer

    # Pictures are many tokens: a longest length would cut them in the middle.
    args = _on_one_gpu(SFTConfig(**common, max_length=None, completion_only_loss=True))
    built = SFTTrainer(model, args=args, train_dataset=rows, processing_class=processor, peft_config=lora)
    built.data_collator([rows[0]])  # a model whose pictures cannot be prepared is found out now, not in an hour
    return built


def _grpo(made: TrainingRecipe, model: Any, processor: Any, rows: Any, common: dict[str, Any], lora: Any) -> Any:
    from trl import GRPOConfig, GRPOTrainer

    if len(rows) < made.batch:
        raise UserError(f"--batch {made.batch}: the set has only {len(rows)} rows; choose a smaller batch")
    args = GRPOConfig(
        **common,
        loss_type="grpo",  # TRL's own default is another
        num_generations=made.generations,
        beta=made.beta,
        temperature=made.temperature,
        max_completion_length=made.reply_tokens,
        generation_kwargs={"suppress_tokens": picture_tokens(model, processor.tokenizer)},
    )
    ends = end_tokens(model, processor.tokenizer)
    points = RandomReward(made.seed, ends) if made.control == "random" else rewarding(ends)
    if model.config.model_type == _COUNTS_PICTURES and any(shown > 1 for shown in _shown(rows)):
        raise UserError(f"{made.model}: TRL trains {_COUNTS_PICTURES} by grpo only on rows of one picture; use sft")

    class OnePicture(GRPOTrainer):  # type: ignore[misc]
        def _get_per_token_logps_and_entropies(self, *args: Any, **kwargs: Any) -> Any:
            # LLaVA-OneVision's processor counts the pictures of each row, which TRL passes on and does not take. With
            # one picture a row the count says nothing.
            kwargs.pop("batch_num_images", None)
            return super()._get_per_token_logps_and_entropies(*args, **kwargs)

    return OnePicture(
        model,
        reward_funcs=points,
        args=_on_one_gpu(args),
        train_dataset=rows,
        processing_class=processor,
        peft_config=lora,
    )


def _on_one_gpu(args: Any) -> Any:
    """A process has one GPU. Left to itself, a process that sees several would take as many times the batch."""
    if args.n_gpu > 1:
        args._n_gpu = 1
    return args


def _shown(rows: Any) -> list[int]:
    """How many pictures each row shows, without decoding any."""
    return [sum(part["type"] == "image" for m in prompt for part in m["content"]) for prompt in rows["prompt"]]


def last_checkpoint(out: Path) -> Path | None:
    """The latest checkpoint that was written whole: the trainer's state is the last of its files."""
    checkpoints = (path for path in (out / CHECKPOINTS).glob("checkpoint-*") if (path / _STATE).is_file())
    return max(checkpoints, key=trained_steps, default=None)


def trained_steps(checkpoint: Path | None) -> int:
    """The steps after which a checkpoint was written; 0 without one."""
    told = step_of(checkpoint.name) if checkpoint else None
    return told.step if told else 0


def is_done(checkpoint: Path) -> bool:
    """Whether nothing is left to do after this checkpoint."""
    state = json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
    return bool(state["global_step"] >= state["max_steps"])
