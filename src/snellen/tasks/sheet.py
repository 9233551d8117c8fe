"""Contact sheets: stimuli side by side, to look at with your own eyes.

A sheet is one picture (FILE.png) or one page without network or script (FILE.html). Levels that all stimuli share are
said once at the top; each stimulus is headed by what sets it apart.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import NamedTemporaryFile

from snellen.errors import UserError
from snellen.item import Parts, Picture, Question, Stimulus

FEW = 3
"""With more pictures than these, a stimulus shows them small and side by side."""
SHORT = 40
"""Words no longer than this, right before a picture, are its caption."""


def write_sheet(stimuli: Sequence[Stimulus], path: Path, title: str) -> None:
    """Write a contact sheet of the stimuli; the file's suffix says which kind."""
    suffix = path.suffix.lower()
    if suffix not in (".html", ".png"):
        raise UserError(f"sheet {path}: unknown suffix {path.suffix!r}; expected .html or .png")
    if not stimuli:
        raise UserError(f"sheet {path}: nothing to show; ask for at least one item")
    if suffix == ".html":
        data = page(stimuli, title).encode("utf-8", "backslashreplace")
    else:
        from snellen.tasks.sheet_picture import picture

        data = picture(stimuli, title)
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            unfinished = Path(file.name)
        try:
            unfinished.write_bytes(data)
            unfinished.chmod(0o644)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"sheet {path}: {error.strerror or error}; choose another file") from None


def shared_levels(stimuli: Sequence[Stimulus]) -> dict[str, str]:
    """The levels all stimuli have in common."""
    first, *others = (levels(stimulus) for stimulus in stimuli)
    return {name: level for name, level in first.items() if all(other.get(name) == level for other in others)}


def levels(stimulus: Stimulus) -> dict[str, str]:
    """All levels of a stimulus, the item's own first."""
    return {**stimulus.item.levels, **stimulus.condition}


def apart(stimulus: Stimulus, shared: Mapping[str, str]) -> str:
    """What sets a stimulus apart, in words."""
    return ", ".join(f"{name}={level}" for name, level in levels(stimulus).items() if name not in shared)


_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fafaf8; --card: #fff; --edge: #d9d7d0; --soft: #5d5b55; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ecebe6; --paper: #17181a; --card: #212327; --edge: #3b3e44; --soft: #aaa89f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { margin: 0 0 .2rem; font-size: 1.5rem; }
p { margin: 0 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
main { display: grid; gap: 1rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
article { display: flex; flex-direction: column; gap: .7rem; padding: .9rem; min-width: 0; border-radius: .6rem;
  border: 1px solid var(--edge); background: var(--card); }
h2 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h2 small { display: block; font-weight: normal; color: var(--soft); }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--edge); border-radius: .2rem; }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
pre.board { padding: .5rem; overflow-x: auto; white-space: pre; overflow-wrap: normal; line-height: 1.15;
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .15rem .7rem; margin: 0; overflow-wrap: anywhere; }
dt { color: var(--soft); } dd { margin: 0; } dd b { font-size: 1.05em; }
summary { cursor: pointer; color: var(--soft); }
article.many { grid-column: 1 / -1; }
.pictures { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(min(9rem, 45%), 1fr)); }
figure { margin: 0; } figcaption { color: var(--soft); font-size: .85rem; }
""".strip()


def page(stimuli: Sequence[Stimulus], title: str) -> str:
    """The sheet as one page. All text of the stimuli is shown as text, whatever it contains."""
    shared = shared_levels(stimuli)
    style = b64encode(sha256(_STYLE.encode()).digest()).decode()
    cards = "\n".join(_card(stimulus, shared) for stimulus in stimuli)
    about = ", ".join(f"{name}={level}" for name, level in shared.items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-{style}'; \
base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>{len(stimuli)} {"stimulus" if len(stimuli) == 1 else "stimuli"}. {escape(f"All: {about}." if about else "")}</p>
<main>
{cards}
</main>
</body>
</html>
"""


def _card(stimulus: Stimulus, shared: Mapping[str, str]) -> str:
    many = len(stimulus.pictures) > FEW
    parts = _gallery(stimulus.parts) if many else "\n".join(map(_part, stimulus.parts))
    probes = "\n".join(_text(f"{probe.text}  [{_answer(probe)}]") for probe in stimulus.probes)
    return f"""<article{' class="many"' if many else ""}>
<h2>{escape(stimulus.item.id)}<small>{escape(apart(stimulus, shared))}</small></h2>
{parts}
<dl><dt>key</dt><dd><b>{escape(stimulus.question.key)}</b> {_mechanisms(stimulus.question)}</dd>
{_concept(stimulus)}</dl>
{_folded("twin", f'<pre class="board">{escape(stimulus.twin)}</pre>' if stimulus.twin else "")}
{_folded("probes", probes)}
</article>"""


def _part(part: str | Picture) -> str:
    return _image(part) if isinstance(part, Picture) else _text(part)


def _gallery(parts: Parts) -> str:
    """Many pictures, small and side by side, each with the words right before it as its caption."""
    shown = []
    for row, group in groupby(captioned(parts), key=row_of):
        cells = [
            f"<figure>{_image(p)}<figcaption>{escape(t)}</figcaption></figure>" if p else _text(t) for t, p in group
        ]
        shown.append(f'<div class="pictures">{"".join(cells)}</div>' if row else "\n".join(cells))
    return "\n".join(shown)


def captioned(parts: Parts) -> Iterator[tuple[str, Picture | None]]:
    """Each picture with the words right before it if they are few, and all other words by themselves."""
    words = ""
    for part in parts:
        if isinstance(part, str):
            if words:
                yield words, None
            words = part
        else:
            if len(words) > SHORT:
                yield words, None
                words = ""
            yield words, part
            words = ""
    if words:
        yield words, None


def row_of(entry: tuple[str, Picture | None]) -> str:
    """What a picture's caption says besides a number: Positive 1, Positive 2, ... stand together. Empty for words."""
    caption, picture = entry
    return caption.rstrip("0123456789: ") or "picture" if picture else ""


def _concept(stimulus: Stimulus) -> str:
    concept = stimulus.item.truth.get("concept")
    return f"<dt>concept</dt><dd>{escape(str(concept))}</dd>" if concept else ""


def _image(picture: Picture) -> str:
    media = picture.media_type if picture.media_type.startswith("image/") else "application/octet-stream"
    data = b64encode(picture.data).decode()
    return f'<img src="data:{escape(media)};base64,{data}" alt="{escape(picture.alt)}" loading="lazy">'


def _text(text: str) -> str:
    """Words that wrap, and between them boards, which must not."""
    stretches = groupby(text.split("\n"), key=is_board)
    marked = (("board" if board else "words", "\n".join(lines)) for board, lines in stretches)
    return "\n".join(f'<pre class="{kind}">{escape(lines)}</pre>' for kind, lines in marked if lines.strip())


def is_board(line: str) -> bool:
    """Whether the line is part of a board in characters."""
    return any(sign in line for sign in "│┼┬┴•")


def _answer(question: Question) -> str:
    others = [label for label in question.form.labels if label != question.key]
    return f"{question.key}, not {' or '.join(others)}" if others else question.key


def _mechanisms(question: Question) -> str:
    return escape("; ".join(f"{answer} would be: {name}" for answer, name in question.mechanisms.items()))


def _folded(name: str, content: str) -> str:
    return f"<details><summary>{name}</summary>\n{content}\n</details>" if content else ""
