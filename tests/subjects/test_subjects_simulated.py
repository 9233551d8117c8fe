"""Simulated subjects do what their parameters say: no more, no less, and always the same."""

from collections import Counter
from functools import cache
from itertools import product
from math import sqrt
from typing import Any

import pytest

from snellen.answer import mark, read
from snellen.answer.fields import values_of
from snellen.answer.verifiers import one_of_key
from snellen.call import Call, CallFailed, Message
from snellen.errors import UserError
from snellen.item import Condition, Field, Form, Item, Picture, Question, Stimulus
from snellen.rng import stream
from snellen.subjects import speech, subject
from snellen.subjects.characters import PROFILES
from support.lengths import few_and_more, some_of

LABELS = ("X", "O")
N = 600
PICTURE = (Picture(b"seen or not"),)
DESCRIBE = "Put this picture into words."


@cache
def stimulus(i=0, *, inverse=False, prompt="base", picture=True, form=None):
    """Item i: player X or O won by the usual rule; under the inverse rule the other has."""
    winner = LABELS[i % 2]
    key = LABELS[1 - i % 2] if inverse else winner
    mechanisms = {winner: "default rule"} if inverse else {}
    question = Question(
        f"By the {'inverse' if inverse else 'standard'} {prompt} rule, who won?",
        form or Form("choice", LABELS),
        key,
        mechanisms,
        habit="default rule" if inverse else "",
    )
    item = Item(f"game/{i:05}", "game", {}, {}, "digest")
    twin = f" {winner} │   │ O {i}\n───┼───┼───\n   │ X │ O "
    parts = (Picture(twin.encode()) if picture else twin, question.text)
    return Stimulus(item, Condition(prompt=prompt), parts, question, twin)


def asked(who, about, *parts):
    return who.reply(Call(who.name, who.settings, (Message("user", parts or about.parts),), about))


def answers(name, n=N, **how):
    who = subject(name, env={})
    return [(about, asked(who, about)) for about in (stimulus(i, **how) for i in range(n))]


def rate(pairs, true):
    return sum(true(about, reply) for about, reply in pairs) / len(pairs)


def right(about, reply):
    return reply.text == about.question.key


def near(found, expected, n=N):
    """Within four standard errors of what is expected."""
    return abs(found - expected) <= 4 * sqrt(expected * (1 - expected) / n) + 1e-12


def test_the_ideal_subject_is_always_right():
    for inverse in (False, True):
        assert rate(answers("sim/ideal", 200, inverse=inverse), right) == 1


def test_the_guesser_is_right_half_the_time():
    assert near(rate(answers("sim/guesser"), right), 0.5)
    assert near(rate(answers("sim/guesser", picture=False), right), 0.5)


@pytest.mark.parametrize("guess", [0, 0.2, 0.9, 1])
def test_guesses_fall_on_the_first_label_as_often_as_said(guess):
    found = rate(answers(f"sim/guesser:guess={guess}"), lambda _, reply: reply.text == "X")
    assert near(found, guess)


def test_a_fixated_subject_answers_by_habit_until_an_alias_frees_it():
    see = PROFILES["fixated"].parameters.see
    for prompt, mapped in (("base", 0.2), ("alias", 0.95), ("semalias", 0.35), ("descriptive", 0.2)):
        found = rate(answers("sim/fixated", inverse=True, prompt=prompt), right)
        assert near(found, see * mapped + (1 - see) / 2), prompt
    assert near(rate(answers("sim/fixated"), right), see + (1 - see) / 2)


def test_without_parameters_of_their_own_the_aliases_follow_map():
    for prompt in ("alias", "semalias"):
        assert near(rate(answers("sim/ideal:map=0.3", inverse=True, prompt=prompt), right), 0.3)


