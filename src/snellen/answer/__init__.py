"""Reading an answer: from the words of a reply to a label, a number or a text, or to an honest "unread".

The reader never guesses. One pass turns a reply into **claims**: a value, what it is claimed of (the answer, what is
asked, its opposite, the kind in general, a part, something else), and a stance (given, concluded, considered, denied).
One ranking picks the answer: the last claim that calls something the answer wins; without one, what is said of the
thing asked for, if all such claims agree or the last one concludes; without that, what the reply opens with or comes
to. The words it knows are data, by role (`lexicon.toml`; `tongues.txt` for other languages). More is in
`docs/reading-answers.md`.

    values      what a reading, a verdict and a claim are
    tidy        markup, LaTeX, quotes and look-alike letters away, positions kept (`repeats` shortens loops)
    tongues     the words that matter in other languages, put into English
    naming      labels and numbers become single characters, under all the names they go by
    lexicon     words by role, and the notation of the grammar; `tags` turns a reply into one tag for each word
    grammar     how labels are called the answer, or what is asked for: patterns over tags
    claims      what patterns find and how it is meant; `judging`, `counting` and `endings` add their kinds
    restating   answers in the words of the question
    boxes       answers in a box, in braces, in JSON (`structured`)
    charts      short replies to eye charts; `worlds`: things compared, words of other worlds
    chart_rows  an eye chart read line by line
    ranking     which claim is the answer; `explaining` shows it
    fields      answers of several named parts: where they may stand, which statement counts, whether it is right
    layouts     how parts are stated: names and values in lines, sentences, tables, lists (`field_names`, `zones`)
    field_values  one part's value by its kind: label, number, set, text
    verifiers   what decides where comparing with a key is not enough (`matching`)
    reader      `read` and `mark`: preparation, abstention and reasons

Names are imported when first used: whoever looks at results knows outcomes, and reads no answer.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from snellen.answer.values import OUTCOMES, Outcome, Reading, Reason, Verdict

if TYPE_CHECKING:
    from snellen.answer.comparing import normal
    from snellen.answer.explaining import Explanation, explained
    from snellen.answer.reader import READER, mark, read

__all__ = [
    "OUTCOMES",
    "READER",
    "Explanation",
    "Outcome",
    "Reading",
    "Reason",
    "Verdict",
    "explained",
    "mark",
    "normal",
    "read",
]

_HOMES = {
    "READER": "reader",
    "Explanation": "explaining",
    "explained": "explaining",
    "mark": "reader",
    "normal": "comparing",
    "read": "reader",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'snellen.answer' has no attribute {name!r}")
    return getattr(import_module(f"snellen.answer.{_HOMES[name]}"), name)
