"""Descriptions are read as leniently as is written down, and no more so."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.answer.descriptions import JsonTally, read_description, tally

steady = settings(deadline=None, derandomize=True)

GOOD = {"scene": 'a "STOP" sign', "things": [{"kind": "dog", "count": 2, "big": True}], "mood": None, "x": -1.5e3}
WELL = json.dumps(GOOD, ensure_ascii=False)


@pytest.mark.parametrize("text", [WELL, json.dumps(GOOD, indent=2), f"\n {WELL}\t", "\ufeff" + WELL, "{}"])
def test_json_as_it_should_be_is_read_as_it_is(text):
    found = read_description(text)
    assert (found.text, found.fields, found.repaired, found.problem) == (
        text,
        json.loads(text.strip("\ufeff")),
        False,
        "",
    )


@pytest.mark.parametrize(
    ("text", "fields", "problem"),
    [
        (f"```json\n{WELL}\n```", GOOD, "words around the object"),
        (f"Here it is: {WELL} I hope that helps {{honestly}}.", GOOD, "words around the object"),
        (f"With {{braces}} and {{ 'quotes' }}: {WELL}", GOOD, "words around the object"),
        ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}, "a comma before a closing bracket"),
        (
            "{'a': 'the dog's tail', 'b': 1}",
            {"a": "the dog's tail", "b": 1},
            "other quotation marks; a quotation mark within a string",
        ),
        ("{“a”: “b”, ‘c’: ‘d’}", {"a": "b", "c": "d"}, "other quotation marks"),
        ('{"a": "says "STOP" twice", "b": 0}', {"a": 'says "STOP" twice', "b": 0}, "a quotation mark within a string"),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}, "a line break within a string"),
        ('{"a": "it\\\'s"}', {"a": "it's"}, "a needless backslash"),
        ('{"a": True, "b": [None, False]}', {"a": True, "b": [None, False]}, "True, False or None as in Python"),
        ('x {"a": "\\u00e9\\n\\ud83d\\ude00\\\\"}', {"a": "é\n😀\\"}, "words around the object"),
        ("```{'a': 1,}", {"a": 1}, "words around the object; other quotation marks; a comma before a closing bracket"),
    ],
)
def test_each_repair_is_made_and_named(text, fields, problem):
    found = read_description(text)
    assert (found.text, found.fields, found.repaired, found.problem) == (text, fields, True, problem)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"a": 1, "b": "half a sen', {"a": 1, "b": "half a sen"}),
        ('{"a": [1, {"b": [2, "th', {"a": [1, {"b": [2, "th"]}]}),
        ('{"a": [1, 2', {"a": [1]}),
        ('{"a": 1, "b": tr', {"a": 1}),
        ('{"a": 1, "b": 12', {"a": 1}),
        ('{"a": 1, "b":', {"a": 1}),
        ('{"a": 1, "b"', {"a": 1}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1,', {"a": 1}),
        ('{"a": 1 ', {"a": 1}),
        ('{"a": {"b": 1}', {"a": {"b": 1}}),
        ('{"a": "b\\', {"a": "b\\"}),
    ],
)
def test_a_text_that_breaks_off_is_closed(text, fields):
    found = read_description(text)
    assert (found.fields, found.repaired, found.problem) == (fields, True, "it breaks off")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "nothing at all"),
        (" \n", "nothing at all"),
        ("I'm sorry, but I can't help with that.", "no JSON object"),
        ("{curly} words", "no JSON object"),
        ("[1, 2]", "not an object"),
        ('"words"', "not an object"),
        ("null", "no JSON object"),
        ('{"a": 1 oops {"b": 2}}', "',' expected at character 8"),
        ('{"a": 1,, "b": 2}', "a name in quotation marks expected at character 8"),
        ('{"a": NaN}', "a value expected at character 6"),
        ('{"a": 1e999}', "a number too large to be one"),
        ('{"a": ' + "9" * 10_000 + "}", "a number too large to be one"),
        ('{"a": 01}', "a value expected at character 6"),
        ('{"a": yes}', "a value expected at character 6"),
        ('{"a": ' * 65 + "1" + "}" * 65, "nested deeper than 64"),
        ('{"a": ' * 65 + "'1'" + "}" * 65, "nested deeper than 64"),
        ('{"a": ' + "[" * 500_000, "nested deeper than 64"),
        ('{"a', "it breaks off within a name"),
        ('{"a": 12', "it breaks off before its first entry ends"),
    ],
)
def test_what_no_rule_covers_is_malformed(text, problem):
    found = read_description(text)
    assert (found.text, found.fields, found.repaired, found.problem) == (text, None, False, problem)


def test_the_deepest_nesting_allowed_is_the_same_for_both_ways_of_reading():
    well, ill = ('{"a": ' * 64 + inner + "}" * 64 for inner in ("1", "'1'"))
    assert (read_description(well).fields is None, read_description(ill).fields is None) == (False, False)


def test_half_characters_are_replaced():
    for text in ('{"a": "\\ud800"}', '{"a": "\ud800",}'):
        fields = read_description(text).fields
        assert "\ufffd" in json.dumps(fields, ensure_ascii=False).encode().decode()


def test_a_tally_counts_each_kind():
    assert tally([WELL, "{}", f"```{WELL}```", "no", "", "[]"]) == JsonTally(2, 1, 3)
    assert tally([]) == JsonTally()


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(words, values, min_size=1, max_size=4)


@steady
@given(objects, st.booleans())
def test_well_formed_objects_are_never_touched(content, plain):
    text = json.dumps(content, ensure_ascii=plain)
    found = read_description(text)
    assert (found.fields, found.repaired, found.problem) == (content, False, "")


@steady
@given(objects, st.booleans())
def test_a_fence_changes_nothing_but_the_verdict(content, plain):
    found = read_description(f"```json\n{json.dumps(content, ensure_ascii=plain, indent=1)}\n```")
    assert (found.fields, found.repaired) == (content, True)


@steady
@given(objects, st.data())
def test_of_a_text_cut_anywhere_the_beginning_is_read(content, data):
    text = json.dumps(content)
    cut = data.draw(st.integers(0, len(text) - 1))
    found = read_description(text[:cut])
    if found.fields is not None:
        assert found.repaired
        assert list(found.fields) == list(content)[: len(found.fields)]
        assert all(found.fields[name] == content[name] for name in list(found.fields)[:-1])
    for complete in (n for n in range(1, len(content)) if cut > len(json.dumps(dict(list(content.items())[:n])))):
        assert found.fields is not None
        assert len(found.fields) >= complete


hostile = st.lists(st.sampled_from([*"{}[]:,\"'“”\\ \nae1-.", '{"a":', "```", "True", "\ud800", "\\u12"]), max_size=60)


@steady
@given(hostile.map("".join) | st.text())
def test_any_text_gives_a_verdict(text):
    found = read_description(text)
    assert found.text == text
    assert (found.fields is None) <= (found.problem != "" and not found.repaired)
    assert found.repaired <= (found.problem != "")
    json.dumps(found.fields, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "unit", ["{", '{"', '{"a":', '{"a":"', "{'a':'", '{"a" ', '"', '" ', "' ", "\\", "[", '{"a":1},', "{ ", "9", " "]
)
@pytest.mark.parametrize("opening", ["", '{"a":', '{"a":"', "{'a':'", '{"a":['])
def test_the_work_grows_no_faster_than_the_text(unit, opening, monkeypatch):
    """Counted, not timed: the places at which the reader looks for its next character."""
    from snellen.answer import descriptions

    looks = 0
    end_of_space = descriptions._end_of_space

    def counting(text, at):
        nonlocal looks
        looks += 1
        return end_of_space(text, at)

    monkeypatch.setattr(descriptions, "_end_of_space", counting)
    text = opening + unit * 20_000
    read_description(text)
    assert looks <= 2 * len(text)
