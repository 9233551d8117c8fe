"""Somebody's own model as a subject: a plain function, or an object that answers.

    def my_model(parts): ...              # words (str) and pictures (PIL images) in order; returns the answer
    async def my_model(parts): ...        # the same, many at once
    def my_model(messages): ...           # [{"role": "user", "content": [...]}, ...]: several turns, too
    def my_model(parts, temperature=0.0)  # what has a default is a setting, recorded with every call
    class MyModel:
        name = "mine"
        def answer(self, call): ...       # the whole `snellen.call.Call`

What it is made of is part of its settings (`code`, a digest of its source; `state`, one of the plain values it closes
over or holds as attributes), so that a changed model is asked anew. What it calls, or holds in arrays, is not: give
`settings={"weights": "step-1000"}` for that.
"""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import attrgetter
from types import CellType, MappingProxyType, TracebackType
from typing import Any, Literal, Self

from snellen.call import Abilities, Call, CallFailed, Message, Reply, Subject, hear
from snellen.errors import UserError, refuse_secret
from snellen.item import Picture, content_digest
from snellen.masking import mask
from snellen.plugins import where
from snellen.subjects.pictures import opened
from snellen.subjects.threads import Threads

PicturesAs = Literal["pil", "bytes"]
Handler = Callable[..., Any]

_WHOLE_PROTOCOL = ("name", "settings", "abilities", "answer", "__aenter__", "__aexit__")
_CODE_LETTERS = 12
_INSTEAD = "let the model read it from the environment"


def own_subject(
    model: Any,
    *,
    name: str | None = None,
    settings: Mapping[str, Any] | None = None,
    pictures: PicturesAs = "pil",
    together: int | None = None,
    words: bool | None = None,
) -> Subject:
    """The subject that `model` is, be it a function, an object with `answer`, or a subject already.

    `name` and `settings`: what results call it and what is recorded with its calls, beside what is derived. `pictures`:
    as PIL images or as the very bytes. `together`: how many calls it may be given at once; a function that is not
    async is given one after the other unless this says more. `words`: False if it takes no call without a picture, so
    that it is spared what is asked in words alone; else as an object's abilities have it.
    """
    if words is not None and not isinstance(words, bool):
        raise UserError(f"words={words!r}: expected True, or False for a model that requires an image")
    if pictures not in ("pil", "bytes"):
        raise UserError(f"pictures={pictures!r}: expected 'pil' or 'bytes'")
    if together is not None and (not isinstance(together, int) or isinstance(together, bool) or together < 1):
        raise UserError(f"together={together!r}: expected the number of calls at once, at least 1")
    if settings is not None and not isinstance(settings, Mapping):
        raise UserError(f"settings={settings!r}: expected values by name, as in {{'weights': 'step-1000'}}")
    if hasattr(model, "answer") and not inspect.isclass(model):
        if is_subject(model) and name is None and not settings and together is None and words is None:
            return _whole(model)
        return _answering(model, name, settings or {}, together, words)
    if callable(model) and not inspect.isclass(model):
        return _function(model, name, settings or {}, pictures, together, words is not False)
    what = f"the class {model.__name__}; pass an instance" if inspect.isclass(model) else type(model).__name__
    raise UserError(f"expected a subject (a name, a function or an object with answer(call)); got {what}")


def is_subject(model: Any) -> bool:
    """Returns whether `model` is all that a subject must be (see `snellen.call.Subject`); classes are not.

    >>> is_subject(print)
    False
    """
    return all(hasattr(model, part) for part in _WHOLE_PROTOCOL) and not inspect.isclass(model)


