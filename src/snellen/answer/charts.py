"""Short replies to eye charts: "It's a K.", "The gap is at the top", "They cross twice", "The page is blank."

For charts the grammar is too careful in one way (a letter in lower case might be an vague, "I see a C" a remark) and
too bold in another: who sees badly also says what it is not. Where every word of a short reply is plain, its one sign
can only be the answer. What the grammar finds in other replies is dropped if it is denied, or if another sign is named
after it.
"""

import re
from collections.abc import Iterator

from snellen.answer.asking import asked, stem
from snellen.answer.lexicon import lexicon, pattern
from snellen.answer.naming import everyday
from snellen.answer.tags import TaggedReply
from snellen.answer.values import Claim

WORDS_TOO = ("A", "I")
"""Letters that are words as well."""
_LONGEST = 40
_DRAWN = {
    "/": "leaning right",
    "|": "upright",
    "-": "level",
    "\u2013": "level",
    "\u2014": "level",
    "\\": "leaning left",
}
_DRAWN |= {"←": "left", "↑": "up", "→": "right", "↓": "down", "↖": "upper left", "↗": "upper right"}
_DRAWN |= {"↘": "lower right", "↙": "lower left"}


def drawn(reply: str) -> str:
    """The direction of stripes that a reply draws instead of naming it; empty if it draws none."""
    return _DRAWN.get(reply.strip("()' "), "")


def _claim(reply: TaggedReply, how: str, start: int, end: int, answer: str) -> Claim:
    return Claim(answer, how, reply.span(start, end), bool(reply.tags[end:].strip()), place=(start, end))


# Nothing is there

_EMPTY = r"(?: WHOLLY{0,3} (?: BLANK | L ) | WHOLLY{1,3} WHITE | WHOLLY{0,3} EVENLY{1,2} GREY )"
_THING = r"THING_LIKE{0,2} SHOWN_THING"
_SEEN = r"(?: IS | SEEN_THERE | CLOSE | PREP THE CELLNAME ){0,3}"
_SAYS_EMPTY = (
    r"(?: THINK | HENCE | AND | BUT | NAMED | ANSWER IS? | THE | IT LOOKS | LOOKS ){0,3} (?: "
    rf"(?: THE | w ){{0,2}} (?: PAGE | IT | CELLNAME ) (?: IS | LOOKS ) {_EMPTY} PAGE? CLOSE? | "
    rf"NOBODY HAVE ANYWORD{{1,5}} THERE ANYWORD? | THE CELLNAME LOOKS {_EMPTY} | "
    rf"(?: ME SEE | THERE IS | IT IS )? ONLY? (?: AN | THE )? {_EMPTY} PAGE? | "
    rf"(?: ME WOULD? SEE | THERE IS )? (?: NOTHING | NO {_THING} | L ) {_SEEN} | "
    rf"THERE IS NOT ANYTHING (?: {_THING} )? {_SEEN} | ME DO NOT SEE ANYTHING (?: {_THING} )? {_SEEN} | "
    r"ALL{1,2} SHOWN_THING HAVE THE SAME NOUN | (?: NO | NOTHING OF THE ) SHOWN_THING DIFFER (?: PREP NOUN )? )"
)


def empty(reply: TaggedReply) -> Iterator[Claim]:
    """The answer that nothing is there, where a short reply says just that."""
    tags, form = reply.tags, reply.form
    nothing = form.empty or ("nothing" if "nothing" in form.labels else "")
    if not nothing or reply.letters.cut or not 0 < len(tags) <= _LONGEST:
        return
    words = (nothing, *WORDS_TOO, "1")
    if any(tag in "LK" and reply.answer(k) not in (words if tag == "K" else words[:1]) for k, tag in enumerate(tags)):
        return
    parts = [part for part in re.split(r"[.!;,:\n-]+", tags.replace("K", lexicon().tags["a"])) if part]
    classes = lexicon().classes
    quiet = {tag for role in ("plain", "chart", "wholly", "evenly", "grey", "page", "tail") for tag in classes[role]}
    quiet -= {*classes["may"], *classes["other"]} - {*classes["of"]}
    rest = [part for part in parts if not pattern(_SAYS_EMPTY).fullmatch(part)]
    if len(rest) < len(parts) and quiet.issuperset("".join(rest)):
        yield _claim(reply, "said to be empty", 0, len(tags), nothing)


# One sign among plain words

