"""The words people have for what scenes are made of, as terms that a reader can go by.

A **term** is a stretch of text that says one thing of a picture: a kind ("puppy" is a dog), a class, a size, a colour,
a place, a frame, a number. Everything is listed here, the reader knows no words of its own. Where a word has several
senses ("orange", "left") the longer phrase wins, then the order below.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from snellen.draw.icons import icons
from snellen.draw.scenes import BACKGROUNDS, TILES


@dataclass(frozen=True, slots=True)
class Token:
    """A term, or a plain word (`sort` is "word"), with its place in the text."""

    sort: str
    value: str
    text: str
    start: int
    end: int


KINDS: Mapping[str, str] = {
    "airplane": "aeroplane|plane|jet|aircraft",
    "bicycle": "bike|push bike",
    "motorcycle": "motorbike",
    "car": "automobile|sedan",
    "truck": "lorry",
    "bus": "coach",
    "taxi": "cab",
    "fire engine": "fire truck|firetruck",
    "steam train": "steam locomotive|locomotive",
    "fast train": "bullet train|high-speed train|high speed train",
    "tram": "streetcar|trolley",
    "sailboat": "sailing boat",
    "speedboat": "motorboat",
    "ship": "ocean liner|cruise ship",
    "flying saucer": "ufo",
    "dog": "puppy|hound",
    "cat": "kitten|kitty",
    "rabbit": "bunny|hare",
    "pig": "hog|piglet",
    "cow": "cattle",
    "horse": "pony",
    "chick": "baby chicken|baby bird",
    "rooster": "cockerel",
    "ladybug": "ladybird",
    "bee": "honeybee|bumblebee",
    "crocodile": "alligator",
    "hippopotamus": "hippo",
    "rhinoceros": "rhino",
    "turtle": "tortoise",
    "dove": "pigeon",
    "eggplant": "aubergine",
    "chilli": "chili|chili pepper|chilli pepper|hot pepper",
    "corn": "maize|corncob|corn cob|ear of corn",
    "french fries": "fries|chips",
    "hamburger": "burger|cheeseburger",
    "donut": "doughnut",
    "cookie": "biscuit",
    "candy": "sweet|sweets|wrapped candy",
    "ice cream": "ice-cream|ice cream cone",
    "spaghetti": "pasta|noodles",
    "television": "tv|tv set|television set",
    "mobile phone": "cell phone|cellphone|smartphone",
    "telephone": "landline phone|telephone receiver",
    "flashlight": "torch",
    "light bulb": "lightbulb|bulb|lamp bulb",
    "laptop": "laptop computer|notebook computer",
    "sofa": "couch",
    "wrench": "spanner",
    "scissors": "pair of scissors",
    "glasses": "eyeglasses|spectacles|pair of glasses",
    "sunglasses": "shades|pair of sunglasses",
    "jeans": "trousers|pants|pair of jeans",
    "gloves": "pair of gloves",
    "socks": "pair of socks",
    "t-shirt": "tee shirt|tshirt",
    "shirt and tie": "shirt with a tie|necktie and shirt",
    "running shoe": "sneaker|trainer|running shoes",
    "high heeled shoe": "high heel|high-heeled shoe|heeled shoe|stiletto",
    "hiking boot": "walking boot",
    "flip-flop": "flip flop|sandal",
    "handbag": "hand bag|ladies bag",
    "backpack": "rucksack|school bag",
    "suitcase": "luggage",
    "soccer ball": "football|soccerball",
    "american football": "gridiron ball|rugby ball",
    "table tennis paddle": "ping pong paddle|ping-pong paddle|table tennis bat",
    "piano keyboard": "piano|musical keyboard",
    "violin": "fiddle",
    "kite": "flying kite",
    "gift": "birthday present|wrapped present|gift box|wrapped gift",
    "parcel": "package|cardboard box",
    "umbrella": "parasol",
    "rock": "stone|boulder",
    "fir tree": "pine tree|evergreen tree|conifer",
    "leafy tree": "deciduous tree",
    "potted plant": "plant in a pot|houseplant",
    "seedling": "sprout",
    "open book": "opened book",
    "globe": "world globe",
    "water pistol": "water gun|squirt gun",
    "game controller": "gamepad|video game controller",
    "tropical fish": "reef fish",
    "blowfish": "pufferfish",
    "ball of wool": "ball of yarn|yarn|yarn ball",
    "office building": "office block|skyscraper",
    "tent": "camping tent",
    "axe": "ax|hatchet",
    "shovel": "spade",
    "pickup truck": "pick-up truck|pick-up|pickup",
    "racing car": "race car|racecar|formula one car",
    "mosquito": "gnat",
    "peas": "pea pod|green peas",
    "grapes": "bunch of grapes",
    "cherries": "cherry|pair of cherries",
    "blueberries": "blueberry",
    "dice": "die",
    "teapot": "tea pot",
    "juice box": "juice carton",
    "cocktail": "cocktail glass",
    "beer": "beer mug|mug of beer",
    "wine": "wine glass|glass of wine",
    "milk": "glass of milk|milk glass",
    "coffee": "coffee cup|cup of coffee|mug of coffee",
    "diamond": "gem|gemstone",
    "crown": "royal crown",
    "pineapple": "ananas",
    "rickshaw": "auto rickshaw|tuk-tuk",
}
"""Other words for a kind, as people write them."""

CLASSES: tuple[tuple[str, str, str], ...] = (
    ("category", "animal", "creature|beast"),
    ("category", "plant", "greenery"),
    ("category", "fruit", "piece of fruit|pieces of fruit"),
    ("category", "vegetable", "veg|veggie"),
    ("category", "prepared food", "cooked food|meal|dish|prepared dish|prepared meal|ready-made food"),
    ("category", "drink", "beverage"),
    ("category", "vehicle", "means of transport|mode of transport"),
    ("category", "building", ""),
    ("category", "tool", "hand tool"),
    ("category", "musical instrument", "instrument|music instrument"),
    ("category", "clothing", "piece of clothing|pieces of clothing|garment|clothes|item of clothing|items of clothing"),
    ("category", "sports equipment", "piece of sports equipment|pieces of sports equipment|sports item|sporting goods"),
    ("category", "electric device", "electrical device|electronic device|electronic gadget|appliance"),
    ("category", "household thing", "household item|household object"),
    ("category", "plaything", "toy"),
    ("category", "sky thing", "thing in the sky"),
    ("category", "writing or reading thing", "writing thing|reading thing|thing for reading or writing"),
    ("category", "other thing", ""),
    ("group", "mammal", ""),
    ("group", "bird", ""),
    ("group", "sea animal", "marine animal|sea creature|sea-dwelling animal|aquatic animal|marine creature"),
    ("group", "insect", "bug"),
    ("group", "reptile", ""),
    ("group", "flower", "blossom"),
    ("group", "tree", ""),
    ("group", "sweet food", "dessert|sweet treat|sugary food"),
    ("group", "road vehicle", "land vehicle"),
    ("group", "boat", "watercraft|vessel"),
    ("group", "train", ""),
    ("group", "flying vehicle", "aerial vehicle|vehicle that flies"),
    ("group", "footwear", "piece of footwear|pieces of footwear|shoe|item of footwear"),
    ("group", "headwear", "piece of headwear|pieces of headwear|hat|headgear|item of headwear"),
    ("group", "furniture", "piece of furniture|pieces of furniture|item of furniture"),
    ("group", "ball", ""),
    ("group", "bag", ""),
    ("group", "timepiece", "clock|time-keeping device"),
    ("life", "living", "living thing|living being|alive thing|alive|organism|animate thing|animate"),
    (
        "life",
        "inanimate",
        "inanimate thing|non-living thing|nonliving thing|lifeless thing|non-living|nonliving|not alive|not living",
    ),
)
"""Classes of things with other words for them."""

_PLACES = {
    "row": {
        "top": "top row|upper row|first row|uppermost row|row 1|top third|topmost row",
        "middle": "middle row|second row|centre row|center row|central row|row 2",
        "bottom": "bottom row|lower row|third row|last row|lowest row|row 3|bottom third",
    },
    "column": {
        "left": "left column|left-hand column|first column|leftmost column|column 1|left side|left-hand side|left third",
        "centre": "centre column|center column|middle column|central column|second column|column 2",
        "right": "right column|right-hand column|third column|rightmost column|column 3|right side|right-hand side|last column",
    },
    "row?": {"top": "top|upper part|upper half", "bottom": "bottom|lower part|lower half"},
    "column?": {"left": "left|on the left", "right": "right|on the right"},
    "cell": {"middle centre": "centre|center|middle|very middle|middle of the picture|dead centre"},
}
_ROWS = {"top": "top|upper", "middle": "middle|centre|center|mid", "bottom": "bottom|lower"}
_COLUMNS = {"left": "left", "centre": "centre|center|middle|mid", "right": "right"}
_SIZES = {
    "large": "large|big|huge|larger|large-sized|bigger|oversized",
    "small": "small|little|tiny|smaller|small-sized|miniature",
}
_NUMBERS = {
    **{str(n): str(n) for n in range(10)},
    **dict(
        zip(
            ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
            map(str, range(10)),
            strict=True,
        )
    ),
    **{"single": "1", "pair": "2", "a couple of": "2", "couple": "2"},
}
_COLOURS = (*TILES, "orange", "pink", "brown", "grey", "black")
_FRAMED = {
    "yes": (
        "inside a black frame|inside a frame|in a black frame|in a frame|with a black frame|with a frame|framed|"
        "in a black box|surrounded by a black frame|surrounded by a frame|within a frame|within a black frame|"
        "in a black border|with a black border|with a black outline|black frame around it|frame around it|"
        "inside the black frame|inside the frame|in the black frame|in the frame|within the black frame|within the frame|"
        "enclosed by a black frame|enclosed in a black frame|enclosed in a frame|has a frame|has a black frame"
    ),
    "no": "without a frame|unframed|not framed|no frame|not in a frame|not inside a frame|without frame|frameless",
}
_TILE_NOUNS = "tile|tiles|square|squares|card|cards|tile colour|tile color|colored tile|coloured tile|panel|plate|pad"
_THINGS = "thing|object|item|icon|element|entity|figure|one of them|something|anything"
_RELATIONS = {
    "above": "above|higher than|over|higher up than|on top of",
    "below": "below|beneath|under|underneath|lower than",
    "left": "to the left of|left of|on the left of|further left than",
    "right": "to the right of|right of|on the right of|further right than",
    "touch": "touching|touches|touch|in contact with|adjoining|abutting|in direct contact with|edge to edge with|meets|meeting",
}
_QUANTIFIERS = {
    "every": "everything|every|all|each|all of the|all the|each of the|only",
    "nothing": "nothing|none of the|none of them|none",
    "no": "no|without|without any|not any|lacking|lacks|never|lack|free of|does not contain|do not contain|"
    "does not have|do not have|doesn't contain|don't contain|absence of|excluding|contain no|contains no|there is no|"
    "there are no|not a|not a single|not one|does not include|do not include|does not show|do not show|has no|have no|absent|missing|not present|not shown|not there",
    "not": "not|it is not the case that|n't",
    "least": "at least|no fewer than|no less than",
    "most": "at most|no more than|not more than|fewer than",
    "more than": "more than",
    "or more": "or more|or more of",
    "exactly": "exactly|precisely|just|only one|exactly a",
    "several": "several|multiple|many|two or more|more than one|at least a couple of",
    "same": "same|identical|matching|equal|shared|share|shares|alike|the same|in common|duplicate|duplicates|twice",
    "different": "different|distinct|differing|unique",
}
_CONNECTIVES = {
    "and": "and|but|as well as|plus|together with|along with|&|while also|and also",
    "or": "or|or else|and/or",
}


def _pattern(phrase: str) -> str:
    return re.escape(phrase).replace(r"\ ", r"[\s_-]+").replace(r"\-", "[-\\s]?")


def _plural(noun: str) -> tuple[str, ...]:
    """The noun and what it may look like if there are several."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun, f"{noun[:-1]}ies"
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun, f"{noun}es"
    if noun.endswith("fe"):
        return noun, f"{noun}s", f"{noun[:-2]}ves"
    irregular = {"mouse": "mice", "fish": "fish", "sheep": "sheep", "person": "people", "potato": "potatoes"}
    head, _, last = noun.rpartition(" ")
    more = (f"{head} {irregular[last]}".strip(),) if last in irregular else ()
    return (noun, f"{noun}s", *(("mangoes", "mangos") if noun == "mango" else ()), *more)


