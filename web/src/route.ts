// Where the reader is, kept in the address after the #, so that a view can be linked to.
import type { Filters, Level } from "./trials.ts";

export const VIEWS = ["diagnosis", "trials", "items", "pairs", "fingerprint", "help"] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  view: View;
  filters: Filters;
  words: string;
  trial: string;
  /** The items view: the item looked at. */
  item: string;
  /** The pairs view: task, factor, two levels, subject, cell of the crossing, and the pair looked at (its first trial). */
  pairs: Record<"task" | "factor" | "a" | "b" | "subject" | "cell" | "pair", string>;
  /** A place on the diagnosis page; "answers" on an item's. */
  section: string;
}

const PAIR_KEYS = ["task", "factor", "a", "b", "subject", "cell", "pair"] as const;
const NOTHING = "\u2205"; // how a missing level is written

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#item=/, "#/items?item=").replace(/^#\/?/, "").split("?", 2);
  const [name = "", section = ""] = path.split("/");
  const asked = new URLSearchParams(query);
  const filters: Filters = {};
  for (const [key, level] of asked) {
    if (key.startsWith("f.")) (filters[key.slice(2)] ??= []).push(level === NOTHING ? null : level);
  }
  const pairs = Object.fromEntries(PAIR_KEYS.map((k) => [k, asked.get(k) ?? ""])) as Route["pairs"];
  const view = VIEWS.includes(name as View) ? (name as View) : "diagnosis";
  return { view, filters, words: asked.get("q") ?? "", trial: asked.get("trial") ?? "", item: asked.get("item") ?? "", pairs, section };
}

export function format(route: Route): string {
  const said = new URLSearchParams();
  if (route.view === "trials") {
    for (const [column, levels] of Object.entries(route.filters)) {
      for (const level of levels) said.append(`f.${column}`, level ?? NOTHING);
    }
    if (route.words) said.set("q", route.words);
    if (route.trial) said.set("trial", route.trial);
  }
  if (route.view === "items") {
    if (route.words) said.set("q", route.words);
    if (route.item) said.set("item", route.item);
  }
  if (route.view === "pairs") for (const key of PAIR_KEYS) if (route.pairs[key]) said.set(key, route.pairs[key]);
  const query = said.toString();
  const section = (route.view === "diagnosis" || route.view === "items") && route.section ? `/${route.section}` : "";
  return `#/${route.view}${section}${query ? `?${query}` : ""}`;
}

export const toTrials = (filters: Filters, trial = ""): string =>
  format({ ...parse(""), view: "trials", filters, trial });

export const toItem = (item: string, section = ""): string => format({ ...parse(""), view: "items", item, section });

/** Change the address without a new entry in the history. */
export function rewrite(route: Route): void {
  try {
    history.replaceState(null, "", format(route));
  } catch {
    /* some browsers forbid this for files; the page works without */
  }
}

export const levelName = (column: string, level: Level): string =>
  level === null ? "none" : level === "" ? (column === "pack" ? "built-in" : "none") : level;
