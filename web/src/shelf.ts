// The items: which trials asked about each, and what they showed and brought, all conditions, casts and subjects together.
import type { Calls, Step } from "./calls.ts";
import type { Shown } from "./gallery.tsx";
import { picturesIn, rolesOf, stagesOf, textIn } from "./procedure.ts";
import { OUTCOMES } from "./pairs.ts";
import type { Trials } from "./trials.ts";

export interface Shelf {
  /** The trials of an item (by its code), in order. */
  rows: (item: number) => Uint32Array;
  /** How many of them had each outcome. */
  tally: (item: number) => Uint32Array;
}

/** Sorts the trials by item, in two walks over them. */
export function shelve(trials: Trials): Shelf {
  const items = trials.levels("item").length;
  const codes = trials.codes("item");
  const ends = new Uint32Array(items + 1);
  for (let i = 0; i < trials.size; i++) ends[codes[i]! + 1]!++;
  for (let k = 0; k < items; k++) ends[k + 1]! += ends[k]!;
  const next = ends.slice();
  const rows = new Uint32Array(trials.size);
  const tallies = new Uint32Array(items * OUTCOMES.length);
  const kind = trials.levels("outcome").map((o) => Math.max(0, OUTCOMES.indexOf(o as "right")));
  const outcomes = trials.codes("outcome");
  for (let i = 0; i < trials.size; i++) {
    rows[next[codes[i]!]!++] = i;
    tallies[codes[i]! * OUTCOMES.length + kind[outcomes[i]!]!]!++;
  }
  return {
    rows: (item) => rows.subarray(ends[item], ends[item + 1]),
    tally: (item) => tallies.subarray(item * OUTCOMES.length, (item + 1) * OUTCOMES.length),
  };
}

/** A trial among the others of its item. */
export interface Line {
  row: number;
  /** The roles in order, and who played them. */
  cast: [role: string, subject: string][];
  /** What was stated between looking at single pictures and the answer: a rule, for instance. */
  stated: string[];
}

/** The item put in words alone, as its twin has it, and by which trial. */
export interface InWords {
  row: number;
  text: string;
}

export interface ItemPage {
  pictures: Shown[];
  lines: Line[];
  inWords: InWords[];
}

const MOST_WORDINGS = 3;

/** What was put in words alone, each wording once; nothing where the item has no pictures to put into words. */
function wordings(calls: Calls, rows: Uint32Array): InWords[] {
  const found = new Map<string, number>();
  for (const row of rows) {
    const steps = calls.steps(row);
    const last = steps[steps.length - 1];
    if (!last || steps.some((step) => picturesIn(step).length)) continue;
    const text = textIn(last);
    if (!found.has(text)) found.set(text, row);
    if (found.size === MOST_WORDINGS) break;
  }
  return Array.from(found, ([text, row]) => ({ row, text }));
}

/** What an item's trials showed, each picture once with all that was said of it, and how each trial went. */
export function itemPage(trials: Trials, calls: Calls, rows: Uint32Array): ItemPage {
  const pictures = new Map<string, Required<Shown>>();
  const shownIn = new Map<string, number[]>();
  const told = new Set<number>();
  const note = (row: number, digest: string, name: string): Required<Shown> => {
    const shown = pictures.get(digest) ?? { digest, name, remark: "", said: [] };
    shown.name ||= name;
    pictures.set(digest, shown);
    const where = shownIn.get(digest) ?? [];
    if (where[where.length - 1] !== row) where.push(row);
    shownIn.set(digest, where);
    return shown;
  };
  const lines = Array.from(rows, (row): Line => {
    const steps = calls.steps(row);
    const roles = rolesOf(trials, row, steps);
    const stages = stagesOf(steps);
    const line: Line = { row, cast: stages.map(({ at, steps: [step] }) => [roles[at] ?? "", step!.subject]), stated: [] };
    if (!stages.length) line.cast.push(["", trials.text("subject", row)]);
    for (const stage of stages) {
      const final = stage === stages[stages.length - 1];
      for (const { step, digest, name } of stage.seen) {
        const { said } = note(row, digest, name);
        if (told.has(step.call)) continue;
        told.add(step.call);
        said.push({ by: step.subject, text: step.reply, finish: step.finish });
      }
      if (stage.seen.length) continue;
      for (const { digest, name } of picturesIn(stage.steps[0]!)) note(row, digest, name);
      if (!final) line.stated.push(statement(stage.steps[0]!));
    }
    return line;
  });
  for (const shown of pictures.values()) shown.remark = apart(trials, rows, shownIn.get(shown.digest)!);
  return { pictures: [...pictures.values()], lines, inWords: pictures.size ? wordings(calls, rows) : [] };
}

const statement = (step: Step): string => step.reply ?? `no reply: ${step.finish}`;

/** If exactly the trials under one level of a factor show a picture, that level. */
function apart(trials: Trials, all: Uint32Array, showing: number[]): string {
  if (showing.length === all.length) return "";
  for (const factor of trials.varying(trials.factors)) {
    const codes = trials.codes(factor);
    const code = codes[showing[0]!];
    if (showing.every((row) => codes[row] === code) && all.filter((row) => codes[row] === code).length === showing.length) {
      return trials.text(factor, showing[0]!);
    }
  }
  return "";
}

/** The lines of a reply that say what they are ("Rule: ..."), else its beginning. */
export function gist(text: string, most = 160): string {
  const lines = text.slice(0, 20_000).split("\n").map((line) => line.trim()).filter(Boolean);
  const named = lines.length > 1 ? lines.filter((line) => /^\W{0,4}[\p{L}][\p{L} ]{0,24}\W{0,4}:/u.test(line)) : [];
  const chosen = named.length ? named : lines;
  const each = Math.max(40, Math.floor(most / Math.max(1, chosen.length)));
  return chosen.map((line) => (line.length > each && chosen.length > 1 ? `${line.slice(0, each)}\u2026` : line)).join(" \u00b7 ").slice(0, most * 2);
}
