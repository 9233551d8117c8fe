"""A subject for children of tests: what it is asked says what it does."""

import asyncio
import os
from collections.abc import Mapping
from typing import Any, Self

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.errors import UserError


class Pupil:
    """Waits, fails, prints or says who it is, as its words tell it."""

    name = "pupil"
    settings: Mapping[str, Any] = {}
    abilities = Abilities(in_process=True)

    def __init__(self, mood: str) -> None:
        if mood == "refuses":
            raise UserError("pupil: there is no such school")
        self._mood = mood

    async def __aenter__(self) -> Self:
        if self._mood == "breaks":
            raise ZeroDivisionError("too early")
        if self._mood == "dies":
            os._exit(3)
        return self

    async def __aexit__(self, *_: object) -> None:
        return

    async def answer(self, call: Call) -> Reply:
        word, _, rest = str(call.messages[0].parts[0]).partition(" ")
        if word == "wait":
            await asyncio.sleep(float(rest))
        elif word == "fail":
            raise CallFailed("busy", rest, passing=True)
        elif word == "break":
            raise ZeroDivisionError(rest)
        elif word == "print":
            os.write(1, b"something that a library says\n")
        shown = sum(len(picture.data) for picture in call.pictures)
        return Reply(f"{word} {rest} {shown}", tokens_in=os.getpid(), model=str(call.settings.get("heat")))
