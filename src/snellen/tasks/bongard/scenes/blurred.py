"""Things that some would count in and others out: kept out of scenes whose concept draws that line.

Is a tomato a fruit, is a seal a mammal or a sea animal, are glasses clothing? A concept asks what someone sees, not how
things are filed, so whatever could be argued about stays away.
"""

from collections.abc import Mapping

from snellen.tasks.bongard.scenes.kinds import Kinds, kinds_of

_CLASSES: Mapping[str, tuple[str, ...]] = {
    "living": ("fruit", "vegetable"),
    "plant": ("fruit", "vegetable"),
    "clothing": ("bag",),
}
"""Whole categories and groups that blur a line."""
_KINDS: Mapping[str, Kinds] = {
    "mammal": ("whale", "dolphin", "seal"),
    "bird": ("bat",),
    "sea animal": ("penguin", "turtle", "otter"),
    "insect": ("spider", "scorpion", "worm", "snail"),
    "reptile": ("frog", "snail", "worm"),
    "plant": ("salad",),
    "flower": ("cactus",),
    "vegetable": ("salad",),
    "fruit": ("corn", "cucumber", "eggplant", "peas", "bell pepper", "chilli"),
    "sweet food": ("croissant",),
    "drink": ("teapot",),
    "building": ("tent",),
    "tool": ("kitchen knife", "bucket", "magnet", "paintbrush", "ruler", "toothbrush"),
    "musical instrument": ("bell",),
    "clothing": ("glasses", "sunglasses", "watch", "ring", "shield"),
    "footwear": ("skis", "socks"),
    "headwear": ("headphones",),
    "sports equipment": ("kite", "yo-yo"),
    "ball": ("ball of wool", "globe", "bowling pins", "tennis racket", "table tennis paddle", "yo-yo"),
    "electric device": ("alarm clock", "stopwatch", "watch", "microscope"),
    "flying vehicle": ("kite", "balloon"),
    "bag": ("basket",),
    "timepiece": ("compass",),
}


def blurring(value: str) -> Kinds:
    """The kinds to keep away from a line drawn by this class of things."""
    classes = [kinds_of(word, name) for name in _CLASSES.get(value, ()) for word in ("category", "group")]
    return tuple(kind for kinds in classes for kind in kinds) + _KINDS.get(value, ())
