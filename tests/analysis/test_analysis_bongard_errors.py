"""The reading aid: groups proposed from words, always with the words that decided, and never guessed."""

from dataclasses import replace

import pytest

from snellen.tasks.bongard.study.errors import GROUPS as DECIDED
from snellen.tasks.bongard.study.errors import Filed, TrialInWords, error_section
from snellen.tasks.bongard.study.reading_aid import (
    GROUPS,
    aid_section,
    content_words,
    error_groups,
    stem,
)
from snellen.tasks.bongard.study.similarity import Similarity, similarity_table

GUITAR = "A person playing a guitar."


def propose(concept, rule, description, query, **more):
    (found,) = error_groups([TrialInWords("t", concept, rule, description, "wrong", query)], **more)
    return found


@pytest.mark.parametrize(
    ("concept", "rule", "description", "query", "group", "lacking"),
    [
        (
            GUITAR,
            "people: a person with an instrument",
            "a person plays a violin",
            "negative",
            "rule too general",
            None,
        ),
        (
            GUITAR,
            "person playing guitars",
            "a man on a chair",
            "positive",
            "misses the object",
            ("guitars", "person", "playing"),
        ),
        (GUITAR, "a person plays the guitar", "a person playing a guitar", "positive", "weak application", ()),
        (GUITAR, "a person plays the guitar", "a person with a drum", "negative", "weak application", None),
        ("Various kinds of rings", "intricate design", "a gold ring", "positive", "wrong property", ("rings",)),
        ("A tall obelisk", "a prominent obelisk", "a tall obelisk", "positive", "wrong property", ("tall",)),
        (GUITAR, "a person plays the guitar", "a person playing guitar", "negative", "cannot be told", ()),
        (GUITAR, "a person plays the guitar", "", "positive", "cannot be told", ()),
        ("", "anything", "anything", "positive", "cannot be told", ()),
        (GUITAR, "", "a person on a stage", "positive", "misses the object", ("guitar", "playing")),
    ],
)
def test_each_group_is_proposed_with_its_evidence(concept, rule, description, query, group, lacking):
    found = propose(concept, rule, description, query)
    assert found.group == group
    if lacking is not None:
        assert found.lacking == lacking
    for word in (*found.lacking, *found.beside)[:1]:
        assert f'"{word}"' in found.why


def test_a_rule_that_is_merely_wider_does_not_explain_a_member_shut_out():
    found = propose("a red ball", "a ball", "a red cube", "positive")
    assert found.group == "misses the object"
    assert found.lacking == ("ball",)


def test_only_wrong_verdicts_are_explained():
    records = [
        TrialInWords(str(k), GUITAR, "x", "y", outcome, "positive") for k, outcome in enumerate(("right", "unread"))
    ]
    assert error_groups(records) == []


def test_synonyms_count_as_the_word():
    asked = ("an animal near water", "an animal near water", "a dog near water", "positive")
    assert propose(*asked).lacking == ("animal",)
    assert propose(*asked, synonyms={"animals": ("dogs", "cats")}).group == "weak application"
    by_rule = propose(
        "an animal near water", "a dog near water", "a dog near water", "positive", synonyms={"animal": ("dog",)}
    )
    assert by_rule.group == "weak application"


def test_words_are_cut_to_stems_and_empty_words_dropped():
    for one, other in (
        ("rings", "ring"),
        ("playing", "plays"),
        ("berries", "berry"),
        ("horses", "horse"),
        ("running", "run"),
    ):
        assert stem(one) == stem(other)
    assert stem("grass") == "grass"
    assert list(content_words('{"Objects": ["red Cubes", "2 cubes"], "the": "scene"}').values()) == [
        "red",
        "cubes",
        "2",
    ]


def test_the_section_counts_and_shows_everything():
    records = [
        TrialInWords("1", GUITAR, "a person", "a person", "wrong", "negative", "a"),
        TrialInWords("2", GUITAR, "", "", "wrong", "positive", "b"),
    ]
    section = aid_section(error_groups(records))
    counts, each = section.blocks[1:]
    assert counts.columns == ("subject", *GROUPS, "wrong")
    assert counts.rows == (("a", 1, 0, 0, 0, 0, 1), ("b", 0, 0, 0, 0, 1, 1))
    assert [row[3] for row in each.rows] == ["rule too general", "cannot be told"]
    assert all(len(row) == len(each.columns) for row in each.rows)  # type: ignore[arg-type]
    assert "reading aid" in section.title
    assert all("reading aid" in f"{block.title} {block.note}" for block in (counts, each))


def test_function_words_decide_nothing():
    found = propose("at least one dog", "at least one dog", "a dog on the grass", "positive")
    assert found.group == "weak application"
    assert not content_words("There is at least one of them, and no other")


def test_a_word_that_both_sides_have_explains_nothing():
    shown = (("a dog in a park", "a dog in a park"), ("a cat in a park", "a bird in a park"))
    record = TrialInWords("t", "a dog in a park", "", "a dog on a street", "wrong", "positive", examples=shown)
    (found,) = error_groups([record])
    assert found.group == "weak application"
    assert error_groups([replace(record, examples=((), ()))])[0].lacking == ("park",)


def test_filed_verdicts_are_counted_and_shown_with_their_evidence():
    record = TrialInWords("t1", GUITAR, "a rule", "", "wrong", "positive", "s", "item")
    filed = [(record, Filed(group, "why", "query", "fact", "words")) for group in (DECIDED[0], DECIDED[0], DECIDED[2])]
    _, shares, counts, each = error_section(filed).blocks
    assert counts.rows == (("s", 2, 0, 1, 0, 0, 3),)
    assert [value.value for value in shares.rows[0][1]] == [2 / 3, 0, 1 / 3, 0, 0]
    assert each.rows[0][:9] == ("t1", "item", "s", "positive", DECIDED[0], "query", "fact", "words", "why")
    assert all(len(row) == len(each.columns) for row in each.rows)  # type: ignore[arg-type]


def test_similarities_stand_beside_the_published_ones():
    ours = [Similarity("s", "positive", value) for value in (0.8, 0.9)]
    rows = similarity_table(ours).rows
    assert rows[0] == ("s", "ours", "positive", "0.850", "0.050", 2)
    assert ("GPT-4o", "paper", "negative", "0.866", "0.020", None) in rows
