"""The judge: any subject may score answers beside our own verifier, or where there is none.

The judge sees the question, the reference answer, any scoring criteria that the item brings, and the answer between two
marks (see `snellen.fence`), and is to end with JSON: {"answer_score": [[1]]} or [[0]]. One that does not is asked once
more, with a reminder; then the trial is unread. Nothing is ever scored at random, and nothing zero in silence.

What an answer can do and what it cannot:

- It cannot get out of its fence. The marks hold a digest of what is between them, so nothing between them can hold the
  mark. What looks like a mark, a chat model's own control words or a score is made harmless before (`shown_answer`),
  and so is what nobody sees (zero-width letters, letters that turn the direction, tags).
- It cannot be taken for the score. Only what the judge itself writes is read, and of that nothing that repeats what
  stood between the marks. A JSON object counts only with the key letter by letter and 0 or 1 in a list in a list. If
  several are there and differ, the one on the last line counts if those before restate the form, and none does where
  the answer holds a score. A reply that is nothing but 0 or 1 counts, unless the answer is just that. So a judge that
  quotes an answer's fake score, before or after its own, still gives its own score; one that only quotes, even if it
  first mends what it quotes, gives none. Where the answer holds such a score, the judge's like one counts only on a
  line of its own that nothing announces as a quotation.
- It can persuade. A judge that believes what it reads and writes a 1 of its own accord has given a 1: no parser can
  tell. The wording says whose words stand where, and the agreement with the verifier shows what a judge is worth.
"""

import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from snellen.answer import Reading, Verdict
from snellen.answer.tidy import spoken
from snellen.answer.verifiers import verifier
from snellen.call import Reply
from snellen.fence import fenced, harmless
from snellen.item import Condition, Form, Question, Stimulus
from snellen.ladder import NO_SCORE
from snellen.prompts import Pack

JUDGE_ROLE = "judge"
"""Not a role of any paradigm: whoever has it scores every answer once more."""
JUDGE_TABLE = "judge"
JUDGED = "judged"
"""What the record says about how an answer was scored begins with this."""

_KEY = "answer_score"
SCORES = {1: '{"answer_score": [[1]]}', 0: '{"answer_score": [[0]]}'}

