"""Replies to eye charts and what they answer. Unread is cheap; what is silently taken for another answer is not."""

import pytest

from snellen.answer import mark, read
from snellen.item import Condition
from snellen.prompts import load
from snellen.tasks.acuity import TASK
from snellen.tasks.acuity.asking import form
from snellen.tasks.acuity.battery import TESTS
from snellen.tasks.acuity.view import USUALLY
from snellen.tasks.rows import form_of, form_values

UNREAD = ""
LETTERS = {
    # As asked for, in any dress.
    **dict.fromkeys(
        ("C", " C\n", "C.", "C!", "**C**", "`C`", "'C'", "“C”", "\\boxed{C}", "$C$", "\\text{C}", "(C)"), "C"
    ),
    **dict.fromkeys(
        ("Option C", "Letter: C", "Answer: C", "<answer>C</answer>", '{"letter": "C"}', "С", "Ｃ", "c"), "C"
    ),
    # In a sentence.
    **dict.fromkeys(("I see a C", "I see a c.", "A C.", "a C", "It's a C.", "it's a c", "The letter is a C."), "C"),
    **dict.fromkeys(
        ("the letter is k.", "it is a k", "Letter: k", "The letter is K", "K, I think", "uppercase k"), "K"
    ),
    **dict.fromkeys(("I can't tell, but I'd guess K", "It could be an H or a K. I'd guess K.", "K as in kilo"), "K"),
    # Letters that are never shown are answers, too.
    **dict.fromkeys(
        ("E", "e", "E.", "**E**", "\\boxed{E}", "an E", "It looks like an E", "The letter E is shown."), "E"
    ),
    **dict.fromkeys(
        ("Answer: E", '{"answer": "E"}', "I believe it's E", "My guess: E", "E, not C", "lowercase e"), "E"
    ),
    **dict.fromkeys(("It's not a C, it's an E", "It is an E rather than a C", "The letter isn't C but E"), "E"),
    **{"A": "A", "a": "A", "The letter is A": "A", "It is an A.": "A", "I": "I", "The letter is I.": "I", "w": "W"},
    # One thing denied, the other said.
    **dict.fromkeys(("It's not a C, it's an O", "Not C. O", "It is O, not C", "O rather than C", "0"), "O"),
    **dict.fromkeys(("E is not an option, so H", "It looks like E but the closest option is H"), "H"),
    **dict.fromkeys(("nothing", "Nothing.", "I see nothing", "There is nothing on the page"), "nothing"),
    **dict.fromkeys(
        ("The page is blank.", "The image is completely blank.", "The page is empty.", "blank", "Empty.", "None"),
        "nothing",
    ),
    **dict.fromkeys(
        ("There is no letter on this page.", "I don't see anything.", "Nothing. The page is blank.", "An empty page"),
        "nothing",
    ),
    **dict.fromkeys(
        ("There is no image", "I don't see an image", "I can't see anything", "The page is not blank", "no", "!"),
        UNREAD,
    ),
    # Nothing said, or too much.
    **dict.fromkeys(("I see a letter", "A letter", "It is a tiny letter.", "a tiny mark", "The letter is a"), UNREAD),
    **dict.fromkeys(("I am not sure", "I don't know", "I cannot see a letter", "Sorry, I can't see it"), UNREAD),
    **dict.fromkeys(("C or D", "C or E", "Either C or G", "C/G", "C G", "C, D, H", "C\nD\nH", "1. C\n2. D"), UNREAD),
    **dict.fromkeys(("It's between C and O", "H, but it could be N", "It looks like a C or a G", "A, C"), UNREAD),
    **dict.fromkeys(("CO", "C.O.", "C = 10", "8", "1", "It's a T-shape", "I see an E-like shape", "CAT"), UNREAD),
    **dict.fromkeys(
        ("It is not a C.", "It's not a C", "not an E", "Is it a C?", "I see no C", "anything but C"), UNREAD
    ),
    # Denied.
    **dict.fromkeys(("It's no C", "no C visible", "It's definitely no K.", "The letter is no K", "K: no"), UNREAD),
    **dict.fromkeys(("It's unlikely to be K", "K is unlikely", "I doubt it's a K", "It is hardly a K"), UNREAD),
    **dict.fromkeys(("It can't be K", "There's no K here", "It's not clear that it's K"), UNREAD),
    **{"It's no C, it's a G": "G", "It isn't K; it's R": "R", "No, K": "K"},
    **dict.fromkeys(
        ("I think", "I see it", "X marks nothing here", "C-like", "vitamin C deficiency", "It's a."), UNREAD
    ),
}
DIGITS = {
    **dict.fromkeys(
        ("7", "seven", "The digit is 7.", "I see the number 7", "It looks like a 7", "Digit: 7", "**7**"), "7"
    ),
    **dict.fromkeys(("12", "The number is 12", "I see 12"), "12"),
    **dict.fromkeys(("6 or 8", "6/8", "100 dots", "E", "6 dots", "3.5", "Not a 7"), UNREAD),
    **dict.fromkeys(("It's no 3", "No 3 here", "first", "the second", "The third."), UNREAD),
    **{"no. 3": "3", "number 3": "3", "It's no 3, it's an 8": "8"},
}
COUNTS = {"3": "3", "three": "3", "5": "5", "12": "12", "2 or 3": UNREAD, "C": UNREAD}
COUNTS |= dict.fromkeys(("first", "the second", "The second one.", "It's no 3"), UNREAD)
ENDS = dict.fromkeys(("first", "the second", "The second one.", "It's no 3"), UNREAD)
DIRECTIONS = {
    **dict.fromkeys(("It's not left", "There's no gap at the left", "unlikely to be up"), UNREAD),
    "top right": "upper right",
    "Upper-right": "upper right",
    "upwards": "up",
    "diagonal": UNREAD,
    "C": UNREAD,
}
LETTERS |= {
    # Two named: unread, in whatever words, unless one of them is withdrawn or called a guess at last.
    **dict.fromkeys(("C (or possibly G)", "I'd say K, although it could be R", "I think it's V. Could be Y."), UNREAD),
    **dict.fromkeys(("C, but might be G", "C. G is also possible.", "K, maybe R", "Answer: C\nG is possible"), UNREAD),
    **dict.fromkeys(("My best guess is K, but it might be R", "C. It might be a g.", "It's C or else G."), UNREAD),
    **dict.fromkeys(("K. It isn't R.", "K (not R)", "It's K, unlike R"), "K"),
    **dict.fromkeys(("Could be C or G. Answer: C", "Possibly G, but I'd say C"), "C"),
}
DIGITS |= {
    **dict.fromkeys(("6 (or possibly 8)", "6, though it might be 8", "6. Could be 8.", "6, maybe eight"), UNREAD),
    **dict.fromkeys(("6, not 8", "6 (not 8)", "6 rather than 8"), "6"),
}
COUNTS |= dict.fromkeys(("3 (or possibly 2)", "I'd say 3, although it could be two"), UNREAD)
DIRECTIONS |= {"left (or possibly right)": UNREAD, "I'd say left, although it could be up": UNREAD}
DIRECTIONS |= {"left, not right": "left"}
LETTERS |= {
    # Who doubts and names one has named one.
    **dict.fromkeys(
        ("I believe the letter is K, but the image is very blurry.", "The image displays the letter K."), "K"
    ),
    **dict.fromkeys(("It's very small, but it looks like a K.", "K?", "Maybe K?", "K (low confidence)"), "K"),
    **dict.fromkeys(("K, but I am not 100% sure", "The letter is a K, although it's faint", "K, no doubt"), "K"),
    **dict.fromkeys(("The letter is not clear, but I think D", "The letter is D.\nConfidence: low"), "D"),
    **{"Based on the shape, it's a C.": "C", "I think it's an S but I'm not certain": "S", "Let's go with R": "R"},
    **{"I can't be sure, but it's Z": "Z", "It's too blurry to tell, but I'd say N": "N"},
    **{"The image shows a tiny letter, which appears to be H.": "H", "It is hard to see, but it's an O": "O"},
    **dict.fromkeys(
        ("Is it a K?", "Could it be K?", "K? R?", "K, but that's wrong", "K, but no", "K, but not K"), UNREAD
    ),
    **dict.fromkeys(("The letter is blurry", "It's too small to read", "I can't be sure", "Confidence: low"), UNREAD),
}
DIGITS |= dict.fromkeys(("7?", "It looks like 7, but I'm not sure", "It's a 7, but the dots are very faint."), "7")
DIRECTIONS |= dict.fromkeys(("left?", "I think it's left, but the ring is very small."), "left")
DIRECTIONS |= {
    "The gap is upper, right": UNREAD,
    "The gap is low, right": UNREAD,
    "It's tiny, but the gap seems to be at the top": "up",
}
# No answer is harder to say than another.
DIGITS |= dict.fromkeys(("zero", "The digit is zero", "It's a zero."), "0")
DIGITS |= dict.fromkeys(("one", "The digit is one.", "It's a one", "number one"), "1")
DIGITS |= {"There is one digit: 7": "7", "The one I see is 7": "7", "It's the right one": UNREAD}
COUNTS |= {
    **dict.fromkeys(("zero", "0 times", "They don't cross.", "The lines do not cross"), "0"),
    **dict.fromkeys(("one", "once", "They cross once.", "There is one crossing", "They cross one time"), "1"),
    **dict.fromkeys(("twice", "2 times", "2 crossings", "They intersect twice.", "They cross at 2 points."), "2"),
    **dict.fromkeys(("They cross 3 times.", "The two lines cross 3 times.", "three times", "I count 3 crossings"), "3"),
    **{"I count 4": "4", "They cross 5 times": "5", "They don't cross 3 times": UNREAD},
}
ENDS |= dict.fromkeys(("The line ends at 4.", "The marked line ends at number 4.", "It leads to four"), "4")
ENDS |= {"one": "1", "It ends at one.": "1", "number one": "1", "zero": "0", "The line starts at 2": UNREAD}
ENDS |= dict.fromkeys(("the one", "The other one", "the last one", "It starts at one"), UNREAD)
DIRECTIONS |= {
    **dict.fromkeys(("top", "The gap is at the top", "pointing up", "Direction: up", "north"), "up"),
    **dict.fromkeys(("bottom", "The gap is at the bottom", "It points down.", "downwards"), "down"),
    **dict.fromkeys(("up-left", "Top-left", "up and to the left", "top left corner"), "upper left"),
    **dict.fromkeys(("The gap points to the upper right.", "The gap is up and to the right"), "upper right"),
    **dict.fromkeys(("The gap is on the left side", "to the left", "The opening faces left"), "left"),
    **dict.fromkeys(("The gap is in the upper part, to the right", "Upper, right", "slightly up", "diagonal"), UNREAD),
    **dict.fromkeys(("The top of the ring is closed", "no gap at the top", "top, right"), UNREAD),
}
PAIRS = {
    **dict.fromkeys(("The upper-left pair is out of line.", "top left", "Upper left pair"), "upper left"),
    **dict.fromkeys(
        ("The pair at the lower right is not in line", "The lower right pair is misaligned"), "lower right"
    ),
    **dict.fromkeys(("The upper left pair is in line", "The upper pair", "left", "None", "The page is blank."), UNREAD),
}
DIGITS |= dict.fromkeys(("There is no digit.", "I see no digit", "No dots differ in colour.", "None"), "nothing")
DOTS = dict.fromkeys(
    ("There are no dots", "The page is blank.", "None", "nothing", "I don't see any dots.", "0", "zero"), "0"
)
DOTS |= {"12 (or possibly 13)": UNREAD, "Answer: 12. That is 4 rows of 3.": "12"}
DOTS |= {"12": "12", "There are 7 dots.": "7", "There is no image": UNREAD}
STRIPES = {"vertical": "upright", "Horizontal.": "level", "leaning right (/)": "leaning right", "diagonal": UNREAD}
STRIPES |= dict.fromkeys(("The page is one even grey", "There are no stripes", "uniform gray", "None"), "nothing")
COUNTS |= dict.fromkeys(("None", "The page is blank."), UNREAD)
STRIPES |= {
    **{"/": "leaning right", "(/)": "leaning right", "|": "upright", "-": "level", "\\": "leaning left"},
    **dict.fromkeys(
        ("leaning to the right", "They lean right.", "tilted to the right", "right-leaning"), "leaning right"
    ),
    **dict.fromkeys(("leaning to the left", "The stripes lean left"), "leaning left"),
    **{"The stripes run vertically": "upright", "The stripes run horizontally.": "level"},
    **dict.fromkeys(("leaning", "not vertical", "/ or |"), UNREAD),
}
TABLE = {"letters": LETTERS, "crowding": LETTERS, "colour-red": DIGITS, "crossings": COUNTS, "landolt": DIRECTIONS}
TABLE |= {"gratings-8": STRIPES, "paths": ENDS, "number": DOTS, "alignment": PAIRS}


