// The trials in memory: columns of codes, and the questions the page asks of them.
import type { Calls } from "./calls.ts";
import { livePicture } from "./live.ts";
import { Texts, unpack, type Payload } from "./payload.ts";

export type Codes = Uint8Array | Uint16Array | Uint32Array;
export type Level = string | null;
/** For each filtered column the levels that may pass. */
export type Filters = Record<string, Level[]>;

interface TrialsHead {
  rows: number;
  factors: string[];
  levels: Record<string, Level[]>;
  trials: string[];
}

export class Trials {
  readonly size: number;
  readonly factors: string[];
  private places: Map<string, number> | null = null;

  constructor(private readonly payload: Payload<TrialsHead>) {
    this.size = payload.head.rows;
    this.factors = payload.head.factors;
  }

  static async load(): Promise<Trials> {
    return new Trials(await unpack<TrialsHead>("trials"));
  }

  levels(column: string): Level[] {
    return this.payload.head.levels[column] ?? [];
  }

  codes(column: string): Codes {
    return this.payload.arrays[column] as Codes;
  }

  get(column: string, row: number): Level {
    return this.levels(column)[this.codes(column)[row] ?? 0] ?? null;
  }

  text(column: string, row: number): string {
    return this.get(column, row) ?? "";
  }

  /** A measured number, or null where the provider did not say. */
  number(column: string, row: number): number | null {
    const x = this.payload.arrays[column]?.[row];
    return x === undefined || Number.isNaN(x) || x < 0 ? null : x;
  }

  id(row: number): string {
    return this.payload.head.trials[row] ?? "";
  }

  find(id: string): number {
    this.places ??= new Map(this.payload.head.trials.map((name, i) => [name, i]));
    return this.places.get(id) ?? -1;
  }

  labels(row: number): string[] {
    const text = this.get("labels", row);
    return text ? (JSON.parse(text) as string[]) : [];
  }

  /** Factors and other columns that differ between trials: what is worth filtering by and worth showing. */
  varying(columns: string[]): string[] {
    return columns.filter((c) => this.levels(c).length > 1);
  }

  get filterable(): string[] {
    const all = ["subject", "paradigm", "task", "outcome", "reason", "mechanism", ...this.factors, "finish", "pack", "exam"];
    return this.varying(all);
  }

  /** Whether a column has several levels within one group of these rows, such as within a task or an item. */
  variesWithin(group: string, column: string, rows: ArrayLike<number>): boolean {
    const [groups, codes] = [this.codes(group), this.codes(column)];
    const first = new Map<number, number>();
    for (let i = 0; i < rows.length; i++) {
      const [own, code] = [groups[rows[i]!]!, codes[rows[i]!]!];
      const before = first.get(own);
      if (before === undefined) first.set(own, code);
      else if (before !== code) return true;
    }
    return false;
  }

  /** The level that all of these rows share; undefined if they differ. */
  shared(column: string, rows: ArrayLike<number>): Level | undefined {
    const codes = this.codes(column);
    for (let i = 1; i < rows.length; i++) if (codes[rows[i]!] !== codes[rows[0]!]) return undefined;
    return rows.length ? this.get(column, rows[0]!) : undefined;
  }
}

export interface Found {
  rows: Uint32Array;
  /** For each column, how many trials each level would leave, given the other filters. */
  counts: Record<string, Uint32Array>;
}

/** The trials that pass, and the counts beside each filter, in one walk over the columns. */
export function sift(trials: Trials, filters: Filters, matches: Uint8Array | null): Found {
  const columns = trials.filterable;
  const counts: Record<string, Uint32Array> = {};
  for (const c of columns) counts[c] = new Uint32Array(trials.levels(c).length);
  const tests = columns.filter((c) => filters[c]?.length).map((c) => ({
    column: c,
    codes: trials.codes(c),
    pass: Uint8Array.from(trials.levels(c), (level) => (filters[c]?.includes(level) ? 1 : 0)),
  }));
  const failed = new Int8Array(trials.size); // 0: passes all; k: fails only test k - 1; -1: fails more
  for (let i = 0; i < trials.size; i++) if (matches && !matches[i]) failed[i] = -1;
  tests.forEach(({ codes, pass }, k) => {
    for (let i = 0; i < codes.length; i++) if (!pass[codes[i]!]) failed[i] = failed[i] === 0 ? k + 1 : -1;
  });
  for (const c of columns) {
    const own = tests.findIndex((t) => t.column === c) + 1;
    const codes = trials.codes(c);
    const into = counts[c]!;
    for (let i = 0; i < codes.length; i++) {
      const f = failed[i]!;
      if (f === 0 || (own && f === own)) into[codes[i]!]!++;
    }
  }
  const rows = new Uint32Array(trials.size);
  let n = 0;
  for (let i = 0; i < trials.size; i++) if (failed[i] === 0) rows[n++] = i;
  return { rows: rows.subarray(0, n), counts };
}

