"""The grammar of claims: how a reply calls a label its answer, or says of it what was asked for.

Every line is a pattern over tags (see `lexicon`). `LABEL` holds the name that is claimed; where a pattern has a group
`role`, the words in it say what is claimed of it.
"""

import re
from functools import cache

from snellen.answer.lexicon import pattern

_SAID = "(?: LABEL AFTER UNIT | WEAK )"
_NO_Q = r"(?! \? )"
_OPENS = r"(?: THEY WOULD? SAY IT? WHO? [,:]? )?"
_HERE = r"(?: WORLD [,:]? )?"

WHOLE = (
    r"(?: WORLD [,:]? )? (?: THEY WOULD? SAY WHO? [,:]? )? (?: THINK | SURELY | HENCE | IT IS | IT "
    r"WOULDBE | IT LOOKS | "
    r"LOOKS | WHO | PREP | AN | [,:] | ME AM NOT (?: FAIRLY | \# % )? CERTAIN ,? BUT | ME WOULD? CHOOSE )*? "
    r"(?: THE | AN )? NOUNS{0,2} (?: WHO PLAYS THE? | NAMED THE? )? (?: NOUN \#? )? \({0,2} (?P<label> [LKZ] ) "
    r"(?: L ){0,3} AFTER UNIT (?: ,? (?: CLOSE | OF THE NOUN | ME WOULD? CHOOSE | LOOKS THE? (?: BETTER | TRUE ) ) )*"
)
LINE = r"(?: ^ | (?<= \n ) ) ORNAMENT NOUNS? \(? (?P<label> [LKZ] ) [)*.,!o|-]{0,9} (?= \n | $ )"
STATED = (
    rf"ANSWERS ASIDE OF_IT (?: LEADS | WOULDBE :? \n? ) SURELY* {_HERE} {_OPENS} SURELY* PREP? AN? {_SAID}",
    rf"ME WOULD* CHOOSE WHO? :? {_SAID}",
    rf"(?: ME AM | ME WOULD IS | SENTENCE ) CHOOSING {_SAID} (?= [.,;:!(\n] | $ | BECAUSE | THERE )",
    rf"ME AM FAIRLY? CERTAIN WHO? IT IS {_SAID}",
    rf"HENCE [,:]? \n? (?: IT IS )? SURELY* PREP? {_SAID} ENDS",
)
CALLED = (rf"(?P<label> L ) AFTER ASIDE (?: IS | WOULDBE ) SURELY* THE (?: GOOD | FINAL )* ANSWERS {_NO_Q}",)

