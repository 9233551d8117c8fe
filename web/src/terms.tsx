// Terms that explain themselves: whoever points at one, taps it or reaches it with the keyboard is told what it means.
// The words come with the page (see src/snellen/report/glossary.toml); one box shows them, wherever the term is.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { plain } from "./text.tsx";
import type { Glossary } from "./types.ts";

let groups: Glossary = {};
let words = new Map<string, string>();
/** Terms that are set off wherever they occur in a sentence: those of statistics that have no everyday meaning. */
let inSentences = /(?!)/;
const EVERYDAY = new Set(["p", "exact", "chance", "paired", "threshold"]);

export function setGlossary(told: Glossary | undefined): void {
  if (!told) return;
  groups = told;
  words = new Map(Object.values(told).flatMap((terms) => Object.entries(terms)));
  const listed = ["off-ladder comparison", ...Object.keys(told["Statistics"] ?? {}).filter((term) => !EVERYDAY.has(term))];
  inSentences = new RegExp(`(${listed.map((term) => term.replaceAll(" ", "[ \\u00a0]")).join("|")})`, "i");
}

export const glossary = (): Glossary => groups;

/** The term that a label names, whatever its case and with or without a unit; empty if none does. */
export function termOf(label: string): string {
  const bare = label.replaceAll("\u00a0", " ").replace(/ %$/, "");
  return [bare, bare.toLowerCase(), bare.charAt(0).toUpperCase() + bare.slice(1)].find((term) => words.has(term)) ?? "";
}

const idOf = (term: string): string => `term-${term.replace(/[^A-Za-z0-9]+/g, "-")}`;

/** What an element that names a term carries, so that it is explained. */
export const explained = (label: string): { "data-term"?: string; "aria-describedby"?: string } => {
  const term = termOf(label);
  return term ? { "data-term": term, "aria-describedby": idOf(term) } : {};
};

export function Term({ name, children }: { name: string; children?: ComponentChildren }) {
  if (!termOf(name)) return <>{children ?? name}</>;
  return <button type="button" class="term" {...explained(name)}>{children ?? name}</button>;
}

/** A sentence of ours whose terms of statistics explain themselves, each once. */
export function withTerms(text: string): ComponentChildren[] {
  const seen = new Set<string>();
  return text.split(inSentences).map((piece, i) => {
    const term = i % 2 ? termOf(piece) : "";
    if (!term || seen.has(term)) return piece;
    seen.add(term);
    return <Term name={term}>{piece}</Term>;
  });
}

interface Shown {
  term: string;
  box: DOMRect;
}

/** The box, and all explanations for those who are read to. Escape closes it. */
export function Explanations() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const look = (event: Event) => {
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(".explanation") && event.type !== "click") return; // it stays while it is pointed at
      const at = target?.closest<HTMLElement | SVGElement>("[data-term]");
      setShown(at ? { term: at.dataset["term"] ?? "", box: at.getBoundingClientRect() } : null);
    };
    const away = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === "Escape") setShown(null);
    };
    const looking = ["pointerover", "focusin", "click"];
    looking.forEach((kind) => document.addEventListener(kind, look));
    ["keydown", "focusout"].forEach((kind) => document.addEventListener(kind, away));
    return () => {
      looking.forEach((kind) => document.removeEventListener(kind, look));
      ["keydown", "focusout"].forEach((kind) => document.removeEventListener(kind, away));
    };
  }, []);
  return (
    <>
      <div hidden>{Array.from(words, ([term, meaning]) => <p id={idOf(term)}>{meaning}</p>)}</div>
      {shown && words.has(shown.term) && <Box {...shown} />}
    </>
  );
}

const WIDE = 320;
const EDGE = 8;

function Box({ term, box }: Shown) {
  const left = Math.max(EDGE, Math.min(box.left, innerWidth - WIDE - EDGE));
  const below = box.bottom + 160 < innerHeight;
  const place = below ? { top: scrollY + box.bottom } : { top: scrollY + box.top, transform: "translateY(-100%)" };
  return <p class="explanation" aria-hidden="true" style={{ left, width: Math.min(WIDE, innerWidth - 2 * EDGE), ...place }}><b>{term}</b> {plain(words.get(term) ?? "", 600)}</p>;
}
