// A table as CSV, for whoever wants to work on with it.
import type { Cell, TableBlock } from "./types.ts";
import { isValue } from "./format.ts";

/** Quoted where needed; text that a spreadsheet would take for a formula is defused. */
function field(cell: string | number | boolean | null): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toCsv(table: TableBlock): string {
  const has = (of: (v: Exclude<Cell, string | number | boolean | null>) => unknown) =>
    table.columns.map((_, c) => table.rows.some((row) => { const cell = row[c]; return isValue(cell) && of(cell); }));
  const ranged = has((v) => v.low !== null || v.high !== null);
  const counted = has((v) => v.n !== null);
  const noted = has((v) => v.note);
  const line = (pick: (c: number) => (string | number | boolean | null)[]) =>
    table.columns.flatMap((_, c) => pick(c)).map(field).join(",");
  const spread = (c: number, main: string | number | boolean | null, low: string | number | null,
    high: string | number | null, n: string | number | null, note: string | null) => [
    main, ...(ranged[c] ? [low, high] : []), ...(counted[c] ? [n] : []), ...(noted[c] ? [note] : []),
  ];
  const head = line((c) => { const name = table.columns[c] ?? ""; return spread(c, name, `${name} low`, `${name} high`, `${name} n`, `${name} note`); });
  const body = table.rows.map((row) => line((c) => {
    const cell = row[c] ?? null;
    return isValue(cell) ? spread(c, cell.value, cell.low, cell.high, cell.n, cell.note) : spread(c, cell, null, null, null, null);
  }));
  return [head, ...body].join("\r\n") + "\r\n";
}
