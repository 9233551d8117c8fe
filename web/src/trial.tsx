// One trial: what was shown, what was said, how it was read.
import type { Calls } from "./calls.ts";
import { count, fixed, ofCache } from "./format.ts";
import { Gallery } from "./gallery.tsx";
import { picturesIn, rolesOf, stagesOf, wordsIn } from "./procedure.ts";
import { levelName, toItem, toTrials } from "./route.ts";
import { Prompt, StageHeading, StageView } from "./stages.tsx";
import { LongText, plain } from "./text.tsx";
import type { Facts as ItemFacts, Listed, Replies, Trials } from "./trials.ts";

export interface Loaded {
  trials: Trials;
  replies: Replies | null;
  calls: Calls | null;
  facts: ItemFacts | null;
}

const MARKS: Record<string, string> = { right: "\u2713", wrong: "\u2717", unread: "?" };

export function Outcome({ outcome, small = false }: { outcome: string; small?: boolean }) {
  const known = outcome in MARKS ? outcome : "unread";
  return (
    <span class={`outcome ${known}`}>
      <span aria-hidden="true">{MARKS[known]}</span>
      {small ? <span class="offscreen">{known}</span> : known}
    </span>
  );
}

export const shortItem = (trials: Trials, row: number): string => {
  const item = trials.text("item", row);
  const task = `${trials.text("task", row)}/`;
  return plain(item.startsWith(task) ? item.slice(task.length) : item, 120);
};

/** A long name without its middle folders: a/b/\u2026/0012. */
export function brief(name: string): string {
  const folders = name.split("/");
  return plain(folders.length > 3 ? [...folders.slice(0, 2), "\u2026", folders[folders.length - 1]].join("/") : name, 120);
}

/** The levels of the given factors, in words, without gaps and without what the item's name says already. */
export function levelsOf(trials: Trials, row: number, columns: string[]): string {
  const named = new Set(trials.text("item", row).split("/"));
  const levels = columns.map((c) => trials.text(c, row)).filter((level) => level && !named.has(level));
  return levels.map((level) => plain(level, 60)).join(" \u00b7 ");
}

/** A row of the list: first what sets it apart from the others, and what was answered. */
export function TrialRow({ trials, row, list }: { trials: Trials; row: number; list: Listed }) {
  const folders = list.prefix === null ? [] : trials.text("item", row).slice(list.prefix.length).split("/");
  const item = plain((folders.length > 2 ? [...folders.slice(0, -2), "\u2026", ...folders.slice(-1)] : folders).join("/"), 120);
  const [first, levels, name] = [levelsOf(trials, row, list.who), levelsOf(trials, row, list.factors), item].filter(Boolean);
  return (
    <>
      <Outcome outcome={trials.text("outcome", row)} small />
      <span class="what">
        <span class="first">
          <bdi class="item">{first}</bdi>
          <span class="said"><Said trials={trials} row={row} /></span>
        </span>
        <span class="second named"><bdi>{levels}</bdi>{name && <span class="name">{"\u00a0\u00b7\u00a0"}<span class="end"><bdi>{name}</bdi></span></span>}</span>
      </span>
    </>
  );
}

function Said({ trials, row }: { trials: Trials; row: number }) {
  const answer = trials.text("answer", row);
  const key = plain(trials.text("key", row), 40);
  const said = answer ? plain(answer, 40) : trials.text("reason", row) || "unread";
  return answer === trials.text("key", row) ? <bdi>{said}</bdi> : <><bdi>{said}</bdi><span class="key"> / {key}</span></>;
}

interface TrialProps extends Omit<Loaded, "facts"> {
  row: number;
  /** In a pair, for each word of the prompt whether the other prompt lacks it. */
  marks?: Uint8Array | null;
  /** In a pair, the level that makes the difference stands above. */
  heading?: string;
}

