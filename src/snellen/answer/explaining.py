"""Why a reply is read as it is: its claims, the one that won, and what spoke against it."""

from collections.abc import Iterator
from dataclasses import dataclass

from snellen.answer.charts import empty, plainly
from snellen.answer.endings import ClaimFinder
from snellen.answer.reader import finals, prepared, read, with_beyond
from snellen.answer.values import Claim, Reading
from snellen.call import Finish
from snellen.item import Form, Question

_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Explanation:
    """A reading and all claims of the reply, in their order."""

    reading: Reading
    claims: tuple[Claim, ...]

    def lines(self, text: str) -> Iterator[str]:
        """One line for each claim, the winner marked, and a last one that says why."""
        for claim in self.claims:
            won = claim.span == self.reading.span and claim.answer == self.reading.answer
            quote = " ".join(text[slice(*claim.span)].split())
            quote = quote if len(quote) <= _WIDTH else f"{quote[: _WIDTH - 3]}..."
            what = f"{claim.answer or 'open':<12} {claim.stance:<10} of {claim.about}, {claim.how}"
            yield f"{'*' if won else ' '} {what}: {quote!r}"
        yield self._why()

    def _why(self) -> str:
        reading = self.reading
        if not self.claims and reading.answer:
            return f"Read as {reading.answer!r} by: {reading.how}."
        if not self.claims:
            return "No claim: nothing in the reply says what the answer is."
        against = [c for c in self.claims if c.counts and c.answer != reading.answer]
        if not reading.answer:
            return f"Unread ({reading.reason}): the claims contradict each other, leave it open, or do not count."
        rest = f"; against it: {', '.join(sorted({c.answer or 'open' for c in against}))}" if against else ""
        return f"Read by: {reading.how}{rest}."


def explained(text: str, form: Form, finish: Finish = "stop", question: Question | None = None) -> Explanation:
    """The reading of a reply together with its claims.

    >>> explained("X has three, so O wins.", Form("choice", ("X", "O"), asked="winner")).reading.answer
    'O'
    """
    reading = read(text, form, finish, question)
    if form.kind in ("text", "fields"):
        return Explanation(reading, ())
    reply = prepared(text, with_beyond(form, question), question)
    finder = ClaimFinder(reply)
    weaker = (finder.opening(), finder.last_sentence(), finder.only_number())
    claims = [*empty(reply), *plainly(reply), *finals(finder, cut=False), *finder.outcomes, *(c for c in weaker if c)]
    unique = {(claim.answer, claim.span, claim.how, claim.about): claim for claim in claims}
    return Explanation(reading, tuple(sorted(unique.values(), key=lambda claim: claim.span)))
