"""Sentences that compare two things, and what people of another world say: read as meant, or not at all."""

import pytest

from snellen.answer import read
from snellen.item import Form

ABOUT = ("umbrella", "boot")
SIDES = Form("choice", ("left", "right"), about=ABOUT)
HEIGHTS = Form("choice", ("above", "below"), about=ABOUT)
SIZES = Form("choice", ("larger", "smaller"), about=ABOUT)
HOUSES = Form("choice", ("larger", "smaller"), about=("red house", "green house"))
DEPTHS = Form("choice", ("nearer", "farther"), about=("person with the guitar", "person with the violin"))
AMOUNTS = Form("choice", ("more", "fewer"), about=("cats", "dogs"))
FURTHEST = Form("choice", ("armchair", "sofa", "stove"), about=("furthest to the left", "furthest to the right"))
COLOURS = Form("choice", ("blue", "pink", "red", "yellow"))
THINGS = Form("choice", ("guitar", "key", "shoe", "teapot"))
PRESENCE = Form("choice", ("present", "absent"))
WRONG = Form("choice", ("1", "2", "3", "4"), asked="wrong")
RIGHT = Form("choice", ("1", "2", "3", "4"))


@pytest.mark.parametrize(
    ("form", "reply", "answer"),
    [
        (SIDES, "The umbrella is to the left of the boot.", "left"),
        (SIDES, "To the left is the umbrella.", "left"),
        (HEIGHTS, "below the boot", "below"),
        (HEIGHTS, "In that world, the umbrella is below the boot.", "below"),
        (SIZES, "It's bigger.", "larger"),
        (SIZES, "Answer: The umbrella is smaller than the boot.", "smaller"),
        (DEPTHS, "The person with the guitar is closer than the person with the violin.", "nearer"),
        (DEPTHS, "The guitar is further away.", "farther"),
        (AMOUNTS, "There are fewer cats than dogs.", "fewer"),
        (AMOUNTS, "less", "fewer"),
        (AMOUNTS, "There are 5 dogs but only 3 cats. Answer: more", "more"),
        (AMOUNTS, "There are 3 cats and 5 dogs, so there are fewer cats than dogs.", "fewer"),
        (FURTHEST, "The sofa is furthest to the left.", "sofa"),
        (COLOURS, "They would call it red.", "red"),
        (COLOURS, "Red, because what we call blue is called red there.", "red"),
        (THINGS, "A key.", "key"),
        (WRONG, "The second answer is wrong.", "2"),
        (WRONG, "The first answer is right. The 3rd one is wrong.", "3"),
        (RIGHT, "The first answer is wrong, the second answer is right.", "2"),
        (SIZES, "It is much smaller than the boot.", "smaller"),
        (SIZES, "Smaller is the answer.", "smaller"),
        (HEIGHTS, "Below, as what we call above is called below there.", "below"),
        (SIDES, "The umbrella is to the left of the boot, so they say right.", "right"),
        (AMOUNTS, "There are fewer, so they say more.", "more"),
        (Form("number"), "We count 3, so they would say 7.", "7"),
        (COLOURS, "Answer: They would call it red.", "red"),
        (COLOURS, "In that world, the sofa is called red.", "red"),
        (COLOURS, "Answer: red, for they call blue red.", "red"),
        (COLOURS, "Answer: red. What is blue to us is red in that world.", "red"),
        (COLOURS, "Red. Blue is called red there, and red is called pink.", "red"),
        (COLOURS, "Red (blue in our words)", "red"),
        (HOUSES, "The red one is larger than the green one.", "larger"),
        (HEIGHTS, "Below, because the boot is below the umbrella.", "below"),
        (AMOUNTS, "Answer: fewer (4 cats, 2 dogs)", "fewer"),
        (DEPTHS, "The guitar is nearer to us.", "nearer"),
        (FURTHEST, "The sofa is leftmost.", "sofa"),
        (Form("number"), "3, since I see 3.", "3"),
        (Form("number"), "3. There are 3 cars.", "3"),
        (Form("choice", ("A", "B")), "B. They call a taxi.", "B"),
        (Form("choice", ("X", "O")), "X. Under the usual rule it would be O.", "X"),
    ],
)
def test_what_is_meant_is_read(form: Form, reply: str, answer: str) -> None:
    assert read(reply, form).answer == answer


