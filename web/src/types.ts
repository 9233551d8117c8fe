// What the analysis hands over (see src/snellen/report/shown.py), as it arrives in JSON.

export interface Value {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number | null;
  note: string;
}

export interface TextBlock {
  kind: "text";
  text: string;
}

/** A colour on light and on dark paper. */
export type OnPapers = [light: string, dark: string];

/** Hatching: the directions of its lines in degrees, and how far apart they are. */
export type Lines = [turn: number, apart: number][];

/** What marks are drawn with: whatever lies behind the chart, a colour, or lines across. */
export type Paint = "paper" | [light: string, dark: string, hatch?: Lines];

/** A chart drawn to one width, in points. Paints are places in the list, none is -1. Of a spot: its box and what it says. */
export interface Sheet {
  size: [width: number, height: number];
  paints: Paint[];
  marks: (
    | [path: string, fill: number, edge: number, pen: number, dash: string]
    | [x: number, y: number, words: string, size: number, ink: number, width: number, anchor: 0 | 1 | 2, upright: 0 | 1]
  )[];
  spots: [x: number, y: number, width: number, height: number, says: string][];
}

/** Any chart, drawn to several widths, the widest first. */
export interface ChartBlock {
  kind: "chart";
  title: string;
  note: string;
  told: string;
  drawings: Sheet[];
  numbers: [corner: string, columns: string[], rows: [label: string, texts: string[]][]] | null;
}

export type Cell = string | number | boolean | Value | null;

export interface TableBlock {
  kind: "table";
  name: string;
  title: string;
  note: string;
  columns: string[];
  rows: Cell[][];
}

export type Block = TextBlock | TableBlock | ChartBlock;

export interface Section {
  title: string;
  blocks: Block[];
  /** Whose trials it speaks of; empty if of several tasks. */
  task: string;
}

export interface Loss {
  faculties: string[];
  share: Value;
  step: Value;
  lower: string;
  upper: string;
  p: number | null;
  shown: boolean;
  smallest: number | null;
}

/** A diagnosis with the charts made from it (see src/snellen/report/shown.py). */
export interface Diagnosis {
  subject: string;
  task: string;
  headline: string;
  verdict: string;
  details: string[];
  faults: string[];
  losses: Loss[];
  beside: Loss[];
  missing: string[];
  /** A share of the items; with the losses it adds up to 1. */
  right: Value;
  /** Percent right of all replies to the task as it is asked. */
  accuracy: Value;
  badge: string;
  /** Of right and of each loss: how it looks, its share, and both in words. */
  bar: [look: string, share: number, told: string][];
  losses_chart: ChartBlock | null;
  ladder_chart: ChartBlock | null;
  steps: TableBlock | null;
  largest: { name: string; share: Value } | null;
}

/** For each subject and task the places of its diagnoses. */
export interface Overview {
  subjects: string[];
  tasks: string[];
  cells: number[][][];
}

export interface Pooled {
  faculty: string;
  mean: Value;
  /** The least and the largest loss; none for one task. */
  across: [low: number, high: number] | null;
  tasks: number;
}

export interface Profile {
  subject: string;
  tasks: string[];
  rows: [string, (Value | null)[]][];
  pooled: Pooled[];
}

export interface Findings {
  diagnoses?: Diagnosis[];
  overview?: Overview;
  profiles?: Profile[];
  /** Subjects over time, where there are several stores or checkpoints. */
  history?: Section | null;
  sections?: Section[];
  fingerprints?: Record<string, unknown>[];
  eye_cards?: EyeCard[];
  looks?: Looks;
  glossary?: Glossary;
}

/** Groups of terms, each with its explanation. */
export type Glossary = Record<string, Record<string, string>>;

/** How right, faculties and verdicts look. */
export interface Looks {
  parts: Record<string, { fill: OnPapers; lines: OnPapers; hatch: Lines; words: string }>;
  verdicts: Record<string, { ink: OnPapers; words: string }>;
}

/** The eye chart of a subject as SVG, on light and on dark paper, and the same in words. */
export interface EyeCard {
  subject: string;
  told: string;
  light: string;
  dark: string;
}

export interface Head {
  /** The page of a server that follows an exam (see live.ts). */
  live?: boolean;
  /** Whether the exam is not complete: every estimate is marked. */
  interim?: boolean;
  findings: Findings;
  trials: number;
  /** How many of the trials this page lists, if not all. */
  listed?: number;
  pictures: { wanted: number; shown: number; over_cap: number };
}
