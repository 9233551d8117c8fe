// The quiet pages: what the results rest on, and how to read it all.
import type { ComponentChildren } from "preact";
import { count, many } from "./format.ts";
import { glossary } from "./terms.tsx";
import { plain } from "./text.tsx";
import type { Head } from "./types.ts";

export function Fingerprint({ head }: { head: Head }) {
  const prints = head.findings.fingerprints ?? [];
  const { wanted, shown, over_cap } = head.pictures;
  return (
    <div class="column page">
      <h1>Fingerprint</h1>
      <p class="prose">What these results rest on. Two reports can be compared where their fingerprints agree.</p>
      {prints.length === 0 && <p class="empty">No fingerprint was recorded.</p>}
      {prints.map((print, i) => (
        <section class="section">
          {prints.length > 1 && <h2>{plain(String(print["exam"] !== undefined ? `Exam ${String(print["exam"])}` : `Exam ${i + 1}`))}</h2>}
          <Tree value={print} />
        </section>
      ))}
      {head.listed !== undefined && (
        <p class="note">
          {`This page lists ${many(head.listed, "trial")} of ${count(head.trials)}: whole items, evenly spread over each task. Every finding is computed from all trials. `}
          <code>snellen report --trials N</code> lists more, <code>snellen export</code> writes all.
        </p>
      )}
      <p class="note">
        {wanted === 0 ? "No pictures were shown." : `${many(shown, "picture")} of ${many(wanted, "picture")} in this page.`}
        {over_cap > 0 && ` ${many(over_cap, "picture")} left out to keep the page small; pictures of trials that went wrong were put in first.`}
        {wanted - shown - over_cap > 0 && ` ${many(wanted - shown - over_cap, "picture")} could not be found.`}
      </p>
    </div>
  );
}

const FEW = 24; // what has more facts in it is folded

const facts = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.values(value).reduce((sum: number, v) => sum + facts(v), 0) : 1;

/** Nested facts as nested lists. `inner`: whether it is a part of others, and folded if it is long. */
function Tree({ value, inner = false }: { value: unknown; inner?: boolean }): ComponentChildren {
  if (Array.isArray(value)) {
    const flat = value.every((v) => typeof v !== "object" || v === null);
    if (flat) return <bdi>{value.length ? plain(value.map(String).join(", "), 2000) : "none"}</bdi>;
    const list = <ol class="tree">{value.map((v) => <li><Tree value={v} inner /></li>)}</ol>;
    return inner && facts(value) > FEW ? <details><summary>{many(value.length, "entry", "entries")}</summary>{list}</details> : list;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    if (!entries.length) return <span>none</span>;
    const list = (
      <dl class="print">
        {entries.map(([key, v]) => <div><dt>{plain(key.replaceAll("_", " "))}</dt><dd><Tree value={v} inner /></dd></div>)}
      </dl>
    );
    return inner && facts(value) > FEW ? <details><summary>{many(entries.length, "entry", "entries")}</summary>{list}</details> : list;
  }
  const text = value === null || value === undefined || value === "" ? "none" : String(value);
  return <bdi class={/^[0-9a-f]{12,}$/.test(text) ? "hex" : ""}>{plain(text, 2000)}</bdi>;
}

const KEYS: [string, string][] = [
  ["j, \u2193", "next in the list"],
  ["k, \u2191", "previous in the list"],
  ["Home, End", "first, last"],
  ["Enter", "go into the details"],
  ["Esc", "back to the list, leave the search"],
  ["/", "search"],
  ["\u2190, \u2192", "in a large picture: the one before, the next"],
];

export function Help() {
  return (
    <div class="column page">
      <h1>How to read this page</h1>
      <section class="section prose">
        <h2>Diagnosis</h2>
        <p>
          Each subject was asked the same items in several ways, the rungs of a ladder. Each rung demands one faculty more
          than the one below. An item that is solved on the lower rung and not on the higher one is charged to that
          faculty. What is right and what is lost add up to 100{"\u00a0"}%. Colours mean the same everywhere; the lines across
          them tell them apart without colour.
        </p>
        <p>
          With several tasks or subjects an overview comes first. Each of its cells leads to a diagnosis. The profile shows
          what each subject loses to which faculty, side by side.
        </p>
        <h2>Numbers</h2>
        <p>
          <span class="readout">71.2 [68.0, 74.1]</span> is an estimate with its 95{"\u00a0"}% CI. In stacked bars, the thin lines
          under the bar show the CI of each part. A dash means there was nothing to estimate from; it does not mean zero.
        </p>
        <h2>Trials, items and pairs</h2>
        <p>
          A trial may take several calls: each step shows who was asked in which role, what they were shown and what they said; a
          picture that was described alone has its description folded beneath it. Under Items, everything about one item is in one
          place: its pictures, the answers of all subjects side by side with flips marked, and the replies. Pictures are
          copies that take less space; each says whether every pixel was kept, and where the original is.
        </p>
        <p>
          In a reply, the words the answer was read from are marked. Characters that cannot be seen are shown by their number,
          such as <span class="unseen">U+202E</span>. Under Pairs, the same item stands side by side under two levels of a factor,
          everything else equal; the words of the prompts that differ are set off. The address of the page keeps your place, so a view can be bookmarked or sent along with the file.
        </p>
        <h2>History and interim estimates</h2>
        <p>
          History shows checkpoints by training step, or runs from several stores. Each point is one subject in one store; points
          that were not asked the same way are not connected. While an exam runs, every estimate is marked <b>interim</b>: it rests
          on the trials so far and will change.
        </p>
        <h2>Keys</h2>
        <dl class="facts keys">{KEYS.map(([key, does]) => <><dt>{key.split(", ").map((k) => <kbd>{k}</kbd>)}</dt><dd>{does}</dd></>)}</dl>
      </section>
      <section class="section" id="glossary">
        <h2>Glossary</h2>
        {Object.entries(glossary()).map(([group, terms]) => (
          <>
            <h3>{group}</h3>
            <dl class="facts glossary">{Object.entries(terms).map(([term, meaning]) => <><dt>{term}</dt><dd>{meaning}</dd></>)}</dl>
          </>
        ))}
      </section>
    </div>
  );
}