def read_like(default: Any, whose: str, name: str, text: str) -> Any:
    """A setting's value from a word: of the kind its default is."""
    kind = type(default)
    try:
        return {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise UserError(f"{whose}: {name}={text!r}: expected something like its default, {default!r}") from None


def settings_of(model: Any) -> dict[str, Any]:
    """What may be set of a model of somebody's own: what its function has defaults for."""
    return {} if hasattr(model, "answer") or not callable(model) else _signature(model, "answer")[1]


class OwnSubject:
    """A model of somebody's own behind one function from a call to an answer."""

    def __init__(
        self, name: str, settings: Mapping[str, Any], abilities: Abilities, handle: Handler, opened: Any = None
    ) -> None:
        self._name = name
        self._settings = MappingProxyType(dict(settings))
        self._abilities = abilities
        self._handle = handle
        self._opened = opened
        self._threads: Threads | None = None

    def __repr__(self) -> str:
        return f"OwnSubject({self._name})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    async def __aenter__(self) -> Self:
        if hasattr(self._opened, "__aenter__"):
            with self._told("be opened"):
                await self._opened.__aenter__()
        if not inspect.iscoroutinefunction(self._handle):
            self._threads = Threads(self._abilities.together or 1, self._name)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._threads is not None:
            self._threads.close()
            self._threads = None
        if hasattr(self._opened, "__aexit__"):
            with self._told("be closed"):
                await self._opened.__aexit__(kind, error, trace)

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Whatever goes wrong meanwhile, in one line."""
        try:
            yield
        except (UserError, CallFailed):
            raise
        except Exception as error:
            raise UserError(f"{self._name} cannot {what}: {where(error)}") from error

    async def answer(self, call: Call) -> Reply:
        return await hear(self._name, self._work(call))

    async def _work(self, call: Call) -> Any:
        if inspect.iscoroutinefunction(self._handle):
            return await self._handle(call)
        if self._threads is None:
            raise RuntimeError(f"{self._name} was asked before it was opened")
        answer = await self._threads.run(partial(self._handle, call))
        return await answer if inspect.isawaitable(answer) else answer


class _Whole(OwnSubject):
    """Somebody's own subject, whose abilities may be others once it is open: it then knows how much it can take."""

    @property
    def abilities(self) -> Abilities:
        abilities: Abilities = self._opened.abilities
        return abilities


def _whole(model: Any) -> Subject:
    """Something that is all a subject must be: as it is if it is one of ours, else with an ear for what it may come up
    with beside replies."""
    ours: Subject = model
    if type(model).__module__.partition(".")[0] == __name__.partition(".")[0]:
        return ours
    return _Whole(*_introduced(model, None), model.abilities, model.answer, model)


def _introduced(model: Any, name: str | None) -> tuple[str, Mapping[str, Any]]:
    """What an object says it is called, and its settings."""
    called = name or getattr(model, "name", "") or type(model).__name__
    settings, abilities = getattr(model, "settings", {}), getattr(model, "abilities", None)
    if not isinstance(called, str) or not isinstance(settings, Mapping):
        raise UserError(f"{type(model).__name__}: its name must be text and its settings a mapping")
    if abilities is not None and not isinstance(abilities, Abilities):
        raise UserError(f"{type(model).__name__}: its abilities must be snellen.call.Abilities(...)")
    return called, _checked(dict(settings), called)


def _answering(
    model: Any, name: str | None, settings: Mapping[str, Any], together: int | None, words: bool | None
) -> OwnSubject:
    """An object with `answer`, and defaults for what it does not say about itself."""
    called, own_settings = _introduced(model, name)
    own = getattr(model, "abilities", None) or Abilities(in_process=True)
    many = together or own.together or (None if inspect.iscoroutinefunction(model.answer) else 1)
    abilities = replace(own, together=many, words=own.words if words is None else words)
    recorded = _checked({**_made_of(model), **own_settings, **settings}, called)
    return OwnSubject(_named(called), recorded, abilities, model.answer, model)


def _function(
    function: Handler,
    name: str | None,
    settings: Mapping[str, Any],
    pictures: PicturesAs,
    together: int | None,
    words: bool,
) -> OwnSubject:
    written = _within(function)
    own_name = getattr(written, "__name__", "") or type(written).__name__
    called = name or own_name
    form, defaults = _signature(function, called)
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object whose call is async
    )
    abilities = Abilities(
        words=words,
        together=together or (None if is_async else 1),
        in_process=True,
        per_call={setting: partial(read_like, value, called, setting) for setting, value in defaults.items()},
    )
    recorded = _checked({**_made_of(function), **defaults, **settings}, called)
    show = partial(_shown, form=form, pictures=pictures, name=called, written=own_name)

    def chosen(call: Call) -> dict[str, Any]:
        return {setting: call.settings[setting] for setting in defaults if setting in call.settings}

    async def handle_async(call: Call) -> Any:
        return await function(show(call), **chosen(call))

    def handle(call: Call) -> Any:
        return function(show(call), **chosen(call))

    return OwnSubject(_named(called), recorded, abilities, handle_async if is_async else handle)


