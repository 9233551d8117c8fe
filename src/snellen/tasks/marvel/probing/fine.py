"""A question between two answers about what is to be seen."""

import re
from dataclasses import dataclass

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)

_ARTICLE = re.compile(r"\b(an?) \{([ab])\}")


@dataclass(frozen=True, slots=True)
class Fine:
    """A question between two answers. `type` is one of `puzzle.FINE_TYPES`; `text` may have slots {a} and {b}.

    `others`: what else would be wrong without a doubt. `name`: which wording of `texts.py` it is, if it is one of them.
    """

    type: str
    text: str
    right: str
    wrong: str
    others: tuple[str, ...] = ()
    name: str = ""

    def denies(self, answer: str) -> bool:
        """Whether an answer is known to be wrong."""
        return answer == self.wrong or answer in self.others

    def asked(self, first: str, second: str) -> str:
        """The question with its answers named in this order."""
        answers = {"a": first, "b": second}

        def article(match: re.Match[str]) -> str:
            return f"{'an' if answers[match[2]][:1].lower() in 'aeiou' else 'a'} {{{match[2]}}}"

        # One pass for both slots: an answer that reads like a slot stays what it is.
        return re.sub(r"\{([ab])\}", lambda slot: answers[slot[1]], _ARTICLE.sub(article, self.text))
