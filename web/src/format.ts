// Numbers and names as people read them.
import type { Cell, Value } from "./types.ts";

export const MISSING = "\u2013";

export function fixed(x: number, digits: number): string {
  const [whole = "", part] = Math.abs(x).toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const text = part ? `${grouped}.${part}` : grouped;
  return x < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text;
}

export const count = (n: number): string => fixed(n, 0);

/** Which of the input tokens a provider read from its cache and wrote to it: " (800 cached, 90 written)". */
export function ofCache(cached?: number | null, written?: number | null, say = count): string {
  const parts = [cached ? `${say(cached)} cached` : "", written ? `${say(written)} written` : ""].filter(Boolean);
  return parts.length ? ` (${parts.join(", ")})` : "";
}

export const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;

export function valueText(v: Value | null, digits: number): string {
  if (!v || v.value === null) return MISSING;
  const value = fixed(v.value, digits);
  return v.low === null || v.high === null ? value : `${value} [${fixed(v.low, digits)}, ${fixed(v.high, digits)}]`;
}

/** A share of items in whole numbers: "41 (36\u201346)". */
export function ofHundred(v: Value | null | undefined, scale = 100): string {
  if (!v || v.value === null) return MISSING;
  const whole = (x: number) => fixed(x * scale, 0);
  if (v.low === null || v.high === null) return whole(v.value);
  // An interval that is narrower than one is still an interval.
  const narrow = whole(v.low) === whole(v.high) && v.high > v.low;
  const [low, high] = narrow ? [Math.floor(v.low * scale) / scale, Math.ceil(v.high * scale) / scale] : [v.low, v.high];
  return `${whole(v.value)} (${whole(low)}${v.low < 0 ? "\u00a0to\u00a0" : "\u2013"}${whole(high)})`;
}

export const isValue = (cell: Cell | undefined): cell is Value => typeof cell === "object" && cell !== null;

/** Decimals for a column: none for counts, two where all its numbers are at most 1 (probabilities), else one. */
export function columnDigits(cells: (Cell | undefined)[]): number {
  let top = 0;
  let whole = true;
  for (const cell of cells) {
    const numbers = isValue(cell) ? [cell.value, cell.low, cell.high] : [typeof cell === "number" ? cell : null];
    for (const x of numbers) if (x !== null) top = Math.max(top, Math.abs(x));
    whole &&= isValue(cell) ? false : typeof cell !== "number" || Number.isInteger(cell);
  }
  return whole ? 0 : top <= 1 ? 2 : 1;
}

/** A bare number in a table; small ones (p values) keep what they have to say. */
export function numberText(x: number, digits: number): string {
  const tiny = digits === 2 && x !== 0 && Math.abs(x) < 0.005;
  return tiny ? x.toPrecision(2).replace("-", "\u2212") : fixed(x, digits === 2 ? 3 : digits);
}

export function cellText(cell: Cell | undefined, digits: number): string {
  if (cell === null || cell === undefined) return MISSING;
  if (isValue(cell)) return valueText(cell, digits);
  return typeof cell === "number" ? numberText(cell, digits) : String(cell);
}
