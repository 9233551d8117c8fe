"""Simulated subjects on items with a rule behind them: every paradigm gives the rates its formula says."""

import asyncio
import json
from math import comb, sqrt

import pytest

from snellen.call import Call, CallFailed, Message
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus
from snellen.paradigms import PARADIGMS
from snellen.subjects import subject
from snellen.subjects.characters import PROFILES
from snellen.subjects.facts import facts, retell
from support.lengths import some_of

N = 500
EXAMPLES = 6
SIDES = ("positive", "negative")
CONCEPTS = ("a dog left of a cat", "exactly two red things", "Something large, above something small")
COLOURS = ("red", "green", "blue")


def picture(*names):
    """A picture of two things, told apart by the names; seven facts in its twin."""
    seed = "/".join(map(str, names))
    pick = sum(seed.encode())
    things = [
        {"kind": kind, "size": "large", "tile": COLOURS[(pick + k) % 3]}
        for k, kind in enumerate((f"dog {seed}", "cat"))
    ]
    twin = json.dumps({"things": things, "relations": ["a dog left of a cat"]}, separators=(",", ":"))
    return Picture(seed.encode(), alt=seed, twin=twin)


FACTS = 7


def problem(i, query="positive", concept=None, rule="A picture is positive by this rule: {rule}"):
    concept = CONCEPTS[i % 3] if concept is None else concept
    item = Item(f"puzzles/{i:05}", "puzzles", {}, {"concept": concept}, "digest")
    examples = [part for k in range(EXAMPLES) for part in (f"Example {k}:", picture(i, k))]
    last = picture(i, query)
    question = Question("Is the query positive or negative?", Form("choice", SIDES), query)
    scripts = {"induce": (*examples, "What is the rule?"), "apply": (rule, "Query:", last, question.text)}
    parts = ("Find the rule.", *examples, "Query:", last, question.text)
    return Stimulus(item, Condition(query=query), parts, question, scripts=scripts)


async def put(paradigm, about, **players):
    """The paradigm's final reply, with every subject answering at once."""

    async def ask(role, *parts, form=None, after=(), **settings):
        who = players.get(role) or players["subject"]
        return await who.answer(Call(who.name, who.settings, (Message("user", parts),), about))

    return await PARADIGMS[paradigm].run(about, ask, lambda piece, **values: f"[{' '.join((piece, *values.values()))}]")


def rate(paradigm, n=N, query="positive", **names):
    """How often the answer is right."""
    players = {role: subject(name, env={}) for role, name in names.items()}

    async def count():
        replies = [await put(paradigm, problem(i, query), **players) for i in range(n)]
        return sum(reply.text == query for reply in replies) / n

    return asyncio.run(count())


def near(found, expected, n=N):
    """Within four standard errors of what is expected."""
    return abs(found - expected) <= 4 * sqrt(expected * (1 - expected) / n) + 1e-12


def or_guess(able, guess=0.5):
    return able + (1 - able) * guess


