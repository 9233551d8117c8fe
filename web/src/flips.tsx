// Pairs that flipped: the same item under two levels of one factor, or of two subjects, side by side.
import { useEffect, useMemo } from "preact/hooks";
import { changed } from "./diff.ts";
import { count, many } from "./format.ts";
import { crossing, defaultChoice, levelsIn, listed, OUTCOMES, pair, pairable, rowsOf, type Choice } from "./pairs.ts";
import { wordsIn } from "./procedure.ts";
import { rewrite, type Route } from "./route.ts";
import { plain } from "./text.tsx";
import { brief, levelsOf, Outcome, shortItem, TrialView, type Loaded } from "./trial.tsx";
import type { Trials } from "./trials.ts";
import { Workbench } from "./workbench.tsx";

/** What the address asks for, if there are such pairs. */
function chosen(trials: Trials, offered: Choice[], { task, factor, a, b }: Route["pairs"]): Choice | null {
  const own = offered.filter((c) => !task || c.task === task);
  const has = (c: Choice) => [a, b].every((level) => levelsIn(trials, factor, rowsOf(trials, c.task)).includes(level));
  const same = a === b ? undefined : own.find((c) => c.factor === factor && has(c));
  return same ? { ...same, a, b } : defaultChoice(own.length ? own : offered);
}

export function Flips({ data, route, go }: { data: Loaded; route: Route; go: (change: Partial<Route>) => void }) {
  const { trials } = data;
  const asked = route.pairs;
  const offered = useMemo(() => trials.levels("task").flatMap((task) => pairable(trials, task)), [trials]);
  const choice = useMemo(() => chosen(trials, offered, asked), [offered, asked.task, asked.factor, asked.a, asked.b]);
  const pairs = useMemo(() => (choice ? pair(trials, choice, asked.subject || null) : null), [trials, choice, asked.subject]);
  const table = useMemo(() => (pairs ? crossing(trials, pairs) : []), [trials, pairs]);
  const rows = useMemo(() => (pairs ? listed(trials, pairs, asked.cell) : new Uint32Array()), [trials, pairs, asked.cell]);
  useEffect(() => rewrite(route), [route]);
  if (!choice || !pairs) {
    return <p class="empty page">No factor has two levels here, so there is nothing to pair.</p>;
  }
  const set = (change: Partial<Route["pairs"]>) => go({ pairs: { ...asked, ...change } });
  const at = asked.pair ? rows.findIndex((p) => trials.id(pairs.a[p]!) === asked.pair) : -1;
  const selected = at < 0 && rows.length ? 0 : at;
  const shown = ["subject", "paradigm", ...trials.factors].filter((c) => c !== choice.factor && trials.shared(c, pairs.a) === undefined);
  const [i, j] = selected < 0 ? [-1, -1] : [pairs.a[rows[selected]!]!, pairs.b[rows[selected]!]!];
  return (
    <Workbench
      name="flips" count={rows.length} selected={selected} label="Pairs"
      onSelect={(n) => set({ pair: trials.id(pairs.a[rows[n]!]!) })}
      row={(n) => <PairRow trials={trials} a={pairs.a[rows[n]!]!} b={pairs.b[rows[n]!]!} shown={shown} />}
      tools={
        <>
          <Chooser trials={trials} offered={offered} choice={choice} subject={asked.subject} set={set} />
          <Crossing choice={choice} table={table} cell={asked.cell} onCell={(cell) => set({ cell, pair: "" })} />
          <p class="tally" role="status">{asked.cell ? many(rows.length, "pair") : `${many(rows.length, "pair")} flipped of ${count(pairs.a.length)}`}</p>
        </>
      }
      empty={<p>{pairs.a.length ? "No pair here: the outcome was the same under both levels." : "No item was asked under both levels with everything else equal."}</p>}
      detail={i < 0 ? <p class="empty">Nothing selected.</p> : <SideBySide data={data} choice={choice} a={i} b={j} />}
    />
  );
}

