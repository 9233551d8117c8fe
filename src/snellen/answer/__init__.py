"""Reading an answer: from the words of a reply to a label, a number or a text, or to an honest "unread".

The reader never guesses. It reads what a reply states as its answer, and abstains, saying why, where a reply refuses,
breaks off, hedges or merely mentions a label. `docs/reading-answers.md` lists the rules.

    values   what a reading and a verdict are
    repeats  what a reply says over and over is shortened: the budget of all patterns
    tidy     markup, LaTeX, quotes and look-alike letters away, positions kept
    naming   labels and numbers in the tidy text become single characters, so that one grammar serves all
    rules    the grammar: a table of small rules, each finding candidates
    judging  labels judged as such: "caption B fits", a verdict on each
    plainly  what is seen on charts, in everyday words (`chart_words` knows those, `hedges` leaves doubts out,
             `emptiness` finds that nothing is there, `denials` what is denied, or left open between two)
    fields   answers of several named parts (`statements` finds them by `heads`, `orders` and `listing`; `field_values`
             reads each)
    verifiers  what decides where comparing with a key is not enough (`matching`: things of several names)
    reader   `read` and `mark`: order, abstention and reasons
"""

from snellen.answer.comparing import normal
from snellen.answer.explaining import Explanation, explained
from snellen.answer.reader import READER, mark, read
from snellen.answer.values import OUTCOMES, Outcome, Reading, Reason, Verdict

__all__ = ["OUTCOMES", "READER", "Explanation", "Outcome", "Reading", "Reason", "Verdict", "explained", "mark", "normal", "read"]
