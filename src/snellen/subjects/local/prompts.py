"""Calls made ready for a model: the numbers of their words, and what its processor makes of their pictures.

What is made of a picture is remembered by its digest, so that a board that is asked about often is cut into patches
once; and what is made of words by the words and the sizes of the pictures among them, since the same is asked about
many boards. Processors are slow enough that a GPU would wait for them otherwise. Safe to use from several threads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from snellen.call import Call, CallFailed, Message
from snellen.item import Picture
from snellen.subjects.local.decoding import Decoding
from snellen.subjects.local.features import PictureFeatures
from snellen.subjects.local.memory import TensorCache
from snellen.subjects.local.processing import Processing, Shape, Written, shape_of
from snellen.subjects.local.prompting import pictures_of
from snellen.subjects.local.scoring import ScoredLabel
from snellen.subjects.settings import strings_of

_REMEMBERED = 2**29
"""How many bytes of what the processor made of pictures are kept."""
_REMEMBERED_WORDS = 2**28


@dataclass(frozen=True, eq=False)
class Prompt:
    """A call made ready. `words`: numbers, one for each token; `views`: its pictures; `about`: the whole numbers that
    the processor says about its pictures."""

    text: str = field(repr=False)
    pictures: tuple[Picture, ...]
    words: Mapping[str, Any] = field(repr=False)
    views: tuple[PictureFeatures, ...]
    about: Mapping[str, Any]
    tokens_picture: int
    decoding: Decoding
    labels: tuple[ScoredLabel, ...]
    seed: bytes

    @property
    def length(self) -> int:
        return int(self.words["input_ids"].shape[-1])

    @property
    def kind(self) -> tuple[bool, Decoding]:
        return bool(self.labels), self.decoding


class PromptMaker:
    """Makes calls ready for one model."""

    def __init__(self, processing: Processing) -> None:
        self._processing = processing
        self._known: TensorCache[tuple[Shape, tuple[str, ...]], Written] = TensorCache(_REMEMBERED_WORDS)
        self._seen: TensorCache[tuple[str, ...], PictureFeatures] = TensorCache(_REMEMBERED)
        self._as_ever = True  # whether several pictures are seen as each alone would be

    def of(self, call: Call) -> Prompt:
        """A call made ready."""
        settings = call.settings
        messages = messages_of(call)
        pictures = pictures_of(messages)
        written = self._written(messages, tuple(settings.get("labels") or ()))
        return Prompt(
            written.text,
            pictures,
            written.words,
            self._views(pictures, written.tokens_picture),
            written.about,
            written.tokens_picture,
            decoding_of(settings),
            written.labels,
            call.key,
        )

    def _written(self, messages: Sequence[Message], labels: tuple[str, ...]) -> Written:
        shape = shape_of(messages)
        return self._known.made((shape, labels), lambda: self._processing.written(shape, labels))

    def _views(self, pictures: tuple[Picture, ...], tokens: int) -> tuple[PictureFeatures, ...]:
        """Each picture by itself, if that comes to as many tokens; else all as they are seen together."""
        if len(pictures) < 2 or self._as_ever:
            singles = tuple(self._view((picture,)) for picture in pictures)
            if len(pictures) > 1 and tokens and all(view.tokens == tokens for view in singles):
                raise CallFailed("rejected", f"the model takes one picture a call; here are {len(pictures)}")
            if len(pictures) < 2 or sum(view.tokens for view in singles) == tokens:
                return singles
            self._as_ever = False
        return (self._view(pictures),)

    def _view(self, pictures: tuple[Picture, ...]) -> PictureFeatures:
        """What is seen of these, the same object for all who see the same."""
        key = tuple(picture.digest for picture in pictures)

        return self._seen.made(key, lambda: PictureFeatures(key, *self._processing.seen(pictures)))


def messages_of(call: Call) -> Sequence[Message]:
    """The messages of a call, after the system prompt of its settings."""
    if system := call.settings.get("system"):
        return (Message("system", (str(system),)), *call.messages)
    return call.messages


def decoding_of(settings: Mapping[str, Any]) -> Decoding:
    return Decoding(
        int(settings["max_tokens"]),
        float(settings.get("temperature", 0)),
        float(settings.get("top_p", 1)),
        None if settings.get("logprobs") is None else int(settings["logprobs"]),
        strings_of(settings.get("stop")),
    )
