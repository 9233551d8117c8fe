"""Tables by name, the published figures, and renderers that defuse hostile text."""

import csv
import io
import re
from functools import cache

import pytest
from fixation_rows import answer_by_tree, fixation_rows

from snellen.analysis import Table, Value, render
from snellen.analysis.printed import printed
from snellen.errors import UserError
from snellen.examine.findings import table, tables
from snellen.tasks.fixation.study.asked import GAMES
from snellen.tasks.fixation.study.papers import PAPER_TABLES

NUMBERS = [2, 3, 4, *range(6, 18)]
API = ("GPT-4.1", "GPT-5.2", "Sonnet-4.0", "Sonnet-4.5")


def figures(number):
    """The published table as {row: {column: number}}, and its value columns."""
    theirs = printed("fixation", f"vlmfix_table{number:02d}")
    columns, rows = theirs.columns, theirs.rows
    names = [column for column in columns[1:] if not column.endswith(" p")]
    return {row[columns[0]]: {c: float(row[c]) if row[c] else None for c in names} for row in rows}, names


@pytest.mark.parametrize("number", NUMBERS)
def test_published_figures_name_their_source_and_agree_with_their_printed_averages(number):
    assert f"arXiv 2604.12119, Table {number} " in printed("fixation", f"vlmfix_table{number:02d}").source
    rows, columns = figures(number)
    assert len(rows) == {3: 5, 4: 6, 16: 11, 17: 11}.get(number, 15)
    models = [name for name in rows if name != "Average"]
    for column in columns:
        values = [rows[name][column] for name in models if rows[name][column] is not None]
        assert all(0 <= value <= 100 for value in values)
        if "Average" in rows:
            assert sum(values) / len(values) == pytest.approx(rows["Average"][column], abs=0.1), column
    if f"{GAMES['reversi']} std" in columns:
        for name, row in rows.items():
            for rule in ("std", "inv"):
                games = [row[f"{title} {rule}"] for title in GAMES.values()]
                assert sum(games) / 4 == pytest.approx(row[f"Average {rule}"], abs=0.1), name


@pytest.mark.parametrize(("first", "marginals"), [(6, 16), (10, 17)])
def test_game_tables_and_order_marginals_agree_model_by_model(first, marginals):
    """Both average the same trials; one wrong digit in any of the five cells involved would show."""
    orders, _ = figures(marginals)
    games = [figures(first + k)[0] for k in range(4)]
    for model in orders:
        for config in ("Base", "Glyph", "Checkerboard", "Alias", "SemAlias"):
            for rule in ("std", "inv"):
                if model == "Average":
                    continue
                by_game = sum(game[model][f"{config} {rule}"] for game in games) / 4
                by_order = sum(orders[model][f"{config} {order} {rule}"] for order in ("image-first", "text-first")) / 2
                assert by_game == pytest.approx(by_order, abs=0.11), (model, config, rule)


def test_api_models_have_percentages_of_300_boards():
    for number in (2, *range(6, 16)):
        rows, columns = figures(number)
        for model in API:
            for column in columns:
                value = rows[model][column]
                if value is not None and not column.startswith("Average"):
                    assert value == pytest.approx(round(value * 3) / 3, abs=0.051), (number, model, column)


def test_averages_of_the_game_tables_are_the_rows_of_tables_3_and_4():
    third, fourth = figures(3)[0], figures(4)[0]
    for k, title in enumerate(GAMES.values()):
        direct, cot = figures(6 + k)[0]["Average"], figures(10 + k)[0]["Average"]
        for rule in ("std", "inv"):
            for config in third:
                assert third[config][f"{title} {rule}"] == direct[f"{config} {rule}"]
            for config in ("Base", "Alias", "SemAlias"):
                assert fourth[f"CoT ({config})"][f"{title} {rule}"] == cot[f"{config} {rule}"]
            assert figures(2)[0]["Average"][f"{title} {rule}"] == direct[f"Base {rule}"]
            for number, name in ((14, "Descriptive"), (15, "Text-only")):
                assert figures(number)[0]["Average"][f"{title} {rule}"] == fourth[name][f"{title} {rule}"]


def test_published_p_values_are_legible_or_blank():
    for number in range(6, 14):
        theirs = printed("fixation", f"vlmfix_table{number:02d}")
        columns, rows = theirs.columns, theirs.rows
        for row in rows:
            for column in columns:
                if column.endswith(" p"):
                    assert re.fullmatch(r"(0\.\d\d|1\.00|<=0\.01)?", row[column]), (number, row, column)


@cache
def many_rows():
    return fixation_rows(
        {"sim/a": answer_by_tree(0.9, 0.4, 0.5, map_alias=0.8), "sim/b": answer_by_tree(0.5, 1, 0.5)},
        n=12,
        prompt=("base", "alias", "semalias", "descriptive"),
        response=("direct", "cot"),
        order=("image_first", "text_first"),
    )


