// Pairs: the same item asked under two levels of one factor, or of two subjects, or in two paradigms; all else equal.
import type { Level, Trials } from "./trials.ts";

export const OUTCOMES = ["right", "wrong", "unread"] as const;

export interface Choice {
  task: Level;
  factor: string;
  a: Level;
  b: Level;
}

export interface Pairs {
  /** Trials under level a and b, pair by pair. */
  a: Uint32Array;
  b: Uint32Array;
}

/** Who played which role: it goes with the subject and with the paradigm, so it may differ where these do. */
const ROLES = ["describer", "reasoner", "inducer", "applier"];
const WHO = ["subject", "paradigm"];

/** The trials of a task. */
export function rowsOf(trials: Trials, task: Level): Uint32Array {
  const [code, codes] = [trials.levels("task").indexOf(task), trials.codes("task")];
  return Uint32Array.from(codes.keys()).filter((i) => codes[i] === code);
}

/** The levels of a factor that occur in these trials. */
export function levelsIn(trials: Trials, factor: string, rows: Uint32Array): string[] {
  const codes = trials.codes(factor);
  const present = new Set(Array.from(rows, (row) => codes[row]!));
  return trials.levels(factor).filter((level, code): level is string => level !== null && present.has(code));
}

/** What can be paired in a task, each with the two levels to start with: standard against inverse, or the first pair there is. */
export function pairable(trials: Trials, task: Level): Choice[] {
  const rows = rowsOf(trials, task);
  const varying = [...WHO, ...trials.factors].filter((c) => trials.variesWithin("item", c, rows));
  return varying.flatMap((factor) => {
    const usual = levelsIn(trials, factor, rows).filter((level) => level === "standard" || level === "inverse");
    const [a, b] = usual.length === 2 ? ["standard", "inverse"] : firstPair(trials, factor, rows);
    return a !== undefined && b !== undefined ? [{ task, factor, a, b }] : [];
  });
}

/** The levels of the first two trials that differ in the factor and in nothing else. */
function firstPair(trials: Trials, factor: string, rows: Uint32Array): Level[] {
  const [codes, levels, ids] = [trials.codes(factor), trials.levels(factor), groups(trials, factor, rows)];
  const first = new Map<number, number>();
  for (let k = 0; k < rows.length; k++) {
    const code = codes[rows[k]!]!;
    const before = first.get(ids[k]!) ?? code;
    if (before !== code && levels[code] !== null) return [Math.min(before, code), Math.max(before, code)].map((c) => levels[c]!);
    if (levels[code] !== null) first.set(ids[k]!, before);
  }
  return [];
}

/** Of these the one that the page opens with: the rule, where there is one; else the first factor of the task. */
export const defaultChoice = (choices: Choice[]): Choice | null =>
  choices.find((c) => c.factor === "rule") ?? choices.find((c) => !WHO.includes(c.factor)) ?? choices[0] ?? null;

/** A number for each of these trials, equal where everything but the factor is equal. */
function groups(trials: Trials, factor: string, rows: Uint32Array): Uint32Array {
  const apart = WHO.includes(factor) ? [factor, ...ROLES] : [factor];
  const same = ["item", "subject", "task", "paradigm", "pack", ...trials.factors].filter((c) => !apart.includes(c));
  let ids = new Uint32Array(rows.length);
  for (const column of same.filter((c) => trials.shared(c, rows) === undefined)) {
    const codes = trials.codes(column);
    const levels = trials.levels(column).length;
    const dense = new Map<number, number>();
    ids = ids.map((id, k) => {
      const key = id * levels + codes[rows[k]!]!;
      let next = dense.get(key);
      if (next === undefined) dense.set(key, (next = dense.size));
      return next;
    });
  }
  return ids;
}

/** All pairs, of one subject or of all. If a trial was repeated, the latest counts. */
export function pair(trials: Trials, { task, factor, a, b }: Choice, subject: Level): Pairs {
  const codes = trials.codes(factor);
  const levels = trials.levels(factor);
  const [codeA, codeB] = [levels.indexOf(a), levels.indexOf(b)];
  const rows = rowsOf(trials, task);
  const ids = groups(trials, factor, rows);
  const only = subject === null || factor === "subject" ? -1 : trials.levels("subject").indexOf(subject);
  const who = trials.codes("subject");
  const underA = new Map<number, number>();
  const underB = new Map<number, number>();
  rows.forEach((i, k) => {
    if (only >= 0 && who[i] !== only) return;
    if (codes[i] === codeA) underA.set(ids[k]!, i);
    else if (codes[i] === codeB) underB.set(ids[k]!, i);
  });
  const both = [...underA].filter(([id]) => underB.has(id));
  return {
    a: Uint32Array.from(both, ([, i]) => i),
    b: Uint32Array.from(both, ([id]) => underB.get(id)!),
  };
}

/** How often each outcome under a met each outcome under b. */
export function crossing(trials: Trials, pairs: Pairs): number[][] {
  const table = OUTCOMES.map(() => OUTCOMES.map(() => 0));
  pairs.a.forEach((i, p) => {
    const row = OUTCOMES.indexOf(trials.get("outcome", i) as "right");
    const column = OUTCOMES.indexOf(trials.get("outcome", pairs.b[p]!) as "right");
    if (row >= 0 && column >= 0) table[row]![column]!++;
  });
  return table;
}

/** The places of the pairs to list: one cell of the crossing ("right-wrong"), or all whose outcome differs. */
export function listed(trials: Trials, pairs: Pairs, cell: string): Uint32Array {
  const found: number[] = [];
  pairs.a.forEach((i, p) => {
    const [x, y] = [trials.text("outcome", i), trials.text("outcome", pairs.b[p]!)];
    if (cell ? `${x}-${y}` === cell : x !== y) found.push(p);
  });
  return Uint32Array.from(found);
}
