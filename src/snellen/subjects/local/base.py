"""What subjects on weights of one's own have in common: who they are, what may vary from call to call, who answers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import astuple
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self

from snellen.call import Abilities, Call, Reply
from snellen.subjects import settings
from snellen.subjects.batched import Batched
from snellen.subjects.hosted import Hosted
from snellen.subjects.local.fingerprint import fingerprint
from snellen.subjects.local.model import LoadedWeights
from snellen.subjects.settings import Schema, Value
from snellen.subjects.trained_on import trained_on

OF_THE_MODEL = ("adapter", "dtype", "load", "engine")
"""Settings that make another model of it, and so cannot differ from call to call."""


class OpenedModel(NamedTuple):
    """A model that answers, how many workers it has, and how many calls each takes at once."""

    model: Batched[Any] | Hosted
    workers: int
    batch: int


class WeightsSubject(ABC):
    """A model of one's own. What is recorded with its calls holds the fingerprint of its weights.

    `facts`: what is recorded beside that; `batch`: the most calls at once as long as it is not open."""

    def __init__(
        self,
        whose: str,
        schema: Schema,
        values: Mapping[str, Value],
        weights: LoadedWeights,
        batch: int,
        facts: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._weights = weights
        self._batch = batch
        self._trained_on = trained_on(weights.folder, weights.adapter)
        self._whose = whose
        self._name = whose + settings.written(values, schema)
        keyed = {name: value for name, value in settings.keyed(values, schema).items() if name not in OF_THE_MODEL}
        self._settings = MappingProxyType({**keyed, **fingerprint(*astuple(weights)), **facts})
        self._varied = tuple(setting for setting in schema if setting.in_key and setting.name not in OF_THE_MODEL)
        self._workers = 1
        self._model: Batched[Any] | Hosted | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings

    @property
    def abilities(self) -> Abilities:
        return Abilities(
            trained_on=self._trained_on,
            together=2 * self._batch * self._workers,
            batch=self._batch,
            in_process=True,
            per_call={setting.name: settings.reader(setting, self._whose) for setting in self._varied},
        )

    @abstractmethod
    async def placed(self) -> OpenedModel:
        """The model where it is to work, not yet opened."""

    async def __aenter__(self) -> Self:
        placed = await self.placed()
        await placed.model.__aenter__()
        self._model, self._workers, self._batch = placed
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        model, self._model = self._model, None
        if model is not None:
            await model.__aexit__(kind, error, trace)

    async def answer(self, call: Call) -> Reply:
        if self._model is None:
            raise RuntimeError(f"{self._name} was asked before it was opened")
        return await self._model.answer(call)
