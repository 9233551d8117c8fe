// What is said of one subject on one task: verdict, sentence, what is right and what is lost, and the ladder this rests on.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Chart } from "./chart.tsx";
import { Badge, Bar, Named, tone } from "./faculties.tsx";
import { ofHundred } from "./format.ts";
import { copy } from "./hooks.ts";
import { DataTable } from "./table.tsx";
import { Term, withTerms } from "./terms.tsx";
import { plain, Prose } from "./text.tsx";
import type { Diagnosis, Loss, Value } from "./types.ts";

function Head({ diagnosis: d }: { diagnosis: Diagnosis }) {
  return (
    <span class="who">
      <Badge diagnosis={d} />
      {d.task && <bdi class="task">{plain(d.task)}</bdi>}
      <bdi class="subject">{plain(d.subject)}</bdi>
    </span>
  );
}

const label = (d: Diagnosis): string => `Diagnosis of ${plain(d.subject)}${d.task ? ` on ${plain(d.task)}` : ""}`;

/** The only card: all of it. */
export function Card({ diagnosis: d, id }: { diagnosis: Diagnosis; id: string }) {
  return (
    <section class="card" {...tone(d.verdict)} id={id} aria-label={label(d)}>
      <Head diagnosis={d} />
      <h2 class="headline"><Prose text={d.headline} /></h2>
      <Body diagnosis={d} />
    </section>
  );
}

/** One of many: the sentence and the bar, the rest when it is opened. */
export function FoldedCard({ diagnosis: d, id }: { diagnosis: Diagnosis; id: string }) {
  return (
    <details class="card folded" {...tone(d.verdict)} id={id} aria-label={label(d)}>
      <summary>
        <Head diagnosis={d} />
        <h4 class="headline"><Prose text={d.headline} /></h4>
        <Bar parts={d.bar} />
      </summary>
      <Body diagnosis={d} />
    </details>
  );
}

function Body({ diagnosis: d }: { diagnosis: Diagnosis }) {
  return (
    <>
      {d.losses_chart && <Chart block={d.losses_chart} />}
      {d.ladder_chart && <Chart block={d.ladder_chart} />}
      {d.accuracy.value !== null && <WholeTask accuracy={d.accuracy} />}
      {d.beside.length > 0 && <Beside losses={d.beside} />}
      {d.details.length > 0 && (
        <Ground title="What this rests on"><ul class="details">{d.details.map((text) => <li><Prose text={text} said={withTerms} /></li>)}</ul></Ground>
      )}
      {d.missing.length > 0 && (
        <Ground title="What could not be told apart, and how to find out">
          <ul class="details">{d.missing.map((text) => <li><Advice text={text} /></li>)}</ul>
        </Ground>
      )}
      {d.steps && d.steps.rows.length > 0 && (
        <details class="steps">
          <summary>Step by step: estimates, exact tests, and the smallest fault that would have been named</summary>
          <DataTable block={d.steps} />
        </details>
      )}
    </>
  );
}

function Ground({ title, children }: { title: string; children: ComponentChildren }) {
  return <div class="ground"><h3>{title}</h3>{children}</div>;
}

/** The plain score, beside what is corrected for guessing. */
function WholeTask({ accuracy }: { accuracy: Value }) {
  const [score, interval] = ofHundred(accuracy, 1).split(" ");
  return <p class="beside"><Term name="accuracy, whole task">Accuracy, whole task</Term>: <b>{score}{"\u00a0"}%</b> {interval}</p>;
}

/** Losses that are measured off the ladder. */
function Beside({ losses }: { losses: Loss[] }) {
  return (
    <p class="beside">
      <span><Term name="off-ladder comparison">Off-ladder comparison</Term>, percent of items:</span>
      {losses.map((loss) => (
        <span><Named name={loss.faculties.join(" or ")} /> <b>{ofHundred(loss.share)}</b> solved on <i>{plain(loss.lower)}</i>, not on <i>{plain(loss.upper)}</i></span>
      ))}
    </p>
  );
}

/** A sentence with commands in it, each to be copied. */
function Advice({ text }: { text: string }) {
  return <>{plain(text, 5000).split(/`([^`]+)`/).map((piece, i) => (i % 2 ? <Command words={piece} /> : piece))}</>;
}

function Command({ words }: { words: string }) {
  const [copied, setCopied] = useState("");
  const toClipboard = async () => {
    setCopied((await copy(words)) ? "Copied" : "Could not copy");
    setTimeout(() => setCopied(""), 2000);
  };
  return (
    <span class="command">
      <code>{words}</code>
      <button class="quiet" onClick={toClipboard} aria-label={`Copy the command ${words}`}>{copied || "Copy"}</button>
      <span class="offscreen" role="status">{copied}</span>
    </span>
  );
}
