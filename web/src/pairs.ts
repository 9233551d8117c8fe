// Pairs: the same item asked under two levels of one factor, or of two subjects, or in two paradigms; all else equal.
import type { Level, Trials } from "./trials.ts";

export const OUTCOMES = ["right", "wrong", "unread"] as const;

export interface Choice {
  factor: string;
  a: Level;
  b: Level;
}

export interface Pairs {
  /** Trials under level a and b, pair by pair. */
  a: Uint32Array;
  b: Uint32Array;
}

/** What the page opens with: the rule, standard against inverse, where there is one; else the first factor that varies. */
export function defaultChoice(trials: Trials): Choice | null {
  const factors = [...trials.varying(trials.factors), ...trials.varying(WHO)];
  const rule = trials.levels("rule");
  if (factors.includes("rule") && rule.includes("standard") && rule.includes("inverse")) {
    return { factor: "rule", a: "standard", b: "inverse" };
  }
  for (const factor of factors) {
    const [a, b] = trials.levels(factor).filter((level) => level !== null);
    if (a !== undefined && b !== undefined && pair(trials, { factor, a, b }, null).a.length) return { factor, a, b };
  }
  return null;
}

/** Who played which role: it goes with the subject and with the paradigm, so it may differ where these do. */
const ROLES = ["describer", "reasoner", "inducer", "applier"];
const WHO = ["subject", "paradigm"];

/** What can be paired: subjects and paradigms, if there are several, and every factor that varies. */
export const pairable = (trials: Trials): string[] => trials.varying([...WHO, ...trials.factors]);

/** A number for each trial, equal where everything but the factor is equal. */
function groups(trials: Trials, factor: string): Uint32Array {
  const apart = WHO.includes(factor) ? [factor, ...ROLES] : [factor];
  const same = ["item", "subject", "task", "paradigm", "pack", ...trials.factors].filter((c) => !apart.includes(c));
  let ids = new Uint32Array(trials.size);
  for (const column of trials.varying(same)) {
    const codes = trials.codes(column);
    const levels = trials.levels(column).length;
    const dense = new Map<number, number>();
    ids = ids.map((id, i) => {
      const key = id * levels + codes[i]!;
      let next = dense.get(key);
      if (next === undefined) dense.set(key, (next = dense.size));
      return next;
    });
  }
  return ids;
}

/** All pairs, of one subject or of all. If a trial was repeated, the latest counts. */
export function pair(trials: Trials, { factor, a, b }: Choice, subject: Level): Pairs {
  const codes = trials.codes(factor);
  const levels = trials.levels(factor);
  const [codeA, codeB] = [levels.indexOf(a), levels.indexOf(b)];
  const ids = groups(trials, factor);
  const only = subject === null || factor === "subject" ? -1 : trials.levels("subject").indexOf(subject);
  const who = trials.codes("subject");
  const underA = new Map<number, number>();
  const underB = new Map<number, number>();
  for (let i = 0; i < trials.size; i++) {
    if (only >= 0 && who[i] !== only) continue;
    if (codes[i] === codeA) underA.set(ids[i]!, i);
    else if (codes[i] === codeB) underB.set(ids[i]!, i);
  }
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