function SideBySide({ data, choice, a, b }: { data: Loaded; choice: Choice; a: number; b: number }) {
  const [ofA, ofB] = useMemo(() => {
    const [x, y] = [a, b].map((row) => (data.calls ? wordsIn(data.calls.steps(row)) : null));
    return x && y ? [changed(x, y), changed(y, x)] : [null, null];
  }, [data.calls, a, b]);
  return (
    <div class="sides">
      <TrialView {...data} row={a} marks={ofA} heading={`${choice.factor} = ${choice.a}`} />
      <TrialView {...data} row={b} marks={ofB} heading={`${choice.factor} = ${choice.b}`} />
    </div>
  );
}

function PairRow({ trials, a, b, shown }: { trials: Trials; a: number; b: number; shown: string[] }) {
  return (
    <>
      <span class="both">
        <Outcome outcome={trials.text("outcome", a)} small />
        <span class="arrow" aria-hidden="true">{"\u2192"}</span>
        <Outcome outcome={trials.text("outcome", b)} small />
      </span>
      <span class="what">
        <span class="first"><bdi class="item">{brief(shortItem(trials, a))}</bdi></span>
        <bdi class="second">{levelsOf(trials, a, shown)}</bdi>
      </span>
    </>
  );
}

interface ChooserProps {
  trials: Trials;
  offered: Choice[];
  choice: Choice;
  subject: string;
  set: (change: Partial<Route["pairs"]>) => void;
}

function Chooser({ trials, offered, choice, subject, set }: ChooserProps) {
  const { task, factor } = choice;
  const rows = useMemo(() => rowsOf(trials, task), [trials, task]);
  const tasks = [...new Set(offered.map((c) => c.task ?? ""))];
  const ofTask = offered.filter((c) => c.task === task);
  const start = (to: Partial<Choice>) => set({ task: task ?? "", factor: "", a: "", b: "", ...(to as object), cell: "", pair: "" });
  const level = (side: "a" | "b") => (
    <Select
      label={side === "a" ? "First level" : "Second level"} value={choice[side] ?? ""}
      options={levelsIn(trials, factor, rows).filter((l) => l !== choice[side === "a" ? "b" : "a"])}
      onChange={(to) => start({ ...choice, [side]: to })}
    />
  );
  return (
    <div class="chooser">
      {tasks.length > 1 && <Select label="Task" value={task ?? ""} options={tasks} onChange={(to) => start({ task: to })} />}
      <Select label="Factor" value={factor} options={ofTask.map((c) => c.factor)} onChange={(to) => start(ofTask.find((c) => c.factor === to) ?? {})} />
      {trials.levels("subject").length > 1 && factor !== "subject" && (
        <Select label="Subject" value={subject} options={["", ...levelsIn(trials, "subject", rows)]} onChange={(to) => set({ subject: to, pair: "" })} />
      )}
      {level("a")}
      {level("b")}
    </div>
  );
}

function Select({ label, value, options, onChange }: { label: string; value: string; options: string[]; onChange: (to: string) => void }) {
  return (
    <label class="select">
      <span>{label}</span>
      <select aria-label={label} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        {options.map((o) => <option value={o}>{o === "" ? "all" : plain(o)}</option>)}
      </select>
    </label>
  );
}

/** Outcome under one level against outcome under the other; a cell lists its pairs. */
function Crossing({ choice, table, cell, onCell }: { choice: Choice; table: number[][]; cell: string; onCell: (cell: string) => void }) {
  return (
    <table class="crossing">
      <caption>Outcome under <b><bdi>{plain(choice.a ?? "")}</bdi></b> (down) and <b><bdi>{plain(choice.b ?? "")}</bdi></b> (across)</caption>
      <thead>
        <tr><td />{OUTCOMES.map((o) => <th scope="col">{o}</th>)}</tr>
      </thead>
      <tbody>
        {OUTCOMES.map((x, r) => (
          <tr>
            <th scope="row">{x}</th>
            {OUTCOMES.map((y, c) => {
              const [name, n] = [`${x}-${y}`, table[r]?.[c] ?? 0];
              return (
                <td class={x === y ? "same" : "flip"}>
                  <button aria-pressed={cell === name} disabled={n === 0} aria-label={`${x} then ${y}: ${many(n, "pair")}`} onClick={() => onCell(cell === name ? "" : name)}>{count(n)}</button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