def question(test, level=None, index=0):
    item = TASK.item({"test": test, "level": level or TESTS[test].easiest}, index, 0)
    return TASK.stimulus(item, Condition(USUALLY), load(TASK.prompts, "acuity")).question


def asked(test):
    return form(TESTS[test])


@pytest.mark.parametrize(
    ("test", "reply", "answer"), [(test, *each) for test, replies in TABLE.items() for each in replies.items()]
)
def test_what_a_reply_answers(test, reply, answer):
    if test == "crowding" and answer == "nothing":
        answer = UNREAD  # five letters are always there, and nothing is not offered
    assert read(reply, asked(test)).answer == answer


def test_a_letter_that_is_never_shown_is_a_wrong_answer_that_says_so():
    letters = question("letters")
    verdict = mark("The letter is E.", letters)
    assert (verdict.outcome, verdict.mechanism) == ("wrong", "read as E")
    assert mark("E", question("letters", "blank")).mechanism == "saw what is not there"
    assert mark("E", question("crowding")).mechanism == "a letter that is never shown"
    assert mark("12", question("colour-red")).mechanism == "read as 12"
    assert mark("9", question("crossings")).outcome == "wrong"
    assert mark("9", question("paths")).mechanism == "no end"


def test_what_lies_beyond_is_offered_to_nobody_and_kept_with_the_form():
    letters = question("letters")
    assert "E" not in letters.options
    assert "E" not in letters.text.split("one of ")[1].split(".")[0]
    assert form_of(form_values(letters.form)) == letters.form