def test_every_named_table_can_be_had_and_printed():
    names = tables(many_rows())
    assert {"accuracy", "gap", "contrasts", "fixation-rungs", "fixation-losses", "unread"} <= set(names)
    assert set(PAPER_TABLES) <= set(names)
    assert {f"vlmfix-table{number}" for number in NUMBERS} == set(PAPER_TABLES)
    for name in (
        "accuracy",
        "gap",
        "contrasts",
        "fixation-rungs",
        "fixation-losses",
        "unread",
        "vlmfix-table4",
        "vlmfix-table17",
    ):
        made = names[name].make()
        assert made.name == name
        assert made.rows
        assert all(len(row) == len(made.columns) for row in made.rows)
        for style in ("text", "md", "latex", "csv"):
            assert "nan" not in render(made, style).lower()


def test_an_unknown_table_or_format_is_one_clear_line():
    few = fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=1, prompt=("base", "alias"), response=("direct", "cot"))
    with pytest.raises(UserError, match="vlmfix-table6"):
        table(few, "vlmfix-tabel6")
    with pytest.raises(UserError, match="text"):
        render(table(few, "gap"), "txt")
    with pytest.raises(UserError, match="no trials"):
        table(few.clear(), "gap")


def test_our_figures_stand_beside_the_published_ones():
    named = tables(many_rows())
    second = named["vlmfix-table2"].make()
    by_label = {row[0]: dict(zip(second.columns, row, strict=True)) for row in second.rows}
    assert by_label["sim/a"]["source"] == "ours"
    assert by_label["GPT-4.1"]["Reversi std"].value == 85.7
    own = many_rows().filter(
        (many_rows()["subject"] == "sim/a")
        & (many_rows()["game"] == "reversi")
        & (many_rows()["rule"] == "inverse")
        & (many_rows()["prompt"] == "base")
        & (many_rows()["response"] == "direct")
    )
    assert by_label["sim/a"]["Reversi inv"].value == pytest.approx(100 * (own["outcome"] == "right").mean())
    games = [by_label["sim/a"][f"{title} inv"].value for title in GAMES.values()]
    assert by_label["sim/a"]["Average inv"].value == pytest.approx(sum(games) / 4)
    assert by_label["sim/a"]["trials"] == 12 * 4 * 2 * 2 * 2
    assert by_label["sim/a"]["unread %"] == 0

    sixth = named["vlmfix-table6"].make()
    row = dict(zip(sixth.columns, sixth.rows[0], strict=True))
    assert row["Base inv"].note == ""
    assert re.fullmatch(r"\((<0\.01|[01]\.\d\d)\)", row["Alias inv"].note)
    assert row["Glyph std"] is None  # not asked: absent, not zero
    fourth = named["vlmfix-table4"].make()
    ours = [line[:2] for line in fourth.rows if line[1] != "paper"]
    assert ("Descriptive", "sim/b") in ours
    assert ("Text-only", "sim/b") not in ours


def test_an_average_is_absent_unless_all_four_games_were_asked():
    some = many_rows().filter(many_rows()["game"] != "reversi")
    made = table(some, "vlmfix-table2")
    row = dict(zip(made.columns, made.rows[0], strict=True))
    assert row["Average std"] is None
    assert row["Reversi std"] is None
    assert row["Connect Four std"] is not None


HOSTILE = Table(
    name="x",
    title="evil \x1b[31m title",
    note="note & more",
    columns=("name", "value"),
    rows=(
        ("=HYPERLINK(1)", Value(1.5, 1.0, 2.0, note="n")),
        ("a|b\nc <script>", Value(None, note="")),
        (r"\input{x} 50% $_^~#{}", -2.5),
        ("‮abc", None),
        ("-1+1", 3),
    ),
)


def test_csv_cannot_smuggle_formulas_and_keeps_numbers():
    lines = list(csv.reader(io.StringIO(render(HOSTILE, "csv"))))
    assert lines[0] == ["name", "value", "value low", "value high", "value note"]
    assert lines[1] == ["'=HYPERLINK(1)", "1.5", "1", "2", "n"]
    assert lines[3][1] == "-2.5"
    assert lines[4][1] == ""
    assert lines[5][:2] == ["'-1+1", "3"]


def test_markdown_latex_and_text_are_defused():
    markdown = render(HOSTILE, "md")
    assert r"a\|b c &lt;script&gt;" in markdown
    assert len({line.count("|") - 2 * line.count(r"\|") for line in markdown.splitlines()[2:9]}) <= 2
    latex = render(HOSTILE, "latex")
    assert r"\textbackslash{}input\{x\} 50\% \$\_\textasciicircum{}\textasciitilde{}\#\{\}" in latex
    assert r"\input" not in latex
    text = render(HOSTILE, "text")
    assert "\x1b" not in text
    assert "‮" not in text
    assert "1.5 [1.0, 2.0] n" in text


@pytest.mark.parametrize("compact", [True, False])
@pytest.mark.parametrize("value", [12.5, 0.25, 40.15, -0.5, 0.0])
def test_rounding_does_not_decide_the_last_digit_of_a_cell(value, compact):
    shown = {
        render(Table("t", "T", "", ("x",), ((Value(value + off, value + off, value + off),),), compact=compact))
        for off in (-1e-12, 0.0, 1e-12)
    }
    assert len(shown) == 1