def _within(function: Handler) -> Handler:
    """The function that a partial one was made of."""
    while isinstance(function, partial):
        function = function.func
    return function


def _named(name: str) -> str:
    if name == "<lambda>":
        raise UserError("the function has no name; give it one, as in snellen.subject(my_function, name='mine')")
    if not isinstance(name, str) or not name.isprintable():
        raise UserError(f"name={name!r}: expected printable text")
    return name


def _signature(function: Handler, name: str) -> tuple[str, dict[str, Any]]:
    """What a function wants to be given (parts or messages), and its settings: whatever has a plain default."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # something compiled, which does not say
        return "parts", {}
    first = next((p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)), None)
    needed = [p.name for p in parameters if p is not first and p.default is p.empty and p.kind not in _STARS]
    if (first is None and not any(p.kind is p.VAR_POSITIONAL for p in parameters)) or needed:
        more = f" and needs {', '.join(needed)} besides" if needed else ""
        raise UserError(f"{name}: takes {'no argument' if first is None else first.name}{more}; expected {name}(parts)")
    settings = {p.name: p.default for p in parameters if p is not first and isinstance(p.default, _PLAIN)}
    return ("messages" if first is not None and first.name == "messages" else "parts"), settings


_PLAIN = (str, int, float, bool)
_STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _shown(call: Call, *, form: str, pictures: PicturesAs, name: str, written: str) -> list[Any]:
    """A call as the function wants it; `written`: what its code calls it."""

    def content(message: Message) -> list[Any]:
        picture = attrgetter("data") if pictures == "bytes" else opened
        return [picture(part) if isinstance(part, Picture) else part for part in message.parts]

    if form == "messages":
        return [{"role": message.role, "content": content(message)} for message in call.messages]
    if len(call.messages) > 1:
        raise CallFailed(
            "rejected",
            f"{name}: takes one message, but this paradigm has several turns; write it as {written}(messages)",
            fatal=True,
        )
    return content(call.messages[0])


def _checked(settings: dict[str, Any], name: str) -> dict[str, Any]:
    """The settings, after checking that each can be written as JSON and holds no key."""
    name = str(name)  # what is no text is refused later
    refuse_secret(name, "the subject's name", _INSTEAD)
    for setting, value in settings.items():
        try:
            written = json.dumps({setting: value}, allow_nan=False)
        except (TypeError, ValueError):
            what = type(value).__name__
            raise UserError(f"{name}: setting {setting!r} is of type {what}; expected text, numbers or lists") from None
        refuse_secret(written, f"{mask(name)}: setting {mask(setting)!r}", _INSTEAD)
    return settings


def _made_of(thing: Any) -> dict[str, str]:
    """What tells a model from others, as settings: a digest of its source, and of the plain values it holds."""
    held = json.dumps(_state(thing), sort_keys=True)
    return {**_code(_within(thing)), **({"state": content_digest(held)[:_CODE_LETTERS]} if held != "{}" else {})}


def _state(thing: Any) -> dict[str, Any]:
    """The plain values that a model holds: what a function closes over or was given, an object's attributes."""
    held: dict[str, Any] = {}
    while isinstance(thing, partial):
        held |= {f"argument {k}": value for k, value in enumerate(thing.args)} | thing.keywords
        thing = thing.func
    owner = getattr(thing, "__self__", None if inspect.isroutine(thing) else thing)
    held |= getattr(owner, "__dict__", {}) if not inspect.ismodule(owner) else {}
    cells = getattr(inspect.unwrap(thing), "__closure__", None) or ()
    names = getattr(getattr(inspect.unwrap(thing), "__code__", None), "co_freevars", ())
    held |= {name: cell.cell_contents for name, cell in zip(names, cells, strict=False) if cell != CellType()}
    return {name: value for name, value in held.items() if _is_plain(value)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(inner) for key, inner in value.items())
    return value is None or isinstance(value, _PLAIN)


def _code(thing: Any) -> dict[str, str]:
    """What something is made of, as a setting; nothing where that cannot be told."""
    written = thing if inspect.isroutine(thing) or inspect.isclass(thing) else type(thing)
    try:
        source = inspect.getsource(inspect.unwrap(written))
    except (OSError, TypeError):
        return {}
    return {"code": content_digest(source)[:_CODE_LETTERS]}
