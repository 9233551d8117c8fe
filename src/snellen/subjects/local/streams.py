"""Several threads on one GPU, each with a stream of its own: what one waits for is its own work, not the others'.

Generating begins with small questions to the GPU (how long is each row, is anything padded). On a common stream their
answers would come only after all that the other thread has given it to do, and the GPU would idle before each batch.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any


def own_stream(model: Any) -> AbstractContextManager[Any]:
    """A context in which a model works on a stream of its own, where its device has any."""
    import torch

    if model.device.type != "cuda":
        return nullcontext()
    torch.cuda.synchronize(model.device)  # its weights are there before anybody uses them
    own: AbstractContextManager[Any] = torch.cuda.stream(torch.cuda.Stream(model.device))
    return own


def finish(model: Any) -> None:
    """Wait for what this thread has given the GPU to do, so that any other may use it."""
    import torch

    if model.device.type == "cuda":
        torch.cuda.current_stream(model.device).synchronize()


def lend(tensors: Any) -> None:
    """Say that this thread's stream uses tensors of others: nothing is put in their place before it is done."""
    import torch

    if isinstance(tensors, Mapping):
        tensors = list(tensors.values())
    if isinstance(tensors, list | tuple):
        for tensor in tensors:
            lend(tensor)
    elif tensors.is_cuda:
        tensors.record_stream(torch.cuda.current_stream(tensors.device))
