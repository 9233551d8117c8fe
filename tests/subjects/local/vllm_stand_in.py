"""A stand-in for vLLM's offline interface, as its docs describe it: `LLM.generate`, `SamplingParams`, `RequestOutput`.

It answers as a tiny local model would, so replies can be held against those of `local/`: prompts are tokens with one
placeholder for each picture, pictures beside them, and outputs are in the shape of vLLM's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class SamplingParams:
    """The fields of vLLM's that are used; another one is an error, as there."""

    temperature: float = 1.0
    max_tokens: int | None = 16
    top_p: float = 1.0
    seed: int | None = None
    stop: list[str] | None = None
    logprobs: int | None = None
    logprob_token_ids: list[int] | None = None

    def __post_init__(self) -> None:
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be in (0, 1], got {self.top_p}.")


@dataclass
class Logprob:
    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class CompletionOutput:
    text: str
    token_ids: list[int]
    logprobs: list[dict[int, Logprob]] | None
    finish_reason: str | None
    stop_reason: int | str | None = None


@dataclass
class RequestOutput:
    prompt_token_ids: list[int]
    outputs: list[CompletionOutput]
    finished: bool = True


@dataclass
class LoRARequest:
    lora_name: str
    lora_int_id: int
    lora_path: str = ""


@dataclass
class LLM:
    """`asked`: the sampling of every request there was; `told`: what the engine was made with."""

    model: str
    dtype: str = "auto"
    tensor_parallel_size: int = 1
    enable_lora: bool = False
    max_lora_rank: int = 16
    max_model_len: int = 10_000
    asked: list[SamplingParams] = field(default_factory=list)
    adapters: list[LoRARequest | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        from snellen.subjects.local.loading import load

        self._loaded = load(self.model, dtype=self.dtype, device="cpu")

    def generate(
        self,
        prompts: list[dict[str, Any]],
        sampling_params: list[SamplingParams],
        *,
        use_tqdm: bool = True,
        lora_request: LoRARequest | None = None,
    ) -> list[RequestOutput]:
        if long := [prompt for prompt in prompts if len(prompt["prompt_token_ids"]) > self.max_model_len]:
            raise ValueError(f"The prompt (length {len(long[0]['prompt_token_ids'])}) is longer than the maximum")
        self.asked += sampling_params
        self.adapters.append(lora_request)
        return [self._answer(*pair) for pair in zip(prompts, sampling_params, strict=True)]

    def _answer(self, prompt: dict[str, Any], how: SamplingParams) -> RequestOutput:
        import torch

        inputs = self._inputs(prompt)
        ends = self._ends()
        ids, steps = [], []
        read = inputs["input_ids"].shape[1]
        tokenizer = self._loaded.tokenizer
        for _ in range(how.max_tokens or 1):
            with torch.inference_mode():
                scores = self._loaded.model(**inputs).logits[0, -1].float().log_softmax(-1)
            token = int(scores.argmax())
            steps.append(self._step(scores, token, how))
            ids.append(token)
            text = tokenizer.decode(ids, skip_special_tokens=True)
            if found := [stop for stop in how.stop or () if stop in text]:
                return self._output(inputs, read, ids, text[: text.find(found[0])], steps, "stop", found[0], how)
            if token in ends:
                return self._output(inputs, read, ids, text, steps, "stop", None, how)
            inputs = self._longer(inputs, token)
        return self._output(inputs, read, ids, text, steps, "length", None, how)

    def _inputs(self, prompt: dict[str, Any]) -> dict[str, Any]:
        text = self._loaded.tokenizer.decode(prompt["prompt_token_ids"])
        pictures = prompt.get("multi_modal_data", {}).get("image", [])
        some = {"images": [pictures]} if pictures else {}
        return dict(self._loaded.processor(text=[text], **some, add_special_tokens=False, return_tensors="pt"))

    def _longer(self, inputs: dict[str, Any], token: int) -> dict[str, Any]:
        import torch

        long = inputs["input_ids"].shape
        one = {"input_ids": token, "attention_mask": 1}
        return {
            name: torch.cat([value, torch.full((1, 1), one.get(name, 0), dtype=value.dtype)], 1)
            if value.shape == long
            else value
            for name, value in inputs.items()
        }

    def _ends(self) -> set[int]:
        own = self._loaded.model.generation_config.eos_token_id
        return {*(own if isinstance(own, list) else [own]), self._loaded.tokenizer.eos_token_id}

    @staticmethod
    def _step(scores: Any, token: int, how: SamplingParams) -> dict[int, Logprob]:
        if how.logprob_token_ids is not None:
            wanted = {token, *how.logprob_token_ids}
        else:
            wanted = {token, *scores.topk(how.logprobs).indices.tolist()} if how.logprobs else {token}
        return {each: Logprob(float(scores[each]), int((scores > scores[each]).sum()) + 1) for each in sorted(wanted)}

    @staticmethod
    def _output(
        inputs: dict[str, Any], read: int, ids: list[int], text: str, steps: Any, why: str, stop: str | None, how: Any
    ) -> RequestOutput:
        told = steps if how.logprobs is not None or how.logprob_token_ids is not None else None
        prompt = inputs["input_ids"][0, :read].tolist()
        return RequestOutput(prompt, [CompletionOutput(text, ids, told, why, stop)])
