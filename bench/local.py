"""Local models in a fixation exam: one call at a time, in batches, and in batches with each picture looked at once.

Models are made from stock configs with random weights, since only their size matters: on a GPU a model like
SmolVLM-256M, one of 150 M parameters and Qwen2.5-VL-3B; without one, tiny ones. Every reply is one token. Answers are
counted from the first call to the last reply; how busy the GPU is, is what `nvidia-smi` says meanwhile. `python -m
bench.local TASK...` tells how busy other tasks keep it.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

SUPPORT = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(SUPPORT))

from snellen.call import Abilities, Call, Reply  # noqa: E402
from snellen.subjects.hosted import Hosted, Making  # noqa: E402
from snellen.subjects.local.features import MOST_BYTES  # noqa: E402
from snellen.subjects.local.helpers import helpers_for  # noqa: E402
from snellen.subjects.local.loading import LoadedModel, without_plans  # noqa: E402
from snellen.subjects.local.model import LoadedWeights, LocalModel, Placement, lanes  # noqa: E402
from snellen.subjects.local.processors import processor_of  # noqa: E402
from snellen.subjects.local.running import Runner, side_by_side  # noqa: E402

Row = tuple[str, str, str]

BATCH, WIDE = 128, 512
"""A small model is computed sooner than its layers are launched, unless it gets many calls at once."""
TOKENS = 10**6
ITEMS = {"fixation": 80, "bongard": 80, "winoground": 300, "marvel": 200, "capacity": 150, "acuity": 60, "bias": 400}
"""So many items of each task that a GPU has some seconds of work."""
UNDER_WAY = 4.0
"""Seconds after which calls come as fast as they can."""
SETTINGS = {"max_tokens": 1, "temperature": 0}
SMOL_TEXT = {
    "model_type": "llama",
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
    "vocab_size": 49_280,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
}
QWEN_TEXT: dict[str, Any] = {
    "hidden_size": 2048,
    "intermediate_size": 11_008,
    "num_hidden_layers": 36,
    "num_attention_heads": 16,
    "num_key_value_heads": 2,
    "vocab_size": 151_936,
    "max_position_embeddings": 32_768,
    "tie_word_embeddings": True,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [16, 24, 24]},
}


class How(NamedTuple):
    """How a model is asked. `remember`: so many bytes of what it sees; `stock`: as transformers has it."""

    batch: int
    remember: int = MOST_BYTES
    processes: int = 1
    stock: bool = False


class Shape(NamedTuple):
    """A model to be made: its name for people, its architecture, its config and its processor's settings; `boards`: of
    each game, for an exam that takes some seconds on a GPU."""

    name: str
    architecture: str
    config: dict[str, Any]
    processor: dict[str, Any]
    pictures: dict[str, Any]
    boards: int
    batch: int


def smol(name: str, vision: dict[str, Any], scale: int, text: dict[str, Any] = SMOL_TEXT) -> Shape:
    """An Idefics3 with SmolLM2-135M, as SmolVLM is."""
    side = vision["image_size"]
    pictures = {
        "image_processor_type": "Idefics3ImageProcessor",
        "do_image_splitting": False,
        "size": {"longest_edge": side},
        "max_image_size": {"longest_edge": side},
    }
    tokens = (side // vision["patch_size"]) ** 2 // scale**2
    config = {"vision_config": vision, "text_config": text, "scale_factor": scale, "tie_word_embeddings": True}
    processor = {"processor_class": "Idefics3Processor", "image_seq_len": tokens}
    return Shape(name, "idefics3", config, processor, pictures, 150, WIDE)


def siglip(width: int, layers: int, side: int) -> dict[str, Any]:
    return {
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": width // 64,
        "image_size": side,
        "patch_size": 16,
    }


def qwen(name: str, text: dict[str, Any], vision: dict[str, Any]) -> Shape:
    pictures = {
        "image_processor_type": "Qwen2VLImageProcessor",
        "patch_size": 14,
        "merge_size": 2,
        "temporal_patch_size": 2,
        "min_pixels": 56 * 56,
        "max_pixels": 384 * 384,
    }
    config = {"text_config": text, "vision_config": vision, "tie_word_embeddings": True}
    return Shape(name, "qwen2_5_vl", config, {"processor_class": "Qwen2_5_VLProcessor"}, pictures, 30, BATCH)


def shapes(large: bool) -> list[Shape]:
    vision = {
        "depth": 32,
        "hidden_size": 1280,
        "intermediate_size": 3420,
        "num_heads": 16,
        "out_hidden_size": 2048,
        "patch_size": 14,
        "window_size": 112,
        "fullatt_block_indexes": [7, 15, 23, 31],
    }
    if large:
        return [
            smol("like SmolVLM-256M, 512 px", siglip(768, 12, 512), 4),
            smol("small, 150 M, 256 px", siglip(384, 8, 256), 2),
            qwen("Qwen2.5-VL-3B, 384 px", QWEN_TEXT, vision),
        ]
    less: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "vocab_size": 4096}
    less |= {"num_attention_heads": 2, "num_key_value_heads": 2}
    tiny_text = QWEN_TEXT | less
    tiny_text["rope_parameters"] = QWEN_TEXT["rope_parameters"] | {"mrope_section": [4, 6, 6]}
    tiny_vision = vision | {
        "depth": 8,
        "hidden_size": 64,
        "intermediate_size": 64,
        "num_heads": 2,
        "out_hidden_size": 64,
    }
    return [
        smol("tiny Idefics3, 64 px", siglip(64, 2, 64), 2, SMOL_TEXT | less | {"head_dim": 32}),
        qwen("tiny Qwen2.5-VL, 384 px", tiny_text, tiny_vision | {"fullatt_block_indexes": [3, 7]}),
    ]


# Models of these shapes


def write(shape: Shape, folder: Path) -> None:
    """All of a model but its weights."""
    import transformers

    from tiny_models import PICTURE

    tokenizer = _tokenizer(shape.architecture)
    token = tokenizer.convert_tokens_to_ids
    ends = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id, "bos_token_id": None}
    ids = {"image_token_id": token(PICTURE[shape.architecture][0])}
    kind: Any = transformers.Idefics3Config
    if shape.architecture == "qwen2_5_vl":
        kind = transformers.Qwen2_5_VLConfig
        names = {"video_token_id": 1, "vision_start_token_id": 2, "vision_end_token_id": 3}
        ids |= {name: token(PICTURE[shape.architecture][place]) for name, place in names.items()}
    kind(**shape.config | {"text_config": shape.config["text_config"] | ends}, **ids).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "processor_config.json").write_text(json.dumps(shape.processor))
    named = {"processor_class": shape.processor["processor_class"]}
    (folder / "preprocessor_config.json").write_text(json.dumps({**shape.pictures, **named}))


def made(folder: Path, device: str) -> LoadedModel:
    """A model as the folder says, with random weights, and its processor."""
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    without_plans()
    with torch.device(device):
        config = AutoConfig.from_pretrained(folder)
        model = AutoModelForImageTextToText.from_config(config, dtype=dtype, attn_implementation="sdpa").eval()
    return LoadedModel(model, processor_of(folder), folder, device)


def _tokenizer(architecture: str) -> Any:
    """A tokenizer that makes about as many tokens of our prompts as those of real models do."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import BPE
    from tokenizers.trainers import BpeTrainer
    from transformers import PreTrainedTokenizerFast

    from tiny_models import END, PADDING, PICTURE, chat_template

    special = [PADDING, END, *PICTURE[architecture]]
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    words = (path.read_text(encoding="utf-8") for path in (SUPPORT.parent / "src").rglob("*.toml"))
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        words, BpeTrainer(vocab_size=4000, show_progress=False, special_tokens=special, initial_alphabet=alphabet)
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PADDING,
        eos_token=END,
        chat_template=chat_template(architecture).removeprefix("<s>"),
        additional_special_tokens=list(PICTURE[architecture]),
    )


