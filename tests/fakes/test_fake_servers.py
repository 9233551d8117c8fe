"""One model behind two servers: what a server does to pictures is found on charts of many lines, and nothing is found
where both do the same, whether replies are always the same or vary from call to call."""

from collections import Counter
from functools import cache

import pytest
from PIL import Image

import snellen
from fakes.chart_readers import ChartReader, by, cap, jpeg, taught_shapes, whole
from fakes.lessons import charts
from snellen.tasks.acuity.study.same import same_model

BICUBIC, NEAREST = Image.Resampling.BICUBIC, Image.Resampling.NEAREST
FITTED = cap(1024, BICUBIC)
SERVERS = {
    "whole": whole,
    "whole too": whole,
    "cap 768": cap(768),
    "cap 1568": cap(1568),
    "cap 2048": cap(2048),
    "half": by(2),
    "jpeg 30": jpeg(30),
    "fitted": FITTED,
    "fitted too": FITTED,
    "fitted otherwise": cap(1024, NEAREST),
}
CASES = {
    ("whole", "cap 768"): ("1024", "2048", "4096"),
    ("whole", "cap 1568"): ("2048", "4096"),
    ("whole", "cap 2048"): ("4096",),
    ("whole", "half"): ("512", "1024", "2048", "4096"),
    ("whole", "jpeg 30"): (),
    ("fitted", "fitted otherwise"): (),
}
"""Pairs that differ, and the canvases on which they must be found to; none where any will do."""
SPARED = {
    ("whole", "cap 768"): {"512"},
    ("whole", "cap 1568"): {"512", "1024"},
    ("whole", "cap 2048"): {"512", "1024", "2048"},
    ("fitted", "fitted otherwise"): {"512", "1024"},
}
"""Canvases that both servers show alike."""
ALIKE = (("whole", "whole too"), ("fitted", "fitted too"))
EYES = {
    "sharp": {"blur": 0.4, "noise": 6.0},
    "middling": {"blur": 0.8, "noise": 12.0},
    "weak": {"blur": 2.0, "noise": 20.0},
    "restless": {"blur": 0.8, "noise": 12.0, "restless": 3.0},
}


@cache
def shapes():
    return taught_shapes(charts("letters", "50.1", 10))


def examined(folder, eyes, names, **choices):
    """The rows of an exam of one reader behind these servers."""
    subjects = {
        name: snellen.subject(
            ChartReader(shapes(), SERVERS[name], seed=k, **EYES[eyes]), name=name, pictures="bytes", together=1
        )
        for k, name in enumerate(names)
    }
    return snellen.exam(subjects, design="same", store=folder / "s.sqlite", **choices).rows


@pytest.mark.soak
def test_a_cap_is_found_from_its_size_on_and_nothing_is_excluded_beyond_what_was_shown(tmp_path):
    names = ("whole", "whole too", "cap 768")
    rows = examined(tmp_path, "middling", names, n=3, levels={"canvas": ("512", "1024")})
    assert rows.group_by("subject").len()["len"].to_list() == [36] * 3
    capped = same_model(rows, "whole", "cap 768")
    assert capped.apart == ("1024",)
    assert "cap 768 sees worse" in capped.verdict
    assert "a cap of 512\u00a0px or more, below 1,024\u00a0px, on the pictures of cap 768" in capped.verdict
    factor = capped.sizes[1].factor
    assert factor.low < 1024 / 768 < factor.high
    quiet = same_model(rows, "whole", "whole too")
    assert quiet.apart == ()
    assert "no difference shown on canvases of 512 and 1,024\u00a0px" in quiet.verdict
    assert "2,048" not in quiet.verdict
    assert "4,096" not in quiet.verdict


@pytest.mark.soak
def test_the_capped_server_is_named_whichever_side_it_is_on(tmp_path):
    rows = examined(tmp_path, "middling", ("whole", "half"), n=4, levels={"canvas": ("512",)})
    assert same_model(rows, "whole", "half").apart == same_model(rows, "half", "whole").apart == ("512",)
    for one, other in (("whole", "half"), ("half", "whole")):
        assert "half sees worse" in same_model(rows, one, other).verdict


@pytest.mark.soak
@pytest.mark.parametrize(("eyes", "seeds"), [("restless", 20), ("sharp", 5), ("weak", 5)])
def test_what_servers_do_is_found_in_19_of_20(eyes, seeds, tmp_path):
    """With half the charts of the design: 72 calls a side."""
    found, alarms, spared = Counter(), Counter(), Counter()
    for seed in range(seeds):
        folder = tmp_path / str(seed)
        folder.mkdir()
        rows = examined(folder, eyes, tuple(SERVERS), n=3, seed=seed)
        for pair, sizes in CASES.items():
            apart = set(same_model(rows, *pair).apart)
            found[pair] += bool(apart) and apart >= set(sizes)
            spared[pair] += bool(apart & SPARED.get(pair, set()))
        alarms.update(pair for pair in ALIKE if same_model(rows, *pair).apart)
    assert all(found[pair] >= 0.95 * seeds for pair in CASES), found
    assert all(alarms[pair] <= 1 for pair in ALIKE), alarms
    assert all(spared[pair] <= 1 for pair in SPARED), spared
