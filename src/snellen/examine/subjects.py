"""Whom an exam is about: subjects found from names or objects, each once, and what results call them.

A subject may be given a short name, `small=openai/my-model@http://localhost:8000/v1`, which then stands in tables and
charts in place of the whole address. Calls are kept under the subject's own name all the same, so that a short name
costs nothing and may change.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from snellen.call import Subject
from snellen.errors import UserError
from snellen.subjects import is_subject, known_kinds
from snellen.subjects import subject as find_subject

_SHORT = re.compile(r"([A-Za-z0-9][\w.+ -]*)=(?=\S)")
"""A short name: no slash or colon before the equals sign, so that a setting is not taken for one."""


_NAMING = "one=./a.py two=./b.py, or {'one': a, 'two': b}"


def split_short(word: str) -> tuple[str, str]:
    """The short name in front of a subject, empty if it has none, and the subject.

    >>> split_short("small=openai/my-model"), split_short("sim/fixated:see=0.9")
    (('small', 'openai/my-model'), ('', 'sim/fixated:see=0.9'))
    """
    found = _SHORT.match(word)
    return (found[1].strip(), word[found.end() :]) if found else ("", word)


class SubjectPool:
    """Finds subjects and remembers them: one subject, one session, however many roles it plays."""

    def __init__(self) -> None:
        self._subjects: dict[Any, Subject] = {}
        self._short: dict[str, str] = {}

    def all(self, given: Any) -> tuple[Subject, ...]:
        """The subjects in a name, several names with commas between them, an object, a list of any of these, or a
        mapping from short names to them; each once."""
        by_id = {id(who): who for who in map(self._one, self._names_or_objects(given))}
        return tuple(by_id.values())

    def for_role(self, role: str, given: Any) -> tuple[Subject, ...]:
        """The subjects that a role is given to; an error says which role."""
        try:
            return self.all(given)
        except UserError as error:
            words = f"--role {role}={given}: " if isinstance(given, str) else f"role {role}: "
            raise UserError(f"{words}{error}") from None

    def called(self, who: Subject) -> str:
        """What results call a subject."""
        return self._short.get(who.name, who.name)

    def given(self, who: Subject) -> str | None:
        """What `snellen exam` must be given to ask a subject; None for an object, which only Python has."""
        word = next((key for key, known in self._subjects.items() if known is who and isinstance(key, str)), None)
        return f"{self._short[who.name]}={word}" if word and who.name in self._short else word

    def _names_or_objects(self, given: Any) -> Iterable[Any]:
        if isinstance(given, str):
            yield from (name.strip() for name in _next_subject().split(given))
        elif isinstance(given, Mapping):
            for short, who in given.items():
                if not isinstance(who, str) and id(who) not in self._subjects and not is_subject(who):
                    self._subjects[id(who)] = self._same(find_subject(who, name=str(short)), own=True)
                self._name(self._one(who), str(short))
                yield who
        elif isinstance(given, list | tuple):
            for entry in given:
                yield from self._names_or_objects(entry)
        else:
            yield given

    def _one(self, who: Any) -> Subject:
        short = ""
        if isinstance(who, str):
            if named := self._by_short(who):
                return named
            short, who = split_short(who)
        key = who if isinstance(who, str) else id(who)
        if key not in self._subjects:
            self._subjects[key] = self._same(find_subject(who), own=not isinstance(who, str))
        subject = self._subjects[key]
        if short:
            self._name(subject, short)
        return subject

    def _same(self, subject: Subject, own: bool) -> Subject:
        """The subject, or the one already known that is the very same; two that only share their name are refused, and
        so are two objects of somebody's own, of which nobody can tell whether they are the same."""
        for other in self._subjects.values():
            if other.name == subject.name:
                if dict(other.settings) == dict(subject.settings) and not own:
                    return other
                raise UserError(f"two subjects are called {subject.name}; name them, as in {_NAMING}")
        return subject

    def _by_short(self, name: str) -> Subject | None:
        for full, short in self._short.items():
            if short == name:
                return next(who for who in self._subjects.values() if who.name == full)
        return None

    def _name(self, who: Subject, short: str) -> None:
        if not short.strip() or not short.isprintable():
            raise UserError(f"{who.name}: the name {short!r} contains unprintable characters")
        before = self._short.get(who.name, short)
        taken = self._by_short(short)
        if before != short:
            raise UserError(f"{who.name} is called both {before} and {short}; give it one name")
        if taken is not None and taken.name != who.name:
            raise UserError(f"both {taken.name} and {who.name} are called {short}; give each its own name")
        self._short[who.name] = short


def _next_subject() -> re.Pattern[str]:
    """A comma between two subjects; one inside a subject's settings is followed by something else."""
    with_model, alone = known_kinds()
    return re.compile(
        rf",(?=\s*(?:[\w.+-]+=)?(?:(?:{'|'.join(map(re.escape, with_model))})/|(?:{'|'.join(alone)})\b|[\w./-]+\.py\b))"
    )
