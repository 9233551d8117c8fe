"""What a model's processor makes of words and of pictures, apart from each other.

What it makes of words depends on the pictures among them only by their sizes: so words are processed with blank ones in
their places, and pictures without words. Each can then be remembered by itself, and be done in another process.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock, local
from typing import Any, NamedTuple, Protocol

from PIL import Image

from snellen.call import Message, Role
from snellen.item import Picture
from snellen.subjects.local.loading import LoadedModel
from snellen.subjects.local.memory import TensorCache
from snellen.subjects.local.prompting import DIGEST, inputs_of, pictures_of, size_in_pixels, text_of
from snellen.subjects.local.scoring import ScoredLabel, labels_of

Shape = tuple[tuple[Role, tuple[str | tuple[int, int], ...]], ...]
"""Messages with the sizes of their pictures in place of these: all that a processor makes words of."""
_REMEMBERED = 2**27
"""How many bytes of what the processor made of pictures it keeps: blank ones come again and again."""


class Written(NamedTuple):
    """What is made of messages of one shape: their text, the numbers of its words, the whole numbers about the
    pictures, how many tokens these take; and the labels, if there are any to choose from, as they may follow."""

    text: str
    words: Mapping[str, Any]
    about: Mapping[str, Any]
    tokens_picture: int
    labels: tuple[ScoredLabel, ...]


class ProcessedPictures(NamedTuple):
    """What is made of pictures, and how many tokens they take."""

    tensors: Mapping[str, Any]
    tokens: int


class Processing(Protocol):
    """Somebody who does a processor's work. Safe to use from several threads."""

    def written(self, shape: Shape, labels: Sequence[str]) -> Written: ...

    def seen(self, pictures: Sequence[Picture]) -> ProcessedPictures: ...


@dataclass(frozen=True)
class Processor:
    """A model's processor, and which token stands where a picture's features go."""

    processor: Any
    folder: Path
    picture_token_id: int | None

    @property
    def tokenizer(self) -> Any:
        return self.processor.tokenizer


def shape_of(messages: Sequence[Message]) -> Shape:
    return tuple(
        (message.role, tuple(size_in_pixels(part) if isinstance(part, Picture) else part for part in message.parts))
        for message in messages
    )


class ProcessingHere:
    """Runs the processor in this process, with a copy of it for each thread."""

    def __init__(self, loaded: LoadedModel | Processor) -> None:
        self._first = Processor(loaded.processor, loaded.folder, loaded.picture_token_id)
        self._copying = Lock()
        self._own = local()
        remembering(loaded.processor.image_processor)

    def written(self, shape: Shape, labels: Sequence[str]) -> Written:
        processor = self._mine
        texts = ((role, tuple(part if isinstance(part, str) else blank(part) for part in own)) for role, own in shape)
        messages = [Message(role, parts) for role, parts in texts]
        text = text_of(processor, messages)
        words, seen = _apart(inputs_of(processor, [text], [pictures_of(messages)]))
        about = {name: tensor for name, tensor in seen.items() if not _is_seen(tensor)}
        return Written(text, words, about, _count(words, processor), labels_of(processor.tokenizer, text, labels))

    def seen(self, pictures: Sequence[Picture]) -> ProcessedPictures:
        processor = self._mine
        text = text_of(processor, [Message("user", tuple(pictures))])
        words, seen = _apart(inputs_of(processor, [text], [pictures]))
        return ProcessedPictures(seen, _count(words, processor))

    @property
    def _mine(self) -> Processor:
        """The processor that is this thread's own: tokenizers cannot serve two at once."""
        processor: Processor | None = getattr(self._own, "processor", None)
        if processor is None:
            with self._copying:
                processor = self._own.processor = replace(self._first, processor=deepcopy(self._first.processor))
        return processor


def _apart(inputs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is as long as the words, and the rest, which is about pictures."""
    long = inputs["input_ids"].shape
    words = {name: tensor for name, tensor in inputs.items() if tensor.shape == long}
    return words, {name: tensor for name, tensor in inputs.items() if name not in words}


def _count(words: Mapping[str, Any], processor: Processor) -> int:
    if processor.picture_token_id is None:  # pictures are not among the words
        return 0
    return int((words["input_ids"] == processor.picture_token_id).sum())


def _is_seen(tensor: Any) -> bool:
    """Whether a tensor of a processor is pixels or their mask, rather than a few numbers about them."""
    return bool(tensor.is_floating_point() or tensor.dim() > 2)


@lru_cache(maxsize=1024)
def blank(size: tuple[int, int]) -> Picture:
    drawn = BytesIO()
    Image.new("1", size).save(drawn, "PNG")
    return Picture(drawn.getvalue())


def remembering(image_processor: Any) -> None:
    """Have an image processor remember what it made of pictures that carry their digest."""
    if "preprocess" in vars(image_processor):
        return
    process: Callable[..., Any] = image_processor.preprocess
    cache: TensorCache[str, Any] = TensorCache(_REMEMBERED)

    def preprocess(images: Any, *rest: Any, **more: Any) -> Any:
        if "None" in (shown := _digests(images)):
            return process(images, *rest, **more)
        key = f"{shown} {rest} {sorted(more.items(), key=str)}"
        tensors = cache.made(key, lambda: process(images, *rest, **more))
        return type(tensors)(dict(tensors))  # processors take out what they need

    image_processor.preprocess = preprocess


def _digests(images: Any) -> str:
    """What pictures these are, in their order and nesting; "None" where one does not say."""
    if isinstance(images, list | tuple):
        return "[" + ",".join(map(_digests, images)) + "]"
    return str(getattr(images, "info", {}).get(DIGEST))