CORRECTED = (
    r"(?: ^ | [.,;:!?\n(-] ) WAIT (?: [,:;.!-]{1,3} WAIT ){0,3} (?: [,:;.!-] | (?<! NO ) ) [,:;.!-]{0,3} "
    r"(?: IT IS | IT WOULD IS | THE? GOOD? ANSWER IS )? SURELY* PREP? AN? LABEL AFTER ENDS",
    r"STARTS WAIT [^LK\n]{1,30} IT (?: IS | WOULD IS ) SURELY* LABEL AFTER LAST",
    r"ME (?: WOULD | SURELY ){0,2} CHANGE (?: IT | THE ANSWER | THE? ANYWORD )? (?: TO | : | ,? AND "
    r"CHOOSE )? LABEL AFTER ENDS",
    r"NOT PREP? THE? NOUN? L AFTER (?: , [^.!?\n]{1,20} (?= , ) )? ,? BUT PREP? AN? LABEL AFTER ENDS",
    r"SENTENCE NOT THE? NOUN? L AFTER [;,.:] LABEL AFTER LAST",
)
CHOSEN = (
    r"(?: IT | WHO | ANYWORD [^.!?\n]{0,12}? ) LEAVES ANYWORD? ONLY? LABEL AFTER AS_RIGHT ENDS",
    r"(?: SENTENCE | , ) > LABEL AFTER LAST",
    r"TOTAL [:=] LABEL AFTER ENDS",
    r"IT (?: IS | WOULDBE ) NAMED (?: AN | THE )? LABEL AFTER THERE (?: ENDS | (?= [,;] ) )",
    r"CORRECTS (?! ANSWERS ) [^.!?\n]{1,20} : LABEL AFTER LAST",
    r"SOLE (?: SOLE )* (?: NOUNS | ONE ) IS LABEL",
    r"(?: NOUNS | ONE ) (?: WHO IS )? LEFT_OVER IS LABEL",
    r"(?: STARTS | HENCE ,? | AND ,? ) HENCE? ONLY LABEL AFTER REMAINS",
    r"ME (?: AM | WOULD )? LEAN PREP? LABEL AFTER",
    r"THE BET IS PREP LABEL",
    r"WHO (?: (?: IS | WOULDBE | POINTS ) NOUNS | POINTS NOUNS? ) \(? (?P<label> L ) AFTER ENDS",
    r"STARTS HENCE? NOUNS? (?P<label> L ) AFTER IT IS ENDS",
    r"STARTS HENCE [^.!?\n:]{1,20} : LABEL AFTER LAST",
    r"HENCE ,? THEY WOULD? SAY [,:]? (?: IT IS )? PREP? (?: AN | THE )? LABEL AFTER ENDS",
    r"FINAL (?: NOUNS | ANYWORD )? (?: : | IS | > | = ) LABEL AFTER ENDS",
    r"HENCE ,? NOUNS? (?P<label> L ) AFTER IS (?: IT | THE (?: GOOD | TRUE )? (?: ONE | THING ) ) ENDS",
    r"(?: BUT | HENCE ) ,? [^.!?\nLK]{0,10} IT IS SURELY* LABEL AFTER ENDS",
    r"REPLY : LABEL AFTER LAST",
    r"(?: (?<= SPOKEN [.!?] ) | (?<= \) [.!?] ) ) \n? LABEL AFTER LAST",
    r"(?<= [^\n] \# [.!?] ) LABEL AFTER LAST",
    r"(?<= SPOKEN L [.!?] ) LABEL AFTER LAST",
)
NO_ROLE = (
    rf"(?P<label> L ) AFTER ASIDE (?: IS | WOULDBE ) SURELY* (?: CORRECT | THE TRUE THING ) (?: ENDS | (?= "
    rf"[,;] ) ) {_NO_Q}",
    r"CAPTION (?: FITS | IS ONLY? TRUE ) OF? ONLY? LABEL AFTER ENDS",
    r"(?: TRUE THING | THING WHO IS TRUE ) (?: OF THE? [LKw] )? IS SURELY* AN? LABEL",
    r"STARTS HENCE? NOUNS? (?P<label> L ) AFTER IS THE ONE ENDS",
    r"STARTS (?: HENCE | AND )? ,? IT POINTS LABEL AFTER ENDS",
    r"(?: IT IS | WHO IS ) SURELY? WHAT LABEL [^.!?\n]{0,6} SHOWS LAST",
    r"(?P<label> L ) AFTER IS WHAT (?: REMAINS | LEFT_OVER ) ENDS",
    r"SENTENCE BECAUSE [^.!?:\n]{1,30} : LABEL AFTER LAST",
    r"> LABEL AFTER LAST",
    r"(?: (?<= [.!?\n] ) | (?<= BUT ) ) HENCE? BUT? (?: HERE | PREP THE NOUN )? ,? IT IS SURELY* PREP? "
    r"AN? LABEL AFTER LAST",
    r"CLASSIFY (?: IT NOUN? | THE NOUN? ANYWORD NOUN? )? AS LABEL",
    rf"(?P<label> L ) AFTER ASIDE (?: IS | LOOKS ) SURELY* THE? BETTER {_NO_Q}",
    r"FITS LABEL AFTER BETTER_WORD",
    r"IS PREP? LABEL AFTER ,? WHILE? NOT PREP? THE? NOUNS? L",
    r"STARTS HENCE? ONLY OPTION \(? (?P<label> L ) AFTER ANYWORD [^.!?\n]{0,24} LAST",
)
CHARTS = (
    r"FORMS (?: AN | THE )? NOUN? LABEL AFTER ENDS",
    r"CROSSES (?: ONLY | SURELY | OF_THEM ){0,2} (?P<label> [LK] ) AFTER (?: (?= [.,;:!\n] ) | $ )",
    r"REACHES (?: PREP | TO ) THE? (?: NOUN \#? )? (?P<label> [LK] ) AFTER (?: (?= [.,;:!\n] ) | $ )",
)
SAID_THERE = (r"THEY WOULD? SAY (?P<said> [^.!?;,:\n]{1,20}? ) (?= BECAUSE | [.!;,:\n] | $ )",)
YES_OR_NO = (
    r"(?<= [.!?\n] ) (?P<label> L ) , [^.!?\n]{1,24} LAST",
    r"^ (?: (?! MAY | THEY | KIND | WOULD | FIRST | NOT | WRONG | NOUNS ) ANYWORD ){1,6} : (?P<label> L ) "
    r"(?: , IT IS NOT? )? LAST",
)
FITTING = (
    r"(?: STARTS | (?<= HENCE ) | (?<= BUT ) | (?<= IS ) ) LABEL AFTER ASIDE WHO? SURELY* "
    r"(?: FITS (?: OF? THE? SCENE )? WELL? | IS TRUE OF? (?: THE? SCENE )? ) (?: ENDS | (?= [,;] | WHILE "
    r"| BECAUSE ) )",
)
SORTED = (
    r"THE? (?: QUERY | T ) NOUN? (?: SURELY )* (?P<deny> WOULD NOT )? (?: BELONGS OF | FITS PREP? ) (?: THE )? "
    r"(?P<label> L ) (?: "
    r"PLURAL | TAIL )? ENDS",
    r"THE? (?: QUERY | T ) (?: IS | LOOKS ) SURELY* LIKENS THE? (?P<label> L ) (?: PLURAL | TAIL )? ENDS",
    r"ME WOULD? SAY (?P<label> L ) (?: TAIL )? ENDS",
    r"ME WOULD? PUT THE? (?: QUERY | T ) NOUN? OF THE? (?P<label> L ) (?: PLURAL | TAIL )? ENDS",
)

