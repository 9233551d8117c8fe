// Item by item: its pictures once, what was said of each, and everybody's answers, first in a grid, then with their replies.
import { useEffect, useMemo, useState } from "preact/hooks";
import { Answers } from "./answers.tsx";
import { count, many } from "./format.ts";
import { Gallery } from "./gallery.tsx";
import { OUTCOMES } from "./pairs.ts";
import { rewrite, toTrials, type Route } from "./route.ts";
import { gist, itemPage, shelve, type Line } from "./shelf.ts";
import { LongText, plain } from "./text.tsx";
import { levelsOf, Outcome, shortItem, type Loaded } from "./trial.tsx";
import type { Trials } from "./trials.ts";
import { Workbench } from "./workbench.tsx";

const AT_ONCE = 120;

export function Items({ data, route, go }: { data: Loaded; route: Route; go: (change: Partial<Route>) => void }) {
  const { trials } = data;
  const [worst, setWorst] = useState(false);
  const shelf = useMemo(() => shelve(trials), [trials]);
  const names = trials.levels("item");
  const listed = useMemo(() => {
    const wanted = route.words.toLowerCase();
    const found = names.flatMap((name, code) => (name?.toLowerCase().includes(wanted) ? [code] : []));
    const failed = (code: number) => 1 - shelf.tally(code)[0]! / shelf.rows(code).length;
    return worst ? found.sort((a, b) => failed(b) - failed(a) || a - b) : found;
  }, [trials, route.words, worst]);
  useEffect(() => rewrite(route), [route]);
  const chosen = route.item ? names.indexOf(route.item) : -1;
  const current = chosen >= 0 ? chosen : (listed[0] ?? -1);
  const tools = (
    <>
      <label class="search">
        <span class="offscreen">Search items by name</span>
        <input type="search" placeholder="Search items by name" value={route.words} onInput={(e) => go({ words: e.currentTarget.value })} />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <p class="tally" role="status">
        <span>{route.words ? `${count(listed.length)} of ${many(names.length, "item")}` : many(names.length, "item")}</span>
        <label class="tick-box"><input type="checkbox" checked={worst} onChange={() => setWorst(!worst)} /> hardest first</label>
      </p>
    </>
  );
  return (
    <Workbench
      name="by-item" start={chosen >= 0} count={listed.length} selected={listed.indexOf(current)} label="Items"
      onSelect={(i) => go({ item: names[listed[i]!] ?? "", section: "" })}
      row={(i) => <ItemRow trials={trials} row={shelf.rows(listed[i]!)[0]!} tally={shelf.tally(listed[i]!)} />}
      tools={tools}
      empty={<p>{trials.size ? "No item has such a name." : "There are no trials."}</p>}
      detail={route.item && chosen < 0 ? <p class="empty">No item here is called <bdi>{plain(route.item)}</bdi>.</p>
        : current < 0 ? <p class="empty">Nothing selected.</p>
        : <ItemView key={current} data={data} rows={shelf.rows(current)} tally={shelf.tally(current)} answers={route.section === "answers"} />}
    />
  );
}

const score = (tally: Uint32Array): string =>
  OUTCOMES.map((o, k) => (tally[k] ? `${count(tally[k]!)} ${o}` : "")).filter(Boolean).join(", ");

function ItemRow({ trials, row, tally }: { trials: Trials; row: number; tally: Uint32Array }) {
  return (
    <span class="what">
      <span class="first"><bdi class="item">{shortItem(trials, row)}</bdi></span>
      <span class="second"><Bar tally={tally} />{score(tally)}</span>
    </span>
  );
}

/** How the trials of an item went, at a glance. */
function Bar({ tally }: { tally: Uint32Array }) {
  return <span class="tally-bar" aria-hidden="true">{OUTCOMES.map((o, k) => tally[k]! > 0 && <span class={o} style={{ flexGrow: tally[k]! }} />)}</span>;
}

function ItemView({ data, rows, tally, answers }: { data: Loaded; rows: Uint32Array; tally: Uint32Array; answers: boolean }) {
  const { trials, calls, facts } = data;
  const [all, setAll] = useState(false);
  const page = useMemo(() => (calls ? itemPage(trials, calls, all ? rows : rows.subarray(0, AT_ONCE)) : null), [trials, calls, rows, all]);
  const row = rows[0]!;
  return (
    <article class="trial item-page" aria-label={`Item ${plain(trials.text("item", row))}`}>
      <header>
        <h2><bdi>{shortItem(trials, row)}</bdi></h2>
        <p class="result"><span>{many(rows.length, "trial")}</span> <Bar tally={tally} /> <span>{score(tally)}</span></p>
        <h3><bdi>{plain(trials.text("item", row))}</bdi></h3>
      </header>
      {page ? (
        <>
          <div class="pictures"><Gallery pictures={page.pictures} /></div>
          <Answers trials={trials} calls={calls!} rows={rows} shown={answers} />
          <Known facts={facts?.of(trials.codes("item")[row]!) ?? []} mechanisms={mechanismsOf(trials, rows)} />
          {page.inWords.length > 0 && (
            <section>
              <h4>In words, its twin in place of the pictures</h4>
              {page.inWords.map((asked) => (
                <details class="asked" open={page.inWords.length === 1}>
                  <summary><bdi>{levelsOf(trials, asked.row, ["paradigm", ...trials.varying(trials.factors)]) || "prompt"}</bdi></summary>
                  <LongText text={asked.text} label="prompt in words" />
                </details>
              ))}
            </section>
          )}
          <section>
            <h4>Replies</h4>
            <Lines data={data} lines={page.lines} />
            {rows.length > AT_ONCE && !all && <button class="quiet" onClick={() => setAll(true)}>Show all {count(rows.length)} trials</button>}
          </section>
        </>
      ) : <p class="empty">unpacking{"\u2026"}</p>}
    </article>
  );
}

