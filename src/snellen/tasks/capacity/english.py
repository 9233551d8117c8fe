"""Small words that many kinds need."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def with_article(name: str) -> str:
    """With its article: "a dog", "an owl"."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