@pytest.mark.parametrize(
    ("form", "reply"),
    [
        (SIDES, "The boot is to the left of the umbrella."),
        (SIDES, "left of the umbrella"),
        (SIDES, "To the left is the boot."),
        (SIDES, "left, which they call right"),
        (HEIGHTS, "The boot is above."),
        (HEIGHTS, "Not above the boot."),
        (SIZES, "The boot is bigger than the umbrella."),
        (SIZES, "Answer: The boot is larger than the umbrella."),
        (DEPTHS, "The violin is nearer."),
        (AMOUNTS, "There are more dogs than cats."),
        (AMOUNTS, "more dogs"),
        (AMOUNTS, "There are no more cats than dogs."),
        (AMOUNTS, "There are more cats than dogs in our world."),
        (FURTHEST, "The thing furthest to the right is the sofa."),
        (COLOURS, "Blue. In that world it is called red."),
        (COLOURS, "In our words, it is blue."),
        (THINGS, "It is a guitar to us."),
        (THINGS, "A guitar, which they call a key."),
        (THINGS, "no key"),
        (HEIGHTS, "Above (in their words: below)"),
        (DEPTHS, "No nearer than the violin."),
        (Form("number"), "3 (7 in their world)"),
        (WRONG, "My first answer is wrong."),
        (WRONG, "I first thought the second answer is wrong, but it is the third."),
        (WRONG, "The second answer is right."),
        (WRONG, "The second answer is wrong. The third answer is wrong too."),
        (RIGHT, "Only the second answer is wrong."),
        (RIGHT, "The second one is right of the bed."),
        (RIGHT, "The second is right-side up."),
        (WRONG, "The third is wrong, or maybe the fourth."),
        (HOUSES, "The green one is smaller."),
        (HOUSES, "The house on the left is larger."),
        (SIZES, "The larger one is the boot."),
        (SIDES, "The answer is left for the boot."),
        (DEPTHS, "The violinist is nearer."),
        (DEPTHS, "The guitar is closer to the violin."),
        (DEPTHS, "The guitar is nearer to the wall."),
        (AMOUNTS, "There are more birds than dogs."),
        (FURTHEST, "The rightmost thing is the sofa."),
        (PRESENCE, "No door is present."),
        (PRESENCE, "It is present. In that world, things in the picture are called absent."),
        (THINGS, "The other person holds a key."),
        (COLOURS, "We'd say blue."),
        (COLOURS, "To us it is blue."),
        (COLOURS, "Blue, as we would say."),
        (COLOURS, "It is blue. Blue is called red there, and red is called pink."),
        (Form("number"), "7, since we count 3."),
        (Form("number"), "7. I count 3 cars."),
        (Form("number"), "They would say 7, as there are 3."),
        (Form("number"), "3 (told as 7)"),
    ],
)
def test_what_answers_another_question_is_not(form: Form, reply: str) -> None:
    assert read(reply, form).answer == ""


@pytest.mark.parametrize(
    "theirs",
    [
        *("People in that world call it red.", "Inhabitants would call this red.", "They would use the word red."),
        *("One would call it red there.", "This colour is called red.", "That becomes red.", "It maps to red."),
        *("In that world it would be red.", "There it's red.", "For them: red.", "That's red over there."),
        *("The word there is red.", "Their name: red.", "Translated: red.", "In theirs, it's red."),
        *("They'd say the sofa is red.", "Someone there would answer red.", "They refer to it as red."),
        *("They call blue red.", "What we call blue, they call red.", "They would say red, we blue."),
        *("After the swap, red.", "Applying the rule: red.", "Under their convention it's red."),
    ],
)
def test_what_is_ours_is_no_answer_where_theirs_follows(theirs: str) -> None:
    assert read(f"Blue. {theirs}", COLOURS).answer in ("", "red")
    assert read(f"Red. {theirs}", COLOURS).answer == "red"
