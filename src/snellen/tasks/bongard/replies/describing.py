"""Descriptions in words, read as scenes: lists in JSON, bullet points or prose.

Each thing that is mentioned becomes an entity with what is said of it in the same breath: in its entry, on its line, or
in its part of the sentence. "The dog" is the dog mentioned before, "another dog" is not; "all of them are large" goes
for everything. What the reader does not understand it leaves out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from snellen.answer.descriptions import read_description
from snellen.draw.scenes import COLUMNS, TILES
from snellen.tasks.bongard.replies.vocabulary import LONGEST, REMEMBERED, TermToken, tokens
from snellen.tasks.bongard.replies.world import World, of_kind

_NAMES = ("name", "object", "item", "thing", "kind", "what", "label", "icon", "type", "entity", "subject", "species")
_LOOKS = ("looks", "place", "position", "location", "relation", "relations", "touches", "touching", "near", "next to")
"""Keys under which a thing is named, and keys under which others may be."""
_CLASSES = ("category", "group", "life")
_WHERE = ("row", "column", "cell")
_YES_NO = {"true": True, "yes": True, "false": False, "no": False, "none": False}
_ENTRY = re.compile(r"\b([a-z][a-z ]*): *(yes|no|true|false|none)\b", re.IGNORECASE)
_CONTINUED = re.compile(r"\n[ \t]+(?![-*•–\s]|\d+[.)])")
"""A line that goes on with the entry above it, as lists of names and values have them."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;\s*")
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
_PRONOUNS = frozenset(("it", "its", "this", "he", "she"))
_NEW = frozenset(("another", "other", "second", "third", "different", "further", "additional", "more"))
_TURNED = {"below": "above", "right": "left"}


