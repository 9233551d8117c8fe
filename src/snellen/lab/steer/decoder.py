"""The stack of layers inside a model: where activations are read and patched.

The place is the output of a decoder layer in the residual stream, before any norm that follows the last layer. Reading
and patching use the same hook at the same module, so what is put back is what was taken, at every layer.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from typing import Any

import torch

from snellen.errors import UserError

NORMS = ("norm", "final_layernorm", "final_layer_norm", "ln_f")


@dataclass(frozen=True)
class Decoder:
    """A model, its layers from the first to the last, and what makes logits of the last one's output."""

    model: Any
    layers: tuple[Any, ...]
    norm: Any
    head: Any
    cap: float | None

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """From the output of the last layer to logits."""
        logits = self.head(self.norm(hidden)).float()
        return logits if self.cap is None else torch.tanh(logits / self.cap) * self.cap


def decoder(model: Any, name: str) -> Decoder:
    """The decoder of a model; one that is built in another way is refused in one line."""
    stack = model.get_decoder() if hasattr(model, "get_decoder") else None
    layers = getattr(stack, "layers", None)
    norm = next((getattr(stack, word) for word in NORMS if hasattr(stack, word)), None)
    head = model.get_output_embeddings() if hasattr(model, "get_output_embeddings") else None
    if not isinstance(layers, torch.nn.ModuleList) or not len(layers) or norm is None or head is None:
        raise UserError(
            f"{name}: found no stack of decoder layers in {type(model).__name__}; expected a decoder with `layers`,"
            " `norm` and output embeddings, as in Llama, Qwen and Gemma"
        )
    text = model.config.get_text_config()
    return Decoder(model, tuple(layers), norm, head, getattr(text, "final_logit_softcapping", None))


def hidden_of(output: Any) -> torch.Tensor:
    """A layer's output proper: some return it alone, some first of several."""
    hidden: torch.Tensor = output[0] if isinstance(output, tuple) else output
    return hidden


@contextmanager
def changed(of: Decoder, layer: int, change: Callable[[torch.Tensor], torch.Tensor]) -> Iterator[None]:
    """While this lasts, the output of a layer is what `change` makes of it."""

    def hook(module: Any, given: Any, output: Any) -> Any:
        new = change(hidden_of(output))
        return (new, *output[1:]) if isinstance(output, tuple) else new

    handle = of.layers[layer].register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


def run(of: Decoder, inputs: Mapping[str, Any], **more: Any) -> torch.Tensor:
    """One whole pass; the logits after the last token of every row."""
    last = {"logits_to_keep": 1} if "logits_to_keep" in signature(of.model.forward).parameters else {}
    with torch.inference_mode():
        output = of.model(**inputs, **last, **more)
    logits: torch.Tensor = output.logits[:, -1].float()
    return logits