class Answering(LocalModel):
    """A model of some shape that answers, without weights to be read from anywhere."""

    def __init__(self, shape: Shape, how: How) -> None:
        self._how = how
        self._folder = tempfile.TemporaryDirectory()
        write(shape, Path(self._folder.name))
        device = "cuda" if _large() else "cpu"
        helpers = 0 if how.stock else helpers_for(how.processes)
        weights = LoadedWeights(Path(self._folder.name), None, "auto")
        super().__init__("bench/local", weights, Placement(device, how.batch, TOKENS, helpers))

    def load(self) -> LoadedModel:
        return made(self._weights.folder, self._place.device)

    def runners(self, loaded: LoadedModel) -> list[Runner]:
        runners = side_by_side(loaded, 1 if self._how.stock else lanes(loaded.device), self._how.remember)
        if self._how.stock:
            for part in loaded.model.modules():
                if hasattr(part, "blocks") and hasattr(part, "config"):
                    part.config._attn_implementation = "sdpa"
                vars(part).pop("get_rope_index", None)
        return runners

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


class Timed:
    """A model as a subject in processes of its own, as local subjects on a GPU are, with a clock."""

    name, settings = "bench/local", SETTINGS

    def __init__(self, shape: Shape, how: How) -> None:
        making = Making("bench.local", "Answering", (shape, how))
        self._hosted = Hosted(self.name, [making] * how.processes)
        at_once = 2 * how.batch * how.processes * (1 if how.stock else lanes("cuda" if _large() else "cpu"))
        self.abilities = Abilities(together=at_once, batch=how.batch, in_process=True)
        self.began = self.ended = 0.0
        self.answers = 0

    async def __aenter__(self) -> Self:
        await self._hosted.__aenter__()
        return self

    async def __aexit__(self, *how: Any) -> None:
        await self._hosted.__aexit__(*how)

    async def answer(self, call: Call) -> Reply:
        self.began = self.began or time.perf_counter()
        reply = await self._hosted.answer(call)
        self.ended = time.perf_counter()
        self.answers += 1
        return reply


