"""Write docs/glossary.md from the terms of the report: `python docs/make_glossary.py`."""

from pathlib import Path

from snellen.report.glossary import glossary_page

if __name__ == "__main__":
    Path(__file__).with_name("glossary.md").write_text(glossary_page(), encoding="utf-8")
