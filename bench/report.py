"""How long a report of many trials takes to write, and to open in Chromium until the list of trials answers.

`first paint` is the diagnosis on the screen; `list` is when the list of trials is drawn and moves; `all` is when
replies and prompts are unpacked too. Opened from a file, three times; the median is printed.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "report"))

from playwright.sync_api import Browser, sync_playwright
from report_samples import FLAGS, find_chromium, findings, many

from snellen.report import write_report

# Watches from inside the page, so that only the browser's own work is timed: as soon as a row is there, keys are
# pressed, and the list has answered when another row is selected.
WATCH = """
window.times = {};
new MutationObserver(() => {
  const note = (name, selector) => {
    if (name in times || !document.querySelector(selector)) return false;
    times[name] = performance.now() / 1000;
    return true;
  };
  if (note("drawn", ".row")) {
    const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
    const again = setInterval(() => ("list" in times ? clearInterval(again) : press()), 10);
  }
  note("list", '.row[aria-selected="true"]:not([aria-posinset="1"])');
  note("all", ".trial .message");
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def open_page(browser: Browser, page_file: Path) -> dict[str, float]:
    """Seconds from the start of the navigation."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(WATCH)
    page.goto(f"file://{page_file}#/trials", wait_until="commit")
    page.wait_for_selector('.row[aria-selected="true"]:not([aria-posinset="1"])')
    page.wait_for_selector(".trial .message")
    times = {"first paint": page.evaluate(PAINT), **page.evaluate("times")}
    page.close()
    return {name: times[name] for name in ("first paint", "list", "all")}


def measure(trials: int = 100_000) -> list[tuple[str, str, str]]:
    chromium = find_chromium()
    if not chromium:
        return [("report", "no Chromium here", "")]
    sample = many(trials)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        start = time.perf_counter()
        path = write_report(sample.rows, findings(), Path(folder), call_of=sample.call_of, image_of=sample.pictures.get)
        written = time.perf_counter() - start
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        runs = [open_page(browser, path) for _ in range(3)]
        browser.close()
        size = path.stat().st_size / 1e6
    rows = [(f"report of {trials:,} trials: written ({size:.0f} MB)", f"{written:.1f} s", "")]
    wanted = {"list": "< 3 s"}
    for name in runs[0]:
        rows.append((f"report: {name}", f"{median(run[name] for run in runs):.2f} s", wanted.get(name, "")))
    return rows


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
