"""The words and phrases by which a sentence gives away its stage.

Rules, not a model: every entry is something that people and models say, so that anybody can see why a sentence was put
where it was. They know English, and of Chinese the turns that models think in most often.
"""

import re

from snellen.analysis.thought.cues import Cues, Weights, any_of, cue, word_set

PICTURES = (
    "image images picture pictures photo photos photograph photographs pic view views figure figures map maps board"
    " maze grid chart plot puzzle scene scenes shot shots frame frames panel panels screenshot diagram drawing plan"
    " example examples query satellite"
)
"""What is looked at as a whole."""
PARTS = (
    "row rows column columns cell cells corner corners edge edges border tile tiles piece pieces fragment slot slots"
    " bar bars axis axes slice slices label labels legend stone stones square squares area areas region regions"
    " junction wall walls line lines curve block blocks option options position positions spot part parts section"
    " detail details quadrant object objects shape shapes gap opening"
)
"""What is looked at within it."""
PICTURE, PART = any_of(PICTURES), any_of(PARTS)
NUMBER = r"(?:\d{1,3}|[a-z]\d{0,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|next|other|upper|lower|top|middle|bottom|"
    r"left|right|center|centre|leftmost|rightmost|positive|negative|\d{1,2}(?:st|nd|rd|th))"
)
I_DO = (
    r"(?:let me|let's|let us|i'll|i will|i need to|i should|we should|we need to|i want to|i have to|we'll|i'd better)"
)

COLLECTING_WORDS = word_set(
    "see notice observe spot shows show shown showing contains containing depicts depicting displays presents features"
    " labeled labelled marked numbered titled scattered arranged given overview layout legend describe transcribe"
    " consists plots reads surrounded located"
)
ANALYSING_WORDS = word_set(
    "because since thus hence therefore but however though although yet whereas while then if unless otherwise would"
    " could must cannot can't couldn't might may maybe perhaps likely probably presumably surely seems suggests implies"
    " meaning means consistent inconsistent same different distinct identical duplicate duplicates overlap overlaps"
    " match matches matching fit fits fitting corresponds correspond continues connects differs suppose assume assuming"
    " consider considering try trying test compare comparing rule ruled rules eliminate eliminates eliminated exclude"
    " excludes excluded excluding leaves remains remaining possible impossible plausible possibility alternative"
    " alternatively instead either neither both only twice already blocks blocked blocking blocker reach reaches leads"
    " goes go going turn turning follow following moves moving moved slides free dead fork path route corridor"
    " wins loses win lose threat completes complete swap swapping becomes double doubling times sum total plus minus"
    " rather hypothesis criterion concept explains explanation separates holds clearly obviously qualifies satisfies"
    " candidates candidate expect expected needs required requires need resembles inverse opposite conversely"
    " so doesn't isn't don't won't wouldn't enough too better worse larger smaller"
)
CONCLUDING_WORDS = word_set(
    "answer answers conclude concluding conclusion final finally finalizing overall verify verified verifying"
    " verification double-check double-checking confirms confirmed confirming settle settling winner"
)


