"""Subjects: whoever answers. `subject("openai/gpt-4o")` finds one by name, `subject(my_function)` makes one.

Names: `openai/MODEL`, `anthropic/MODEL`, `gemini/MODEL`, `ollama/MODEL`, `vllm/MODEL` and more (`providers.py`),
each of them with `@BASE_URL` for a server elsewhere; `vllm/PATH_OR_HUB_ID@offline`, without a server;
`local/PATH_OR_HUB_ID`, a Hugging Face model in this process, and
`local/tiny`, which comes with the package; `ocr/rapidocr` and `ocr/tesseract`, which read letters;
`inspect/PROVIDER/MODEL`; `sim/NAME`;
`twin` and `truth`, the oracles; `./my_model.py`; whatever installed packages name under the entry point group
`snellen.subjects`. Settings follow after a colon: `openai/gpt-4o:temperature=1,detail=high`, `sim/fixated:see=0.8`.
"""

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from snellen.call import Subject
from snellen.errors import UserError, refuse_secret, unknown
from snellen.masking import learn_environment
from snellen.plugins import is_file, published
from snellen.subjects import settings
from snellen.subjects.finders import FINDERS, Finder, own_file, plugin
from snellen.subjects.own import PicturesAs, is_subject, own_subject
from snellen.subjects.providers import ELSEWHERE, how_to_pass

__all__ = ["is_subject", "known_kinds", "subject"]

GROUP = "snellen.subjects"


def subject(
    who: Any,
    *,
    name: str | None = None,
    settings: Mapping[str, Any] | None = None,
    pictures: PicturesAs = "pil",
    together: int | None = None,
    words: bool | None = None,
    env: Mapping[str, str] | None = None,
) -> Subject:
    """The subject of that name, or the one that a function or an object is.

    For a function or an object: `name` is what results call it, `settings` what is recorded with its calls beside what
    is derived, `pictures` how it gets them ("pil" or "bytes"), `together` how many calls it is given at once,
    `words=False` that it takes none without a picture. For a name: keys are taken from `env`, the process's environment
    if not given.

    Returns a `Subject`, not yet opened: `async with` opens it. Raises `UserError` if nobody goes by `who`, or if a name
    comes with what only functions and objects take.

    >>> subject("sim/fixated:see=0.8").name
    'sim/fixated:see=0.8'
    """
    if isinstance(who, str):
        if name is not None or settings or pictures != "pil" or together is not None or words is not None:
            raise UserError(f"subject {who!r}: settings follow the name, as in {who}:setting=value")
        return _named(who, os.environ if env is None else env)
    return own_subject(who, name=name, settings=settings, pictures=pictures, together=together, words=words)


def _named(name: str, env: Mapping[str, str]) -> Subject:
    learn_environment(env)
    bare, pairs = settings.split(name.strip())
    finder = check_name(name)
    if finder is None:
        return own_file(bare, pairs)
    return finder.find(bare.partition("/")[2], pairs, env)


def check_name(name: str) -> Finder | None:
    """Who finds a subject of this name; None if it is a file. Raises `UserError` if nobody does, on whichever machine;
    nothing is loaded, and its model is not looked for."""
    if not name.isprintable():
        raise UserError(f"subject {name!r}: the name contains unprintable characters")
    bare, pairs = settings.split(name.strip())
    refuse_secret(name, "the subject's name", how_to_pass(bare.partition("/")[0]))
    if is_file(bare):
        return None
    kind, slash, model = bare.partition("/")
    finders = _finders()
    if kind not in finders:
        raise _nobody(name, bare, list(finders))
    finder = finders[kind]
    if finder.alone and (slash or pairs):
        raise UserError(f"subject {name!r}: {kind} takes neither a model nor settings; write {kind}")
    if not finder.alone and not model:
        raise UserError(f"subject {name!r} names no model; expected {kind}/{finder.expects}")
    return finder


def subject_in(
    kind: str, folder: str, settings: Sequence[tuple[str, str]] = (), env: Mapping[str, str] | None = None
) -> Subject:
    """The subject whose model is in a folder. `kind`: what would stand before the slash of its name, such as "local".
    The path is taken as it is: commas, colons and equals signs in it separate nothing.

    >>> subject_in("local", "runs/checkpoint-500", [("max_tokens", "32")]).name  # doctest: +SKIP
    'local/runs/checkpoint-500:max_tokens=32'
    """
    if not all(text.isprintable() for text in (folder, *(value for _, value in settings))):
        raise UserError(f"{kind}/{folder!r}: the name contains unprintable characters; rename the folder")
    learn_environment(os.environ if env is None else env)
    refuse_secret(folder, "the folder's name", "rename it")
    finders = _finders()
    if kind not in finders or finders[kind].alone:
        raise unknown("kind of subject", kind, known_kinds()[0])
    return finders[kind].find(folder, tuple(settings), os.environ if env is None else env)


def known_kinds() -> tuple[list[str], list[str]]:
    """The names of subjects. Returns the prefixes before the slash, and the names without one.

    >>> "openai" in known_kinds()[0], "twin" in known_kinds()[1]
    (True, True)
    """
    finders = _finders()
    alone = [name for name, finder in finders.items() if finder.alone]
    return [name for name in finders if name not in alone], alone


def _finders() -> dict[str, Finder]:
    theirs = {name: plugin(point) for name, point in published(GROUP).items()}
    return {**theirs, **FINDERS}


def _nobody(name: str, bare: str, names: list[str]) -> UserError:
    """The error for an unknown subject, with a suggestion."""
    if "/" not in bare and "," in bare:  # several, none of which is a subject
        name = bare = bare.partition(",")[0]
    kind, slash, _ = bare.partition("/")
    if slash and (instead := ELSEWHERE.get(kind.lower())):
        return UserError(f"subject {name!r}: there is no provider {kind}; write {instead}")
    if slash:
        return unknown("provider", kind, names)
    if bare and not get_close_matches(bare, names):
        return UserError(
            f"subject {name!r}: expected PROVIDER/MODEL, such as openai/{bare}, ./my_model.py or sim/fixated"
        )
    return unknown("subject", bare, names)
