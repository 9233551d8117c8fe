// The browser of trials: filters, search, list, and the trial looked at.
import { useEffect, useMemo, useState } from "preact/hooks";
import { count, many } from "./format.ts";
import { levelName, rewrite, type Route } from "./route.ts";
import { plain } from "./text.tsx";
import { TrialRow, TrialView, type Loaded } from "./trial.tsx";
import { listedBy, sift, type Filters, type Found, type Level, type Listed, type Trials } from "./trials.ts";
import { Workbench } from "./workbench.tsx";

/** Which trials contain the words; null while there are none to look for. */
function useMatches({ trials, replies, calls }: Loaded, words: string): { matches: Uint8Array | null; busy: boolean } {
  const [found, setFound] = useState<{ words: string; matches: Uint8Array | null }>({ words: "", matches: null });
  useEffect(() => {
    if (!words) return setFound({ words: "", matches: null });
    if (!replies) return;
    let stopped = false;
    const wait = setTimeout(async () => {
      const matches = await replies.search({ trials, calls }, words, () => stopped);
      if (!stopped) setFound({ words, matches });
    }, 120);
    return () => {
      stopped = true;
      clearTimeout(wait);
    };
  }, [trials, replies, calls, words]);
  return { matches: words ? found.matches : null, busy: found.words !== words };
}

export function Browser({ data, route, go }: { data: Loaded; route: Route; go: (change: Partial<Route>) => void }) {
  const { trials } = data;
  const { filters, words } = route;
  const { matches, busy } = useMatches(data, words);
  const found = useMemo(() => sift(trials, filters, matches), [trials, filters, matches]);
  const list = useMemo(() => listedBy(trials, found.rows), [trials, found]);
  const chosen = route.trial ? found.rows.indexOf(trials.find(route.trial)) : -1;
  const selected = chosen < 0 && found.rows.length ? 0 : chosen; // a trial that is filtered out gives way to the first
  useEffect(() => rewrite(chosen < 0 && !busy ? { ...route, trial: "" } : route), [route, chosen, busy]);
  const active = Object.keys(filters).length > 0 || words !== "";
  const tools = (
    <>
      <label class="search">
        <span class="offscreen">Search in replies</span>
        <input type="search" placeholder="Search in replies" value={words} onInput={(e) => go({ words: e.currentTarget.value })} />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <p class="tally" role="status">
        <span>{active ? `${count(found.rows.length)} of ${many(trials.size, "trial")}` : many(trials.size, "trial")}{busy && " \u2026"}</span>
        {active && <button class="quiet" onClick={() => go({ filters: {}, words: "" })}>Clear all</button>}
      </p>
      <FilterPanel trials={trials} found={found} filters={filters} onChange={(next) => go({ filters: next })} />
    </>
  );
  return (
    <Workbench
      name="trials" start={chosen >= 0} count={found.rows.length} selected={selected}
      onSelect={(i) => go({ trial: trials.id(found.rows[i]!) })} label="Trials"
      row={(i) => <TrialRow trials={trials} row={found.rows[i]!} list={list} />}
      tools={tools} lead={found.rows.length > 1 && <Common list={list} />}
      empty={trials.size ? <p>No trial passes these filters.</p> : <p>There are no trials.</p>}
      detail={selected >= 0 ? <TrialView {...data} row={found.rows[selected]!} /> : <p class="empty">Nothing selected.</p>}
    />
  );
}

/** What all trials of the list share, said once above it. */
function Common({ list: { common, prefix } }: { list: Listed }) {
  const shared = [...common.map(([column, level]) => [column, levelName(column, level)]), ...(prefix ? [["items", `${prefix}\u2026`]] : [])];
  if (!shared.length) return null;
  return (
    <p class="common">
      All:{" "}
      {shared.map(([column, level], i) => <>{i > 0 && " \u00b7 "}<span>{plain(column!)}</span> <bdi>{plain(level!, 80)}</bdi></>)}
    </p>
  );
}

interface PanelProps {
  trials: Trials;
  found: Found;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

function FilterPanel({ trials, found, filters, onChange }: PanelProps) {
  const [wide] = useState(() => matchMedia("(min-width: 1180px)").matches);
  const chosen = Object.keys(filters).length;
  const toggle = (column: string, level: Level) => {
    const now = filters[column] ?? [];
    const next = now.includes(level) ? now.filter((l) => l !== level) : [...now, level];
    const { [column]: _, ...others } = filters;
    onChange(next.length ? { ...others, [column]: next } : others);
  };
  // A column with one level left has nothing to offer, unless it is what was filtered by. Nor has a factor with one level
  // beside the trials of other tasks, which have none.
  const left = (c: string) => trials.levels(c).filter((level, code) => found.counts[c]?.[code] && (level !== null || !trials.factors.includes(c)));
  const open = trials.filterable.filter((c) => filters[c]?.length || left(c).length > 1);
  if (!open.length) return null;
  return (
    <details class="filters" open={wide}>
      <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
      <div class="facets">
        {open.map((column) => (
          <fieldset key={column}>
            <legend>{plain(column)}</legend>
            {trials.levels(column).map((level, code) => (
              <label class={found.counts[column]?.[code] ? "" : "none"}>
                <input type="checkbox" checked={filters[column]?.includes(level) ?? false} onChange={() => toggle(column, level)} />
                <bdi class="level" title={plain(levelName(column, level))}>{plain(levelName(column, level))}</bdi>
                <span class="n">{count(found.counts[column]?.[code] ?? 0)}</span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </details>
  );
}