_TASKS = "question task problem prompt user goal puzzle instruction instructions modification rule aim objective"
TAKING_IN = Cues(
    cue(
        _TASKS,
        rf"\b(?:the|this|my|our) (?:\w+ )?{any_of(_TASKS)}(?: here)?(?: \w+)? (?:asks?|is|wants?|says?|requires?|"
        r"states?|needs?|demands?|gives?|tells?|stipulates?|reads|are|concerns?)\b"
        r"|\b(?:the|this) (?:modification|goal|task|question|rule)s?:",
        collect=2,
    ),
    cue(
        "am are i'm we're i've we've",
        r"\b(?:i|we)(?:'m| am|'re| are|'ve been| have been|'ve)\s(?:asked|given|told|shown|tasked|faced|got|presented|"
        r"provided)\b",
        collect=2.5,
    ),
    cue(
        "they user ask asks asked wanted",
        r"\b(?:they|the user) (?:ask|want|would like|'d like)\b|\b(?:is|are) (?:asked(?: for)?|wanted|to be found)\b",
        collect=1.6,
    ),
    cue(
        "need have want must should",
        r"\b(?:i|we)(?:'ll)? (?:need|have|want|must|should|would need)(?: to)? (?:find|determine|identify|figure|count|"
        r"work out|match|list|name|decide|say|tell|understand|answer|the (?:number|total|count|move)|locate|see)\b",
        collect=1.2,
    ),
    cue(
        "this it it's",
        r"^\W*(?:\w+,? ){0,3}?(?:this|it)(?: is|'s) an? [\w -]{0,30}(?:puzzle|problem|game|board|maze|grid|chart|"
        r"jigsaw|matrix|task|position|map|plot|\d+ ?(?:x|by|×) ?\d+)",
        collect=2,
    ),
    cue(
        "let let's i'll i i've start starting begin beginning first",
        r"\b(?:let me|let's|i'll|i will|i've begun by|start(?:ing)? by|begin(?:ning)? by|first,?)\b.{0,24}\b(?:"
        r"look(?:ing)? at the|describ\w+|list|read|transcrib\w+|understand\w*|examin\w+|go through|work through|see|"
        r"tackle|pars\w+|count the|start by|identify|scan|note)\b",
        collect=1.2,
    ),
    cue("there there's", r"\bthere(?:'s| is| are| was| were| seems? to be| appears? to be)\b", collect=0.9),
    cue("see notice spot observe", r"\b(?:i|we|you)(?: can| also)? (?:see|notice|spot|observe)\b", collect=0.6),
    cue("looking on in", rf"^\W*(?:looking at|on|in) (?:the|this|these) (?:\w+ ){{0,3}}?{PICTURE}\b", collect=1),
)
WEIGHING = Cues(
    cue("has have had needs", r"\b(?:has|have|had|needs) to \w", analyse=0.8),
    cue(
        "which this that",
        r"\b(?:which|this|that) (?:means|leaves|gives|makes|suggests|tells|implies|eliminates|rules|would|puts|lets|"
        r"could|might|must|is why|allows|explains)\b",
        analyse=1.2,
    ),
    cue(
        "from starting continuing going after moving up down left right",
        r"^\W*(?:from|starting|continuing|going|after|moving|up|down|left|right)\b[^.]{0,40}\b(?:to|left|right|up|down|"
        r"i can|we can|you can|there's|leads?|goes|only way|reach|pass)\b",
        analyse=1,
    ),
    cue("step case try", r"^\W*(?:step|case|try) \d+\b", analyse=1),
    cue(
        "what how is are does do can could would",
        r"^\W*(?:(?:so|but|and|or|now|then|well),? )?(?:what (?:about|if)|how about|is|are|does|do|can|could|would)\b"
        r"[^?]*\?",
        analyse=1.2,
    ),
    cue("i i'd", r"\bi(?:'d| would)? (?:think|assume|guess|treat|lean|say|suspect|believe)\b", analyse=0.8),
    cue(
        "now next let let's i'll",
        r"\b(?:let me|let's|i'll|now|next),? (?:try|consider|test|compare|trace|check|evaluate|think|suppose|apply|add|"
        r"work out|figure|i need to figure|we swap)\b",
        analyse=1.2,
    ),
    cue("one another", r"\b(?:one|another) (?:possibility|option|idea|alternative|explanation)\b", analyse=1.2),
)
ANSWERING = Cues(
    cue(
        "answer answers solution conclusion result",
        r"\b(?:final|my|the|correct|right) (?:final |correct |overall )?(?:answer|solution|conclusion|result)s?(?: for"
        r" \w+ \w+| here)?(?:\*\*)?(?:\s*:| is\b| are\b| would be\b| must be\b| should be\b| remains\b)"
        r"|^\W*(?:final |my )?(?:answer|solution|result|conclusion)s?\b\W*(?::|$|\n)"
        r"|\b(?:so|thus|therefore|hence),? (?:the |my )?(?:final )?answer\b",
        conclude=3.5,
    ),
    cue("boxed", r"\\boxed", conclude=4),
    cue("final finally", r"^\W*(?:okay,? |so,? )?final(?:ly)?\b(?: \w+){0,2}\W*[:,]", conclude=2.5),
    cue("therefore thus hence", r"^\W*(?:therefore|thus|hence)\b", conclude=1.6),
    cue("so", r"^\W*so\b(?!,? (?:let|if|maybe|perhaps|far|then|we|i need|i have|for|now|first))", conclude=0.7),
    cue(
        "so total giving",
        r"\b(?:so|giving|total|grand total),? (?:the |my |our )?(?:final |overall )?(?:total|count|order|path|route|"
        r"match|winner|loser|numbers?)\b",
        conclude=1.6,
    ),
    cue(
        "conclusion conclude summary sum summing overall all short",
        r"^\W*(?:in conclusion|to conclude|in summary|to sum up|summing up|overall|all in all|conclusion|in short|my "
        r"conclusion)\b",
        conclude=3,
    ),
    cue(
        "go going answer settle settling conclude respond classify pick choose",
        r"\b(?:i(?:'ll|'d| will| would|'m)?|let me|we(?:'ll| will)?) (?:go(?:ing)? with|answer|settl(?:e|ing) on|"
        r"conclude|respond with|classify|pick|choose)\b",
        conclude=2.5,
    ),
    cue(
        "confident certain sure",
        r"\bi(?:'m| am)(?: now| fairly| quite| pretty| very)? (?:confident|certain|sure)\b",
        conclude=1.5,
    ),
    cue("winner", r"\bwinner\W{1,4}(?:is\W{1,4})?\w+\W{0,5}$", conclude=1.5),
    cue("is", r"\bit is\W*$", conclude=1),
    cue(
        "verify verified double-check double-checking double quick sanity sanity-check cross-check final checks"
        " re-running",
        r"\b(?:verify|verified|double[- ]check(?:ing)?|quick check|sanity[- ]check|final check|cross-check(?:ing)?|"
        r"checks out|re-running)\b",
        conclude=0.9,
    ),
    cue(
        "yes great good perfect nothing that every this it all",
        r"^\W*(?:yes,?|great|good|perfect|nothing there|all (?:good|set)|that works|every step|this confirms|it works|"
        r"that matches)\b",
        conclude=0.5,
    ),
)
CHINESE: tuple[tuple[re.Pattern[str], Weights], ...] = (
    (re.compile(r"题目|需要(?:找|确定|判断|数)|图中|首先|我们来看|图里有|要求"), (1.6, 0.0, 0.0)),
    (re.compile(r"如果|假设|因为|可能|或者|排除|应该|那么|不过|那就|所以"), (0.0, 1.2, 0.0)),
    (re.compile(r"所以答案|因此|最终|综上|答案|所以一共"), (0.0, 0.0, 2.6)),
    (re.compile(r"检查一下|验证"), (0.0, 0.0, 1.0)),
)
HEADINGS = (
    word_set(
        "examining reading understanding identifying studying extracting interpreting setting initial observations"
        " defining assessing deciphering observing reviewing describing decoding parsing inspecting counting initiating"
        " matching determining surveying scanning gathering framing"
    ),
    word_set(
        "tracing comparing evaluating forming mapping applying planning narrowing checking considering testing"
        " exploring eliminating assigning looking re-evaluating reevaluating reconsidering second-guessing questioning"
        " refining calculating computing weighing reasoning analysis developing investigating resolving pinpointing"
        " revising isolating"
    ),
    word_set(
        "finalizing finalising confirming conclusion final concluding verification answer verifying settling delivering"
        " classifying summarizing summary result"
    ),
)
"""What the first word of a heading says about what follows, by stage."""
