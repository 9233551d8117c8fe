"""How far off the network is on a batch, and which of its answers are right."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from recipes.small.batches import UNLABELLED, Batch
from recipes.small.eye import HELPERS
from recipes.small.network import Network
from recipes.small.recipe import SmallStage
from recipes.small.rows import Rows

Losses = dict[str, Tensor]


def losses(network: Network, batch: Batch, stage: SmallStage) -> tuple[Tensor, Losses]:
    """What is to become less, and of what it is the sum."""
    seen = network.see(batch.pictures)
    parts: Losses = {}
    if stage.helper:
        labels = zip(HELPERS, (batch.things, batch.looks), strict=True)
        parts = {helper: _helper(network.helped(seen, helper), told) for helper, told in labels}
    whole = stage.helper * sum(parts.values(), start=torch.zeros((), device=network.device))
    if stage.speaks:
        parts["words"] = _spoken(network, batch.rows, network.connect(seen))
        whole = whole + parts["words"]
    return whole, {name: part.detach() for name, part in parts.items()}


def _helper(scores: Tensor, told: Tensor) -> Tensor:
    there = told.to(scores.device, non_blocking=True).flatten()
    each = functional.cross_entropy(scores.flatten(0, 1), there, ignore_index=UNLABELLED, reduction="sum")
    return each / (there != UNLABELLED).sum().clamp(min=1)


def _spoken(network: Network, rows: Sequence[Rows], connected: Tensor | None) -> Tensor:
    words = network.words()
    minds = torch.cat([network.speak(each, connected, words) for each in rows])
    said, counts = (_all(rows, part, network.device) for part in ("said", "counts"))
    each = functional.cross_entropy((minds @ words.T).float(), said, reduction="none")
    return (each * counts).sum() / counts.sum()


def _all(rows: Sequence[Rows], part: str, device: str) -> Tensor:
    return torch.cat([getattr(each, part) for each in rows]).to(device, non_blocking=True)


def marks(network: Network, batches: Iterable[Batch]) -> dict[str, float]:
    """The share of answers of which every token is right, the ones before it given, by kind."""
    right: dict[str, list[bool]] = defaultdict(list)
    for batch in batches:
        with torch.no_grad():
            connected = network.connect(network.see(batch.pictures))
        for rows in batch.rows:
            for kind, each in zip(rows.kinds, _right(network, rows, connected), strict=True):
                right[kind].append(each)
    return {kind: round(100 * sum(marked) / len(marked), 1) for kind, marked in sorted(right.items())}


def _right(network: Network, rows: Rows, connected: Tensor | None) -> list[bool]:
    picked = _scores(network, rows, connected).argmax(-1)
    slips = torch.zeros(len(rows.kinds), dtype=torch.long)
    slips.index_add_(0, rows.whose, (picked.cpu() != rows.said).long())
    return [not count for count in slips.tolist()]


def surprise(network: Network, rows: Rows) -> float:
    """The mean loss of a token, in words alone."""
    scores = _scores(network, rows, None)
    said = rows.said.to(network.device)
    return round(float(functional.cross_entropy(scores.float(), said)), 3)


def _scores(network: Network, rows: Rows, connected: Tensor | None) -> Tensor:
    with torch.no_grad():
        words = network.words()
        return network.speak(rows, connected, words) @ words.T
