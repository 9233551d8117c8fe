"""Plain prompts for the language model to answer before it learns to see. Its own replies keep its English."""

from itertools import product

from recipes.small.phrases import phrases, with_article
from snellen.draw.icons import icons
from snellen.rng import stream


def prompts(number: int) -> list[str]:
    """So many prompts, always the same; none twice before all have come."""
    things = (with_article(icon.name) for icon in icons())
    topics = (*things, *phrases("english", "topics"))
    every = [asked.format(topic=topic) for topic, asked in product(topics, phrases("english", "about"))]
    every += list(phrases("english", "general"))
    rng = stream(0, "small", "english")
    chosen: list[str] = []
    while len(chosen) < number:
        rng.shuffle(every)
        chosen += every
    return chosen[:number]