export function TrialView({ trials, replies, calls, row, marks = null, heading }: TrialProps) {
  const steps = calls?.steps(row) ?? [];
  const stages = stagesOf(steps);
  const roles = rolesOf(trials, row, steps);
  const last = steps[steps.length - 1];
  const span: [number, number] = [trials.number("span_start", row) ?? 0, trials.number("span_end", row) ?? 0];
  const marksOf = (at: number) => marks?.subarray(wordsIn(steps.slice(0, at)).length) ?? null;
  const waiting = <p class="empty">unpacking{"\u2026"}</p>;
  return (
    <article class="trial" aria-label={`Trial ${trials.id(row)}`}>
      <Result trials={trials} row={row} heading={heading} />
      <div class="earlier">
        {stages.slice(0, -1).map((stage, i) => <StageView key={`${row} ${stage.at}`} stage={stage} place={i + 1} role={roles[stage.at] ?? ""} marks={marksOf(stage.at)} />)}
      </div>
      <div class="pictures">
        {last && stages.length > 1 && <StageHeading place={stages.length} role={roles[steps.length - 1] ?? ""} subject={last.subject} />}
        {last && <Gallery key={row} pictures={picturesIn(last)} />}
      </div>
      <section>
        <h4>Reply</h4>
        {replies ? <LongText text={replies.get(row)} span={span} label="raw reply" /> : waiting}
        <Reading trials={trials} row={row} marked={span[1] > span[0]} />
        {last?.reasoning && (
          <details class="asked">
            <summary>Thinking before the reply</summary>
            <LongText text={last.reasoning} span={[0, 0]} label="thinking" />
          </details>
        )}
      </section>
      <section>
        {stages.length > 1 ? (
          <details class="asked" open={marks !== null}>
            <summary>Prompt as sent</summary>
            <Prompt step={last!} marks={marksOf(steps.length - 1)} />
          </details>
        ) : (
          <>
            <h4>Prompt as sent</h4>
            {last ? <Prompt step={last} marks={marks} /> : calls ? <p class="empty">The prompt of this trial is not known.</p> : waiting}
          </>
        )}
      </section>
      <Asked trials={trials} row={row} />
    </article>
  );
}

function Result({ trials, row, heading }: { trials: Trials; row: number; heading: string | undefined }) {
  const item = trials.text("item", row);
  return (
    <header>
      {heading && <p class="heading"><bdi>{plain(heading)}</bdi></p>}
      <p class="result">
        <Outcome outcome={trials.text("outcome", row)} />
        <span>said <b><bdi>{plain(trials.text("answer", row), 80) || "nothing that could be read"}</bdi></b></span>
        <span>key <b><bdi>{plain(trials.text("key", row), 80)}</bdi></b></span>
      </p>
      <h3><a href={toItem(item, "answers")} title="All answers to this item"><bdi>{plain(item)}</bdi></a></h3>
    </header>
  );
}

function Asked({ trials, row }: { trials: Trials; row: number }) {
  return (
    <section>
      <h4>Condition</h4>
      <dl class="facts">
        {["subject", "task", "paradigm", ...trials.factors].filter((c) => trials.get(c, row) !== null).map((c) => (
          <><dt>{plain(c)}</dt><dd><bdi>{plain(levelName(c, trials.get(c, row)))}</bdi></dd></>
        ))}
        <Facts trials={trials} row={row} />
      </dl>
      <p class="links">
        <a href={toTrials({}, trials.id(row))}>Trial {trials.id(row)}</a>
        <a href={toItem(trials.text("item", row), "answers")}>All answers to this item</a>
      </p>
    </section>
  );
}

function Reading({ trials, row, marked }: { trials: Trials; row: number; marked: boolean }) {
  const [how, reason, mechanism] = [trials.text("how", row), trials.text("reason", row), trials.text("mechanism", row)];
  const labels = trials.labels(row);
  return (
    <dl class="facts">
      {how && <><dt>read by</dt><dd>{plain(how)}{marked && " (marked above)"}</dd></>}
      {reason && <><dt>unread because</dt><dd>{plain(reason)}</dd></>}
      {mechanism && <><dt>mechanism</dt><dd><b>{plain(mechanism)}</b></dd></>}
      {labels.length > 0 && <><dt>choices</dt><dd>{labels.map((l) => plain(l, 80)).join(", ")}</dd></>}
    </dl>
  );
}

function Facts({ trials, row }: { trials: Trials; row: number }) {
  const [into, out, cached, written, seconds, sure] = ["tokens_in", "tokens_out", "tokens_cached", "tokens_written", "seconds", "confidence"].map((c) => trials.number(c, row));
  return (
    <>
      {trials.get("pack", row) !== null && <><dt>wording</dt><dd>{plain(levelName("pack", trials.get("pack", row)))}</dd></>}
      {trials.text("finish", row) && <><dt>ended</dt><dd>{plain(trials.text("finish", row))}</dd></>}
      {(into !== null || out !== null) && <><dt>tokens</dt><dd>{into === null ? "?" : count(into!)} in{ofCache(cached, written)}, {out === null ? "?" : count(out!)} out</dd></>}
      {sure !== null && <><dt>confidence</dt><dd>{fixed(sure! * 100, 0)} %</dd></>}
      {seconds !== null && <><dt>took</dt><dd>{fixed(seconds!, 2)} s</dd></>}
    </>
  );
}
