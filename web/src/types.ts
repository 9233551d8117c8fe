// What the analysis hands over (see src/snellen/analysis/blocks.py), as it arrives in JSON.

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

export interface SharesBlock {
  kind: "shares";
  title: string;
  note: string;
  parts: string[];
  rows: [string, (Value | null)[]][];
  /** What is shared out. */
  of?: string;
}

export type Unit = "percent" | "points" | "probability";

export interface IntervalsBlock {
  kind: "intervals";
  title: string;
  note: string;
  unit: Unit;
  series: string[];
  rows: [string, (Value | null)[]][];
  reference: number | null;
  /** A line for each row, where rows differ in it. */
  references?: (number | null)[];
  /** What the line is. */
  line?: string;
  /** What the numbers measure. */
  quantity?: string;
}

export interface HeatBlock {
  kind: "heat";
  title: string;
  note: string;
  unit: Unit;
  /** What the labels of rows and of columns are. */
  down: string;
  across: string;
  columns: string[];
  rows: [string, (Value | null)[]][];
  quantity?: string;
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

/** A wind rose a row: shares all the way around, clockwise, the first at the top. */
export interface CompassBlock {
  kind: "compass";
  title: string;
  note: string;
  parts: string[];
  rows: [string, (Value | null)[]][];
  of?: string;
}

/** A text from left (0) to right (1): from, to, and the share of each part there; which mark, and where. */
export interface Strip {
  label: string;
  remark: string;
  cells: [from: number, to: number, shares: number[]][];
  marks: [which: number, at: number][];
}

export interface StripsBlock {
  kind: "strips";
  title: string;
  note: string;
  parts: string[];
  marks: string[];
  rows: Strip[];
}

/** Lines over `xs`, a panel a row, in it a line for each series. */
export interface CurvesBlock {
  kind: "curves";
  title: string;
  note: string;
  unit: "percent" | "nats";
  quantity: string;
  across: string;
  xs: number[];
  series: string[];
  rows: [string, (Value | null)[][]][];
  bounds: [number, number] | null;
}

/** A fitted curve with its band, the answers it goes through, and its threshold. */
export interface Bend {
  xs: number[];
  mean: number[];
  low: number[];
  high: number[];
  points: [level: number, right: Value][];
  threshold: Value;
}

/** Percent right over levels: a panel a test, in it a curve for each series. */
export interface PsychometricsBlock {
  kind: "psychometrics";
  title: string;
  note: string;
  series: string[];
  panels: { title: string; unit: string; chance: number; bends: (Bend | null)[]; references: [name: string, at: number][] }[];
}

export type Block = TextBlock | SharesBlock | IntervalsBlock | HeatBlock | TableBlock | CompassBlock | StripsBlock | CurvesBlock | PsychometricsBlock;

export interface Section {
  title: string;
  blocks: Block[];
  /** Whose trials it speaks of; empty if of several tasks. */
  task: string;
}

export interface Rung {
  rung: string;
  about: string;
  demands: string[];
  accuracy: Value;
  unread: number;
  chance: number;
  on_line: boolean;
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
  rungs: Rung[];
  missing: string[];
  /** A share of the items; with the losses it adds up to 1. */
  right: Value;
  /** Percent right of all replies to the task as it is asked. */
  accuracy: Value;
  badge: string;
  losses_chart: SharesBlock | null;
  ladder_chart: IntervalsBlock | null;
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
  spread: number | null;
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
  sections?: Section[];
  fingerprints?: Record<string, unknown>[];
  eye_cards?: EyeCard[];
}

/** The eye chart of a subject as SVG, on light and on dark paper, and the same in words. */
export interface EyeCard {
  subject: string;
  told: string;
  light: string;
  dark: string;
}

export interface Head {
  findings: Findings;
  trials: number;
  pictures: { wanted: number; shown: number; over_cap: number };
}