@few_and_more("n", [N], [4000])  # with the more, whatever is off by a few percent shows
@pytest.mark.parametrize(("see", "mapped", "guess"), [(0.3, 0.9, 0.5), (0.8, 0.2, 0.7), (0.5, 0.5, 0.1)])
def test_pairs_fall_into_the_categories_of_the_processing_tree(see, mapped, guess, n):
    name = f"sim/ideal:see={see},map={mapped},guess={guess}"
    standard, inverse = answers(name, n), answers(name, n, inverse=True)
    player = {label: str(number) for number, label in enumerate(LABELS, 1)}
    for k in (0, 1):
        pairs = [(player[a[1].text] + player[b[1].text]) for a, b in zip(standard, inverse, strict=True)][k::2]
        found = Counter(pairs)
        g = (guess, 1 - guess)
        blind = {f"{a + 1}{b + 1}": (1 - see) * g[a] * g[b] for a, b in product((0, 1), repeat=2)}
        expected = dict(blind)
        expected["12" if k == 0 else "21"] += see * mapped
        expected["11" if k == 0 else "22"] += see * (1 - mapped)
        assert all(near(found[c] / len(pairs), p, len(pairs)) for c, p in expected.items()), (k, found, expected)


def test_seeing_is_drawn_once_per_item_and_other_things_anew():
    seen = answers("sim/nearsighted:map=1,guess=0", 1000, inverse=True, prompt="base")
    again = answers("sim/nearsighted:map=1,guess=0", 1000, inverse=True, prompt="alias")
    assert [reply.text for _, reply in seen] == [reply.text for _, reply in again]
    first = answers("sim/guesser", 1000, prompt="base")
    second = answers("sim/guesser", 1000, prompt="alias")
    same = sum(a[1].text == b[1].text for a, b in zip(first, second, strict=True)) / 1000
    assert near(same, 0.5, 1000)


def test_reading_takes_the_place_of_seeing_in_words():
    assert rate(answers("sim/blind", 300, picture=False), right) == 1
    assert near(rate(answers("sim/ideal:read=0.4", picture=False), right), 0.4 + 0.6 / 2)
    assert rate(answers("sim/ideal:read=0", 300), right) == 1


@pytest.mark.parametrize("lapse", [0.3, 1])
def test_lapses_are_random_whatever_was_seen(lapse):
    assert near(rate(answers(f"sim/ideal:lapse={lapse}"), right), 1 - lapse / 2)


def test_refusals_and_truncated_replies_are_as_frequent_as_said():
    refused = answers("sim/refuser")
    assert near(rate(refused, lambda _, r: r.text not in LABELS), PROFILES["refuser"].parameters.refuse)
    rambled = answers("sim/rambler")
    cut = [reply for _, reply in rambled if reply.finish == "length"]
    assert near(len(cut) / N, PROFILES["rambler"].parameters.truncate)
    assert all("answer is" not in reply.text for reply in cut)
    assert all(reply.text[:-1].endswith(("answer is X", "answer is O")) for _, reply in rambled if reply not in cut)


def test_the_form_says_where_the_answer_stands():
    boxed = answers("sim/ideal", 20, form=Form("choice", LABELS, "boxed"))
    assert all(reply.text.endswith(f"\\boxed{{{about.question.key}}}") for about, reply in boxed)
    assert all(len(reply.text) > 20 for _, reply in boxed)
    braces = answers("sim/ideal", 20, form=Form("choice", LABELS, "braces"))
    assert all(reply.text == f"{{{about.question.key}}}" for about, reply in braces)


def test_a_chatty_subject_puts_its_answers_in_many_ways():
    replies = answers("sim/chatty:see=1,map=1", 300)
    assert all(about.question.key in reply.text for about, reply in replies)
    assert len({reply.text for _, reply in replies}) >= 15


@some_of("labels", [("X", "O"), ("A", "B"), ("Red", "Yellow"), ("I", "R")], 2)
@pytest.mark.parametrize("final", ["plain", "boxed", "braces"])
@few_and_more("often", [5], [40])
def test_whatever_they_say_the_reader_understands_it(labels, final, often):
    form = Form("choice", labels, final)
    for i, label in product(range(often), labels):
        said = (
            speech.plainly(label, form),
            speech.chattily(label, form, stream(i, "a")),
            speech.at_length(label, form, stream(i, "b")),
        )
        assert [read(text, form).answer for text in said] == [label] * 3, said
        assert read(speech.trail_off(stream(i, "c")), form, "length").reason == "truncated"
        assert read(speech.refusal(stream(i, "d")), form).reason == "refused"


