"""Rules in words, read as concepts of the generator's language where they can be.

People leave things open: "two dogs" may be exactly two or at least two, a "red apple" may be a red one or one on a red
tile. `readings` gives every concept a rule can be read as, and none if some of its words are not understood: a rule is
judged by its kindest reading, and a rule that was not understood is not judged.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from snellen.draw.scenes import TILES
from snellen.tasks.bongard.replies.vocabulary import REMEMBERED, TermToken, tokens, word_lists
from snellen.tasks.bongard.scenes.language import Concept, meaning

Words = Sequence[TermToken]
Described = dict[str, str]

_CLASSES = ("kind", "group", "category", "life")
"""From the finest to the coarsest: each makes those behind it needless."""
_TELLING = frozenset(
    (*_CLASSES, "colour", "size", "row", "column", "row?", "column?", "cell", "framed", "relation", "background")
) | {"tile", "number"}
_COMPARING = ("same", "different", "several", "least", "exactly")
_LONGEST, _JOINTS = 60, 4
"""A rule of more words, or with more ands and ors, is a story: it is not read."""
_MOST = 24
"""So many readings are enough; more would be a sign that the words were hardly understood."""
_PICTURES = r"(?:pictures?|images?|scenes?|examples?|panels?|positives?|drawings?|figures?|photos?|cases?|ones)"
_WHICH = r"(?:(?:a|an|the|all|every|each|any|only|both)\s+)?(?:of\s+)?(?:the\s+|these\s+)?(?:positives?\s+)?"
_LEADS = tuple(
    re.compile(pattern)
    for pattern in (
        # "the rule is that", "what they have in common is that", "the distinguishing feature:"
        r"^\W*(?:the\s+)?(?:\w+\s+){0,2}(?:rule|concept|pattern|feature|property|factor|element|theme|characteristic|"
        r"criterion|condition|attribute|idea|answer|trait)\s*(?:is\s+that|is|:|-|–)\s+",
        r"^\W*what\s+(?:\w+\s+){1,6}(?:in\s+common|share|shares|unites\s+them|sets\s+them\s+apart)\s+is\s+(?:that\s+)?",
        # "a picture is positive if", "pictures count as positive whenever it"
        rf"^\W*{_WHICH}{_PICTURES}\s+(?:is|are|counts?|qualif\w+)\s+(?:\w+\s+){{0,2}}positive\s+(?:exactly\s+|only\s+)?"
        r"(?:if\s+and\s+only\s+if|if|when|whenever|because|as|since)\s+(?:(?:it|they|there)\s+)?",
        # "in every positive example", "all positive pictures", "positive:"
        rf"^\W*(?:in|across|for|throughout|within)\s+{_WHICH}{_PICTURES}\s*,?\s+",
        rf"^\W*{_WHICH}{_PICTURES}\s*(?:[:=,-]\s*|\s+(?:(?:must|should|always|will|all|that|which|do)\s+)*)",
        r"^\W*(?:it|they)\s+(?:all\s+|always\s+|each\s+|must\s+)*",
        r"^\W*(?:one|we|you|i)\s+(?:can\s+|always\s+)*(?:finds?|sees?|observes?|notices?)\s+",
    )
)
_EVERY_PICTURE = re.compile(rf"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+|these\s+)?(?:positives?\s+)?{_PICTURES}\b")
"""In "each picture shows a dog" it is not each thing that is meant."""
_ASIDE = re.compile(r"\bnegatives?\b|^\W*(?:this|these|that)\b")
"""A further sentence that is about the other side, or about the rule itself."""
_NESTED, _PREAMBLE = 3, 14
_TAIL = re.compile(
    r"[\s,;.(–—-]*\b(?:while|whereas|but|and|unlike|in contrast(?: to)?|which)?\s*(?:the\s+|all\s+|in\s+)*"
    r"(?:negatives?|negative (?:pictures?|images?|ones?|examples?|scenes?|panels?)|none of the negatives?|"
    r"no negatives?|others? (?:do|does) not|the rest)\b.*$"
)


@lru_cache(maxsize=REMEMBERED)
def readings(text: str) -> tuple[Concept, ...]:
    """Everything the rule may mean; nothing if it is not understood."""
    return next((meant for words in _wordings(text) if (meant := _readings(words))), ())


def _readings(words: str) -> tuple[Concept, ...]:
    listed = [token for token in tokens(words) if token.sort != "mark" or token.value in ",;"]
    joints = sum(token.sort == "joint" for token in listed)
    if not _understood(listed) or joints > _JOINTS or len(listed) > _LONGEST:
        return ()
    kept: dict[str, Concept] = {}
    for concept in _joined(listed):
        kept.setdefault(meaning(concept) if _plain(concept) else str(concept), concept)
        if len(kept) >= _MOST:
            break
    return tuple(kept.values())


def names_something(text: str) -> bool:
    """Whether any word of the rule is about what scenes can differ in: things, colours, sizes, places, numbers."""
    return any(token.sort in _TELLING or token.value in _COMPARING for token in tokens(text))


def without_frills(text: str, telling: Callable[[str], bool]) -> str:
    """The rule without "all positive pictures show" before it and "while the negative ones do not" after it, and
    without clauses that name nothing that pictures differ in."""
    sentences = re.split(r"(?<=[.;!])\s+", " ".join(text.lower().split()))
    rest = " ".join(sentence for k, sentence in enumerate(sentences) if not (k and _ASIDE.search(sentence)))
    rest = "".join(clause for clause in re.split(r"(?<=[,:;.()])", rest) if telling(clause)) or rest
    for _ in range(_NESTED):
        before = rest
        for lead in _LEADS:
            rest = lead.sub("", rest, count=1)
        if rest == before:
            break
    return _EVERY_PICTURE.sub(" ", _TAIL.sub("", rest))


def _wordings(text: str) -> Iterator[str]:
    """The rule, and what is left of it behind "that" or a colon, where its beginning may be a mere preamble."""
    yield without_frills(text, names_something)
    for mark in (" that ", ": "):
        before, found, after = text.lower().rpartition(mark)
        if found and before and len(before.split()) <= _PREAMBLE:
            yield without_frills(after, names_something)


def _plain(concept: Concept) -> bool:
    return "all" not in str(concept).replace("'small'", "").split("'")


def _joined(words: Words) -> Iterator[Concept]:
    """Parts joined by or, then by and; where a part cannot be read on its own the joint was within a phrase."""
    for joint in ("or", "and"):
        for place in [k for k, token in enumerate(words) if token.sort == "joint" and token.value == joint]:
            before, after = _trimmed(words[:place]), _trimmed(words[place + 1 :])
            if not before or not after:
                continue
            if before[0].text == "either":
                before = before[1:]
            ones, others = list(_joined(before)), list(_joined(after))
            for one, other in product(ones, others):
                yield {joint: [one, other]}
            if ones and others:
                break  # the rest of the joints is within the parts
    yield from _denying(words)
    for place in [k for k, token in enumerate(words) if token.sort == "quantity" and token.value == "no" and k]:
        before, after = _trimmed(words[:place]), list(words[place:])
        yield from ({"and": [one, other]} for one, other in product(list(_atoms(before)), list(_atoms(after))))
    yield from _atoms([token for token in words if token.sort != "joint" or token.value != "and"])


def _denying(words: Words) -> Iterator[Concept]:
    """ "A dog but not a cat", with nothing but a comma in between."""
    for place, token in enumerate(words):
        if token.sort == "mark" and token.value in ",;" and place:
            before, after = _trimmed(words[:place]), _trimmed(words[place + 1 :])
            if after and after[0].sort == "quantity" and after[0].value in ("no", "nothing", "not"):
                yield from ({"and": [one, other]} for one, other in product(list(_atoms(before)), list(_atoms(after))))


def _trimmed(words: Words) -> list[TermToken]:
    """Without marks, joints and "then" at the ends."""
    rest = list(words)
    while rest and (rest[0].sort in ("mark", "joint")):
        rest.pop(0)
    while rest and (rest[-1].sort in ("mark", "joint")):
        rest.pop()
    return rest


def _atoms(words: Words) -> Iterator[Concept]:
    """A statement without joints: denied, about everything, a comparison, a relation, a count, or that there is one."""
    words = [token for token in _trimmed(words) if token.sort != "mark"]
    if not words or not _understood(words):
        return
    quantities = [token.value for token in words if token.sort == "quantity"]
    if "same" in quantities or "different" in quantities:
        yield from _comparisons(words, quantities)
    elif "nothing" in quantities:
        yield from ({"not": {"some": one}} for one in _phrases(_without(words, "nothing", "no")) if one)
    elif "not" in quantities and "every" in quantities:
        yield from ({"not": one} for one in _about_all(_without(words, "not")))
    elif "no" in quantities or "not" in quantities:
        yield from ({"not": one} for one in _stated(_without(words, "no", "not")))
    elif "every" in quantities:
        yield from _about_all(words)
    else:
        yield from _stated(words)


def _understood(words: Words) -> bool:
    idle = word_lists()["idle"]["scenes"]
    return all(token.sort != "word" or token.value in idle for token in words)


def _without(words: Words, *quantities: str) -> list[TermToken]:
    return [token for token in words if token.sort != "quantity" or token.value not in quantities]


def _comparisons(words: Words, quantities: Sequence[str]) -> Iterator[Concept]:
    """Two things, or all, that are alike in something; or not."""
    attributes = _compared(words)
    for attribute in attributes:
        if "different" in quantities:
            yield {"not": {"same": attribute}}
        elif "no" in quantities or "not" in quantities or "nothing" in quantities:
            yield {"not": {"same": attribute}}
            yield {"not": {"alike": attribute}}
        elif "every" in quantities:
            yield {"alike": attribute}
        else:
            yield {"same": attribute}


def _compared(words: Words) -> list[str]:
    """What is compared: the attributes that could be meant."""
    spoken = {token.text for token in words} | {token.sort for token in words}
    if spoken & {"tile"} or {"colour", "color"} & spoken:
        return ["tile"]
    if "size" in spoken:
        return ["size"]
    if any("row" in token.text.split() for token in words):
        return ["row"]
    if any("column" in token.text.split() for token in words):
        return ["column"]
    if "category" in spoken or "class" in spoken:
        return ["category"]
    return ["kind"]


def _about_all(words: Words) -> Iterator[Concept]:
    """Everything is such; or of all things like this, that they are like that ("all animals are large")."""
    rest = _without(words, "every")
    split = next((k for k, token in enumerate(rest) if token.text in ("is", "are", "on", "in", "have", "has")), None)
    subject = [token for token in rest[:split] if token.sort in ("kind", "category", "group", "life")] if split else []
    if subject and split is not None:
        for who, what in product(_phrases(rest[:split]), _phrases(rest[split:])):
            if who and what:
                yield {"all": [who, what]}
        return
    yield from ({"every": one} for one in _phrases(rest) if one)


def _stated(words: Words) -> Iterator[Concept]:
    """A relation, a background, a count, or that there is such a thing."""
    for place, token in enumerate(words):
        if token.sort == "relation":
            yield from _relations(words[:place], token.value, words[place + 1 :])
            return
    if grounds := [token.value for token in words if token.sort == "background"]:
        if not any(token.sort in ("kind", "category", "group", "life", "thing", "tile") for token in words):
            yield {"background": grounds[0]}
        return
    if [token for token in words if token.text in ("touching", "touches")]:
        return
    counts = list(_counts(words))
    for one in _phrases([token for token in words if token.sort not in ("number", "quantity")]):
        for word, number in counts:
            if word == "some":
                if one or _names_a_thing(words):
                    yield {"some": one}
            elif word == "most":
                yield {"not": {"least": [number + 1, one]}}
            elif one or _names_a_thing(words):
                yield {word: [number, one]}


def _names_a_thing(words: Words) -> bool:
    return any(token.sort == "thing" for token in words)


def _counts(words: Words) -> Iterator[tuple[str, int]]:
    """How many are asked for."""
    quantities = [token.value for token in words if token.sort == "quantity"]
    numbers = [int(token.value) for token in words if token.sort == "number"]
    number = numbers[0] if numbers else 1
    if "exactly" in quantities or any(token.text == "single" for token in words):
        yield "exactly", number
    elif "least" in quantities or "or more" in quantities:
        yield ("some", 1) if number == 1 else ("least", number)
    elif "more than" in quantities:
        yield "least", number + 1
    elif "most" in quantities:
        yield "most", number
    elif "several" in quantities:
        yield "least", 2
    elif numbers and number > 1:
        yield "exactly", number
        yield "least", number
    elif numbers:
        yield "some", 1
        yield "exactly", 1
    else:
        yield "some", 1


_TURNED = {"below": "above", "right": "left"}


def _relations(before: Words, word: str, after: Words) -> Iterator[Concept]:
    drop = ("number", "quantity")
    ones = _phrases([token for token in before if token.sort not in drop])
    others = _phrases([token for token in after if token.sort not in drop])
    for one, other in product(ones, others):
        pair = [other, one] if word in _TURNED else [one, other]
        if pair[0] or pair[1]:
            yield {_TURNED.get(word, word): pair}


def _phrases(words: Words) -> list[Described]:
    """What a phrase says of a thing, in every way it can be meant; nothing if it contradicts itself."""
    options: list[list[Described]] = []
    colours = [k for k, token in enumerate(words) if token.sort == "colour"]
    for k, token in enumerate(words):
        follows = words[k + 1] if k + 1 < len(words) else None
        if token.sort == "kind" and token.value == "orange" and follows is not None and follows.sort == "kind":
            options.append([{"look": "orange"}])  # "an orange cat"
        elif token.sort in ("kind", "category", "group", "life", "size", "framed", "row", "column"):
            options.append([{token.sort: token.value}])
        elif token.sort in ("row?", "column?"):
            options.append([{token.sort[:-1]: token.value}])
        elif token.sort == "cell":
            options.append(_cell(token))
        elif token.sort == "relation":
            return []
    for k in colours:
        options.append(_colour(words, k))
    merged: list[Described] = []
    for choice in product(*options):
        if (whole := _merged(choice)) is not None and whole not in merged:
            merged.append(whole)
    return merged


def _cell(token: TermToken) -> list[Described]:
    row, column = token.value.split()
    exact = {"row": row, "column": column}
    return [exact, {"row": row}, {"column": column}] if token.text in ("middle", "centre", "center") else [exact]


def _colour(words: Words, place: int) -> list[Described]:
    """A colour of the tile, if a tile is spoken of; else the thing's own colour, or that of its tile."""
    colour = words[place].value
    near = words[max(0, place - 3) : place + 3]
    if any(token.sort in ("tile", "ground") for token in near):
        return [{"tile": colour}] if colour in TILES else [{"look": colour}]
    if any(token.text == "black" for token in words[place : place + 1]) and any(t.sort == "framed" for t in words):
        return [{}]
    own: list[Described] = [{"look": colour}]
    return [{"tile": colour}, *own] if colour in TILES else own


def _merged(parts: Iterable[Described]) -> Described | None:
    """All that is said, a kind making its classes needless; None if two parts contradict each other."""
    whole: Described = {}
    for entry in parts:
        for name, value in entry.items():
            if whole.setdefault(name, value) != value:
                return None
    for finer in ("kind", "group", "category"):
        if finer in whole:
            coarser = {"kind": ("group", "category", "life"), "group": ("category", "life"), "category": ("life",)}[
                finer
            ]
            return {name: value for name, value in whole.items() if name not in coarser}
    return whole
