"""Pictures of a report page for the documentation: `python web/pictures.py REPORT/index.html`."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 740}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SHOTS = (
    ("report", "diagnosis", DESKTOP, "light"),
    ("report-dark", "diagnosis", DESKTOP, "dark"),
    ("report-trials", "trials?f.outcome=wrong", DESKTOP, "light"),
    ("report-pairs", "pairs", DESKTOP, "light"),
    ("report-phone", "diagnosis", PHONE, "light"),
)


def main(report: Path) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, view, viewport, scheme in SHOTS:
            page = browser.new_page(viewport=viewport, color_scheme=scheme)
            page.goto(f"{report.resolve().as_uri()}#/{view}")
            page.wait_for_selector(".card, .message")
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