def test_numbers_and_free_text_can_be_asked_for():
    def question(kind, key, **more):
        plain = stimulus()
        asks = Question("How many legs?", Form(kind), key, **more)
        return Stimulus(plain.item, plain.condition, (*PICTURE, asks.text), asks, plain.twin)

    ideal, guesser, stubborn = (subject(f"sim/{name}", env={}) for name in ("ideal", "guesser", "stubborn"))
    count = question("number", "5", mechanisms={"4": "prior"}, habit="prior")
    assert [asked(who, count).text for who in (ideal, stubborn)] == ["5", "4"]
    assert asked(guesser, count).text.isdecimal()
    assert asked(ideal, question("text", "a cat")).text == "a cat"
    assert asked(guesser, question("text", "a cat")).text != "a cat"


def test_probes_are_answered_as_well():
    about = stimulus()
    probe = Question("What is in the middle?", Form("choice", ("X", "O", "empty")), "empty")
    about = Stimulus(about.item, about.condition, about.parts, about.question, about.twin, (probe,))
    assert asked(subject("sim/stubborn", env={}), about, *PICTURE, probe.text).text == "empty"


def test_a_description_is_the_twin_if_the_item_is_seen_and_garbled_if_not():
    who = subject("sim/nearsighted:guess=0", env={})
    exact = []
    for i in range(400):
        about = stimulus(i)
        told = asked(who, about, *PICTURE, DESCRIBE).text
        exact.append(told == about.twin)
        seen = asked(who, about).text == about.question.key and about.question.key == "X"
        assert not seen or exact[-1]
        assert told.count("\n") in (0, about.twin.count("\n"))
    assert near(sum(exact) / 400, 0.35, 400)


def test_a_reasoner_answers_from_a_true_description_and_guesses_from_another():
    who = subject("sim/blind:guess=0", env={})
    for i in range(0, 40, 2):
        about = stimulus(i)
        told = f"Someone says:\n\n{about.twin}\n\nGo by this.\n\n{about.question.text}"
        assert asked(who, about, told).text == about.question.key == "X"
        assert asked(who, about, told.replace("│", "|")).text == "O"
    assert asked(subject("sim/blind:read=0,guess=0", env={}), about, told).text == "O"


def test_answers_do_not_depend_on_order_or_company():
    who = subject("sim/chatty", env={})
    abouts = [stimulus(i, inverse=True) for i in range(50)]
    forward = [asked(who, about) for about in abouts]
    backward = [asked(subject("sim/chatty", env={}), about) for about in reversed(abouts)]
    assert forward == backward[::-1]


def test_answers_are_the_same_on_every_machine():
    """These very answers: a change here would change every simulated exam, so it wants a good reason."""
    texts = [reply.text for _, reply in answers("sim/fixated:see=0.5", 24, inverse=True)]
    assert "".join(texts) == "XOXOOOOXOXXOXOXOXXOOOXXX"


def test_another_seed_is_another_person():
    replies = [[r.text for _, r in answers(f"sim/guesser:seed={seed}", 200)] for seed in (0, 1)]
    assert replies[0] != replies[1]


def test_parameters_are_all_in_the_settings():
    who = subject("sim/fixated:see=0.5,seed=9", env={})
    assert who.name == "sim/fixated:see=0.5,seed=9"
    assert who.settings == {
        **{"see": 0.5, "read": 1, "map": 0.2, "map_alias": 0.95, "map_semalias": 0.35, "guess": 0.5},
        **{"lapse": 0, "refuse": 0, "truncate": 0, "seed": 9, "style": "plain"},
    }


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_answers(name):
    assert all(reply.text for _, reply in answers(f"sim/{name}", 50, inverse=True))
    assert PROFILES[name].about