@cache
def phrases() -> Mapping[str, tuple[str, str]]:
    """Every phrase with the sort and value it stands for; where two share one, the first listed keeps it."""
    known: dict[str, tuple[str, str]] = {}

    def add(sort: str, value: str, listed: str, *, inflect: bool = False) -> None:
        for phrase in filter(None, listed.split("|")):
            for form in _plural(phrase) if inflect else (phrase,):
                known.setdefault(form, (sort, value))

    for icon in icons():
        add("kind", icon.name, "|".join((icon.name, KINDS.get(icon.name, ""))), inflect=True)
    for attribute, value, others in CLASSES:
        add(attribute, value, f"{value}|{others}", inflect=True)
    for attribute, values in _PLACES.items():
        for value, listed in values.items():
            add(attribute, value, listed)
    for row, rows in _ROWS.items():
        for column, columns in _COLUMNS.items():
            pairs = ((r, c) for r in rows.split("|") for c in columns.split("|") if r != c)
            for r, c in pairs:
                add("cell", f"{row} {column}", f"{r} {c}|{c} {r}|{r} {c} corner|{r} {c} cell")
    for sort, table in (("size", _SIZES), ("framed", _FRAMED), ("number", _NUMBERS), ("relation", _RELATIONS)):
        for value, listed in table.items():
            add(*((sort, listed, value) if sort == "number" else (sort, value, listed)))
    for value, listed in (*_QUANTIFIERS.items(), *_CONNECTIVES.items()):
        add("joint" if value in _CONNECTIVES else "quantity", value, listed)
    for colour in _COLOURS:
        add("colour", colour, f"{colour}|{colour}-coloured|{colour}-colored")
    add("colour", "grey", "gray")
    add("colour", "purple", "violet|lilac")
    for ground in BACKGROUNDS:
        light = ground.replace("pale", "light")
        words = [
            *(f"{shade} background" for shade in (ground, light)),
            f"background: {ground}",
            f"background is {ground}",
        ]
        add("background", ground, "|".join(words))
    add("tile", "", _TILE_NOUNS)
    add("ground", "", "background|backdrop|backgrounds")
    add("thing", "", _THINGS, inflect=True)
    return known


