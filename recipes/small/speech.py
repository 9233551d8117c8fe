"""Words and pictures as tokens, just as the finished model's processor and chat template write them."""

from collections.abc import Sequence
from typing import Any

from recipes.small.language import Language

AROUND, IMAGE, WHOLE = "<fake_token_around_image>", "<image>", "<global-img>"
ADDED = (AROUND, IMAGE, "<end_of_utterance>", WHOLE)
"""New words for pictures; the stock processor knows them by these names."""
ROOM = 8
"""New words there is room for: a round number of them suits the hardware."""
USER, ANSWER, END = "<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n", "<|im_end|>"
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}{{ '<image>' }}{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "{{ '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def tokenizer(language: Language) -> Any:
    """The language model's own, from what its file says, with the new words."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    numbers = {token: number for number, token in enumerate(language.tokens)}
    own = Tokenizer(models.BPE(numbers, list(language.merges), unk_token=language.tokens[0], fuse_unk=True))
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    own.decoder = decoders.ByteLevel()
    own.add_special_tokens([AddedToken(token, normalized=False) for token in (*language.special, *ADDED)])
    return own


class Speech:
    """Turns what is said into tokens."""

    def __init__(self, language: Language, picture_tokens: int) -> None:
        self._own = tokenizer(language)
        self.picture = [*self.read(AROUND + WHOLE), *self.read(IMAGE) * picture_tokens, *self.read(AROUND)]
        self.seen_from = 2
        """Where in a picture's tokens what is seen begins."""
        self.seen = picture_tokens
        self.begin = [*self.read(USER), *self.picture]
        """How a question begins whose first part is a picture."""
        self.end = self.read(END)

    def read(self, text: str) -> list[int]:
        tokens: list[int] = self._own.encode(text, add_special_tokens=False).ids
        return tokens

    def write(self, tokens: Sequence[int]) -> str:
        text: str = self._own.decode(list(tokens), skip_special_tokens=True)
        return text

    def question(self, parts: Sequence[str | int]) -> tuple[list[int], list[tuple[int, int]]]:
        """The tokens up to where the answer begins, and where which picture's tokens begin."""
        tokens: list[int] = []
        pictures = []
        words = USER
        for part in parts:
            if isinstance(part, str):
                words += part
                continue
            tokens += self.read(words)
            pictures.append((len(tokens), part))
            tokens += self.picture
            words = ""
        return [*tokens, *self.read(words + ANSWER)], pictures

    def answer(self, text: str) -> list[int]:
        return [*self.read(text), *self.end]