def test_a_call_about_nothing_is_rejected():
    for name in ("sim/ideal", "twin"):
        who: Any = subject(name, env={})
        answer = who.reply if name == "sim/ideal" else None
        call = Call(who.name, who.settings, (Message("user", ("hello",)),))
        with pytest.raises(CallFailed) as failed:
            answer(call) if answer else who.answer(call).send(None)
        assert (failed.value.kind, failed.value.passing) == ("rejected", False)


async def test_the_twin_answers_in_exact_words():
    about = stimulus(3)
    async with subject("twin", env={}) as oracle:
        call = Call(oracle.name, oracle.settings, (Message("user", (*PICTURE, DESCRIBE)),), about)
        assert (await oracle.answer(call)).text == about.twin
    bare = Stimulus(about.item, about.condition, about.parts, about.question)
    with pytest.raises(CallFailed, match="no twin"):
        await oracle.answer(Call("twin", {}, (), bare))


def test_counting_fails_by_one_and_is_drawn_once_per_item():
    who = subject("sim/ideal:count=0.5", env={})
    found = []
    for i in range(400):
        plain = stimulus(i)
        texts = []
        for text in ("How many panels?", "How many, again?"):
            probe = Question(text, Form("number"), "9")
            about = Stimulus(plain.item, plain.condition, (plain.parts[0], text), probe, plain.twin, (probe,))
            texts.append(asked(who, about).text)
        assert (texts[0] == "9") == (texts[1] == "9")
        found.append(texts[0])
    assert set(found) == {"8", "9", "10"}
    assert near(found.count("9") / 400, 0.5, 400)


def test_words_beside_a_picture_help_whoever_does_not_see_it():
    about = stimulus(3)
    told = Stimulus(
        about.item, about.condition, (*about.parts[:1], about.twin, about.parts[-1]), about.question, about.twin
    )
    assert asked(subject("sim/blind", env={}), told).text == about.question.key


def test_a_guess_among_four_is_even_unless_it_leans():
    def share(name):
        four = Form("choice", ("1", "2", "3", "4"))
        guesses = [asked(subject(name, env={}), stimulus(i, form=four)).text for i in range(N)]
        return guesses.count("1") / N

    assert near(share("sim/guesser"), 0.25)
    assert near(share("sim/guesser:guess=0.9"), 0.75)


# Answers in parts

MAP = tuple("ABCDEFG")
PARTS = Form(
    "fields",
    fields=(Field("photo 1", "label", MAP), Field("moves", "number"), Field("blocks", "set", tuple("abcdef"))),
)
PARTS_KEY = "photo 1: C; moves: 5; blocks: b c"
PARTS_MECHANISMS = {
    "photo 1=D": "mirrored",
    "moves=6": "off by one move",
    "photo 1=E": "double counted",
    "moves=9": "double counted",
    "photo 1: A; moves: 1; blocks: a": "first of all",
}
NAMES = {f"thing {k}": [name] for k, name in enumerate(("apple", "dog", "cat", "house"), 1)}
SANDBAG = Form("fields", fields=tuple(Field(name, "text") for name in NAMES), check="one-of-four")


def in_parts(i, form=PARTS, key=PARTS_KEY, mechanisms=PARTS_MECHANISMS, habit="mirrored"):
    question = Question(f"What is where in {i}?", form, key, mechanisms, habit=habit)
    item = Item(f"parts/{i:05}", "parts", {}, {}, "digest")
    return Stimulus(item, Condition(), (Picture(f"{i}".encode()), question.text), question, f"twin {i}")


def verdicts(name, n=60, **how):
    who = subject(name, env={})
    return [mark(asked(who, about).text, about.question) for about in (in_parts(i, **how) for i in range(n))]


@pytest.mark.parametrize("style", ["plain", "chatty", "long"])
def test_whoever_is_able_answers_every_part_in_any_style(style):
    assert {verdict.outcome for verdict in verdicts(f"sim/ideal:style={style}")} == {"right"}
    one = Form("fields", fields=(Field("digits", "set", tuple("123456789")),))
    found = verdicts(f"sim/ideal:style={style}", form=one, key="digits: 1 4 7", mechanisms={})
    assert {verdict.outcome for verdict in found} == {"right"}


