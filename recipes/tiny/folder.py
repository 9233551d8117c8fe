"""The weights of a finished model in one file that needs no torch: what the package ships."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from snellen.subjects.tiny import weights
from snellen.subjects.tiny.stock import Build
from snellen.subjects.tiny.tokens import Vocabulary

_SPEAKS = "lm_head"  # the same tensor as the embedding


def write_weights(model: Any, known: Vocabulary, build: Build, path: Path) -> None:
    """Write them in 8 bits, with the vocabulary and the shape of the network."""
    own = {name: value for name, value in model.state_dict().items() if not name.startswith(_SPEAKS)}
    tensors = {name: value.detach().float().cpu().numpy() for name, value in own.items()}
    weights.write(path, tensors, known.pieces, asdict(build))
