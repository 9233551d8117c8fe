"""The phrases by which a chain of thought gives away what it is doing.

Rules, not a model: each is a plain phrase that people and models use, so that anybody can see why a sentence was put
where it was. They know English, and of Chinese the few turns that models think in most often.
"""

import re
from dataclasses import dataclass

_SEEN = r"(?:image|picture|photo|photograph|view|figure|map|board|maze|grid|chart|puzzle|scene|render(?:ing)?|plan)"
_ONE = (
    rf"(?:(?:the|this|that|both|all|each|every|our|my) )?(?:(?:first|second|third|fourth|last|original|street|"
    rf"satellite) )?{_SEEN}s?"
)
_NAMED = r"(?: (?:\d+|[a-h]|one|two|three|four|five|six)\b)?"
_LOOK = r"(?:look|looking|inspect|inspecting|examine|examining|check|checking|study|studying|zoom(?:ing)? in)"
_SURE = r"(?:let me|let's|let us|i'll|i will|i need to|i should|we should|we need to|i want to)"


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern and bits of words of which it needs at least one: most sentences have none, and are done with."""

    pattern: re.Pattern[str]
    hints: tuple[str, ...]

    def search(self, sentence: str) -> re.Match[str] | None:
        lowered = sentence.lower()
        return self.pattern.search(sentence) if any(hint in lowered for hint in self.hints) else None

    def count(self, sentence: str) -> int:
        return len(self.pattern.findall(sentence))

    def within(self, lowered: str) -> "Cue":
        """The same for sentences of one text, in small letters here: only hints that are in it matter."""
        return Cue(self.pattern, tuple(hint for hint in self.hints if hint in lowered))


def _any(*phrases: str, hints: str = "") -> Cue:
    return Cue(re.compile("|".join(f"(?:{phrase})" for phrase in phrases), re.IGNORECASE), tuple(hints.split("|")))


COLLECTING = _any(
    r"\bthe (?:question|task|problem|prompt|user|goal|puzzle|instruction)s? (?:asks?|is|wants?|says?|requires?|"
    r"states?|needs?)\b",
    r"\b(?:i|we) (?:am|are) (?:asked|given|told|shown)\b",
    r"\b(?:i|we)(?: have|'ve)? (?:to|need to|must|should) (?:find|determine|identify|figure out|count|work out|"
    r"match|list|name|work)\b",
    r"\b(?:the|this|each|in the) (?:rules?|legend|labels?|format)\b",
    r"\b(?:first|to start|to begin|start(?:ing)? by|begin(?:ning)? by)\b.{0,40}\b(?:look|list|describ|identif|"
    r"read|not|see|examin|observ|scan)",
    rf"\b(?:in|from|on) {_ONE}{_NAMED},? (?:i|we|there|you) (?:can )?(?:see|notice|observe|spot|is|are)\b",
    rf"\b{_ONE}{_NAMED} (?:shows?|contains?|depicts?|has|have|displays?)\b",
    r"\b(?:i|we) (?:can )?(?:see|observe|notice|spot)\b",
    r"\bthere (?:is|are|seems? to be|appears? to be)\b",
    r"\b(?:are|is) (?:labell?ed|marked|drawn|shown|placed|numbered|located)\b",
    r"\blet me (?:describe|list|read|note|understand|restate|transcribe|map out)\b",
    r"题目|需要(?:找|确定|判断)|图中|首先",
)
ANALYSING = _any(
    r"\b(?:if|suppose|assume|assuming|imagine|say) (?:i|we|it|the|that|this|so|block|piece|both|one|you|red|white)\b",
    r"\b(?:because|since|which means|this means|that means|implies|it follows|hence|this leaves|must be|"
    r"cannot be|can't be)\b",
    r"\b(?:option|candidate|choice|position|piece|move|block|cell|answer) \(?(?:[a-h]\d{0,2}|"
    r"\d+)\b\)?.{0,60}\b(?:would|could|match|fit|work|leads?|gives?|seems?|is not|isn't|doesn't|does not|wins?|"
    r"fails?|blocks?|clear)",
    r"\b(?:consider|considering|try|trying|compare|comparing|test|testing|rule out|ruling out|eliminate|"
    r"eliminating|evaluate|trace|tracing|follow|following)\b",
    r"\b(?:so|then|next|now),? (?:i|we|it|the|that|this|from|if|moving|going|turning)\b",
    r"\b(?:step|case|move) \d+\b",
    r"\b(?:but|however|on the other hand|alternatively|maybe|perhaps|probably|likely)\b",
    r"\b(?:matches|does not match|doesn't match|consistent with|fits|same (?:as|object|chair|one)|already counted)\b",
    r"\d\s*[+×x*=]\s*\d|->|→",
    r"如果|假设|因为|可能|或者|排除",
)
CONCLUDING = _any(
    r"\b(?:so|thus|therefore|hence|then),?(?: then,?)? (?:the |my |our )?(?:final |correct |right |"
    r"overall )?(?:answer|solution|result|conclusion|count|total|order|match)\b",
    r"^\W*(?:therefore|thus|in conclusion|to conclude|in summary|to sum up|overall|finally|summing up|"
    r"all in all|conclusion)\b",
    r"\b(?:final|my|the) (?:answer|solution|conclusion)(?: is| are| would be| must be|:)",
    r"^\W*(?:final )?answer\W*(?::|$)",
    r"\\boxed",
    r"\bi(?:'m| am)(?: now| fairly| quite| pretty)? (?:confident|certain|sure)\b",
    r"\b(?:i(?:'ll| will)?|let me|we(?:'ll| will)?) (?:go with|answer|settle on|conclude|respond with)\b",
    r"所以答案|因此答案|最终答案|综上|答案是|答案[:：]",
    hints=(
        "answer|solution|result|conclu|count|total|order|match|therefore|thus|summ|sum up|overall|finally|"
        "all in all|boxed|confident|certain|sure|go with|settle|respond|答案|综上"
    ),
)
VERIFYING = _any(
    r"\b(?:verify|verifying|verification|double[- ]?check(?:ing)?|sanity check|final check|confirm(?:s|ed|"
    r"ing)?|to be sure|cross-check|checks out|all (?:conditions|constraints) (?:hold|are met))\b",
    r"检查一下|验证",
    hints="verif|check|confirm|sure|all |检查|验证",
)
INTERRUPTION = _any(
    r"(?:^|[.,;:!?(\n—–-]\s*|\b(?:but|oh|and|so|no|hmm+),? )wait\b(?! (?:for|until|till|time|at)\b)",
    r"\bhmm+\b|\bhold on\b|\bhang on\b|\boops\b|\bwhoops\b|\bscratch that\b|\bnever ?mind\b",
    r"(?:^|[.;:!?(\n—–-]\s*)(?:but |oh,? |no,? |well,? )?actually\b",
    r"(?:^|[.;:!?(\n—–-]\s*)no, (?=that|it|this|i|the|wait|not)",
    rf"\b{_SURE} (?:re-?check|double[- ]?check|re-?count|re-?think|reconsider|re-?consider|re-?do|re-?read|"
    rf"re-?trace|start (?:over|again)|try again|think again|check (?:that|this|it|again))\b",
    r"\bon second thoughts?\b|\bi (?:made|may have made) (?:a|an) (?:mistake|error)\b|\bi (?:mis(?:read|"
    r"counted|took|judged))\b",
    r"\bthat(?:'s| is| was| can't be| cannot be) (?:not right|not correct|wrong|a mistake|right\?)",
    r"等等|等一下|不对|重新(?:想|考虑|检查)",
    hints=(
        "wait|hmm|hold on|hang on|oops|scratch|never|actually|no, |re-|rec|red|ret|rer|check|again|over|"
        "second thought|mis|error|wrong|not |right?|等|不对|重新"
    ),
)
AGAIN = _any(
    rf"\b(?:look|looking|looked|glance|glancing|go|going|went|turn|turning|return|returning|refer|referring|"
    rf"come|coming|back)\b(?: (?:back|again|closer|closely|once more|more closely|carefully))+(?: (?:at|to|"
    rf"into|in|on))? {_ONE}",
    rf"\b(?:re-?examin(?:e|ing)|re-?inspect(?:ing)?|revisit(?:ing)?|re-?check(?:ing)?|re-?look(?:ing)?|"
    rf"re-?view(?:ing)?|re-?count(?:ing)?|re-?trac(?:e|ing)|re-?scan(?:ning)?)(?: (?:at|of|in|on|"
    rf"the [a-z]+ (?:in|of|on)|it (?:in|on)|them (?:in|on)))? {_ONE}",
    rf"\b(?:in|at|from|on|of) {_ONE}{_NAMED},? (?:once )?(?:again|more)\b",
    rf"\b(?:again|once more),? (?:in|at|from|on) {_ONE}",
    rf"\b{_LOOK}(?: (?:at|on|into))? {_ONE}{_NAMED}(?: [a-z]+){{0,2}} (?:again|once more|more closely|"
    rf"more carefully)\b",
    rf"\ba (?:second|closer|another|fresh) look(?: at)? {_ONE}",
    r"\b(?:look|looking)(?: at [a-z0-9 ]{1,24})? (?:again|more closely|closer|once more)\b",
    r"再看|重新看|回到图|回头看|仔细看",
    hints="again|back|clos|more|care|re-|ree|rei|rev|rec|rel|ret|res|fresh|another|second|再|重新|回|仔细",
)
"""The picture is gone back to in so many words."""
LOOKING = _any(
    rf"\b{_LOOK} (?:at|on|into|through) {_ONE}",
    rf"\b{_LOOK} {_ONE}",
    rf"\b(?:{_SURE}|back to) {_LOOK}(?: (?:at|on))? {_ONE}",
    rf"\baccording to {_ONE}",
    rf"\bback (?:to|at) {_ONE}",
    hints="look|inspect|examin|check|study|zoom|according|back",
)
"""The picture is looked at; once the first stage is over, that is going back to it."""


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues that are looked for in every sentence of a text."""

    concluding: Cue
    verifying: Cue
    interruption: Cue
    again: Cue
    looking: Cue


def cues_within(text: str) -> Cues:
    """The cues for the sentences of one text."""
    lowered = text.lower()
    return Cues(*(cue.within(lowered) for cue in (CONCLUDING, VERIFYING, INTERRUPTION, AGAIN, LOOKING)))