def test_a_guess_is_a_random_value_for_every_part():
    found = verdicts("sim/guesser", 300)
    assert {verdict.outcome for verdict in found} == {"wrong"}
    said = [values_of(verdict.reading.answer, PARTS) for verdict in found]
    photos = Counter(values["photo 1"] for values in said)
    assert set(photos) == set(MAP)
    assert near(photos["C"] / 300, 1 / 7, 300)
    assert len({values["moves"] for values in said}) > 5
    assert len({values["blocks"] for values in said}) > 10


@pytest.mark.parametrize(
    ("habit", "answer"),
    [
        ("", "photo 1: D; moves: 5; blocks: b c"),
        ("mirrored", "photo 1: D; moves: 5; blocks: b c"),
        ("double_counted", "photo 1: E; moves: 9; blocks: b c"),
        ("double counted", "photo 1: E; moves: 9; blocks: b c"),
        ("first_of_all", "photo 1: A; moves: 1; blocks: a"),
        ("upside_down", PARTS_KEY),
    ],
)
def test_a_planted_habit_is_the_mechanism_that_is_found(habit, answer):
    found = verdicts("sim/stubborn" + (f":habit={habit}" if habit else ""), 20)
    assert {verdict.reading.answer for verdict in found} == {answer}
    betrayed = "" if answer == PARTS_KEY else habit.replace("_", " ") or "mirrored"
    assert {verdict.mechanism for verdict in found} == {betrayed}


def test_a_habit_shows_as_often_as_the_rule_is_not_followed():
    found = verdicts("sim/ideal:map=0.3,habit=double_counted", 400)
    assert near(sum(verdict.mechanism == "double counted" for verdict in found) / 400, 0.7, 400)
    assert {verdict.mechanism for verdict in found} == {"", "double counted"}


def test_a_habit_works_for_plain_choices_too():
    choice = Form("choice", ("A", "B", "C", "D"))
    mechanisms = {"B": "mirrored", "C": "literal", "D": "right street, wrong distance"}
    for habit, answer in (("literal", "C"), ("right_street,_wrong_distance", "D"), ("unheard_of", "A")):
        found = verdicts(f"sim/ideal:habit={habit},map=0", 5, form=choice, key="A", mechanisms=mechanisms)
        assert {verdict.reading.answer for verdict in found} == {answer}


@pytest.mark.parametrize(
    ("name", "mechanism"),
    [
        ("sim/ideal", ""),
        ("sim/stubborn", "all right"),
        ("sim/stubborn:habit=all_wrong", "all wrong"),
        ("sim/stubborn:habit=wrong_one_right", "wrong one right"),
        ("sim/stubborn:habit=two_or_more_right", "two or more right"),
        ("sim/stubborn:habit=upside_down", ""),
        ("sim/guesser", "the same answer twice"),
    ],
)
def test_questions_with_a_verifier_are_answered_by_it(name, mechanism):
    found = verdicts(name, 20, form=SANDBAG, key=one_of_key("thing 3", NAMES), mechanisms={}, habit="all right")
    assert {(verdict.outcome, verdict.mechanism) for verdict in found} == {
        ("wrong" if mechanism else "right", mechanism)
    }


def test_whoever_miscounts_is_one_off_in_one_part():
    found = verdicts("sim/ideal:count=0", 40)
    assert {values_of(v.reading.answer, PARTS)["moves"] for v in found} == {"4", "6"}
    assert {values_of(v.reading.answer, PARTS)["photo 1"] for v in found} == {"C"}


def test_a_habit_is_part_of_a_name_and_none_leaves_old_keys_alone():
    assert subject("sim/ideal:habit=double counted", env={}).name == "sim/ideal:habit=double_counted"
    assert subject("sim/ideal:habit=double_counted,map=0.5", env={}).settings["habit"] == "double_counted"
    assert "habit" not in subject("sim/stubborn", env={}).settings
    with pytest.raises(UserError, match="mechanism"):
        subject("sim/ideal:habit=", env={})
