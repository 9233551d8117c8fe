// How a trial went, read off its calls: who played which role, which pictures were looked at one by one, and what the
// pictures are called. Nothing here knows a paradigm or a task.
import type { Step } from "./calls.ts";
import { words } from "./diff.ts";
import type { Trials } from "./trials.ts";

export const partsIn = (step: Step) => step.messages.flatMap((m) => m.parts);

export const wordsIn = (steps: Step[]): string[] =>
  steps.flatMap((s) => partsIn(s).flatMap((p) => ("words" in p ? words(p.words) : [])));

export const textIn = (step: Step): string => partsIn(step).map((p) => ("words" in p ? p.words : "")).join("\n");

const LONGEST_NAME = 60;

/** What a picture is called: the last line before it, if that is short enough to be a name. */
function nameIn(text: string): string {
  const line = text.trimEnd().split("\n").pop()?.trim().replace(/\s*:$/, "") ?? "";
  return line.length > LONGEST_NAME ? "" : line;
}

export interface Named {
  digest: string;
  name: string;
}

/** The pictures of a call, each with what it is called; one that comes twice is shown once. */
export function picturesIn(step: Step): Named[] {
  const found = new Map<string, string>();
  let before = "";
  for (const part of partsIn(step)) {
    if ("picture" in part && !found.has(part.picture)) found.set(part.picture, nameIn(before));
    before = "words" in part ? part.words : "";
  }
  return Array.from(found, ([digest, name]) => ({ digest, name }));
}

/** A picture that was looked at alone, what was said of it, and what it is called where that is quoted. */
export interface Seen extends Named {
  step: Step;
}

/** Calls that go together: one picture each, by the same subject with the same words; or a single call. */
export interface Stage {
  steps: Step[];
  /** The place of the first of them. */
  at: number;
  seen: Seen[];
}

/** The stages of a trial in order. The last is always the call that brought the answer. */
export function stagesOf(steps: Step[]): Stage[] {
  const stages: Stage[] = [];
  let from = 0; // in the last prompt, what is quoted next stands further on
  const quoting = steps.slice(-1).map(textIn).join();
  steps.forEach((step, at) => {
    const [only, ...more] = picturesIn(step);
    if (!only || more.length || at === steps.length - 1) return stages.push({ steps: [step], at, seen: [] });
    const place = step.reply ? quoting.indexOf(step.reply, from) : -1;
    if (place >= 0) from = place + step.reply!.length;
    const seen = { step, digest: only.digest, name: only.name || (place < 0 ? "" : nameIn(quoting.slice(0, place))) };
    const last = stages[stages.length - 1];
    const first = last?.seen.length ? last.steps[0]! : null;
    if (first && first.subject === step.subject && textIn(first) === textIn(step)) {
      last!.steps.push(step);
      last!.seen.push(seen);
    } else stages.push({ steps: [step], at, seen: [seen] });
    return stages;
  });
  return stages;
}

/** The role each step was asked in: the factor whose level is the subject asked; empty where that is not clear. */
export function rolesOf(trials: Trials, row: number, steps: Step[]): string[] {
  const playing = (step: Step) => trials.factors.filter((f) => trials.get(f, row) === step.subject);
  const last = steps.length ? (playing(steps[steps.length - 1]!).pop() ?? "") : "";
  return steps.map((step, i) => {
    if (i === steps.length - 1) return last;
    const roles = playing(step);
    const others = roles.filter((role) => role !== last);
    return others.length === 1 ? others[0]! : roles.length === 1 ? roles[0]! : "";
  });
}

export interface Group<T> {
  name: string;
  members: T[];
}

/** Things whose names differ only in a number at the end, together. */
export function grouped<T extends { name: string }>(things: T[]): Group<T>[] {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const stem = stemOf(thing.name);
    groups.set(stem, [...(groups.get(stem) ?? []), thing]);
  }
  return Array.from(groups, ([stem, members]) => ({ name: members.length > 1 ? stem : members[0]!.name, members }));
}

export const stemOf = (name: string): string => name.replace(/[\s#.]*\d+$/, "");
