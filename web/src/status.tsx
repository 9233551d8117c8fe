// How far the exam is, above every view of a live page, and that its estimates are interim.
import { useLayoutEffect, useRef } from "preact/hooks";
import { count, fixed, many, ofCache } from "./format.ts";
import type { Status, SubjectProgress } from "./live.ts";
import { plain } from "./text.tsx";
import type { Head } from "./types.ts";

const STATES: Record<Status["state"], string> = {
  running: "Running",
  finished: "Finished",
  interrupted: "Interrupted",
  stopped: "Stopped before the end",
  disconnected: "No connection",
};

const AFTER: Record<Status["state"], string> = {
  running: "",
  finished: "All trials are in; the final estimates are being computed. ",
  interrupted: "The same command continues the exam. ",
  stopped: "The same command continues the exam. ",
  disconnected: "The server has ended or does not answer. ",
};

function remark({ state, problem }: Status, head: Head | null): string {
  const failed = problem ? ` The last update failed: ${plain(problem, 200)}` : "";
  if (head && !head.interim) return `All trials are in these estimates.${failed}`;
  const interim = head ? `Estimates are interim: they rest on ${many(head.trials, "trial")}${state === "running" ? " so far and will change" : ""}.` : "";
  return `${AFTER[state]}${interim}${failed}`;
}

const total = (subjects: SubjectProgress[], of: (s: SubjectProgress) => number | null): number =>
  subjects.reduce((sum, s) => sum + (of(s) ?? 0), 0);

const tokens = (n: number): string => (n >= 10_000 ? `${fixed(n / 1000, 0)}k` : count(n));

function tokensSoFar(subjects: SubjectProgress[]): string {
  const of = (name: "tokens_in" | "tokens_out" | "tokens_cached" | "tokens_written") => total(subjects, (s) => s[name]);
  return `${tokens(of("tokens_in"))} tokens in${ofCache(of("tokens_cached"), of("tokens_written"), tokens)}, ${tokens(of("tokens_out"))} out`;
}

const money = (x: number): string => `$${fixed(x, 2)}`;

function timeLeft(seconds: number): string {
  if (seconds < 90) return `about ${many(Math.max(1, Math.round(seconds)), "second")} left`;
  return seconds < 5400 ? `about ${count(seconds / 60)} minutes left` : `about ${fixed(seconds / 3600, 1)} hours left`;
}

export function StatusBar({ status, head }: { status: Status; head: Head | null }) {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const measured = new ResizeObserver(() => document.documentElement.style.setProperty("--status", `${bar.current?.offsetHeight ?? 0}px`));
    measured.observe(bar.current!);
    return () => measured.disconnect();
  }, []);
  const { subjects, state } = status;
  const done = total(subjects, (s) => s.done);
  const planned = total(subjects, (s) => s.planned);
  const about = status.approximate ? "about " : "";
  const spent = subjects.filter((s) => s.cost !== null);
  const running = state === "running";
  return (
    <section ref={bar} class={`status ${state}`} aria-label="State of the exam">
      <p class="line">
        <b class="state" role="status">{status.stopping && running ? "Stopping" : STATES[state]}</b>
        {planned > 0 && <progress max={planned} value={done} aria-label="trials done" />}
        {planned > 0 && <span>{count(done)} of {about}{count(planned)} trials</span>}
        {running && status.rate > 0 && planned > done && <span>{timeLeft((planned - done) / status.rate)}</span>}
        {subjects.length > 0 && <span>{many(total(subjects, (s) => s.made), "call")}</span>}
        {total(subjects, (s) => s.tokens_out) > 0 && <span>{tokensSoFar(subjects)}</span>}
        {spent.length > 0 && <span>{money(total(subjects, (s) => s.cost))}{spent.length < subjects.length ? " where prices are known" : ""}</span>}
        {status.errors > 0 && <span class="errors">{many(status.errors, "error")}</span>}
      </p>
      <p class="remark">{remark(status, head)}</p>
      {subjects.length > 0 && <BySubject status={status} />}
    </section>
  );
}

function BySubject({ status: { subjects, approximate } }: { status: Status }) {
  const priced = subjects.some((s) => s.cost !== null);
  const cached = subjects.some((s) => s.tokens_cached + s.tokens_written > 0);
  return (
    <details>
      <summary>By subject</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="progress by subject">
        <table>
          <thead>
            <tr>
              {["subject", "trials done", approximate ? "planned (about)" : "planned", "calls made", "from the store", "tokens in", ...(cached ? ["of these cached", "written"] : []), "tokens out", ...(priced ? ["spent"] : [])]
                .map((name, i) => <th scope="col" class={i ? "number" : ""}>{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {subjects.map((s) => (
              <tr>
                <th scope="row"><bdi>{plain(s.name)}</bdi></th>
                {[s.done, s.planned, s.made, s.known, s.tokens_in, ...(cached ? [s.tokens_cached, s.tokens_written] : []), s.tokens_out].map((n) => <td class="number">{n === null ? "\u2013" : count(n)}</td>)}
                {priced && <td class="number">{s.cost === null ? "\u2013" : money(s.cost)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
