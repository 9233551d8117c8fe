// One trial: what was shown, what was said, how it was read.
import { words } from "./diff.ts";
import { count, fixed } from "./format.ts";
import { levelName, toTrials } from "./route.ts";
import { LongText, plain, visible } from "./text.tsx";
import { pictureOf, type Message, type Prompts, type Replies, type Step, type Trials } from "./trials.ts";

export interface Loaded {
  trials: Trials;
  replies: Replies | null;
  prompts: Prompts | null;
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

/** The levels of the given factors, in words, without gaps and without what the item's name says already. */
export function levelsOf(trials: Trials, row: number, columns: string[]): string {
  const named = new Set(trials.text("item", row).split("/"));
  const levels = columns.map((c) => trials.text(c, row)).filter((level) => level && !named.has(level));
  return levels.map((level) => plain(level, 60)).join(" \u00b7 ");
}

/** A row of the list: the item and what was answered, then the condition. */
export function TrialRow({ trials, row, shown }: { trials: Trials; row: number; shown: string[] }) {
  return (
    <>
      <Outcome outcome={trials.text("outcome", row)} small />
      <span class="what">
        <span class="first">
          <bdi class="item">{shortItem(trials, row)}</bdi>
          <span class="said"><Said trials={trials} row={row} /></span>
        </span>
        <bdi class="second">{levelsOf(trials, row, shown)}</bdi>
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

function Picture({ digest, small = false }: { digest: string; small?: boolean }) {
  const found = pictureOf(digest);
  return found ? (
    <img class={small ? "thumb" : "picture"} src={found.source} alt={small ? "" : found.words || "the picture shown to the subject"} />
  ) : (
    <span class="missing">{small ? "picture" : "This picture is not in the page."}</span>
  );
}

const picturesIn = (steps: Step[]): string[] => [
  ...new Set(steps.flatMap((s) => s.messages.flatMap((m) => m.parts.flatMap((p) => ("picture" in p ? [p.picture] : []))))),
];

export const wordsIn = (steps: Step[]): string[] =>
  steps.flatMap((s) => s.messages.flatMap((m) => m.parts.flatMap((p) => ("words" in p ? words(p.words) : []))));

interface TrialProps extends Loaded {
  row: number;
  /** In a pair, for each word of the prompt whether the other prompt lacks it. */
  marks?: Uint8Array | null;
  /** In a pair, the level that makes the difference stands above. */
  heading?: string;
}

export function TrialView({ trials, replies, prompts, row, marks = null, heading }: TrialProps) {
  const outcome = trials.text("outcome", row);
  const steps = prompts?.steps(row) ?? [];
  const pictures = picturesIn(steps);
  const span: [number, number] = [trials.number("span_start", row) ?? 0, trials.number("span_end", row) ?? 0];
  const item = trials.get("item", row);
  return (
    <article class="trial" aria-label={`Trial ${trials.id(row)}`}>
      <header>
        {heading && <p class="heading"><bdi>{plain(heading)}</bdi></p>}
        <p class="result">
          <Outcome outcome={outcome} />
          <span>said <b><bdi>{plain(trials.text("answer", row), 80) || "nothing that could be read"}</bdi></b></span>
          <span>key <b><bdi>{plain(trials.text("key", row), 80)}</bdi></b></span>
        </p>
        <h3><bdi>{plain(item ?? "")}</bdi></h3>
      </header>
      <div class="pictures">{pictures.map((d) => <Picture digest={d} />)}</div>
      <section>
        <h4>Reply</h4>
        {replies ? <LongText text={replies.get(row)} span={span} label="raw reply" /> : <p class="empty">unpacking{"\u2026"}</p>}
        <Reading trials={trials} row={row} marked={span[1] > span[0]} />
      </section>
      <section>
        <h4>Prompt as sent</h4>
        {prompts ? <Steps steps={steps} marks={marks} /> : <p class="empty">unpacking{"\u2026"}</p>}
      </section>
      <section>
        <h4>Condition</h4>
        <dl class="facts">
          {["subject", "task", "paradigm", ...trials.factors].filter((c) => trials.get(c, row) !== null).map((c) => (
            <><dt>{plain(c)}</dt><dd><bdi>{plain(levelName(c, trials.get(c, row)))}</bdi></dd></>
          ))}
          <Facts trials={trials} row={row} />
        </dl>
        <p class="more">
          <a href={toTrials({}, trials.id(row))}>Trial {trials.id(row)}</a>
          {item && <a href={`${toTrials({}, trials.id(row))}&q=${encodeURIComponent(item)}`}>All trials of this item</a>}
        </p>
      </section>
    </article>
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
  const [into, out, seconds] = ["tokens_in", "tokens_out", "seconds"].map((c) => trials.number(c, row));
  return (
    <>
      {trials.get("pack", row) !== null && <><dt>wording</dt><dd>{plain(levelName("pack", trials.get("pack", row)))}</dd></>}
      {trials.text("finish", row) && <><dt>ended</dt><dd>{plain(trials.text("finish", row))}</dd></>}
      {(into !== null || out !== null) && <><dt>tokens</dt><dd>{into === null ? "?" : count(into!)} in, {out === null ? "?" : count(out!)} out</dd></>}
      {seconds !== null && <><dt>took</dt><dd>{fixed(seconds!, 2)} s</dd></>}
    </>
  );
}

function Steps({ steps, marks }: { steps: Step[]; marks: Uint8Array | null }) {
  if (!steps.length) return <p class="empty">The prompt of this trial is not known.</p>;
  let before = 0; // words in the steps already drawn
  return (
    <>
      {steps.map((step, i) => {
        const own = marks?.subarray(before);
        before += wordsIn([step]).length;
        return (
          <div class="step">
            {steps.length > 1 && <p class="note">Call {i + 1} of {steps.length}, to <bdi>{plain(step.subject)}</bdi></p>}
            {step.messages.map((message, k) => (
              <MessageView message={message} marks={own?.subarray(wordsIn([{ ...step, messages: step.messages.slice(0, k) }]).length) ?? null} />
            ))}
            <Settings settings={step.settings} />
          </div>
        );
      })}
    </>
  );
}

function Settings({ settings }: { settings: Step["settings"] }) {
  const said = Object.entries(settings).map(([k, v]) => `${plain(k)} ${plain(typeof v === "string" ? v : JSON.stringify(v))}`);
  return said.length ? <p class="note">{said.join(" \u00b7 ")}</p> : null;
}

function MessageView({ message, marks }: { message: Message; marks: Uint8Array | null }) {
  let before = 0;
  return (
    <div class="message">
      <p class="role">{plain(message.role)}</p>
      {message.parts.map((part) => {
        if ("picture" in part) return <Picture digest={part.picture} small />;
        const own = marks?.subarray(before) ?? null;
        before += words(part.words).length;
        return own && part.words.length < 20_000 ? <Compared text={part.words} marks={own} /> : <LongText text={part.words} label="prompt" />;
      })}
    </div>
  );
}

/** Words with those that the other prompt lacks set off, neighbours together. */
function Compared({ text, marks }: { text: string; marks: Uint8Array }) {
  const runs: { text: string; differs: boolean }[] = [];
  let n = 0;
  for (const piece of text.split(/(\s+)/)) {
    const last = runs[runs.length - 1];
    const space = !piece.trim();
    const differs = space ? Boolean(last?.differs && marks[n]) : marks[n++] === 1;
    if (last && last.differs === differs) last.text += piece;
    else runs.push({ text: piece, differs });
  }
  return <div class="raw" dir="auto">{runs.map((run) => (run.differs ? <span class="differs">{visible(run.text)}</span> : visible(run.text)))}</div>;
}
