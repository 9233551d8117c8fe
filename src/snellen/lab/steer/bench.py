"""A model on the bench: the rows of one setup read, and followed from changed activations, in batches.

What was read of a batch is kept until the batch is patched, as far as there is room; beyond that it is read again.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import torch

from snellen.call import Message
from snellen.errors import UserError
from snellen.lab.steer.decoder import Decoder, changed, decoder, run
from snellen.lab.steer.labels import Readout, forms, readout
from snellen.lab.steer.logistic import Floats
from snellen.lab.steer.patches import Activations
from snellen.lab.steer.prefix import Prefix, led, read
from snellen.lab.steer.rows import Ints, SteeringRows
from snellen.lab.steer.steering import Move
from snellen.lab.steer.tails import follow, label_scores, work
from snellen.subjects.local.loading import LoadedModel
from snellen.subjects.local.memory import too_full
from snellen.subjects.local.prompting import inputs_of, pictures_of, text_of

CLOSE = {torch.float32: 1e-3, torch.float64: 1e-3}
ROUGH = 0.3
"""How far log-probabilities may be off when a vector is put in its own place: exact numbers, and half precision."""


P = ParamSpec("P")
T = TypeVar("T")


def _within_memory(work: Callable[P, T]) -> Callable[P, T]:
    """Turn out-of-memory errors of `work` into a `UserError` that names the options to lower."""

    @wraps(work)
    def tried(*given: P.args, **named: P.kwargs) -> T:
        try:
            return work(*given, **named)
        except (RuntimeError, MemoryError) as error:
            if not too_full(error):
                raise
            raise UserError("the device is out of memory; lower --batch or --keep") from None

    return tried


class Bench:
    """A model and the rows that it is asked (`steering.Patchable`). `room`: how many bytes may be kept."""

    def __init__(self, loaded: LoadedModel, asked: SteeringRows, room: int) -> None:
        self._loaded, self._asked = loaded, asked
        self._decoder: Decoder = decoder(loaded.model, str(loaded.folder))
        self._messages = [(Message("user", stimulus.parts),) for stimulus in asked.stimuli]
        self._texts = [text_of(loaded, messages) for messages in self._messages]
        self._readout = _readout(loaded, asked, self._messages[0], self._texts[0])
        self._room = room
        self._kept: dict[bytes, Prefix] = {}
        self._checked = False
        self.counts = {"read": 0.0, "read_again": 0.0, "tails": 0.0, "pictures": 0.0}
        """What was computed, in whole passes over one row; of tails, parts of passes added up."""

    @property
    def depth(self) -> int:
        return len(self._decoder.layers)

    @_within_memory
    def read(self, which: Ints, layers: Sequence[int]) -> tuple[Activations, Floats]:
        prefix = self._read(which)
        self.counts["read"] += len(which)
        if prefix.size <= self._room:
            self._room -= prefix.size
            self._kept[which.tobytes()] = prefix
        hidden = torch.stack([prefix.outputs[layer] for layer in layers])
        scores = label_scores(prefix.logits, self._readout)
        return hidden.float().cpu().numpy(), scores.double().cpu().numpy()

    @_within_memory
    def follow(self, which: Ints, moves: Sequence[Move]) -> Floats:
        prefix = self._kept.pop(which.tobytes(), None)
        if prefix is None:
            prefix = self._read(which)
            self.counts["read_again"] += len(which)
        else:
            self._room += prefix.size
        starts = [(layer, prefix.outputs[layer].float() + self._tensor(move)) for layer, move in moves]
        self.counts["tails"] += work(self._decoder, prefix, starts)
        scores: Floats = follow(self._decoder, prefix, starts, self._readout).double().cpu().numpy()
        return scores

    @_within_memory
    def at_pictures(self, which: Ints, move: Move) -> Floats:
        layer, added = move
        inputs = self._inputs(which)
        places = inputs["input_ids"] == self._loaded.picture_token_id
        if not bool(places.any()):
            raise UserError(f"{self._loaded.folder}: found no picture tokens in its prompts; expected some to patch")
        step: torch.Tensor = self._tensor(added)[:, None] * places[..., None]

        def change(hidden: torch.Tensor) -> torch.Tensor:
            return (hidden.float() + step).to(hidden.dtype)

        with changed(self._decoder, layer, change):
            scores = label_scores(run(self._decoder, inputs), self._readout)
        self.counts["pictures"] += len(which)
        array: Floats = scores.double().cpu().numpy()
        return array

    def _read(self, which: Ints) -> Prefix:
        """What is first read is checked, also where a study goes on and only patches."""
        prefix = read(self._decoder, self._inputs(which))
        if not self._checked:
            self._check(prefix)
        return prefix

    def _inputs(self, which: Ints) -> Mapping[str, Any]:
        texts = [self._texts[k] for k in which]
        made = inputs_of(self._loaded, texts, [pictures_of(self._messages[k]) for k in which])
        dtype, device = self._loaded.model.dtype, self._loaded.device
        there = {n: t.to(device, dtype if t.is_floating_point() else t.dtype) for n, t in made.items()}
        return led(there, self._readout.lead)

    def _tensor(self, numbers: Floats) -> torch.Tensor:
        return torch.from_numpy(np.asarray(numbers, np.float32)).to(self._loaded.device)

    def _check(self, prefix: Prefix) -> None:
        """Every vector put in its own place must change nothing, or what is patched is not what was read."""
        starts = list(enumerate(prefix.outputs))
        off = follow(self._decoder, prefix, starts, self._readout) - label_scores(prefix.logits, self._readout)
        worst = float(off.abs().max())
        if not worst <= CLOSE.get(prefix.outputs[0].dtype, ROUGH):
            raise UserError(
                f"{self._loaded.folder}: restoring its own activations changes its answers (by {worst:.2g});"
                f" {type(self._loaded.model).__name__} has an architecture that steering does not support"
            )
        self._checked = True


def _readout(loaded: LoadedModel, asked: SteeringRows, messages: Sequence[Message], prompt: str) -> Readout:
    """How this model's tokens tell the labels apart."""
    ways = []
    for label in asked.written:
        reply = text_of(loaded, [*messages, Message("assistant", (label,))])
        ways.append(forms(loaded.tokenizer, prompt, reply, label))
    return readout(asked.rows.labels, ways, (loaded.tokenizer.eos_token_id,))
