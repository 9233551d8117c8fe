// The page while an exam runs: a server on this machine has the data, and the page asks it for more every few seconds
// (see src/snellen/report/live.py). Everything else is as in the file.
import type { Head } from "./types.ts";

export interface SubjectProgress {
  name: string;
  /** Trials; null for whoever takes part and is not examined, such as a judge. */
  done: number | null;
  planned: number | null;
  /** Calls made, and those that were in the store. */
  made: number;
  known: number;
  tokens_in: number;
  tokens_out: number;
  /** Of tokens_in: read from the provider's cache, and written to it. */
  tokens_cached: number;
  tokens_written: number;
  cost: number | null;
}

export interface Status {
  state: "running" | "finished" | "interrupted" | "stopped" | "disconnected";
  subjects: SubjectProgress[];
  approximate: boolean;
  stopping: boolean;
  rate: number;
  errors: number;
  version: number;
  /** Whether the version holds every trial there is. */
  current: boolean;
  /** Whether the server ends with the exam. */
  leaves: boolean;
  problem: string;
}

interface Contents {
  title: string;
  head: Head;
  payloads: Record<string, string>;
  pictures: Record<string, string>;
}

const EVERY = 2000;
const SELDOM = 6000;
const MOST_PICTURES = 40_000_000; // bytes that are kept for when the server is gone

let payloads: Record<string, string> = {};
let words: Record<string, string> = {};
const kept = new Map<string, string>();
let keptBytes = 0;

/** The data of that name, as an element of the file would have it. */
export const livePayload = (name: string): string | undefined => payloads[name];

/** A picture from the server, or as it was kept. */
export function livePicture(digest: string): { source: string; words: string } | null {
  const alt = words[digest];
  return alt === undefined ? null : { source: kept.get(digest) ?? `picture/${digest}`, words: alt };
}

const ask = async (path: string): Promise<Response> => {
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
};

/** Fetch the pictures, so that the page can be used when the server is gone. */
async function keepPictures(page: string): Promise<void> {
  for (const digest of Object.keys(words)) {
    if (keptBytes >= MOST_PICTURES) return;
    if (kept.has(digest)) continue;
    const response = await fetch(`picture/${digest}?page=${page}`, { credentials: "same-origin" });
    if (!response.ok) continue; // one that cannot be shown; the others can
    const picture = await response.blob();
    keptBytes += picture.size;
    kept.set(digest, URL.createObjectURL(picture));
  }
}

/** Follow the exam; `show` gets each version of the data, and the status whenever it was asked for. */
export async function follow(show: (head: Head | null, status: Status) => void): Promise<void> {
  history.replaceState(null, "", location.pathname + location.hash); // the token is used up
  const page = crypto.randomUUID();
  let status: Status | null = null;
  let head: Head | null = null;
  for (let version = 0, complete = ""; ; ) {
    try {
      status = (await (await ask(`status?page=${page}`)).json()) as Status;
      if (status.version > version) {
        const contents = (await (await ask("report")).json()) as Contents;
        version = status.version;
        ({ head, payloads, pictures: words } = contents);
        document.title = contents.title;
      }
      show(head, status);
      const over = status.state !== "running" && status.current;
      if (over && complete !== `${version}`) {
        complete = `${version}`;
        await keepPictures(page);
        await ask(`status?page=${page}&bye`);
        if (status.leaves) return;
      }
    } catch (error) {
      const last = status ?? { subjects: [], approximate: false, stopping: false, rate: 0, errors: 0, version, current: false, leaves: false, problem: String(error), state: "running" };
      if (last.state === "running") show(head, { ...last, state: "disconnected" });
      if (!status || (last.state !== "running" && last.leaves)) return;
    }
    await new Promise((go) => setTimeout(go, status?.state === "running" ? EVERY : SELDOM));
  }
}