def at_least_half(p, n=EXAMPLES):
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range((n + 1) // 2, n + 1))


@pytest.mark.parametrize("paradigm", ["direct", "dvrl", "drl", "ca", "describe", "ddcot", "ccot", "cocot"])
@pytest.mark.parametrize("query", SIDES)
def test_the_ideal_subject_is_always_right(paradigm, query):
    assert rate(paradigm, 60, query, subject="sim/ideal") == 1


@pytest.mark.soak
@pytest.mark.parametrize("paradigm", ["dvrl", "drl", "ca"])
def test_the_guesser_guesses_whatever_the_paradigm(paradigm):
    assert rate(paradigm, 60, subject="sim/guesser:guess=0") == 0
    assert near(rate(paradigm, 300, subject="sim/guesser:guess=0.7"), 0.7, 300)


@some_of("paradigm", ["dvrl", "drl", "ddcot", "ccot", "cocot"], 3)
@pytest.mark.parametrize(("query", "guess"), [("positive", 0.2), ("negative", 0.8)])
def test_right_if_the_rule_is_found_the_query_seen_and_the_rule_applied(paradigm, query, guess):
    found = rate(paradigm, query=query, subject="sim/ideal:see=0.8,induce=0.6,apply=0.7,guess=0.2")
    assert near(found, or_guess(0.8 * 0.6 * 0.7, guess))


def test_a_given_rule_leaves_seeing_and_applying():
    player = "sim/ideal:see=0.8,induce=0.1,apply=0.7"
    assert near(rate("drl", subject=player, inducer="truth"), or_guess(0.8 * 0.7))
    assert near(rate("drl", subject="sim/ideal", inducer="sim/ideal:induce=0.3"), or_guess(0.3))


def test_exact_words_leave_finding_and_applying():
    player = "sim/ideal:see=0,induce=0.6,apply=0.7"
    assert near(rate("ca", subject=player, describer="twin"), or_guess(0.6 * 0.7))
    assert near(rate("ca", subject=player + ",read=0.5", describer="twin"), or_guess(0.5 * 0.6 * 0.7))


def test_pictures_are_described_as_they_are_seen():
    found = rate("ca", subject="sim/ideal:induce=0.9", describer="sim/ideal:see=0.6")
    assert near(found, or_guess(0.9 * 0.6 * at_least_half(0.6)))


@pytest.mark.soak
@pytest.mark.parametrize(("drop", "change"), [(0.05, 0), (0, 0.05), (0.03, 0.02)])
def test_facts_are_dropped_and_changed_at_their_rates(drop, change):
    intact = ((1 - drop) * (1 - change)) ** FACTS
    found = rate("ca", subject="sim/ideal", describer=f"sim/ideal:drop={drop},change={change}")
    assert near(found, or_guess(intact * at_least_half(intact)))


def described(who, about, *pictures, request="Describe."):
    return who.reply(Call(who.name, who.settings, (Message("user", (*pictures, request)),), about)).text


def test_of_two_hundred_pictures_as_many_facts_go_missing_as_said():
    who = subject("sim/ideal:drop=0.2,change=0.1", env={})
    about = problem(0)
    pictures = [picture("many", k) for k in range(200)]
    told = [described(who, about, each) for each in pictures]
    assert all(isinstance(json.loads(text), dict) for text in told)
    assert near(sum(len(facts(text)) for text in told) / (200 * FACTS), 0.8, 200 * FACTS)
    altered = sum(text != each.twin for text, each in zip(told, pictures, strict=True)) / 200
    assert near(altered, 1 - (0.8 * 0.9) ** FACTS, 200)


def test_a_picture_is_described_the_same_whatever_problem_it_is_in():
    who = subject("sim/ideal:see=0.5,drop=0.1,change=0.1", env={})
    alone = Stimulus(problem(1).item, Condition(), (picture(0, 0), "?"), problem(1).question)
    for each in (picture(0, k) for k in range(30)):
        told = {described(who, about, each) for about in (problem(0), problem(1, "negative"), alone)}
        assert len(told) == 1
    bare = Picture(b"a photo nobody put into words")
    assert len({described(who, about, bare) for about in (problem(0), problem(2), alone)}) == 1


def test_what_is_not_seen_is_told_as_well_formed_json_in_which_every_fact_is_wrong():
    who = subject("sim/blind", env={})
    for k in range(30):
        told, true = (json.loads(text) for text in (described(who, problem(0), picture(k)), picture(k).twin))
        assert [sorted(thing) for thing in told["things"]] == [sorted(thing) for thing in true["things"]]
        pairs = zip(told["things"], true["things"], strict=True)
        assert all(a[name] != b[name] for a, b in pairs for name in ("kind", "tile"))


def test_finding_is_drawn_once_per_item_and_applying_per_call():
    who = subject("sim/ideal:induce=0.5,guess=0", env={})
    induced = [
        described(who, problem(i, q), *problem(i, q).scripts["induce"][:-1], request="What is the rule?")
        for i in range(200)
        for q in SIDES
    ]
    assert induced[0::2] == induced[1::2]
    stated = [text == f"Rule: {CONCEPTS[i % 3]}" for i, text in enumerate(induced[::2])]
    direct = [asyncio.run(put("dvrl", problem(i), subject=who)).text == "positive" for i in range(200)]
    assert stated == direct
    assert near(sum(stated) / 200, 0.5, 200)
    applied = subject("sim/ideal:apply=0.5", env={})
    twice = [[asyncio.run(put(p, problem(i), subject=applied)).text for i in range(200)] for p in ("dvrl", "drl")]
    assert near(sum(a == b for a, b in zip(*twice, strict=True)) / 200, 0.75**2 + 0.25**2, 200)


def test_a_rule_that_is_not_found_is_replaced_by_a_wrong_one():
    who = subject("sim/ideal:induce=0", env={})
    for i in range(20):
        parts = problem(i).scripts["induce"]
        rule = described(who, problem(i), *parts[:-1], request=parts[-1])
        assert rule.startswith("Rule: ")
        assert CONCEPTS[i % 3].lower() not in rule.lower()


@pytest.mark.parametrize(
    ("rule", "right"),
    [
        ("A dog  left of\na CAT.", True),
        ("all show a dog left of a cat, none of the others does", True),
        ("a dog left of a caterpillar", False),
        ("a cat left of a dog", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("script", ["By this rule: {rule}", "{rule}", "It says {rule}. Again: {rule}."])
def test_a_given_rule_counts_by_its_words(rule, right, script):
    about = problem(0, rule=script)
    who = subject("sim/ideal:guess=0", env={})
    parts = about.script("apply", rule=rule)
    assert (described(who, about, *parts[:-1], request=parts[-1]) == "positive") == right


def test_the_words_of_a_description_are_not_taken_for_a_given_rule():
    """Every twin here says "a dog left of a cat", which is the concept of problem 0."""
    assert CONCEPTS[0] in picture(0).twin
    assert asyncio.run(put("ca", problem(0), subject=subject("sim/ideal:induce=0,guess=0", env={}))).text == "negative"


def test_items_without_a_known_concept_need_only_be_seen():
    who = subject("sim/ideal:induce=0,apply=0,guess=0", env={})
    for paradigm in ("dvrl", "drl", "ca"):
        assert asyncio.run(put(paradigm, problem(0, concept=""), subject=who)).text == "positive"


def test_of_several_pictures_without_a_rule_all_must_be_seen():
    pictures = [(picture(i, "a"), picture(i, "b")) for i in range(N)]
    who = subject("sim/ideal:see=0.7", env={})
    question = Question("Which fits, the first or the second?", Form("choice", ("first", "second")), "second")
    abouts = [
        Stimulus(Item(f"pairs/{i}", "pairs", {}, {}, "d"), Condition(), (*both, question.text), question)
        for i, both in enumerate(pictures)
    ]
    for paradigm in ("direct", "ca"):
        right = [asyncio.run(put(paradigm, about, subject=who)).text == "second" for about in abouts]
        assert near(sum(right) / N, or_guess(0.7**2))


def test_probes_of_such_an_item_ask_for_no_rule():
    about = problem(0)
    probe = Question("How many things?", Form("number"), "2")
    about = Stimulus(about.item, about.condition, about.parts, about.question, probes=(probe,))
    who = subject("sim/ideal:induce=0,apply=0", env={})
    assert described(who, about, picture(0, 1), request=probe.text) == "2"


def test_new_parameters_show_in_the_settings_only_where_they_say_something():
    plain = subject("sim/ideal", env={})
    assert not {"induce", "apply", "drop", "change"} & set(plain.settings)
    assert subject("sim/ideal:induce=1,drop=0", env={}).settings == plain.settings
    changed = subject("sim/ideal:induce=0.5,drop=0.1", env={})
    assert changed.name == "sim/ideal:induce=0.5,drop=0.1"
    assert changed.settings == {**plain.settings, "induce": 0.5, "drop": 0.1}
    assert subject("sim/puzzled", env={}).settings["induce"] == PROFILES["puzzled"].parameters.induce


@pytest.mark.soak
def test_the_demonstration_profiles_have_the_gap_they_are_named_for():
    def gaps(name):
        own = {p: rate(p, 80, subject=name) for p in ("drl", "ca")}
        told = rate("ca", 80, subject=name, describer="twin") - own["ca"]
        given = rate("drl", 80, subject=name, inducer="truth") - own["drl"]
        rest = 1 - rate("drl", 80, subject=name, inducer="truth")
        return {"seeing": told, "finding": given, "applying": rest}

    for name, gap in (("puzzled", "finding"), ("clumsy", "applying"), ("ideal:drop=0.03,change=0.03", "seeing")):
        found = gaps(f"sim/{name}")
        assert max(found, key=found.get) == gap, found


async def test_the_twin_gives_each_pictures_own_words():
    oracle, about = subject("twin", env={}), problem(0)
    call = Call("twin", {}, (Message("user", (picture(1), "and", picture(2), "?")),), about)
    assert (await oracle.answer(call)).text == f"{picture(1).twin}\n\n{picture(2).twin}"
    bare = Picture(b"no words")
    mixed = Call("twin", {}, (Message("user", (picture(1), bare)),), about)
    with pytest.raises(CallFailed, match="puzzles/00000 has no twin") as failed:
        await oracle.answer(mixed)
    assert (failed.value.kind, failed.value.passing, failed.value.fatal) == ("rejected", False, False)
    whole = Stimulus(about.item, about.condition, about.parts, about.question, twin="all of it")
    assert (await oracle.answer(Call("twin", {}, mixed.messages, whole))).text == "all of it"


async def test_the_truth_states_the_rule_or_rejects_the_call():
    oracle = subject("truth", env={})
    assert (await oracle.answer(Call("truth", {}, (), problem(1)))).text == "Rule: exactly two red things"
    for about in (problem(1, concept=""), problem(1, concept="  "), None):
        with pytest.raises(CallFailed, match="no known concept") as failed:
            await oracle.answer(Call("truth", {}, (), about))
        assert failed.value.kind == "rejected"


def test_a_twin_that_is_no_json_has_no_facts():
    for twin in ("", "X │ O", "7", '"a"', "{", "[" * 100_000):
        assert facts(twin) == ()
        assert retell(twin, lambda _: "dropped", None) == twin
    twin = '{"a":[1,{"b":true}],"c":null}'
    assert facts(twin) == ("/a/0", "/a/1/b", "/c")
    assert retell(twin, lambda path: "dropped" if path == "/a/0" else "told", None) == '{"a":[{"b":true}],"c":null}'
