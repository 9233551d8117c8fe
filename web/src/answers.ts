// All answers to one item as a grid: a row for each way of asking, a column for each subject.
import type { Trials } from "./trials.ts";

export interface AnswerRow {
  paradigm: string;
  /** The levels that vary within the item, with their factors. */
  levels: [factor: string, level: string][];
  /** The key, if all answers in the row have the same. */
  key: string | null;
  /** The trials in each column. */
  cells: number[][];
}

export interface AnswerGrid {
  subjects: string[];
  rows: AnswerRow[];
}

export function answerGrid(trials: Trials, rows: Uint32Array): AnswerGrid {
  const subjects = [...new Set(Array.from(rows, (row) => trials.text("subject", row)))];
  const varying = trials.factors.filter((factor) => trials.shared(factor, rows) === undefined);
  // Who plays a role is no way of asking where it is the subject itself.
  const levelsOf = (row: number) =>
    varying.flatMap((factor): [string, string][] => {
      const level = trials.text(factor, row);
      return level && level !== trials.text("subject", row) ? [[factor, level]] : [];
    });
  const found = new Map<string, AnswerRow>();
  for (const row of rows) {
    const [paradigm, levels, key] = [trials.text("paradigm", row), levelsOf(row), trials.text("key", row)];
    const name = JSON.stringify([paradigm, levels]);
    const line = found.get(name) ?? { paradigm, levels, key, cells: subjects.map(() => []) };
    if (line.key !== key) line.key = null;
    line.cells[subjects.indexOf(trials.text("subject", row))]!.push(row);
    found.set(name, line);
  }
  return { subjects, rows: [...found.values()] };
}

/** Whether a trial went otherwise than the same subject's under the row that others are compared with. */
export function flipped(trials: Trials, row: number, baseline: number[]): boolean {
  const last = baseline[baseline.length - 1];
  return last !== undefined && trials.text("outcome", row) !== trials.text("outcome", last);
}