@dataclass(slots=True)
class _DescriptionReader:
    """What has been understood so far."""

    things: list[dict[str, str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    told: set[tuple[str, int, int]] = field(default_factory=set)
    touching: set[frozenset[int]] = field(default_factory=set)
    all_are: dict[str, str] = field(default_factory=dict)
    background: str = ""

    def world(self) -> World:
        things = tuple(_completed({**self.all_are, **thing}) for thing in self.things)
        return World(things, frozenset(self.touching), frozenset(self.told), self.background, tuple(self.said))

    def add(self, attributes: Mapping[str, str], said: str) -> int:
        self.things.append(dict(attributes))
        self.said.append(" ".join(said.split()))
        return len(self.things) - 1

    def relate(self, word: str, one: int, other: int) -> None:
        if one == other:
            return
        if word == "touch":
            self.touching.add(frozenset((one, other)))
        elif word in _TURNED:
            self.told.add((_TURNED[word], other, one))
        else:
            self.told.add((word, one, other))

    def known(self, token: TermToken, after: TermToken | None) -> int | None:
        """The thing of that kind (or class) that was mentioned before: its number if it has one, else the last."""
        own = [k for k, thing in enumerate(self.things) if thing.get(token.sort) == token.value]
        if token.sort != "kind":
            own = [k for k, thing in enumerate(self.things) if _completed(thing).get(token.sort) == token.value]
        if own and after is not None and after.sort == "number" and 0 < int(after.value) <= len(own):
            return own[int(after.value) - 1]
        return own[-1] if own else None


def _completed(thing: Mapping[str, str]) -> dict[str, str]:
    """With what follows from its kind, and no frame unless one was mentioned."""
    derived = of_kind(thing["kind"]) if "kind" in thing else {}
    return {**derived, "framed": "no", **thing}


@lru_cache(maxsize=REMEMBERED)
def read_scene(text: str) -> World:
    """The scene that the words describe."""
    reader = _DescriptionReader()
    content = _content(text)
    if content is not None:
        _walk(content, reader)
    elif rows := list(_table(text)):
        _walk(rows, reader)
    if not reader.things:
        _prose((_flat_text(content) if content is not None else text)[:LONGEST], reader)
    _forget_classes(reader)
    return reader.world()


def _content(text: str) -> Any:
    """The JSON in the text, if there is any: an object, or a bare list."""
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end and "{" not in text[:start]:
        listed = read_description(f'{{"things": {text[start : end + 1]}}}').fields
        if listed is not None and isinstance(listed.get("things"), list):
            return listed
    return read_description(text).fields


def _table(text: str) -> Iterator[dict[str, str]]:
    """The rows of a table drawn with bars, each by the names in its head."""
    lines = [line.strip().strip("|").split("|") for line in text.splitlines() if line.count("|") > 1]
    rows = [[cell.strip() for cell in line] for line in lines if not set("".join(line)) <= set("-: ")]
    for row in rows[1:]:
        if len(row) == len(rows[0]):
            yield dict(zip((name.lower() for name in rows[0]), row, strict=True))


def _flat_text(content: Any) -> str:
    if isinstance(content, Mapping):
        return "\n".join(f"{_flat_text(value)}" for value in content.values())
    if isinstance(content, list):
        return "\n".join(map(_flat_text, content))
    return str(content)


def _walk(content: Any, reader: _DescriptionReader, under: str = "") -> None:
    """Lists of things, wherever they stand; then what is said of how they stand to one another."""
    if isinstance(content, list):
        for entry in content:
            _entry(entry, reader, under)
        return
    if not isinstance(content, Mapping):
        return
    later = []
    for name, value in content.items():
        key = str(name).lower()
        if _is_relations(key):
            later.append(value)
        elif key.startswith("background") and isinstance(value, str):
            _sentence(f"background: {value}", reader)
        elif isinstance(value, Mapping) and _name_of(value):
            _entry({"position": key, **value}, reader, key)
        elif isinstance(value, list | Mapping):
            _walk(value, reader, key)
        elif isinstance(value, str) and any(t.sort in _WHERE for t in tokens(key)):
            _sentence(f"{key}: {value}", reader)
    for value in later:
        for statement in value if isinstance(value, list) else [value]:
            _sentence(_words_of(statement), reader, adding=False)


def _is_relations(key: str) -> bool:
    return any(word in key for word in ("relation", "activit", "spatial", "interaction", "touch"))


def _name_of(entry: Mapping[str, Any]) -> str:
    """Under which key the thing is named: the first that holds a kind, else the first that should."""
    worded = [str(name) for name, value in entry.items() if isinstance(value, str)]
    usual = [name for name in worded if name.lower() in _NAMES]
    other = [name for name in worded if name.lower() not in (*_NAMES, *_LOOKS)]
    named = (name for name in (*usual, *other) if any(token.sort == "kind" for token in tokens(entry[name])))
    return next(named, usual[0] if usual else "")


def _entry(entry: Any, reader: _DescriptionReader, under: str) -> None:
    """One entry of a list: a mapping with a name, or words."""
    if isinstance(entry, str):
        _line(f"{under}: {entry}" if any(t.sort in _WHERE for t in tokens(under)) else entry, reader)
    elif isinstance(entry, Mapping) and (name := _name_of(entry)):
        rest = {key: value for key, value in entry.items() if key != name}
        words = tokens(_words_of(rest))
        own = tokens(str(entry[name]))
        attributes = _attributes(words) | _attributes(own)
        attributes |= {token.sort: token.value for token in words if token.sort in _CLASSES}
        kinds = [token for token in own if token.sort == "kind"] or [token for token in own if token.sort in _CLASSES]
        attributes |= {kinds[-1].sort: kinds[-1].value} if kinds else {}
        said = f"{entry[name]}, {_words_of(rest)}"
        for place in range(max(1, _count(entry))):
            reader.add({**attributes, **_nth_cell(words, place)}, said)
    elif isinstance(entry, Mapping):
        _walk(entry, reader, under)


def _count(entry: Mapping[str, Any]) -> int:
    many = next((entry[name] for name in ("count", "number", "quantity") if name in entry), 1)
    return min(int(many), 9) if isinstance(many, int | str) and str(many).isdecimal() else 1


def _words_of(entry: Any) -> str:
    """A mapping in words: "size: large, tile: red, not framed"."""
    if isinstance(entry, Mapping):
        return ", ".join(filter(None, (_pair(str(name), value) for name, value in entry.items())))
    if isinstance(entry, list):
        return ", ".join(map(_words_of, entry))
    return "" if entry is None else str(entry)


def _pair(name: str, value: Any) -> str:
    if isinstance(value, bool) or str(value).lower() in _YES_NO:
        return name if _YES_NO[str(value).lower()] else f"not {name}"
    return f"{name}: {_words_of(value)}" if value not in (None, "", []) else ""


def _prose(text: str, reader: _DescriptionReader) -> None:
    text = _ENTRY.sub(lambda match: _pair(match[1], match[2]), _CONTINUED.sub(", ", text))
    for sentence in _SENTENCE.split(text):
        _line(sentence, reader)


def _line(line: str, reader: _DescriptionReader) -> None:
    bullet = bool(_BULLET.match(line))
    _sentence(_BULLET.sub("", line), reader, bullet=bullet)


def _sentence(sentence: str, reader: _DescriptionReader, *, bullet: bool = False, adding: bool = True) -> None:
    words = tokens(sentence)
    for token in words:
        if token.sort == "background":
            reader.background = token.value
    places = [k for k in range(len(words)) if _mentions(words, k)]
    if not places:
        _without_a_name(words, sentence, reader, bullet)
        return
    if not adding and any(reader.known(words[place], None) is None for place in places):
        return  # how things stand to one another is said of things that were listed
    bounds = [0, *(_bound(words, a, b) for a, b in pairwise(places)), len(words)]
    related = not adding or any(token.sort == "relation" for token in words)
    shared = _shared(words[: places[0]])
    before: int | None = None
    for number, place in enumerate(places):
        segment = words[bounds[number] : bounds[number + 1]]
        thing = _mention(words, place, segment, reader, related)
        if number and thing is not None:
            reader.things[thing] |= {k: v for k, v in shared.items() if k not in reader.things[thing]}
        link = next((t for t in words[places[number - 1] : place] if t.sort == "relation"), None) if number else None
        if link is not None and thing is not None and before is not None:
            reader.relate(link.value, before, thing)
        before = thing
    between = any(token.sort == "relation" for token in words[places[0] : places[-1]])
    if len(places) == 2 and before is not None and not between and _touching(words):
        # "the dog and the cat touch"
        first = reader.known(words[places[0]], None)
        if first is not None:
            reader.relate("touch", first, before)


def _shared(lead: Sequence[TermToken]) -> dict[str, str]:
    """What is said before the first thing and goes for all of a sentence: "in the top row", "red tiles: ..."."""
    if lead and lead[-1].value == ":":
        return _attributes(lead)
    return {token.sort: token.value for token in lead if token.sort in ("row", "column")}


def _touching(words: Sequence[TermToken]) -> bool:
    return any(token.sort == "relation" and token.value == "touch" for token in words)


def _mentions(words: Sequence[TermToken], place: int) -> bool:
    """Whether a thing is named here: a kind that is no colour, or a class where no kind is near."""
    token = words[place]
    following = words[place + 1] if place + 1 < len(words) else None
    if token.sort == "kind":
        return not (token.value == "orange" and following is not None and following.sort in ("kind", "tile"))
    if token.sort not in ("category", "group"):
        return False
    near = words[max(0, place - 4) : place + 5]
    return not any(other.sort == "kind" for other in near)


def _bound(words: Sequence[TermToken], one: int, other: int) -> int:
    """Where the words about one thing end and those about the next begin: at the last joint or mark between them, else
    just before the second is named."""
    for place in range(other - 1, one, -1):
        if words[place].sort == "joint" or (words[place].sort == "mark" and words[place].value in ",:("):
            return place
    return next((k for k in range(one + 1, other) if words[k].sort == "relation"), other - 1)


def _mention(
    words: Sequence[TermToken], place: int, segment: Sequence[TermToken], reader: _DescriptionReader, related: bool
) -> int | None:
    """The thing that is named: one that is known already, or new ones."""
    token = words[place]
    lead = [w for w in words[max(0, place - 4) : place] if w.start >= segment[0].start]
    if any(w.sort == "quantity" and w.value in ("no", "nothing", "not") for w in lead[-3:]):
        return None
    following = words[place + 1] if place + 1 < len(words) else None
    known = reader.known(token, following)
    definite = any(w.text in ("the", "this", "that") for w in lead[-3:])
    new = any(w.text in _NEW for w in lead)
    attributes = _attributes(segment)
    if known is not None and not new and (definite or related):
        reader.things[known] |= {name: value for name, value in attributes.items() if name not in reader.things[known]}
        return known
    number = next((int(w.value) for w in reversed(lead) if w.sort == "number" and not _ordinal(words, w)), 1)
    said = " ".join(w.text for w in segment)
    added = [
        reader.add({**attributes, **_nth_cell(segment, k), token.sort: token.value}, said)
        for k in range(min(number, 9))
    ]
    return added[-1] if added else None


def _ordinal(words: Sequence[TermToken], number: TermToken) -> bool:
    """Whether a number only counts on: "icon 2 is a drum"."""
    place = words.index(number)
    return place > 0 and words[place - 1].sort == "thing"


def _without_a_name(words: Sequence[TermToken], sentence: str, reader: _DescriptionReader, bullet: bool) -> None:
    """Words that name nothing: about everything, about the thing before, or about something without a name."""
    attributes = _attributes(words)
    if not attributes:
        return
    if any(w.sort == "quantity" and w.value == "every" for w in words) or words[0].text in ("they", "both"):
        reader.all_are |= {name: attributes[name] for name in ("tile", "size", "framed") if name in attributes}
    elif words[0].text in _PRONOUNS and reader.things:
        reader.things[-1] |= attributes
    elif attributes.keys() & {"tile", "row", "column"} and (bullet or _one_thing(words)):
        reader.add(attributes, sentence)


def _one_thing(words: Sequence[TermToken]) -> bool:
    return any(token.sort == "thing" and token.text[-1] != "s" for token in words)


def _attributes(words: Sequence[TermToken]) -> dict[str, str]:
    """What is said of a thing, its name apart."""
    said: dict[str, str] = {}
    for place, token in enumerate(words):
        if token.sort in ("size", "framed", "row", "column"):
            said.setdefault(token.sort, token.value)
        elif token.sort == "life":
            said.setdefault("life", token.value)
        elif token.sort == "cell" and "row" in said and token.text in ("middle", "centre", "center"):
            said["column"] = COLUMNS[1]  # "in the top row, in the middle"
        elif token.sort == "cell":
            said["row"], said["column"] = token.value.split()
        elif token.sort in ("row?", "column?"):
            said.setdefault(token.sort[:-1], token.value)
        elif token.sort == "colour":
            name = _coloured(words, place)
            said.setdefault(name, token.value)
    return said


def _coloured(words: Sequence[TermToken], place: int) -> str:
    """Whether a colour is that of the tile or of the thing itself."""
    if words[place].value not in TILES:
        return "look"
    after = words[place + 1 : place + 3]
    before = words[max(0, place - 3) : place]
    if any(token.sort in ("tile", "ground") for token in (*after, *before)):
        return "tile"
    return "tile" if before and before[-1].text == "on" else "look"


def _nth_cell(words: Sequence[TermToken], place: int) -> dict[str, str]:
    """The place-th cell that is named, where there are several."""
    cells = [token.value.split() for token in words if token.sort == "cell"]
    return dict(zip(("row", "column"), cells[place], strict=True)) if len(cells) > 1 and place < len(cells) else {}


def _forget_classes(reader: _DescriptionReader) -> None:
    """ "Two animals: a dog and a cat" are two things, not four: a class goes where a kind of it was named too."""
    kinds = [_completed(thing) for thing in reader.things if "kind" in thing]

    def idle(thing: Mapping[str, str]) -> bool:
        return (
            "kind" not in thing
            and any(all(kind.get(name) == thing[name] for name in _CLASSES if name in thing) for kind in kinds)
            and bool(thing.keys() & set(_CLASSES))
            and not thing.keys() & {"tile", "row", "column"}
        )

    if any(map(idle, reader.things)):
        kept = [k for k, thing in enumerate(reader.things) if not idle(thing)]
        _keep(reader, kept)


def _keep(reader: _DescriptionReader, kept: Sequence[int]) -> None:
    place = {old: new for new, old in enumerate(kept)}
    reader.things = [reader.things[k] for k in kept]
    reader.said = [reader.said[k] for k in kept]
    reader.told = {(w, place[i], place[j]) for w, i, j in reader.told if i in place and j in place}
    reader.touching = {frozenset(place[k] for k in pair) for pair in reader.touching if pair <= place.keys()}
