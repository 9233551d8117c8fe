"""The second reading: where the rules abstain, a model may say which answer a reply gives.

Only replies that the rules could not make out are read again; what was refused or cut short stays unread. The reader
sees the reply fenced and is asked for the answer it gives, not for the right one; its own reply is read by the rules.
Such a reading is recorded as what it is, so the share it changes can be told.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from snellen.answer import Verdict, mark, read
from snellen.call import Reply
from snellen.fence import fenced
from snellen.item import Form, Question

SECOND_READING = "second reading"
"""What the record says about how an answer was read begins with this."""
NONE = "none"

AskReader = Callable[[str], Awaitable[Reply]]
Say = Callable[[str, dict[str, str]], str]


def wanted(verdict: Verdict) -> bool:
    return verdict.reading.reason == "unparsable"


async def read_again(reply: Reply, question: Question, ask: AskReader, say: Say, who: str) -> Verdict | None:
    """The verdict by a second reading; None if the reader finds no answer either."""
    form = question.form
    answers = ", ".join(form.labels) if form.labels else "the answer as the reply gives it"
    second = await ask(say("reread", {"question": question.text, "reply": fenced(reply.text), "answers": answers}))
    spelled = form if form.kind != "choice" else Form("choice", (*form.labels, NONE))
    reading = read(second.text, spelled, second.finish)
    if reading.reason or reading.answer.casefold() == NONE:
        return None
    verdict = mark(reading.answer, replace(question, form=replace(form, final="plain")))
    if verdict.outcome == "unread":
        return None
    return replace(verdict, reading=replace(verdict.reading, how=f"{SECOND_READING} by {who}", span=(0, 0)))
