"""Reading a batch of prompts once, and keeping what is needed to go on from its end any number of times.

The **query token** is the last of a prompt, where the answer is decided: whatever is done to it, nothing before it
changes. So the keys and values of everything before serve for every layer, every control and every alpha.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import torch

from snellen.errors import UserError
from snellen.lab.steer.decoder import Decoder, hidden_of, run

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Prefix:
    """A batch that was read.

    By layer: `outputs`, its output at the query token (rows x width); `keys` and `values` of all tokens before;
    `arguments`, what the layer was called with beside its input, for the query token alone; `sees`, which tokens before
    it the query token attends to. `logits` are those after the query token, `tokens` how many tokens each row has.
    """

    outputs: tuple[torch.Tensor, ...]
    keys: tuple[torch.Tensor, ...]
    values: tuple[torch.Tensor, ...]
    arguments: tuple[Arguments, ...]
    sees: tuple[torch.Tensor, ...]
    logits: torch.Tensor
    tokens: torch.Tensor

    @property
    def size(self) -> int:
        """How many bytes it holds."""
        kept = (*self.outputs, *self.keys, *self.values, self.logits)
        return sum(tensor.element_size() * tensor.nelement() for tensor in kept)


def led(inputs: Mapping[str, Any], lead: tuple[int, ...]) -> dict[str, Any]:
    """The inputs with the same tokens put after every row: how all labels begin (`labels.Readout`)."""
    made, ids = dict(inputs), inputs["input_ids"]
    if lead:
        for name, tensor in inputs.items():
            if isinstance(tensor, torch.Tensor) and tensor.shape == ids.shape:
                put = lead if name == "input_ids" else (int(name == "attention_mask"),) * len(lead)
                more = torch.tensor(put, dtype=tensor.dtype, device=tensor.device).expand(len(tensor), -1)
                made[name] = torch.cat([tensor, more], dim=1)
    return made


def read(of: Decoder, inputs: Mapping[str, Any]) -> Prefix:
    """One whole pass over a batch (padded on the left), with all that is needed to go on from its query tokens."""
    from transformers import DynamicCache

    count = len(of.layers)
    outputs: list[torch.Tensor] = [torch.empty(0)] * count
    arguments: list[Arguments] = [{}] * count
    cache = DynamicCache()  # without a config it keeps all tokens, also where a layer looks back a little way only

    def before(place: int) -> Any:
        def hook(module: Any, given: Any, named: dict[str, Any]) -> None:
            arguments[place] = {name: value for name, value in named.items() if name != "hidden_states"}

        return hook

    def after(place: int) -> Any:
        def hook(module: Any, given: Any, output: Any) -> None:
            outputs[place] = hidden_of(output)[:, -1].clone()

        return hook

    with ExitStack() as hooks:
        for place, layer in enumerate(of.layers):
            hooks.callback(layer.register_forward_pre_hook(before(place), with_kwargs=True).remove)
            hooks.callback(layer.register_forward_hook(after(place)).remove)
        logits = run(of, inputs, past_key_values=cache, use_cache=True)
    length = inputs["input_ids"].shape[1]
    return Prefix(
        tuple(outputs),
        *_cached(cache, count, length),
        tuple(_of_query(named) for named in arguments),
        tuple(_seen(named.get("attention_mask"), length).to(logits.device) for named in arguments),
        logits,
        inputs["attention_mask"].sum(dim=1),
    )


def _cached(cache: Any, count: int, length: int) -> tuple[tuple[torch.Tensor, ...], tuple[torch.Tensor, ...]]:
    """Keys and values of all tokens before the query token, by layer."""
    kept: list[Any] = [(getattr(layer, "keys", None), getattr(layer, "values", None)) for layer in cache.layers]
    if len(kept) != count or any(keys is None or keys.shape[-2] != length for keys, _ in kept):
        raise UserError(
            "this model does not cache keys and values in every layer, so a prompt cannot be processed once for all"
            " patches; steering needs a decoder with attention in every layer"
        )
    return tuple(keys[:, :, :-1] for keys, _ in kept), tuple(values[:, :, :-1] for _, values in kept)


def _of_query(named: Mapping[str, Any]) -> Arguments:
    """A layer's arguments for the query token alone. Masks and caches are made anew by whoever goes on."""
    made = {name: value for name, value in named.items() if name not in ("attention_mask", "past_key_values")}
    if (turns := named.get("position_embeddings")) is not None:
        made["position_embeddings"] = tuple(turn[..., -1:, :].clone() for turn in turns)
    if isinstance(where := named.get("position_ids"), torch.Tensor):
        made["position_ids"] = where[..., -1:].clone()
    return made


def _seen(mask: Any, length: int) -> torch.Tensor:
    """Which tokens before it the query token attends to: rows x 1 x 1 x tokens."""
    if mask is None:  # nothing is padded, and each token sees all before it
        return torch.ones((1, 1, 1, length - 1), dtype=torch.bool)
    if not isinstance(mask, torch.Tensor) or mask.dim() != 4:
        raise UserError("steering needs attention with plain masks; load the model with sdpa or eager attention")
    allowed = mask if mask.dtype == torch.bool else mask >= 0
    # whether a token that the query token sees, sees it in turn
    if bool((allowed[:, :, :-1, length - 1] & allowed[:, :, -1, : length - 1]).any()):
        raise UserError(
            "this model attends to its prompt in both directions, so patching the last token would change earlier"
            " ones; steering needs causal attention"
        )
    return allowed[:, :, -1:, : length - 1].clone()