_SIGN = r"(?: AN | THE )? NOUN? (?P<denied> [LK] )"
_NOT_FIRST = rf"(?: IS NOT | IT IS NOT | NOT | NO | IS NO ) {_SIGN} (?: [,;.:]? BUT | [,;.:] (?= IT IS ) )"
_NOT_LAST = rf",? \(? (?: AND NOT | NOT | DENY ) {_SIGN} \)? (?= [.!]? $ )"
_WONDERED = r"^ (?: IF | SURELY | THINK | AN | THE | NOUN | IT IS | w ){0,3} [LK] \? $"
_GUESSED = (
    r"(?: ^ | (?<= [.;,!?\n-] ) | (?<= BUT ) ) (?: HENCE | BUT )? (?: THE GUESS | ME WOULD? GUESS ) "
    r"(?P<guess> [^?\n]* [LK] [^?\n]* ) $"
)
_CLAUSES = r"[,;.!()\n] | BUT | BECAUSE | -"


def plainly(reply: TaggedReply) -> Iterator[Claim]:
    """The only sign that a short reply in plain words names."""
    if (
        not everyday(reply.form)
        or reply.form.kind != "choice"
        or reply.letters.cut
        or not 0 < len(reply.tags) <= _LONGEST
    ):
        return
    tags = _as_words(reply)
    if pattern("[LK] AFTER OF THE PAGE").search(tags) or " the other " in f" {' '.join(reply.words)} ":
        return  # where on the page something is, or something else
    if guessed := pattern(_GUESSED).search(tags):
        tags = " " * guessed.start("guess") + guessed["guess"]
    denied = {reply.answer(m.start("denied")) for text in (_NOT_FIRST, _NOT_LAST) for m in pattern(text).finditer(tags)}
    for text in (_NOT_FIRST, _NOT_LAST):
        tags = pattern(text).sub(lambda m: " " * len(m[0]), tags)
    if pattern(_WONDERED).match(tags.strip()):
        tags = tags.replace("?", " ")
    words = _words(reply)
    kept: list[int] = []
    edges = [0, *(place for stop in pattern(_CLAUSES).finditer(tags) for place in stop.span()), len(tags)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        places = [k for k in range(start, end) if tags[k] != " "]
        if any(tags[k] in "LKZ" for k in places) or not _is_hedge(reply, places, words):
            kept += places
    signs = [k for k in kept if tags[k] in "LKZ"]
    answers = {reply.answer(k) for k in signs}
    if len(answers) == 1 and answers.isdisjoint(denied) and all(k in signs or _is_plain(reply, k, words) for k in kept):
        yield _claim(reply, "named plainly", signs[-1], signs[-1] + 1, answers.pop())


def _words(reply: TaggedReply) -> frozenset[str]:
    question = asked(reply.question.text, reply.form) if reply.question else None
    return question.words if question else frozenset()


_PLAIN_ROLES = ("plain", "chart", "unaligned", "think", "surely", "close", "looks", "is", "wouldbe")


def _is_plain(reply: TaggedReply, place: int, words: frozenset[str]) -> bool:
    tag, word, classes = reply.tags[place], reply.words[place], lexicon().classes
    if "upper left" in reply.form.labels and word in ("upper", "lower", "line"):
        return tag in classes["unaligned"]
    plain = any(tag in classes[role] for role in _PLAIN_ROLES)
    return plain or tag in "K:" or stem(word) in words


_UNSURE = (
    r"NOT (?: FAIRLY | \# % | IS | ANYWORD )? CLEAR | MEASURE (?: IS | : )? FAIRLY? GRADE | GRADE (?= MEASURE ) | \# %"
)


def _is_hedge(reply: TaggedReply, places: list[int], words: frozenset[str]) -> bool:
    """Whether a clause only says how sure or how hard to see something is."""
    clause = "".join(reply.tags[k] for k in places)
    rest = pattern(_UNSURE).sub("", clause)
    classes = lexicon().classes
    tags = {reply.tags[k] for k in places if _is_plain(reply, k, words)} | set(classes["doubt"])
    return all(tag in tags for tag in rest)


def _as_words(reply: TaggedReply) -> str:
    """The tags with every "a", "i" and "one" a word again that is no answer, and "two" where it counts lines."""
    tags = list(reply.tags)
    for k, tag in enumerate(tags):
        if tag != "K" or sum(t != " " for t in tags) == 1:
            continue
        answer, after, before = reply.answer(k), reply.words[k + 1 : k + 2], reply.words[k - 1 : k] if k else []
        few = answer.isdigit() and after and re.fullmatch("lines?|curves?|paths?|colou?rs?|dots|of", after[0])
        vague = answer == "1" and not (_ONE_BEFORE.fullmatch("".join(before)) and _ONE_AFTER.fullmatch("".join(after)))
        if answer in WORDS_TOO or few or vague:
            tags[k] = lexicon().tags["a"]
    return "".join(tags)


_ONE_BEFORE = re.compile(
    "|is|be|an?|digit|number|answer|count|see|reads?|at|to|cross|crosses|intersect|only|just|exactly|guess|say|:"
)
_ONE_AFTER = re.compile(r"|[.,;!)]+|times?|crossings?|intersections?")


# Something else than what is asked about


def speaks_of_another(reply: TaggedReply) -> bool:
    """Whether a reply of one sentence has another place or subject than the question: "The letter on the left is V"
    where the middle is asked for, "The dog faces left" where a horse is."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or pattern(r"[.!?\n:;] ANYWORD").search(reply.tags):
        return False
    crossed = (
        reply.words[match.end() - 1 : match.end() + 1] for match in pattern("CROSSES THE SPOKEN").finditer(reply.tags)
    )
    if any(_LINES.isdisjoint(words) for words in crossed):
        return True  # "crosses the middle"
    words = {stem(word) for token in reply.words for word in token.split()}
    if "middl" in question.turns:
        return bool(words & _SIDES) and not words & question.turns
    nouns = {stem(word.removesuffix("'s")) for word, tag in zip(reply.words, reply.tags, strict=True) if tag == "w"}
    return question.which_way and bool(pattern("THE w").match(reply.tags)) and not nouns & question.words


_LINES = frozenset(("other", "line", "lines", "curve", "curves", "path", "paths"))
_SIDES = frozenset(stem(word) for word in ("left", "right", "above", "below", "top", "bottom"))


# What is denied, or left open between two

_BEFORE = r"DENY (?: (?! BUT | HENCE | AND ) ANYWORD ){0,5} \(? $"
_AFTER = (
    r"ANYWORD{0,2} (?: IS | LOOKS ) (?: IS | FAIRLY )? (?: NOT | ABSENT ) | "
    r"[,:;]? BUT? (?: \( (?: NOT | NO ) | NO (?! DOUBT ) | NOT (?! (?: AN | THE | NOUN ){0,2} L ) | "
    r"IT IS (?: NOT | WRONG ) )"
)
_DROPPED = r"(?: NOT | NO | DENY ) (?: AN | THE | IS | PREP | NOUNS ){0,3} \(? $"


_SAID_ANEW = (
    r"(?: OR | IF | MAY | (?: ^ | [.,;:!?\n] | AND | BUT | SURELY ) IT IS ) "
    r"(?: IS | SURELY | AN | THE | NOUNS ){0,4} \(? $"
)


def withdrawn(reply: TaggedReply, claim: Claim, *, full: bool) -> bool:
    """Whether an answer is denied where it was found or later on, or what comes after names another. `full`: it was
    found in a sentence that restates the question; then what is named later may be something else."""
    tags = reply.tags
    if claim.answer in ("left", "right") and pattern("HALF_WAY").search(tags):
        return True
    names = [k for k, tag in enumerate(tags) if tag in "LKZ" and reply.span(k, k + 1)[1] > claim.span[0]]
    own = [k for k in names if reply.answer(k) == claim.answer]
    if claim.answer == "1" and any(tags[k] == "K" and pattern("(?: THE | OTHER | w ) $").search(tags[:k]) for k in own):
        return True
    if any(pattern(_BEFORE).search(tags, max(0, k - 9), k) or pattern(_AFTER).match(tags, k + 1) for k in own):
        return True
    last = max((k for k in own if reply.span(k, k + 1)[0] < claim.span[1]), default=len(tags))
    return any(_rivals(reply, k, claim.answer, full=full) for k in names if k > last)


def _rivals(reply: TaggedReply, place: int, answer: str, *, full: bool) -> bool:
    """Whether a name stands for another answer that is not withdrawn; "a", "I", "one" and "two lines" are words."""
    other, lead = reply.answer(place), reply.tags[max(0, place - 6) : place]
    if other == answer or pattern(_DROPPED).search(lead):
        return False
    if reply.form.kind == "number":  # who counts may also say of what: "12 dots, in 4 rows of 3"
        return bool(pattern(r"(?: OR | IF | MAY IS ) (?: AN | THE ){0,2} \(? $").search(lead))
    if full and not pattern(_SAID_ANEW).search(lead):
        return False
    after = "".join(reply.words[place + 1 : place + 2])
    word = other in WORDS_TOO or (other.isdigit() and (other == "1" or (after.isalpha() and after.endswith("s"))))
    return not (word and reply.tags[place] == "K")