# Exams


class Held(NamedTuple):
    """How an exam went: answers a second, and how busy the GPU was in percent, all the time and once under way."""

    rate: float
    gpu: float | None
    later: float | None


def held(shape: Shape, how: How, n: int, task: str = "fixation") -> Held:
    import snellen

    subject = Timed(shape, how)
    with tempfile.TemporaryDirectory() as home, _watched() as gpu:
        snellen.exam(subject, tasks=task, n=n, store=Path(home) / "bench.sqlite")

    def busy(start: float) -> float | None:
        seen = [load for at, load in gpu if start < at < subject.ended]
        return sum(seen) / len(seen) if seen else None

    rate = subject.answers / (subject.ended - subject.began)
    return Held(rate, busy(subject.began), busy(subject.began + UNDER_WAY))


@contextmanager
def _watched() -> Iterator[list[tuple[float, float]]]:
    """How busy the GPU is, again and again, in percent."""
    seen: list[tuple[float, float]] = []
    if shutil.which("nvidia-smi") is None:
        yield seen
        return
    words = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "100"]
    watcher = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)

    def listen() -> None:
        for line in watcher.stdout or ():
            if line.strip().isdecimal():
                seen.append((time.perf_counter(), float(line)))

    threading.Thread(target=listen, daemon=True).start()
    try:
        yield seen
    finally:
        watcher.kill()
        watcher.wait()


@cache
def _large() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def measure() -> list[Row]:
    large = _large()
    rows: list[Row] = []
    for shape in shapes(large):
        few, some, many = (2, 20, shape.boards) if large else (1, 4, 4)
        batch = shape.batch if large else 64
        one = held(shape, How(1, remember=0, stock=True), few)
        anew = held(shape, How(batch, remember=0), some)
        once = held(shape, How(batch), many)
        two = held(shape, How(batch, processes=2), many) if large else None
        print(f"{shape.name}: {one} {anew} {once} {two}", file=sys.stderr, flush=True)
        what = f"local, {shape.name}: answers a second"
        rows += [
            (f"{what}, one by one", f"{one.rate:.0f}", ""),
            (f"{what}, batches of {batch}", f"{anew.rate:.0f} ({anew.rate / one.rate:.1f}x)", ""),
            (f"{what}, and each picture once", f"{once.rate:.0f} ({once.rate / one.rate:.1f}x)", ">= 10x on a GPU"),
        ]
        if two is not None:
            rows += [
                (f"{what}, two processes", f"{two.rate:.0f} ({two.rate / one.rate:.1f}x)", ">= 10x on a GPU"),
                (f"local, {shape.name}: busy", f"{once.gpu:.0f} %, two processes {two.gpu:.0f} %", ">= 90 % of a GPU"),
            ]
    return rows


def main() -> None:
    """How busy some tasks keep the device, for every model."""
    warnings.simplefilter("ignore")
    tell: Callable[..., None] = print
    large = _large()
    for shape in shapes(large):
        for task in sys.argv[1:] or ITEMS:
            exam = held(shape, How(shape.batch), ITEMS[task] if large else 1, task)
            busy = "" if exam.gpu is None else f"  GPU {exam.gpu:.0f} %"
            busy += "" if exam.later is None else f", {exam.later:.0f} % after {UNDER_WAY:.0f} s"
            tell(f"{shape.name:28} {task:12} {exam.rate:8.1f}/s{busy}", flush=True)


if __name__ == "__main__":
    from bench import local  # what goes to other processes has to be found there by its module's name

    local.main()
