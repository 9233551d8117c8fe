"""The comparer of pages: the last digit of an estimate may differ, nothing else may."""

import pytest
from docs_numbers import difference

VERDICT = """\
sim/nearsighted loses 53 % of items (95 % CI 36–72) to its eyes: it solves them from an
exact description, but not from the picture.
  ██████████████▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌
  ██ right 28   ░░ attention 0 (0–2)   ▌▌ habit 72 (63–81)
  inverse  habit  ····──●─··|··········  28 (20–36)    0 %
  · It also loses 0 % (0–9) to attention (slips), and 1,204 calls failed.
  · Of its 87 wrong answers on inverse, 86 of 87 'default rule'; it fits (p = 0.950).
"""
TABLE = """\
where      pairs  items  difference          p (items)
---------  -----  -----  ------------------  ---------
fixation     720     60  -7.8 [-14.7, -0.8]  0.034
"""
DRAWN = '<svg><line x1="120.5" y1="3"/><desc>Base 27.5 [20.2, 36.3] of gpt-4.1, 0.99722 of 360</desc></svg>'


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (VERDICT, "36–72", "36–71"),
        (VERDICT, "36–72", "38–70"),
        (VERDICT, "53 % of", "54 % of"),
        (VERDICT, "right 28", "right 29"),
        (VERDICT, "▌▌▌▌▌▌\n  ██ right 28", "▌▌▌▌▌▌▌\n  ██ right 29"),
        (VERDICT, "····──●─··|··········  28 (20–36)", "·····─●─··|··········  28 (21–36)"),
        (VERDICT, "0–9)", "0–10)"),
        (VERDICT, "p = 0.950", "p = 0.949"),
        (VERDICT, "72) to its eyes: it solves them from an\nexact", "71) to its eyes: it solves them from\nan exact"),
        (TABLE, "-7.8 [-14.7, -0.8]  0.034", "-7.7 [-14.9, -0.8]  0.035"),
        (TABLE, "-  ---------\nfixation     720     60  -7.8", "  ---------\nfixation     720     60  -7.7"),
        (DRAWN, "120.5", "121.7"),
        (DRAWN, "27.5 [20.2", "27.4 [20.4"),
        (DRAWN, "0.99722", "0.99731"),
    ],
)
def test_the_last_digit_of_an_estimate_may_differ(text: str, before: str, after: str) -> None:
    assert before in text
    assert difference(text, text.replace(before, after)) == ""


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (VERDICT, "to its eyes", "to habit"),
        (VERDICT, "53 % of", "56 % of"),
        (VERDICT, "36–72", "36–75"),
        (VERDICT, "right 28", "right 31"),
        (VERDICT, "95 % CI 36", "96 % CI 36"),
        (VERDICT, "1,204 calls", "1,205 calls"),
        (VERDICT, "87 wrong", "88 wrong"),
        (VERDICT, "86 of 87", "85 of 87"),
        (VERDICT, "86 of 87", "86 of 88"),
        (VERDICT, "0 %", "1 %"),
        (VERDICT, "p = 0.950", "p = 0.940"),
        (VERDICT, "  ██ right", "██ right"),
        (VERDICT, "  · Of its 87 wrong answers on inverse, 86 of 87 'default rule'; it fits (p = 0.950).\n", ""),
        (TABLE, "720", "721"),
        (TABLE, "     60", "     61"),
        (TABLE, "-7.8", "7.8"),
        (TABLE, "-7.8", "-4.8"),
        (TABLE, "-0.8]", "-0.8)"),
        (DRAWN, "120.5", "127.0"),
        (DRAWN, "gpt-4.1", "gpt-4.2"),
        (DRAWN, "0.99722", "0.96722"),
        (DRAWN, "of 360", "of 361"),
        (DRAWN, "<line", "<rect"),
    ],
)
def test_a_real_change_is_caught(text: str, before: str, after: str) -> None:
    assert before in text
    assert difference(text, text.replace(before, after))
