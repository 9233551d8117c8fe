"""What every look at the page in a browser is held to."""

from collections.abc import Callable
from typing import Any

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

Open = Callable[..., Any]


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def chart_words(figure: Any) -> list[str]:
    """What a chart says in its drawing."""
    return [text.replace("\u00a0", " ") for text in figure.locator(".drawing text").all_text_contents()]


def contrast_failures(page: Any) -> list[str]:
    """Texts on the screen whose contrast with what is behind them is below WCAG AA."""
    return list(page.evaluate(CONTRAST))


CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgb = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behindWords = (words) => {
    const middle = (e) => { const b = e.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const [x, y] = middle(words);
    const over = (path) => {
      const b = path.getBBox();
      return b.x <= x && x <= b.x + b.width && b.y <= y && y <= b.y + b.height;
    };
    const before = [...words.parentElement.querySelectorAll(":scope > path")];
    const fills = before.filter((e) => e.compareDocumentPosition(words) & 4 && over(e))
      .map((e) => getComputedStyle(e).fill).filter((fill) => fill.startsWith("rgb"));
    return fills.length ? rgb(fills.at(-1)) : null;
  };
  const behind = (element) => {
    const own = element.tagName === "text" && element.closest(".drawing") ? behindWords(element) : null;
    if (own) return own;
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const aside = element.closest(".offscreen, script, noscript, title, :disabled");
    if (!own || aside || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = rgb(element.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.add(`${ratio.toFixed(2)} ${element.className} ${element.textContent.slice(0, 30)}`);
  }
  return [...found];
}"""
