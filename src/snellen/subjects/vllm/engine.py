"""Calls as vLLM's offline engine takes them, and what it says as replies.

Prompts are written by the model's own chat template, as for `local/`, and handed over as tokens with pictures beside
them; vLLM puts the pictures' tokens in their places. Of a choice that is scored, vLLM is asked how likely each token of
each label is after those before it: one token is generated for each beginning of a label.
"""

import gc
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from snellen.call import Call, CallFailed, Message, Reply
from snellen.errors import UserError
from snellen.item import Picture
from snellen.subjects.batched import Batched
from snellen.subjects.local.decoding import DecodedToken, Decoding, spelled
from snellen.subjects.local.folders import read_json
from snellen.subjects.local.model import LoadedWeights
from snellen.subjects.local.prompting import opened, pictures_of, text_of, tokens_of
from snellen.subjects.local.prompts import decoding_of, messages_of
from snellen.subjects.local.scoring import ScoredLabel, Way, chances, labels_of, scored
from snellen.subjects.local.stopping import without_end

_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""Ranks of adapters that vLLM has kernels for; one between them takes the next."""
_NOT_APPLIED = ("visual", "vision", "image", "connector", "projector")
"""Parts of the names of layers whose adapters vLLM leaves out."""


def check_adapter(adapter: Path, folder: Path) -> None:
    """Raise `UserError` for an adapter that vLLM would apply only in part, or that is another model's."""
    from safetensors import safe_open

    from snellen.subjects.local.loading import check_trained

    check_trained(adapter, folder)
    with safe_open(adapter / "adapter_model.safetensors", framework="numpy") as file:
        names = sorted(file.keys())
    if seeing := next((name for name in names if any(part in name for part in _NOT_APPLIED)), ""):
        raise UserError(
            f"adapter {adapter}: it trains layers that see ({seeing}), and vLLM applies adapters to the language model"
            " only; use local/"
        )


@dataclass(frozen=True, eq=False)
class OfflinePrompt:
    """A call made ready. vLLM pads nothing and takes calls of all kinds at once, so all have one length and kind."""

    tokens: tuple[int, ...] = field(repr=False)
    pictures: tuple[Picture, ...]
    decoding: Decoding
    labels: tuple[ScoredLabel, ...]
    seed: int
    length: int = 1
    kind: bool = True


class OfflineModel(Batched[OfflinePrompt]):
    """A model in vLLM's engine."""

    def __init__(self, name: str, weights: LoadedWeights, batch: int, engine: dict[str, Any]) -> None:
        super().__init__(name, {}, batch=batch, tokens=batch, preparing=1)  # a tokenizer serves one thread at a time
        self._weights = weights
        self._engine = engine
        self._llm: Any = None
        self._adapter: Any = None

    def open(self) -> int:
        from transformers import AutoConfig

        from snellen.subjects.local.loading import picture_token_id, quiet
        from snellen.subjects.local.processing import Processor
        from snellen.subjects.local.processors import processor_of

        os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
        folder = self._weights.folder
        quiet()
        token = picture_token_id(AutoConfig.from_pretrained(folder, local_files_only=True))
        self._processor = Processor(processor_of(folder), folder, token)
        self._tokenizer = deepcopy(self._processor.tokenizer)  # for the worker, beside the one who makes calls ready
        text_of(self._processor, (Message("user", ("?",)),))  # a model that cannot be asked is told of now
        self._start()
        return 1

    def _start(self) -> None:
        from vllm import LLM

        adapting: dict[str, Any] = {}
        if (adapter := self._weights.adapter) is not None:
            from vllm.lora.request import LoRARequest

            rank = int(read_json(adapter / "adapter_config.json")["r"])
            adapting = {"enable_lora": True, "max_lora_rank": next((r for r in _RANKS if r >= rank), rank)}
            self._adapter = LoRARequest("adapter", 1, str(adapter))
        self._llm = LLM(model=str(self._weights.folder), dtype=self._weights.dtype, **{**self._engine, **adapting})

    def prepare(self, call: Call) -> OfflinePrompt:
        messages = messages_of(call)
        text = text_of(self._processor, messages)
        return OfflinePrompt(
            tuple(tokens_of(self._processor, text)),
            pictures_of(messages),
            decoding_of(call.settings),
            labels_of(self._processor.tokenizer, text, tuple(call.settings.get("labels") or ())),
            int.from_bytes(sha256(call.key).digest()[:7], "big"),
        )

    def work(self, worker: int, batch: Sequence[OfflinePrompt]) -> list[Reply]:
        asked = [list(_asked(prompt)) for prompt in batch]
        told = iter(self._generate([request for requests in asked for request in requests]))
        outputs = [[next(told) for _ in requests] for requests in asked]
        return [
            self._scored(prompt, requests, own) if prompt.labels else self._said(prompt, own[0])
            for prompt, requests, own in zip(batch, asked, outputs, strict=True)
        ]

    def _generate(self, requests: Sequence["Request"]) -> list[Any]:
        from vllm import SamplingParams

        prompts = [{"prompt_token_ids": list(request.tokens), **_seen(request.pictures)} for request in requests]
        params = [SamplingParams(**request.sampling) for request in requests]
        outputs = self._llm.generate(prompts, params, use_tqdm=False, lora_request=self._adapter)
        if len(outputs) != len(requests):
            raise CallFailed("rejected", f"vLLM answered {len(outputs)} of {len(requests)} calls")
        return list(outputs)

    def _said(self, prompt: OfflinePrompt, output: Any) -> Reply:
        """The reply in what vLLM generated."""
        said = output.outputs[0]
        if said.finish_reason not in ("stop", "length"):
            raise CallFailed("server", f"vLLM ended the reply: {said.finish_reason}", passing=True)
        ids = list(said.token_ids)
        tokens = spelled(ids, _steps(ids, said.logprobs, prompt.decoding.logprobs or 0), self._decode)
        if ids and said.finish_reason == "stop" and not isinstance(said.stop_reason, str):
            tokens = tokens[:-1]  # the one that ends a reply
        elif tokens:
            tokens = without_end(tokens, len(self._decode(ids)) - len(said.text))
        return Reply(
            said.text,
            said.finish_reason,
            len(output.prompt_token_ids),
            len(ids),
            self._weights.folder.name,
            tokens_picture=self._count(output),
            tokens=tokens,
        )

    def _scored(self, prompt: OfflinePrompt, requests: Sequence["Request"], outputs: Sequence[Any]) -> Reply:
        """The likeliest label, from how likely vLLM says each of their tokens is."""
        likely: dict[tuple[Way, int], float] = {}
        for request, output in zip(requests, outputs, strict=True):
            for token, told in output.outputs[0].logprobs[0].items():
                likely[request.beginning, token] = told.logprob
        ways = {way for label in prompt.labels for way in label.ways}
        logprobs = {way: sum(likely[way[:place], token] for place, token in enumerate(way)) for way in ways}
        reply = scored(chances(prompt.labels, logprobs), len(outputs[0].prompt_token_ids), self._count(outputs[0]) or 0)
        return replace(reply, model=self._weights.folder.name)

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True)
        return text

    def _count(self, output: Any) -> int | None:
        token = self._processor.picture_token_id
        return None if token is None else list(output.prompt_token_ids).count(token)

    def close(self) -> None:
        with suppress(AttributeError):  # a name that vLLM does not promise; its own end would stop its processes later
            self._llm.llm_engine.engine_core.shutdown()
        self._llm = self._adapter = None
        gc.collect()


