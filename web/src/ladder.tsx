// The ladder of a task as dots: one row a rung, from the least to the most demanding, with what luck alone would bring.
import { Named } from "./faculties.tsx";
import { fixed, valueText } from "./format.ts";
import { plain } from "./text.tsx";
import type { Diagnosis, IntervalsBlock, Rung, Value } from "./types.ts";

const TICKS = [0, 25, 50, 75, 100];

/** What a rung demands beyond the one below it on the line. */
function added(rungs: Rung[], k: number): string[] {
  const below = rungs.slice(0, k).reverse().find((rung) => rung.on_line);
  return rungs[k]!.demands.filter((name) => !below?.demands.includes(name));
}

export function Ladder({ diagnosis: { rungs }, chart }: { diagnosis: Diagnosis; chart: IntervalsBlock }) {
  const own = chart.references?.length ? chart.references : null;
  const beside = rungs.some((rung) => !rung.on_line);
  return (
    <figure class="chart ladder">
      <figcaption>{plain(chart.title)}</figcaption>
      <p class="legend">
        <span><i class="key-dot" />accuracy, 95 % interval</span>
        {beside && <span><i class="key-dot hollow" />a rung beside the line, to compare</span>}
        <span><i class="key-line" />{own ? "chance, each rung its own" : `chance (${fixed(chart.reference ?? 0, 0)}\u00a0%)`}</span>
      </p>
      <div class="rungs">
        {rungs.map((rung, k) => {
          const value = chart.rows[k]?.[1].find((v) => v !== null) ?? null;
          return (
            <div class="rung">
              <div class="rung-name">
                <b>{plain(rung.rung)}</b>
                <span class="adds">{added(rungs, k).map((name) => <span>+{"\u00a0"}<Named name={name} /></span>)}</span>
                {rung.about && <small>{plain(rung.about)}</small>}
              </div>
              <Line value={value} chance={own ? (own[k] ?? null) : chart.reference} hollow={!rung.on_line} />
              <div class="rung-number">
                {valueText(value, 0)}{value?.value != null && "\u00a0%"}
                {rung.unread >= 0.5 && <small>{fixed(rung.unread, 0)} % unread</small>}
              </div>
            </div>
          );
        })}
        <div class="rung axis">
          <span />
          <svg width="100%" height="36" aria-hidden="true">
            {TICKS.map((t) => <text class="tick" x={`${t}%`} y="12" text-anchor={t === 0 ? "start" : t === 100 ? "end" : "middle"}>{t}</text>)}
            <text class="tick" x="50%" y="30" text-anchor="middle">{plain(chart.quantity ?? "accuracy")} (%)</text>
          </svg>
          <span />
        </div>
      </div>
    </figure>
  );
}

function Line({ value, chance, hollow }: { value: Value | null; chance: number | null; hollow: boolean }) {
  const at = (x: number) => `${Math.max(0, Math.min(100, x))}%`;
  return (
    <svg class="rung-line" width="100%" height="30" role="img" aria-label={value?.value == null ? "no answers" : `${valueText(value, 1)} %`}>
      {TICKS.map((t) => <line class="grid" x1={`${t}%`} x2={`${t}%`} y1="0" y2="30" />)}
      {chance !== null && <line class="chance" x1={at(chance)} x2={at(chance)} y1="0" y2="30" />}
      {value && value.value !== null && (
        <>
          {value.low !== null && value.high !== null && (
            <>
              <line class="span" x1={at(value.low)} x2={at(value.high)} y1="15" y2="15" />
              {[value.low, value.high].map((x) => <line class="span" x1={at(x)} x2={at(x)} y1="11" y2="19" />)}
            </>
          )}
          <circle class={hollow ? "hollow" : ""} cx={at(value.value)} cy="15" r="5" />
        </>
      )}
    </svg>
  );
}
