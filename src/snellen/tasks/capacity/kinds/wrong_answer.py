"""Finding the wrong answer: one picture, four questions with their answers, one of which is wrong by a small change.

Pictures are rooms, streets and crowds (`wrong_answer_scenes`), in the small size sheets, racks and charts of everyday
things (`wrong_answer_pairs`).

The questions are drawn before it is decided which answer is to be falsified. Kinds of error and places of the wrong
pair take turns at different paces, so that all combinations occur equally often and neither tells on the other.

Asked plainly, for the one right answer, right and wrong change places: the other three answers are the wrong ones.
The four questions, and where the one stands that is asked for, are the same.
"""

from collections.abc import Callable, Mapping
from math import lcm

from snellen.item import Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.draw import tableaux
from snellen.tasks.capacity.english import ORDINALS
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.wrong_answer_pairs import KINDS, SHEETS, SHELVES
from snellen.tasks.capacity.kinds.wrong_answer_scenes import SCENES, staged
from snellen.tasks.capacity.placing import words
from snellen.tasks.capacity.scenes import SETTINGS
from snellen.tasks.capacity.things import thing_of

LABELS = ("1", "2", "3", "4")
_DRAW: Mapping[str, Callable[[tableaux.Description], Picture]] = {
    "scene": tableaux.scene,
    "rack": tableaux.rack,
    "bars": tableaux.bars,
}


SORTS: Mapping[str, tuple[str, ...]] = {
    "standard": SCENES,
    "small": tuple(SHEETS),
    "large": SCENES,
}
"""The sorts of pictures of each size."""


def make(rng: Stream, size: str, index: int) -> Truth:
    # Whenever all sorts and places have met, kinds of error move on by one: in the end every combination occurs once.
    sorts = SORTS[size]
    sort, place = sorts[index % len(sorts)], index % len(LABELS)
    error = KINDS[(index + index // lcm(len(sorts), len(LABELS))) % len(KINDS)]
    described, drawn = SHEETS[sort](rng) if sort in SHEETS else staged(rng, sort, large=size == "large")
    others = rng.sample([pair for pair in drawn if pair.kind != error], 3)
    pairs = [*others[:place], next(pair for pair in drawn if pair.kind == error), *others[place:]]
    return {
        "size": size,
        "sort": sort,
        "picture": described,
        "pairs": [
            {
                "kind": pair.kind,
                "question": pair.question,
                "answer": pair.wrong if number == place else pair.right,
                "right": pair.right,
                "wrong": pair.wrong,
            }
            for number, pair in enumerate(pairs)
        ],
        "key": LABELS[place],
        "error": error,
        "difficulty": _many(sort, described),
    }


def _many(sort: str, described: Truth) -> int:
    """How many things there are to look at."""
    if sort in SETTINGS:
        return SETTINGS[sort].things(described)
    content = described[{"scene": "things", "rack": "shelves", "bars": "bars"}[sort]]
    return sum(map(len, content)) if sort == "rack" else len(content)


def show(truth: Truth) -> tuple[Picture, ...]:
    sort = truth["sort"]
    return ((_DRAW[sort] if sort in _DRAW else SETTINGS[sort].draw)(truth["picture"]),)


def plain(truth: Truth) -> Truth:
    """Each right answer exchanged for its wrong one, and the wrong one for the right one."""
    exchanged = (pair["right"] if pair["answer"] == pair["wrong"] else pair["wrong"] for pair in truth["pairs"])
    pairs = [{**pair, "answer": answer} for pair, answer in zip(truth["pairs"], exchanged, strict=True)]
    return {**truth, "pairs": pairs, "asked": "right"}


def ask(truth: Truth) -> KindQuestion:
    pairs, asked = truth["pairs"], truth.get("asked", "wrong")
    other = {"wrong": "true", "right": "wrong"}[asked]
    told = "\n".join(
        f"{label}. {pair['question']} - {pair['answer']}" for label, pair in zip(LABELS, pairs, strict=True)
    )
    mechanisms = {
        label: f"took a {other} {pair['kind']} for {asked}"
        for label, pair in zip(LABELS, pairs, strict=True)
        if label != truth["key"]
    }
    # A reader that looks for the word "right" would find directions, too.
    form = Form("choice", LABELS, asked="" if asked == "right" else asked)
    # Whoever answers what is usually asked, which one is right, takes a true one: the first that is.
    habit = next(iter(mechanisms.values())) if asked == "wrong" else ""
    return KindQuestion(form, truth["key"], {"pairs": told}, mechanisms, twin=twin(truth), habit=habit)


def twin(truth: Truth) -> str:
    described = truth["picture"]
    if truth["sort"] in SETTINGS:
        return SETTINGS[truth["sort"]].words(described)
    if truth["sort"] == "scene":
        return words(described)
    if truth["sort"] == "rack":
        shelves = zip(SHELVES, described["shelves"], strict=True)
        lines = (f"{name} shelf: {', '.join(map(_named, shelf))}" for name, shelf in shelves)
        return "\n".join(("A rack of three shelves, the things on each from the left:", *lines))
    bars = zip(ORDINALS, described["bars"], strict=True)
    lines = (f"{name}: {thing_of(bar['icon']).name}, {bar['colour']}, {bar['value']} high" for name, bar in bars)
    return "\n".join(("A chart of bars, from the left, each with its thing, its colour and its height:", *lines))


def _named(entry: Mapping[str, str]) -> str:
    return " ".join(filter(None, (entry.get("colour", ""), thing_of(entry["icon"]).name)))


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    pairs = truth["pairs"]
    told = [len(pair["question"]) + len(pair["answer"]) for pair in pairs]
    answers = [len(pair["answer"]) for pair in pairs]
    kinds = [pair["kind"] for pair in pairs]
    number = next((int(pair["answer"]) for pair in pairs if pair["kind"] == "count"), 0)
    return {
        "sort": truth["sort"],
        **{f"kind of pair {label}": kind for label, kind in zip(LABELS, kinds, strict=True)},
        **{f"answer {label}": pair["answer"] for label, pair in zip(LABELS, pairs, strict=True)},
        "longest pair": told.index(max(told)),
        "longest answer": answers.index(max(answers)),
        "shortest answer": answers.index(min(answers)),
        "letters in all": sum(told),
        "count told": number,
        "parity of the count": number % 2,
        "missing kind": next(kind for kind in KINDS if kind not in kinds),
        "place of the count": kinds.index("count") if "count" in kinds else -1,
        "things": _many(truth["sort"], truth["picture"]),
    }


KIND = CapacityKind(
    "wrong_answer", 148, make, show, ask, sizes=tuple(SORTS), describable=False, plain=plain, observe=observe
)