/** How often each mechanism was betrayed, most often first. */
function mechanismsOf(trials: Trials, rows: Uint32Array): [mechanism: string, times: number][] {
  const times = new Map<string, number>();
  for (const row of rows) {
    const mechanism = trials.text("mechanism", row);
    if (mechanism) times.set(mechanism, (times.get(mechanism) ?? 0) + 1);
  }
  return [...times].sort((a, b) => b[1] - a[1]);
}

/** What its maker knows of the item, and what wrong answers betray. */
function Known({ facts, mechanisms }: { facts: [string, string][]; mechanisms: [string, number][] }) {
  if (!facts.length && !mechanisms.length) return null;
  return (
    <section>
      <h4>What is known of it</h4>
      <dl class="facts">
        {facts.map(([name, fact]) => <><dt>{plain(name.replaceAll("_", " "))}</dt><dd><bdi>{plain(fact, 600)}</bdi></dd></>)}
        {mechanisms.length > 0 && (
          <><dt>wrong answers betray</dt><dd>{mechanisms.map(([mechanism, times], i) => <>{i > 0 && ", "}<b><bdi>{plain(mechanism)}</bdi></b> ({times === 1 ? "once" : `${count(times)} times`})</>)}</dd></>
        )}
      </dl>
    </section>
  );
}

/** One table: under each condition, one line per trial. */
function Lines({ data: { trials, replies }, lines }: { data: Loaded; lines: Line[] }) {
  const roles = new Set(lines.flatMap((line) => line.cast.map(([role]) => role)));
  const varies = (factor: string) => new Set(lines.map((line) => trials.get(factor, line.row))).size > 1;
  const conditions = trials.factors.filter((f) => !roles.has(f) && varies(f));
  const named = (line: Line) => conditions.filter((f) => trials.text(f, line.row)).map((f) => plain(`${f} ${trials.text(f, line.row)}`, 80)).join(" \u00b7 ");
  const stated = lines.some((line) => line.stated.length);
  const betrayed = lines.some((line) => trials.text("mechanism", line.row));
  const heads = ["said", ...(betrayed ? ["mechanism"] : []), "paradigm", "by", ...(stated ? ["stated on the way"] : []), "reply"];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Replies">
      <table class="lines">
        <thead>
          <tr>
            {heads.map((name) => <th scope="col">{name}</th>)}
          </tr>
        </thead>
        {Array.from(Map.groupBy(lines, named), ([condition, members]) => (
          <tbody>
            {condition && (
              <tr class="condition">
                <th scope="rowgroup" colSpan={heads.length}><bdi>{condition}</bdi> <KeyOf trials={trials} lines={members} /></th>
              </tr>
            )}
            {members.map((line) => (
              <tr>
                <th scope="row" class="short">
                  <a href={toTrials({}, trials.id(line.row))}>
                    <Outcome outcome={trials.text("outcome", line.row)} small />
                    <bdi>{plain(trials.text("answer", line.row), 40) || plain(trials.text("reason", line.row)) || "unread"}</bdi>
                  </a>
                </th>
                {betrayed && <td class="short">{plain(trials.text("mechanism", line.row), 80)}</td>}
                <td class="short">{plain(trials.text("paradigm", line.row))}</td>
                <td class="cast">{line.cast.map(([role, who]) => <span>{role && `${plain(role)} `}<bdi>{plain(who)}</bdi></span>)}</td>
                {stated && <td class="wide">{line.stated.map((text) => <Foldable text={text} />)}</td>}
                <td class="wide">{replies && <Foldable text={replies.get(line.row)} />}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** The key, if it is the same for all of them. */
function KeyOf({ trials, lines }: { trials: Trials; lines: Line[] }) {
  const keys = new Set(lines.map((line) => trials.text("key", line.row)));
  return keys.size === 1 ? <span class="key">key <bdi>{plain([...keys][0]!, 60)}</bdi></span> : null;
}

/** A text in a line, all of it on demand. */
function Foldable({ text }: { text: string }) {
  const short = gist(text);
  if (!text) return <span class="empty">empty</span>;
  if (short === text.trim()) return <bdi>{plain(short, 400)}</bdi>;
  return (
    <details class="fold">
      <summary><bdi>{plain(short, 400)}</bdi></summary>
      <LongText text={text} label="reply" />
    </details>
  );
}