# What is asked for: who has won, who is the loser, which of them is KAP

_ROLE = "(?: THE? PARTY WHO (?: HAVE? (?: WIN | LOSE ) | IS T ) | WINNER PARTY? | LOSER PARTY? | T PARTY? | U PARTY? )"
_THE_GAME = r"(?= [.,;:!)(\n-] | $ | GAME_ON | HERE | \# PREP | THE VICTORY )"
_NOT_USUALLY = r"(?! \? | OF THE? USUAL | USUAL | WHEN | OR )"
OUTCOMES = (
    rf"(?P<role> {_ROLE} ) ASIDE OF_IT (?: LEADS | WOULDBE | BELONGS TO ) SURELY* LABEL AFTER (?P<ends>)",
    rf"(?P<role> {_ROLE} ) > ANYWORD{{1,5}} > LABEL AFTER ASIDE ENDS",
    rf"(?P<label> L ) AFTER ASIDE (?: , [^,.!?\nLK]{{1,10}} (?= , ) )? "
    rf",? (?: HAVE | WHO | SURELY ){{0,2}} (?: (?P<role> WIN | LOSE ) {_THE_GAME} | "
    rf"BECOMES (?: SURELY | PREP ){{0,2}} THE? (?P<noun> {_ROLE} ) ) {_NOT_USUALLY}",
    r"(?: STARTS | HENCE ,? | AND ,? | BUT ,? ) (?P<role> WIN | LOSE ) LABEL AFTER (?= [.,;:!(\n-] | $ | "
    r"NAMED | ANYWORD )",
    rf"(?P<label> L ) AFTER (?: (?! MAY | WHEN | NOT | OR | WOULD ) (?: ANYWORD | [()] ) ){{1,12}} AND HENCE? "
    rf"(?: (?P<role> WIN | LOSE ) | IS SURELY? THE (?P<noun> {_ROLE} ) ) (?= [.!\n] | $ | HENCE )",
    r"(?P<role> TRIUMPH ) OF LABEL AFTER (?= [.,;!(\n] | $ )",
    r"(?P<label> L ) AFTER HAVE? (?P<role> BEATS ) THE? NOUNS? L AFTER (?= [.,;!(\n] | $ | GAME_ON )",
    r"(?: MAKING | GIVES ) LABEL AFTER THE (?P<role> VICTORY ) (?= [.,;!(\n] | $ )",
    r"(?: VICTORY IS (?P<role> WIN | LOSE ) OF | (?P<noun> VICTORY ) SURELY* BELONGS TO | GIVES (?: IT | THE "
    r"VICTORY ) TO ) LABEL AFTER (?= [.,;!(\n] | $ )",
    r"PARTY ANYWORD{0,8}? (?P<role> WIN | LOSE ) (?: THERE | PREP THE ANYWORD )? (?: : | , (?: WHO IS | "
    r"HENCE ) | ; IT IS ) (?: IT IS )? "
    r"LABEL AFTER (?= [.,;:!(\n] | $ )",
    rf"(?<! = ) (?P<label> L ) [=>] (?P<role> {_ROLE} ) (?= [.,;:!)\n] | $ )",
    rf"(?: MAKING | LEAVES | HENCE IS | (?<= T ) AND | (?<= U ) AND ) LABEL AFTER AS? THE? (?P<role> {_ROLE} ) (?= "
    rf"[.,;:!\n] | $ | AND )",
)

# A move, and what is wrong

