// Answers side by side: one item, every subject and every way of asking, with what flipped.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Calls } from "./calls.ts";
import { answerGrid, flipped, type AnswerRow } from "./answers.ts";
import { count } from "./format.ts";
import { picturesIn } from "./procedure.ts";
import { toTrials } from "./route.ts";
import { plain } from "./text.tsx";
import { Outcome } from "./trial.tsx";
import type { Trials } from "./trials.ts";

const AT_ONCE = 60;

const nameOf = ({ paradigm, levels }: AnswerRow): string =>
  [paradigm, ...levels.map(([factor, level]) => `${factor} ${level}`)].map((part) => plain(part, 60)).join(" \u00b7 ");

/** `shown`: somebody came for the answers, so they are scrolled to. */
export function Answers({ trials, calls, rows, shown }: { trials: Trials; calls: Calls; rows: Uint32Array; shown: boolean }) {
  const grid = useMemo(() => answerGrid(trials, rows), [trials, rows]);
  const usual = useMemo(() => grid.rows.findIndex((row) => calls.steps(row.cells.flat()[0]!).some((step) => picturesIn(step).length)), [grid, calls]);
  const [chosen, setBase] = useState(-1);
  const base = Math.max(0, chosen < 0 ? usual : chosen);
  const [all, setAll] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (shown) section.current?.scrollIntoView();
  }, [shown, rows]);
  const baseline = grid.rows[base] ?? grid.rows[0];
  if (!baseline) return null;
  return (
    <section ref={section} class="answers">
      <h4>Answers side by side</h4>
      {grid.rows.length > 1 && (
        <p class="against">
          <label>
            <span class="flip-mark">flip</span> marks an outcome that differs from the same subject's under{" "}
            <select aria-label="Compare with" value={base} onChange={(e) => setBase(Number(e.currentTarget.value))}>
              {grid.rows.map((row, i) => <option value={i}>{nameOf(row)}</option>)}
            </select>
          </label>
        </p>
      )}
      <div class="scroll" tabIndex={0} role="group" aria-label="Answers side by side">
        <table>
          <thead>
            <tr><th scope="col">asked as</th><th scope="col">key</th>{grid.subjects.map((subject) => <th scope="col"><bdi>{plain(subject, 60)}</bdi></th>)}</tr>
          </thead>
          <tbody>
            {(all ? grid.rows : grid.rows.slice(0, AT_ONCE)).map((row) => (
              <tr class={row === baseline && grid.rows.length > 1 ? "baseline" : ""}>
                <th scope="row">
                  <bdi>{plain(row.paradigm, 60)}</bdi>
                  {row.levels.length > 0 && <small>{row.levels.map(([factor, level], i) => <>{i > 0 && " \u00b7 "}<span class="factor">{plain(factor, 40)} </span><bdi>{plain(level, 60)}</bdi></>)}</small>}
                </th>
                <td class="short"><bdi>{row.key === null ? "several" : plain(row.key, 40)}</bdi></td>
                {row.cells.map((cell, k) => (
                  <td>{cell.map((trial) => <Answer trials={trials} row={trial} flip={row !== baseline && flipped(trials, trial, baseline.cells[k]!)} />)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {grid.rows.length > AT_ONCE && !all && <button class="quiet" onClick={() => setAll(true)}>Show all {count(grid.rows.length)} rows</button>}
    </section>
  );
}

function Answer({ trials, row, flip }: { trials: Trials; row: number; flip: boolean }) {
  const said = plain(trials.text("answer", row), 40) || plain(trials.text("reason", row)) || "unread";
  return (
    <a class={flip ? "answer flipped" : "answer"} href={toTrials({}, trials.id(row))}>
      <Outcome outcome={trials.text("outcome", row)} small />
      <bdi>{said}</bdi>
      {flip && <span class="flip-mark">flip</span>}
    </a>
  );
}
