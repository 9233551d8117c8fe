"""Calls made ready for a model: the numbers of their words, and what its processor makes of their pictures.

What is made of a picture is remembered by its digest, so that a board that is asked about often is cut into patches
once; and what is made of words by the words and the sizes of the pictures among them, since the same is asked about
many boards. Processors are slow enough that a GPU would wait for them otherwise. Safe to use from several threads.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from threading import Lock, local
from typing import Any, NamedTuple

from snellen.call import Call, Message
from snellen.item import Picture
from snellen.subjects.local.decoding import Decoding
from snellen.subjects.local.features import View
from snellen.subjects.local.loading import Loaded
from snellen.subjects.local.memory import Memory
from snellen.subjects.local.prompting import DIGEST, inputs_of, pictures_of, size_in_pixels, text_of
from snellen.subjects.local.scoring import Label, labels_of

_REMEMBERED = 2**29
"""How many bytes of what the processor made of pictures are kept, each of twice: as arrays, and as tensors."""
_REMEMBERED_WORDS = 2**28
Shape = tuple[tuple[str, tuple[str | tuple[int, int], ...]], ...]
"""Messages with the sizes of their pictures in place of these: all that a processor makes words of."""


class Written(NamedTuple):
    """What is made of messages of one shape: their text, the numbers of its words, the whole numbers about the
    pictures, and how many tokens these take."""

    text: str
    words: Mapping[str, Any]
    about: Mapping[str, Any]
    tokens_picture: int


@dataclass(frozen=True, eq=False)
class Prompt:
    """A call made ready. `words`: numbers, one for each token; `views`: its pictures; `about`: the whole numbers that
    the processor says about its pictures."""

    text: str = field(repr=False)
    pictures: tuple[Picture, ...]
    words: Mapping[str, Any] = field(repr=False)
    views: tuple[View, ...]
    about: Mapping[str, Any]
    tokens_picture: int
    decoding: Decoding
    labels: tuple[Label, ...]
    seed: bytes

    @property
    def length(self) -> int:
        return int(self.words["input_ids"].shape[-1])

    @property
    def kind(self) -> tuple[bool, Decoding]:
        return bool(self.labels), self.decoding


class Prompts:
    """Makes calls ready for one model."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._copying = Lock()
        self._own = local()
        self._known: Memory[Shape, Written] = Memory(_REMEMBERED_WORDS)
        self._seen: Memory[tuple[str, ...], View] = Memory(_REMEMBERED)
        self._counts: dict[str, int] = {}  # the tokens of a picture by itself
        self._as_ever = True  # whether several pictures are seen as each alone would be
        _remembering(loaded.processor.image_processor)

    def of(self, call: Call) -> Prompt:
        """A call made ready."""
        settings = call.settings
        messages = call.messages
        if system := settings.get("system"):
            messages = (Message("system", (str(system),)), *messages)
        pictures = pictures_of(messages)
        written, views = self._written(messages, pictures)
        labels = tuple(settings.get("labels") or ())
        return Prompt(
            written.text,
            pictures,
            written.words,
            views,
            written.about,
            written.tokens_picture,
            _decoding(settings),
            labels_of(self._mine.tokenizer, written.text, labels) if labels else (),
            call.key,
        )

    @property
    def _mine(self) -> Loaded:
        """The model with a processor that is this thread's own: tokenizers cannot serve two at once."""
        mine: Loaded | None = getattr(self._own, "loaded", None)
        if mine is None:
            with self._copying:
                mine = self._own.loaded = replace(self._loaded, processor=deepcopy(self._loaded.processor))
        return mine

    def _written(self, messages: Sequence[Message], pictures: tuple[Picture, ...]) -> tuple[Written, tuple[View, ...]]:
        shape = _shape(messages)
        known = self._known.get(shape)
        if known is not None and (len(pictures) < 2 or self._as_ever):
            return known, tuple(map(self._single, pictures))
        text = text_of(self._mine, messages)
        words, seen, count = self._process(text, pictures)
        about = {name: tensor for name, tensor in seen.items() if not _is_seen(tensor)}
        views = self._views(pictures, seen, count)
        return self._known.keep(shape, Written(text, words, about, count)), views

    def _process(self, text: str, pictures: tuple[Picture, ...]) -> tuple[dict[str, Any], dict[str, Any], int]:
        """The numbers of the words, those of the pictures, and how many tokens the pictures take."""
        inputs = inputs_of(self._mine, [text], [pictures])
        long = inputs["input_ids"].shape
        words = {name: tensor for name, tensor in inputs.items() if tensor.shape == long}
        seen = {name: tensor for name, tensor in inputs.items() if name not in words}
        return words, seen, int((inputs["input_ids"] == self._loaded.picture_token_id).sum())

    def _views(self, pictures: tuple[Picture, ...], seen: dict[str, Any], count: int) -> tuple[View, ...]:
        """Each picture by itself, if that comes to the same; else all as they are seen together."""
        if len(pictures) > 1 and self._as_ever:
            singles = tuple(self._single(picture) for picture in pictures)
            if sum(self._counts[picture.digest] for picture in pictures) == count:
                return singles
            self._as_ever = False
        return (self._view(pictures, seen),) if pictures else ()

    def _single(self, picture: Picture) -> View:
        known = self._seen.get((picture.digest,)) if picture.digest in self._counts else None
        if known is not None:
            return known
        text = text_of(self._mine, (Message("user", (picture,)),))
        _, seen, self._counts[picture.digest] = self._process(text, (picture,))
        return self._view((picture,), seen)

    def _view(self, pictures: tuple[Picture, ...], seen: dict[str, Any]) -> View:
        """What is seen, the same object for all who see the same."""
        view = View(tuple(picture.digest for picture in pictures), seen)
        return self._seen.keep(view.key, view)


def _shape(messages: Sequence[Message]) -> Shape:
    return tuple(
        (each.role, tuple(size_in_pixels(part) if isinstance(part, Picture) else part for part in each.parts))
        for each in messages
    )


def _decoding(settings: Mapping[str, Any]) -> Decoding:
    return Decoding(
        int(settings["max_tokens"]),
        float(settings.get("temperature", 0)),
        float(settings.get("top_p", 1)),
        None if settings.get("logprobs") is None else int(settings["logprobs"]),
    )


def _is_seen(tensor: Any) -> bool:
    """Whether a tensor of a processor is pixels or their mask, rather than a few numbers about them."""
    return bool(tensor.is_floating_point() or tensor.dim() > 2)


def _remembering(image_processor: Any) -> None:
    """Have an image processor remember what it made of pictures that carry their digest."""
    if "preprocess" in vars(image_processor):
        return
    process: Callable[..., Any] = image_processor.preprocess
    known: Memory[str, Any] = Memory(_REMEMBERED)

    def preprocess(images: Any, *rest: Any, **more: Any) -> Any:
        if "None" in (shown := _digests(images)):
            return process(images, *rest, **more)
        key = f"{shown} {rest} {sorted(more.items(), key=str)}"
        if (found := known.get(key)) is None:
            found = known.keep(key, process(images, *rest, **more))
        return type(found)(dict(found))  # processors take out what they need

    image_processor.preprocess = preprocess


def _digests(images: Any) -> str:
    """What pictures these are, in their order and nesting; "None" where one does not say."""
    if isinstance(images, list | tuple):
        return "[" + ",".join(map(_digests, images)) + "]"
    return str(getattr(images, "info", {}).get(DIGEST))
