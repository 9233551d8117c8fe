"""What a model's eyes make of a picture, computed once: a board is asked about a dozen times and more.

Models keep seeing and speaking apart: `get_image_features` gives what is put in the places of a picture's tokens. Here
it is called for the pictures that are new, many at once, and remembered by the pictures' digests; while a batch runs,
the model is handed what is remembered. The numbers are the model's own, so the replies are the same.

A **view** is what the processor made of one picture, or of all the pictures of a call where a model sees several in
another way than one (LLaVA-OneVision does not look closely at several).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any

from snellen.subjects.local.memory import TensorCache, size_of
from snellen.subjects.local.streams import finish, lend

MOST_BYTES = 2 * 2**30
"""How much memory the features of pictures may take on a device."""
PICTURES_AT_ONCE = 64
Known = TensorCache[tuple[str, ...], Any]
"""The features of views by the views' keys."""


@dataclass(frozen=True, eq=False)
class PictureFeatures:
    """Tensors that the processor made of some pictures, and how many tokens these take. `key` tells the same view
    again."""

    key: tuple[str, ...]
    tensors: Mapping[str, Any] = field(repr=False)
    tokens: int

    @property
    def nbytes(self) -> int:
        return size_of(self.tensors)

    @property
    def form(self) -> tuple[Any, ...]:
        """Views of one form give features of one form: the sizes of what is seen, and the whole numbers about it."""
        return tuple(
            (name, tuple(tensor.shape), () if tensor.is_floating_point() or tensor.dim() > 2 else tensor.tolist())
            for name, tensor in self.tensors.items()
        )


class CannotRemember(Exception):
    """The model gives its features in a way that is not understood here."""


class Features:
    """The features of pictures for one model on one device, computed unless they are `known`."""

    def __init__(self, model: Any, cache: Known) -> None:
        from transformers.modeling_outputs import BaseModelOutputWithPooling

        self._eyes = _eyes(model)
        self._kind: Any = BaseModelOutputWithPooling
        self._look: Callable[..., Any] = self._eyes.get_image_features
        self._wanted = tuple(signature(self._look).parameters)
        self._model = model
        self._known = cache

    def of(self, views: Sequence[PictureFeatures]) -> list[Any]:
        """The features of each view, computed if they are new."""
        here: dict[tuple[str, ...], Any] = {}
        new: dict[str, dict[tuple[str, ...], PictureFeatures]] = {}
        for view in views:
            if (cached := self._known.get(view.key)) is not None:
                here[view.key] = cached
            else:
                new.setdefault(str(view.form), {})[view.key] = view
        for alike in new.values():
            group = list(alike.values())
            for start in range(0, len(group), PICTURES_AT_ONCE):
                some = group[start : start + PICTURES_AT_ONCE]
                for view, features in zip(some, self._compute(some), strict=True):
                    here[view.key] = self._known.keep(view.key, features)
        for features in here.values():
            lend(features)
        return [here[view.key] for view in views]

    @contextmanager
    def given(self, features: Sequence[Any]) -> Iterator[None]:
        """While this lasts, the model sees these features, whatever pictures it is shown."""

        @wraps(self._look)
        def look(*_: Any, **__: Any) -> Any:
            return _together(features, self._kind)

        self._eyes.get_image_features = look
        try:
            yield
        finally:
            del self._eyes.get_image_features

    def _compute(self, views: Sequence[PictureFeatures]) -> list[Any]:
        import torch

        seen = {
            name: placed(torch.cat([view.tensors[name] for view in views]), self._model)
            for name in views[0].tensors
            if name in self._wanted
        }
        output = self._look(**seen)
        if hasattr(output, "pooler_output"):
            self._kind = type(output)
        features = _apart(output, len(views))
        finish(self._model)
        return features


def placed(tensor: Any, model: Any) -> Any:
    """A tensor where the model is, and in its kind of numbers unless they are whole."""
    return tensor.to(model.device, model.dtype) if tensor.is_floating_point() else tensor.to(model.device)


def _eyes(model: Any) -> Any:
    """The part of a model that sees and speaks: the one whose own forward asks for the features."""
    inner = getattr(model, model.base_model_prefix, model)
    if not hasattr(inner, "get_image_features"):
        raise CannotRemember("it has no method get_image_features")
    return inner


def _apart(output: Any, many: int) -> list[dict[str, Any]]:
    """The features of each of so many views of one form, by the names of a model's output."""
    if strange := set(getattr(output, "keys", tuple)()) - {_POOLED, _LAYERS, *_NOT_USED}:
        raise CannotRemember(f"it also returns {', '.join(sorted(strange))}")
    features = [{_POOLED: part} for part in _parts(getattr(output, _POOLED, output), many)]
    if (layers := getattr(output, _LAYERS, None)) is not None:
        for own, deep in zip(features, zip(*(_parts(layer, many) for layer in layers), strict=True), strict=True):
            own[_LAYERS] = list(deep)
    return features


def _parts(features: Any, many: int) -> list[Any]:
    """One tensor for all pictures, or one for each, as so many equal parts of the same kind."""
    import torch

    if isinstance(features, torch.Tensor) and features.shape[0] % many == 0:
        return [part.clone() for part in features.chunk(many)]
    if isinstance(features, list | tuple) and len(features) % many == 0:
        size = len(features) // many
        return [[part.clone() for part in features[start : start + size]] for start in range(0, len(features), size)]
    raise CannotRemember("its features cannot be split by picture")


def _together(features: Sequence[dict[str, Any]], kind: Any) -> Any:
    """Features of several views as the model itself would have given them."""
    given = {_POOLED: _joined([own[_POOLED] for own in features])}
    if _LAYERS in features[0]:
        given[_LAYERS] = [_joined(layer) for layer in zip(*(own[_LAYERS] for own in features), strict=True)]
    output = _empty(kind)
    for name, value in given.items():  # some kinds have no such field; their models put it there just so
        setattr(output, name, value)
    return output


def _empty(kind: Any) -> Any:
    """An output of this kind without anything in it; some (timm's) cannot be made so and stand for the usual kind."""
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    try:
        return kind()
    except TypeError:
        return BaseModelOutputWithPooling()


def _joined(parts: Sequence[Any]) -> Any:
    import torch

    return [tensor for part in parts for tensor in part] if isinstance(parts[0], list) else torch.cat(list(parts))


_POOLED, _LAYERS = "pooler_output", "deepstack_features"
"""What goes in the places of a picture's tokens; and what some models add to it in their first layers."""
_NOT_USED = ("last_hidden_state", "hidden_states", "attentions")