@cache
def _matcher() -> re.Pattern[str]:
    """Any phrase, the longest first, or a word or a mark."""
    listed = sorted(phrases(), key=len, reverse=True)
    terms = "|".join(map(_pattern, listed))
    return re.compile(
        rf"(?<![\w-])(?P<term>{terms})(?![\w])|(?P<word>[^\W_]+(?:['’][a-z]+)?)|(?P<mark>[.,;:!?()\[\]\n])"
    )


def tokens(text: str) -> list[Token]:
    """The text as terms, words and marks."""
    return list(_tokens(" ".join(re.split(r"[ \t_*`\"]+", text.lower().replace("’", "'")))))


def _tokens(text: str) -> Iterator[Token]:
    known = phrases()
    for match in _matcher().finditer(text):
        if match["term"]:
            sort, value = known.get(match["term"]) or known[_spelt(match["term"])]
            yield Token(sort, value, match["term"], match.start(), match.end())
        elif match["word"]:
            yield Token("word", match["word"], match["word"], match.start(), match.end())
        else:
            yield Token("mark", match["mark"], match["mark"], match.start(), match.end())


@cache
def _spellings() -> Mapping[str, str]:
    return {re.sub(r"[\s_-]+", "", phrase): phrase for phrase in reversed(list(phrases()))}


def _spelt(found: str) -> str:
    """The phrase as it is listed, however it was hyphenated."""
    return _spellings()[re.sub(r"[\s_-]+", "", found)]