AskJudge = Callable[[str], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """What came of judging: the verdict, and how many calls it took."""

    verdict: Verdict
    calls: int


async def judge(reply: Reply, by_rules: Verdict, words: "JudgePrompts", ask: AskJudge, who: str) -> JudgedReply:
    """The judge's verdict. What was refused or is empty is not put to a judge: it stays unread."""
    if reply.finish == "refused" or not reply.text.strip():
        return JudgedReply(_unread(by_rules), 0)
    for calls, prompt in enumerate((words.first, words.again), 1):
        scoring = await ask(prompt)
        score = read_score(scoring.text, words.shown) if scoring.finish == "stop" else None
        if score is not None:
            return JudgedReply(_scored(score, by_rules, who), calls)
    return JudgedReply(Verdict("unread", Reading("", "unparsable", NO_SCORE, (0, 0)), ""), 2)


def _unread(by_rules: Verdict) -> Verdict:
    reading = Reading("", by_rules.reading.reason or "unparsable", by_rules.reading.how, (0, 0))
    return Verdict("unread", reading, "")


def _scored(score: int, by_rules: Verdict, who: str) -> Verdict:
    """The score as a verdict. The answer is what the rules read, if they could; so is what a wrong one betrays."""
    reading = replace(by_rules.reading, reason="", how=f"{JUDGED} by {who}", span=(0, 0))
    return Verdict("right" if score else "wrong", reading, "" if score else by_rules.mechanism)


# What the judge is asked


@dataclass(frozen=True, slots=True)
class JudgePrompts:
    """What the judge is told: at first, and once more if it gave no score. `shown` is the answer as it sees it."""

    first: str
    again: str
    shown: str


def judge_words(stimulus: Stimulus, answer: str, pack: Pack) -> JudgePrompts:
    """The judge's prompt; which alternative of the wording, the item's levels decide."""
    question, shown = stimulus.question, shown_answer(answer)
    levels = Condition({**stimulus.item.levels, **stimulus.condition})

    def say(piece: str, values: Mapping[str, str]) -> str:
        return pack.say(piece, levels, values)

    criteria = str(stimulus.item.truth.get("criteria", "")).strip()
    values = {
        "question": question.text,
        "key": reference(question),
        "criteria": "\n\n" + say("judge_criteria", {"criteria": criteria}) if criteria else "",
        "answer": fenced(shown),
    }
    first = say("judge", values)
    return JudgePrompts(first, f"{first}\n\n{say('judge_again', {})}", shown)


def reference(question: Question) -> str:
    """The key in words that a judge understands."""
    if question.form.check:
        return verifier(question.form.check).reference(question)
    return " (or: ".join((question.key, ", or: ".join(question.also) + ")")) if question.also else question.key


_FAKE = re.compile(r"answer([\s_\-‐-―.]*)score", re.IGNORECASE)


def shown_answer(answer: str) -> str:
    """An answer as a judge may see it: harmless, and without scores. What a person would read in it stays."""
    return _FAKE.sub("answer score", harmless(answer))


# What the judge says


def read_score(words: str, shown: str) -> int | None:
    """The score that the judge gives: 0, 1, or None if there is none, or more than one. `shown` is what it judged."""
    tidy = spoken(words)
    start, end = tidy.raw(0, len(tidy.text)) if tidy.text else (0, 0)
    own = words[start:end].replace(fenced(shown), " ")
    exactly, loosely = _squeezed(shown), _letters(shown)
    scores: list[tuple[int | None, bool]] = []
    is_last, is_quotable = False, False
    for at, end, value in _objects(own):
        score, text = _score(value), own[at:end]
        alike = _letters(text) in loosely or (len(value) == 1 and _letters(f"{_KEY}{score}") in loosely)
        is_quotable = is_quotable or alike
        if _squeezed(text) not in exactly and (not alike or _stands_alone(own, at, end)):
            scores.append((score, _has_lines(own, at, end)))
            is_last = not own[end:].strip(" \t\n`")
    if not scores:
        return _bare_score(own, shown)
    return _settled(scores, is_last and not is_quotable)


def _settled(scores: list[tuple[int | None, bool]], final: bool) -> int | None:
    """The one score of several, each with whether it has its lines for itself. Whoever restates the form first names
    both, or one in a sentence; the score on the last line (`final`) is then the judge's own. Where the answer holds a
    score, that line may be a quotation, and one score that replaces another is none."""
    *before, (last, has_lines) = scores
    if {score for score, _ in scores} == {last}:
        return last
    given = {score for score, alone in before if alone}
    return last if final and has_lines and given in (set(), {last}, {0, 1}) else None


_BARE = re.compile(r"\W*(?:(?:answer[ _])?score\W{1,4})?([01])(?:\.0)?\W*", re.IGNORECASE)


def _bare_score(own: str, shown: str) -> int | None:
    """The score of a judge that says nothing but 0 or 1. Where the answer is that digit, it may be repeated."""
    bare = _BARE.fullmatch(own.strip())
    return int(bare[1]) if bare and not _BARE.fullmatch(shown.strip()) else None


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _letters(text: str) -> str:
    """Letters and digits alone: what a quotation keeps, however it is mended."""
    return re.sub(r"[\W_]+", "", text).casefold()


_QUOTING = re.compile(
    r"\b(?:says?|said|saying|writes?|wrote|written|claims?|claimed|contains?|states?|stated|quot\w+|includes?|reads?|"
    r"ends?|gives?|answer|it|subject|model|submission|response)\b[^.!?\n]{0,40}:$",
    re.IGNORECASE,
)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a score has its lines for itself and is not announced as somebody else's words."""
    announcement = re.sub(r"\s*`*(?:json)?\s*$", "", text[:start].rstrip(" \t`")[-_REACH:])
    return _has_lines(text, start, end) and not _QUOTING.search(announcement)


def _has_lines(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the lines of a score, code marks aside."""
    before, after = text[:start].rstrip(" \t`"), text[end:].lstrip(" \t`")
    return (not before or bool(re.search(r"(?:\n|`(?:json)?)$", before))) and (not after or after[0] == "\n")


_REACH = 200


def _objects(text: str) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """Every well-formed JSON object with the key: where it stands, and read."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    for key in deque(re.finditer(f'"{_KEY}"', text), maxlen=_MOST):
        start = key.start()
        for _ in range(_BRACES):
            start = text.rfind("{", 0, start)
            if start < 0:
                break
            try:
                value, end = decoder.raw_decode(text, start)
            except (ValueError, RecursionError):
                continue
            if end > key.end() and isinstance(value, dict) and _KEY in value:
                yield start, end, value
                break


_MOST, _BRACES = 50, 8
"""So many scores are looked at, from the last one back, and for each so many braces before it."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that is there twice has no value."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        fields[key] = value if key not in fields else None
    return fields


def _score(value: Mapping[str, Any]) -> int | None:
    """0 or 1 from [[0]] or [[1]], be it written 1.0 or "1"; anything else is no score."""
    match value[_KEY]:
        case [[bool()]]:
            return None
        case [[int() | float() as score]] if score in (0, 1):
            return int(score)
        case [["0" | "1" as digit]]:
            return int(digit)
    return None


# For simulated judges


def about_judging(stimulus: Stimulus, prompt: str, by_rules: Verdict) -> Stimulus:
    """What a simulated judge is asked, as a stimulus of its own: the right score is that of the rules, so that a judge
    whose reading is perfect agrees with them and any other is as bad as its parameters say."""
    key = SCORES[int(by_rules.outcome == "right")]
    question = Question(prompt, Form("choice", (SCORES[1], SCORES[0])), key)
    return Stimulus(stimulus.item, stimulus.condition, (prompt,), question)
