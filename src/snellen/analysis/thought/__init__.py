"""How a reply thinks aloud: its stages, how often it goes back to the picture, how often it interrupts itself.

`annotate` turns a text into labelled spans by rules; anything with the same signature (a model, say) can take its
place. `chain` makes numbers of them.
"""

from snellen.analysis.thought.chain import DECILES, Chain, chain
from snellen.analysis.thought.sentences import words
from snellen.analysis.thought.spans import MARKS, STAGES, Annotator, TextSpan, annotate

__all__ = ["DECILES", "MARKS", "STAGES", "Annotator", "Chain", "TextSpan", "annotate", "chain", "words"]