_AT = r"(?: TO? PLAY (?: [^.,;:!?\n]{1,3}? )? )? PREP? THE? CELLNAME? \(? (?P<label> L ) AFTER"
MOVES = (
    rf"GOOD{{1,3}} CELLNAME (?! OF THE? OPPONENT ) OF_IT LEADS SURELY* {_AT} {_NO_Q}",
    rf"ANSWER LEADS SURELY* {_AT} {_NO_Q}",
    rf"HENCE [,:]? (?: ME | ANYWORD ) WOULD? TO? PLAY {_AT} {_NO_Q} ENDS",
    rf"(?: ME | ANYWORD ) WOULD TO? PLAY? {_AT} {_NO_Q} ENDS",
    rf"SENTENCE HENCE? PLAY {_AT} (?= [.!,;(\n] | $ | BECAUSE )",
    rf"(?: ME | SENTENCE ANYWORD ) WOULD TO? PLAY {_AT} (?= [,;(] | BECAUSE )",
    rf"SENTENCE THE? CELLNAME LEADS {_AT} (?= [.!,;(\n] | $ | BECAUSE )",
)
MOVE_IS = (rf"(?P<label> L ) AFTER ASIDE (?: IS | WOULDBE ) SURELY* THE GOOD{{1,3}} CELLNAME {_NO_Q}",)
_NTH = r"THE? THING{0,2} (?: OF THE? THING )? \(? (?P<label> L ) AFTER"
WRONG_IS = (
    rf"WRONG THING OF_IT LEADS SURELY* {_NTH} {_NO_Q}",
    rf"(?: ^ | (?<= \n ) ) WRONG : {_NTH} {_NO_Q} ENDS",
    rf"ALL THING? IS TRUE EXCEPT {_NTH}",
    rf"THING WHO IS WRONG LEADS SURELY* {_NTH} {_NO_Q}",
)
IS_WRONG = (
    rf"THING? (?P<label> L ) AFTER ASIDE (?: IS SURELY* THE? (?: WRONG | NOT TRUE ) | HAVE (?: THE | AN ) "
    rf"WRONG THING | "
    rf"WOULD NOT FIT ) THING? {_NO_Q} (?! WHEN | OR )",
)
RIGHT_IS = (rf"TRUE THING LEADS SURELY* {_NTH} {_NO_Q} ENDS",)

# Numbers

COUNTS = (
    r"(?: THERE IS | (?: IT ANYWORD? | THERE | THE (?! PLACE ) (?: ANYWORD | NOUN ) (?: PREP THE NOUN )? "
    r"| HERE ) ,? SURELY? HOLDS | MAKING | "
    r"WE WOULD? SEE | IT IS | (?<= , ) HENCE | TOTAL (?: OF ANYWORD{1,5}? )? (?: IS | [=:|] ) | (?<! PLACE ) HAS ) "
    r"OF_THEM{0,2} (?P<label> L ) (?: (?! STOP | PREP | OF | OPEN_NUMBER ) ANYWORD ){0,3} "
    r"(?! (?: \( [^()\n]{0,10} \) )? [+*×] L | ADDITION | OF THE? PLACE ) (?= [.!,;\n(|] | $ | OF | IS | PREP )",
    r"(?P<label> L ) ANYWORD{0,2} IN_TOTAL (?= [.!,;\n] | $ )",
    r"= (?P<label> L ) UNIT [.!]? (?: \n | $ )",
)


TOLD = r"L (?: TAIL )? TOLD_UNIT | (?: ^ | TOLD_BY | [:=-] ) (?: OF_THEM | AN ){0,3} \(? L"
PREDICATED = (
    r"PREDICATE (?: FILLER | NOUNS ){0,4} \(? L AFTER (?: (?: OF | THE ) [^,;]{0,14} )? "
    r"(?= [.,;:!()\n-] | $ | BECAUSE )",
    r"L AFTER (?: DOES | IS IS_WHAT )",
    r"^ NOUNS? L AFTER (?: [.,;:!(] | $ )",
    r"NO L | THERE IS L | \( NOUN? L \) [.!]? $ | ^ THE? (?: L HALFNOUN | HALFNOUN L ) IS",
    r"IS NAMED (?: AN | THE )? L AFTER THERE [.!]? $",
    r"WORLD [^.!?\n]{0,20} NAMED (?: AN | THE )? L [.!]? $",
    r"(?: IS | IT IS ) (?: AN | THE )? ANYWORD? L ANYWORD [.!]? $",
)
"""Where a single sentence asserts a label, not just mentions it."""


_UNIT = re.compile(r"(?<!\S)UNIT(?!\w)")


@cache
def compiled(patterns: tuple[str, ...], *, units: bool = False) -> tuple[re.Pattern[str], ...]:
    """The patterns; `units`: words that say what is counted may follow a label ("4 legs")."""
    unit = "(?: (?! STOP ) ANYWORD ){0,3}" if units else ""
    return tuple(pattern(_UNIT.sub(unit, text)) for text in patterns)
