"""A fence around somebody else's words, so that whoever reads them can tell where they begin and end.

The marks of the fence hold a digest of the words themselves: words that wanted to close the fence early would have to
hold their own digest. What only looks like a mark, or would steer a chat model, is made harmless first.
"""

import re
import unicodedata

from snellen.answer.tidy import TAIL
from snellen.item import content_digest

_CONTROL = re.compile(
    r"<(?=\|)|(?<=\|)>|<(?=/?(?:s|bos|eos|pad|unk|think|thinking|thoughts?|reasoning|scratchpad|system|user|assistant|"
    r"start_of_turn|end_of_turn|im_start|im_end|eot_id|human|tool_call|function_calls)\b)|\[(?=/?(?:INST|SYS)\b)|(?<=<)<(?=/?SYS)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\[［【〔⟦](\s*(?:begin|end)\b)", re.IGNORECASE)


def fenced(words: str) -> str:
    """The words between two marks that do not occur in them."""
    mark = content_digest(words)[:16]
    return f"[begin {mark}]\n{words}\n[end {mark}]"


def harmless(words: str) -> str:
    """Somebody's words as another model may see them: their end, if they are very long; nothing invisible, no control
    words, no marks. What a person would read in them stays."""
    text = "".join(char for char in words[-TAIL:] if char in "\n\t" or unicodedata.category(char)[0] != "C")
    text = _CONTROL.sub(lambda sign: f"{sign[0]} ", text)
    return _MARKS.sub(r"(\1", text)