@dataclass(frozen=True)
class Request:
    """What vLLM is asked once. `beginning`: the tokens of a label that stand before the one it is asked for."""

    tokens: tuple[int, ...]
    pictures: tuple[Picture, ...]
    sampling: dict[str, Any]
    beginning: Way = ()


def _asked(prompt: OfflinePrompt) -> Iterable[Request]:
    """The requests of a call: one, or one for each beginning of its labels."""
    if not prompt.labels:
        yield Request(prompt.tokens, prompt.pictures, _sampling(prompt.decoding, prompt.seed))
        return
    following: dict[Way, set[int]] = {}
    for label in prompt.labels:
        for way in label.ways:
            for place, token in enumerate(way):
                following.setdefault(way[:place], set()).add(token)
    for beginning, tokens in sorted(following.items()):
        sampling = {"temperature": 0.0, "max_tokens": 1, "logprob_token_ids": sorted(tokens)}
        yield Request((*prompt.tokens, *beginning), prompt.pictures, sampling, beginning)


def _sampling(decoding: Decoding, seed: int) -> dict[str, Any]:
    """vLLM's `SamplingParams`. A sample is seeded by its call; greedy decoding draws nothing."""
    told: dict[str, Any] = {"temperature": decoding.temperature, "max_tokens": decoding.max_tokens}
    if decoding.temperature:
        told |= {"top_p": decoding.top_p or 1e-6, "seed": seed}  # vLLM takes no 0, which means the likeliest
    if decoding.stop:
        told["stop"] = list(decoding.stop)
    if decoding.logprobs is not None:
        told["logprobs"] = decoding.logprobs
    return told


def _seen(pictures: Sequence[Picture]) -> dict[str, Any]:
    return {"multi_modal_data": {"image": [opened(picture) for picture in pictures]}} if pictures else {}


def _steps(ids: Sequence[int], logprobs: Any, many: int) -> list[DecodedToken]:
    """What vLLM says of each step: of the token said, and of so many likeliest."""

    def likeliest(step: Any) -> tuple[tuple[int, float], ...]:
        ranked = sorted((told.rank, token, told.logprob) for token, told in step.items())
        return tuple((token, logprob) for rank, token, logprob in ranked if rank <= many)

    return [
        DecodedToken(step[token].logprob, likeliest(step)) for token, step in zip(ids, logprobs or (), strict=False)
    ]