/** What the trials of a list have in common, and what sets them apart. */
export interface Listed {
  /** Columns with one level for all, and that level. */
  common: [column: string, level: string][];
  /** Of subject and paradigm, those that vary; then the factors that vary within a task. */
  who: string[];
  factors: string[];
  /** How the names of all items begin; null if all are trials of one item. */
  prefix: string | null;
}

export function listedBy(trials: Trials, rows: Uint32Array): Listed {
  const asked = ["subject", "paradigm", "task", ...trials.factors];
  const common: Listed["common"] = asked.flatMap((c) => {
    const level = trials.shared(c, rows);
    return level ? [[c, level] as [string, string]] : [];
  });
  const varies = (c: string) => trials.variesWithin("task", c, rows);
  const items = Array.from(new Set(Array.from(rows, (row) => trials.codes("item")[row]!)), (code) => trials.levels("item")[code] ?? "");
  const prefix = items.length > 1 ? items.reduce(sharedFolders) : null;
  if (items.length === 1) common.push(["item", items[0]!]);
  return { common, who: ["subject", "paradigm"].filter((c) => trials.shared(c, rows) === undefined), factors: trials.factors.filter(varies), prefix };
}

/** The folders with which both names begin: of a/b/1 and a/b/2, a/b/. */
function sharedFolders(a: string, b: string): string {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a.slice(0, a.lastIndexOf("/", same - 1) + 1);
}

/** The raw replies. */
export class Replies {
  constructor(private readonly codes: Codes, private readonly texts: Texts) {}

  static async load(): Promise<Replies> {
    const { arrays } = await unpack<object>("replies");
    return new Replies(arrays["codes"] as Codes, new Texts(arrays["ends"]!, arrays["bytes"]!));
  }

  get(row: number): string {
    return this.texts.get(this.codes[row] ?? 0);
  }

  /** Any reply, by its number. */
  text(code: number): string {
    return this.texts.get(code);
  }

  /** Which trials' replies (those on the way too), items or ids contain the words; gives way to the screen while it works. */
  async search({ trials, calls }: { trials: Trials; calls: Calls | null }, words: string, stopped: () => boolean): Promise<Uint8Array | null> {
    const wanted = words.toLowerCase();
    const has = (text: Level) => text !== null && text.toLowerCase().includes(wanted);
    const inTexts = new Uint8Array(this.texts.size);
    let pause = performance.now() + 12;
    for (let i = 0; i < inTexts.length; i++) {
      if (has(this.texts.get(i))) inTexts[i] = 1;
      if (performance.now() > pause) {
        await new Promise((go) => setTimeout(go));
        if (stopped()) return null;
        pause = performance.now() + 12;
      }
    }
    const inItems = Uint8Array.from(trials.levels("item"), (item) => (has(item) ? 1 : 0));
    const items = trials.codes("item");
    const found = new Uint8Array(trials.size);
    for (let i = 0; i < found.length; i++) {
      found[i] = inTexts[this.codes[i]!] || inItems[items[i]!] || (trials.id(i) === wanted ? 1 : 0);
      if (!found[i] && calls?.of(i).some((call) => inTexts[calls.replyCode(call)])) found[i] = 1;
    }
    return found;
  }
}

/** What is known of each item beside its trials: its concept, its category. */
export class Facts {
  constructor(private readonly texts: Texts) {}

  static async load(): Promise<Facts> {
    const { arrays } = await unpack<object>("facts");
    return new Facts(new Texts(arrays["ends"]!, arrays["bytes"]!));
  }

  /** Names and facts of an item, by its code. */
  of(item: number): [name: string, fact: string][] {
    return item < this.texts.size ? Object.entries(JSON.parse(this.texts.get(item)) as Record<string, string>) : [];
  }
}

export interface PictureShown {
  /** An address for <img>; empty if the picture is only in a file beside the page. */
  source: string;
  words: string;
  /** What is shown: the bytes that were sent, others with the same pixels, or a compressed copy (see report/copies.py). */
  copy?: "exact" | "lossless" | "lossy";
  /** The file with the bytes that were sent, if it was written. */
  file?: string;
}

/** A picture, or null if it is not in the page. */
export function pictureOf(digest: string): PictureShown | null {
  const live = livePicture(digest);
  if (live) return live;
  const element = document.getElementById(`picture-${digest}`);
  if (!element) return null;
  const { alt = "", copy, file } = element.dataset;
  const source = element.textContent ? `data:${element.textContent}` : "";
  return { source, words: alt, copy: copy as PictureShown["copy"], file };
}
