// Tables: sorted by any column, values with their intervals, and out as CSV.
import { useMemo, useState } from "preact/hooks";
import { cellText, columnDigits, count, isValue, MISSING } from "./format.ts";
import { toCsv } from "./csv.ts";
import { copy, useTurn } from "./hooks.ts";
import { explained, withTerms } from "./terms.tsx";
import { plain, Prose } from "./text.tsx";
import type { Cell, TableBlock } from "./types.ts";

const AT_ONCE = 100;
const SHORT = 28; // letters that stay on one line

/** Words that are a number all the same, such as "<0.001". */
const NUMERIC = /^\s*[<>\u2264\u2265]?\s*([-\u2212+]?\d[\d.]*)\s*%?\s*$/;

const asNumber = (text: string): number | null => {
  const found = NUMERIC.exec(text)?.[1];
  return found === undefined ? null : Number(found.replace("\u2212", "-"));
};

const sortKey = (cell: Cell | undefined): string | number | null => {
  if (isValue(cell)) return cell.value;
  if (cell === "") return null;
  return typeof cell === "string" ? (asNumber(cell) ?? cell) : typeof cell === "boolean" ? String(cell) : (cell ?? null);
};

const looksNumeric = (cell: Cell | undefined): boolean =>
  typeof cell === "number" || isValue(cell) || (typeof cell === "string" && asNumber(cell) !== null);

function compare(a: Cell | undefined, b: Cell | undefined, way: number): number {
  const [x, y] = [sortKey(a), sortKey(b)];
  if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1; // gaps last, whichever way
  if (typeof x === "number" && typeof y === "number") return way * (x - y);
  return way * String(x).localeCompare(String(y), "en", { numeric: true });
}

/** The way a first click sorts is up for text and down for numbers; a third click brings the given order back. */
function turned(sort: Sort | null, column: number, numeric: boolean): Sort | null {
  const first = numeric ? -1 : 1;
  if (sort?.column !== column) return { column, way: first };
  return sort.way === first ? { column, way: -first } : null;
}

interface Sort {
  column: number;
  way: number;
}

export function DataTable({ block }: { block: TableBlock }) {
  const [sort, setSort] = useState<Sort | null>(null);
  const [all, setAll] = useState(false);
  const [copied, setCopied] = useState("");
  const columns = useMemo(
    () => block.columns.map((name, c) => {
      const cells = block.rows.map((row) => row[c]);
      const known = cells.filter((cell) => cell !== null && cell !== undefined && cell !== "");
      return { name, digits: columnDigits(cells), numeric: known.length > 0 && known.every(looksNumeric) };
    }),
    [block],
  );
  const rows = useMemo(
    () => (sort ? block.rows.toSorted((a, b) => compare(a[sort.column], b[sort.column], sort.way)) : block.rows),
    [block, sort],
  );
  const [ref, ready] = useTurn<HTMLElement>();
  const shown = all ? rows : rows.slice(0, ready ? AT_ONCE : 0);
  const toClipboard = async () => {
    setCopied((await copy(toCsv(block))) ? "Copied" : "Could not copy");
    setTimeout(() => setCopied(""), 2000);
  };
  return (
    <figure class="table" ref={ref}>
      <figcaption>
        <span>{plain(block.title || block.name, 300)}</span>
        <button class="quiet" onClick={toClipboard} aria-label={`Copy as CSV: ${plain(block.title || block.name)}`}>{copied || "Copy as CSV"}</button>
        <span class="offscreen" role="status">{copied}</span>
      </figcaption>
      <div class="scroll" tabIndex={0} role="group" aria-label={plain(block.title || block.name)}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, numeric }, c) => {
                const way = sort?.column === c ? sort.way : 0;
                return (
                  <th scope="col" class={numeric ? "number" : ""} aria-sort={way > 0 ? "ascending" : way < 0 ? "descending" : "none"}>
                    <button {...explained(name)} onClick={() => setSort(turned(sort, c, numeric))}>
                      {plain(name)}
                      <span class="way" aria-hidden="true">{way > 0 ? "\u25B4" : way < 0 ? "\u25BE" : ""}</span>
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr>
                {columns.map(({ digits, numeric }, c) => <TableCell cell={row[c] ?? null} digits={digits} numeric={numeric} first={c === 0} />)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="empty">No rows.</p>}
      {rows.length > AT_ONCE && (
        <button class="quiet" onClick={() => setAll(!all)}>{all ? "Show fewer rows" : `Show all ${count(rows.length)} rows`}</button>
      )}
      {block.note && <p class="note"><Prose text={block.note} said={withTerms} /></p>}
    </figure>
  );
}

function TableCell({ cell, digits, numeric, first }: { cell: Cell; digits: number; numeric: boolean; first: boolean }) {
  const text = cellText(cell, digits);
  const note = isValue(cell) ? plain(cell.note) : "";
  const Tag = first && !numeric ? "th" : "td";
  const [value = "", interval] = isValue(cell) ? text.split(/ (?=\[)/) : [text];
  const kind = numeric ? "number" : value.length <= SHORT ? "short" : "";
  return (
    <Tag scope={Tag === "th" ? "row" : undefined} class={kind} title={isValue(cell) && cell.n !== null ? `n = ${count(cell.n)}` : undefined}>
      {note && value === MISSING ? <small>{note}</small> : plain(value, 400)}
      {interval && <span class="interval"> {interval}</span>}
      {note && value !== MISSING && <small>{note}</small>}
    </Tag>
  );
}
