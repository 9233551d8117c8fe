"""Vectors from a server that speaks OpenAI's `/embeddings`, and their cosines.

Each distinct text is sent once, in batches. A failure that may pass is waited out a few times, as the server says; any
other is raised at once, since a similarity that is made up would be worse than none.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.call import CallFailed
from snellen.subjects.failures import Server
from snellen.subjects.http import Endpoint

_TEXTS = 128
_CHARACTERS = 200_000
_AT_ONCE = 4
_ATTEMPTS = 4
_LONGEST_WAIT = 60.0

Vectors = NDArray[np.float64]


class ApiEmbedder(Endpoint):
    """An embedding model behind an HTTP API."""

    def __init__(self, server: Server, timeout: float, env: Mapping[str, str]) -> None:
        super().__init__(server, "/embeddings", env, timeout)

    async def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair if text.strip()))
        places = {text: number for number, text in enumerate(texts)}
        vectors = self._together(await self._all(_batches(texts)))
        return [
            float(vectors[places[first]] @ vectors[places[other]]) if first in places and other in places else 0.0
            for first, other in pairs
        ]

    async def _all(self, batches: list[list[str]]) -> list[Vectors]:
        turn = asyncio.Semaphore(_AT_ONCE)

        async def vectors_of(batch: list[str]) -> Vectors:
            async with turn:
                return await self._patiently(batch)

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(vectors_of(batch)) for batch in batches]
        except ExceptionGroup as failures:  # one is enough to say what is wrong
            raise failures.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _patiently(self, batch: list[str]) -> Vectors:
        for attempt in range(1, _ATTEMPTS):
            try:
                return await self._vectors(batch)
            except CallFailed as failed:
                if not failed.passing:
                    raise
                wait = 2.0**attempt if failed.retry_after is None else failed.retry_after
                await asyncio.sleep(min(wait, _LONGEST_WAIT))
        return await self._vectors(batch)

    async def _vectors(self, batch: list[str]) -> Vectors:
        request = {"model": self._server.model, "input": batch, "encoding_format": "float", **self._server.settings}
        return await self._exchange(json.dumps(request).encode(), lambda data: _unit_vectors(data, len(batch)))

    def _together(self, batches: list[Vectors]) -> Vectors:
        if len({vectors.shape[1] for vectors in batches}) > 1:
            raise CallFailed("malformed", f"{self.name}: the server returned vectors of different lengths")
        return np.concatenate(batches) if batches else np.empty((0, 0))


def _batches(texts: list[str]) -> list[list[str]]:
    """The texts in order, as many together as a server takes."""
    batches: list[list[str]] = []
    room = 0
    for text in texts:
        if not batches or len(batches[-1]) == _TEXTS or len(text) > room:
            batches.append([])
            room = _CHARACTERS
        batches[-1].append(text)
        room -= len(text)
    return batches


def _unit_vectors(data: Any, expected: int) -> Vectors:
    """One vector of length 1 for each text, in the texts' order; ValueError if that is not what the data hold."""
    entries = data["data"]
    by_place = {entry.get("index", place): entry["embedding"] for place, entry in enumerate(entries)}
    if len(entries) != expected:
        raise ValueError(f"{len(entries)} vectors for {expected} texts")
    vectors = np.array([by_place[place] for place in range(expected)], np.float64)
    with np.errstate(over="ignore"):  # what is too long to be measured is refused below
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True) if vectors.ndim == 2 and vectors.size else np.zeros(1)
    if not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
        raise ValueError("not vectors")
    unit: Vectors = vectors / lengths
    return unit
