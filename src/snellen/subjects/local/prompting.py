"""From messages with words and pictures to what a model is given: its chat template's text, then its inputs."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from PIL import Image

from snellen.call import Message
from snellen.errors import UserError
from snellen.item import Picture

__all__ = ["inputs_of", "text_of"]

DIGEST = "snellen"
"""Under this name a picture that was opened carries its digest, so that what is made of it can be remembered."""


class Processed(Protocol):
    """Who has a processor: a model that is loaded, or what is left of it where only its words are made."""

    @property
    def processor(self) -> Any: ...

    @property
    def tokenizer(self) -> Any: ...

    @property
    def folder(self) -> Path: ...


def text_of(loaded: Processed, messages: Sequence[Message]) -> str:
    """The `messages` as the chat template of the `loaded` model writes them. Returns the text up to where the answer
    begins. Raises `UserError` if there is no template, or if it takes no such messages.

    >>> text_of(loaded, [Message("user", ("Who won?",))])  # doctest: +SKIP
    """
    from jinja2 import TemplateError

    template = getattr(loaded.processor, "chat_template", None) or loaded.tokenizer.chat_template
    if not template:
        advice = "copy chat_template.jinja from the folder of the base model"
        raise UserError(f"{loaded.folder}: no chat template; {advice}")

    def written(messages: Sequence[Message]) -> str:
        told = [
            {"role": message.role, "content": [_part(part, loaded) for part in message.parts]} for message in messages
        ]
        text: str = loaded.processor.apply_chat_template(
            told, chat_template=template, add_generation_prompt=True, tokenize=False
        )
        return text

    try:
        return written(messages)
    except TemplateError as error:
        if messages[0].role != "system":
            raise UserError(f"{loaded.folder}: its chat template rejects these messages ({error})") from error
        return written(_without_system(messages))


def inputs_of(loaded: Processed, texts: Sequence[str], pictures: Sequence[Sequence[Picture]]) -> Any:
    """What the `loaded` model is given for these `texts`, each with its `pictures`. Returns its processor's tensors,
    padded on the left.

    >>> loaded.model(**inputs_of(loaded, [text], [[]])).logits  # doctest: +SKIP
    """
    shown = [[opened(picture) for picture in row] for row in pictures]
    some = {"images": shown} if any(shown) else {}
    return loaded.processor(
        text=list(texts),
        **some,
        padding=len(texts) > 1,
        add_special_tokens=_wants_start(loaded, texts[0]),
        return_tensors="pt",
    )


def tokens_of(processed: Processed, text: str) -> list[int]:
    """The tokens of a text as the chat template wrote it, with one or a few in place of each picture."""
    ids: list[int] = processed.tokenizer(text, add_special_tokens=_wants_start(processed, text))["input_ids"]
    return ids


def pictures_of(messages: Sequence[Message]) -> tuple[Picture, ...]:
    """The pictures in the order shown."""
    return tuple(part for message in messages for part in message.parts if isinstance(part, Picture))


@lru_cache(maxsize=256)
def size_in_pixels(picture: Picture) -> tuple[int, int]:
    """Width and height of a picture; only its header is read."""
    with Image.open(BytesIO(picture.data)) as image:
        return image.size


@lru_cache(maxsize=64)
def opened(picture: Picture) -> Image.Image:
    """A picture as the processors want it; without its digest in an image's own notes nobody could tell it again."""
    with Image.open(BytesIO(picture.data)) as image:
        shown = image.convert("RGB")
    shown.info = {DIGEST: picture.digest}
    return shown


def _part(part: str | Picture, loaded: Processed) -> dict[str, str]:
    return {"type": "image"} if isinstance(part, Picture) else {"type": "text", "text": _harmless(part, loaded)}


def _harmless(words: str, loaded: Processed) -> str:
    """Words in which no token of the model's own stands: one that means a picture would want one."""
    for token in _special(loaded.tokenizer):
        if token in words:
            words = words.replace(token, f"{token[:1]} {token[1:]}")
    return words


_known_special: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()


def _special(tokenizer: Any) -> tuple[str, ...]:
    """A tokenizer's own tokens; it takes its time to list them."""
    if tokenizer not in _known_special:
        _known_special[tokenizer] = tuple(tokenizer.all_special_tokens)
    return _known_special[tokenizer]


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """The messages for a template that knows no system: what it says stands before what the user says."""
    first, second, *rest = messages
    return [Message(second.role, (*first.parts, "\n\n", *second.parts)), *rest]


def _wants_start(loaded: Processed, text: str) -> bool:
    """Whether the tokenizer is to put its first token: not if the template wrote it."""
    start = loaded.tokenizer.bos_token
    return not (start and text.startswith(start))
