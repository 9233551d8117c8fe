// Showing text nobody vouches for. What cannot be seen (controls, bidi marks, lone surrogates) is shown by its number,
// so that it can neither hide nor reorder anything; long texts are cut until somebody asks for all of them.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "./format.ts";

const UNSEEN = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\uFFFD])+/gu;
const CODES_SHOWN = 6;

function codes(run: string): string {
  const points = Array.from(run, (c) => c.codePointAt(0)!);
  const shown = points.slice(0, CODES_SHOWN).map((p) => `U+${p.toString(16).toUpperCase().padStart(4, "0")}`);
  return shown.join(" ") + (points.length > CODES_SHOWN ? ` and ${count(points.length - CODES_SHOWN)} more` : "");
}

/** One line of plain text, for labels, options and attributes. */
export function plain(text: string, most = 200): string {
  const cut = text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}\u2026` : text;
  const seen = cut.replace(UNSEEN, (run) => `\u27E8${codes(run)}\u27E9`).replace(/\s+/g, " ");
  return seen.replace(/(\d) %/g, "$1\u00a0%");
}

/** A paragraph of ours; what stands in backquotes is code. `said` may set off what explains itself. */
export function Prose({ text, said = (piece) => piece }: { text: string; said?: (piece: string) => ComponentChildren }) {
  return <>{plain(text, 5000).split(/`([^`]+)`/).map((piece, i) => (i % 2 ? <code>{piece}</code> : said(piece)))}</>;
}

/** Text with the unseen made visible. */
export function visible(text: string): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  const source = text.replaceAll("\r\n", "\n");
  let last = 0;
  for (const match of source.matchAll(UNSEEN)) {
    if (match.index > last) nodes.push(source.slice(last, match.index));
    nodes.push(<span class="unseen" title="a character that cannot be seen">{codes(match[0])}</span>);
    last = match.index + match[0].length;
  }
  nodes.push(source.slice(last));
  return nodes;
}

type Span = [start: number, end: number];

/** Places counted in characters (as Python counts) turned into places in a JavaScript string. */
export function inUnits(text: string, [start, end]: Span): Span {
  let units = 0;
  let points = 0;
  let from = -1;
  while (points < end && units < text.length) {
    if (points === start) from = units;
    units += text.codePointAt(units)! > 0xffff ? 2 : 1;
    points++;
  }
  return from < 0 ? [0, 0] : [from, units];
}

const MOST = 4000;
const HEAD = 2400;
const AROUND = 400;
const SLICE = 6000;

/** Stay off the middle of a surrogate pair. */
const edge = (text: string, i: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(i)) ? i - 1 : i);

function marked(text: string, [from, to]: Span, [start, end]: Span): ComponentChildren[] {
  const [s, e] = [Math.max(from, Math.min(start, to)), Math.max(from, Math.min(end, to))];
  if (s >= e) return visible(text.slice(from, to));
  return [
    ...visible(text.slice(from, s)),
    <mark>{visible(text.slice(s, e))}</mark>,
    ...visible(text.slice(e, to)),
  ];
}

function excerpts(text: string, [start, end]: Span): Span[] {
  if (text.length <= MOST) return [[0, text.length]];
  const head: Span = [0, edge(text, HEAD)];
  if (end <= head[1] || start === end) return [head];
  const around: Span = [edge(text, Math.max(0, start - AROUND)), edge(text, Math.min(text.length, Math.min(end, start + AROUND) + AROUND))];
  return around[0] <= head[1] ? [[0, around[1]]] : [head, around];
}

function slices(text: string): Span[] {
  const found: Span[] = [];
  for (let from = 0; from < text.length; ) {
    let to = edge(text, Math.min(text.length, from + SLICE));
    const line = text.lastIndexOf("\n", to - 1) + 1;
    if (to < text.length && line > from + SLICE / 2) to = line;
    found.push([from, to]);
    from = to;
  }
  return found;
}

/** A piece of a very long text that is only laid out when it comes near the screen. */
function Slice({ text, part, span }: { text: string; part: Span; span: Span }) {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const settings = { root: ref.current.parentElement, rootMargin: "600px" };
    const watcher = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && setNear(true), settings);
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, []);
  const height = `${Math.ceil((part[1] - part[0]) / 70) * 1.5}em`;
  return <div ref={ref} style={near ? {} : { height }}>{near ? marked(text, part, span) : null}</div>;
}

interface LongProps {
  text: string;
  /** The evidence, in characters. */
  span?: Span;
  label: string;
}

export function LongText({ text, span = [0, 0], label }: LongProps) {
  const [whole, setWhole] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => setWhole(false), [text]);
  useEffect(() => {
    if (whole) box.current?.scrollIntoView({ block: "nearest" }); // the box is lower than what stood here
  }, [whole]);
  const units = useMemo(() => inUnits(text, span), [text, span[0], span[1]]);
  const parts = excerpts(text, units);
  const hidden = text.length - parts.reduce((sum, [a, b]) => sum + b - a, 0);
  if (!text) return <p class="empty">empty</p>;
  return (
    <div class="long">
      <div ref={box} class={whole ? "raw whole" : "raw"} dir="auto" tabIndex={whole ? 0 : undefined} role="group" aria-label={label}>
        {whole
          ? slices(text).map((part) => <Slice key={part[0]} text={text} part={part} span={units} />)
          : parts.map((part, i) => [i > 0 && <span class="cut" aria-hidden="true">{"\u22EF"}</span>, ...marked(text, part, units)])}
        {!whole && hidden > 0 && (parts[parts.length - 1]?.[1] ?? 0) < text.length && <span class="cut" aria-hidden="true">{"\u22EF"}</span>}
      </div>
      {hidden > 0 && (
        <button class="quiet" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show all ${count(text.length)} characters`}
        </button>
      )}
    </div>
  );
}
