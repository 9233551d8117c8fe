// Percent right over graded levels: a panel a test, each over a log scale of its own; curves with bands, answers, thresholds.
import { Dot, Figure, Legend, Values } from "./charts.tsx";
import { useWidth } from "./hooks.ts";
import { plain } from "./text.tsx";
import type { Bend, PsychometricsBlock, Value } from "./types.ts";

const HEIGHT = 130;
const TOP = 22;
const LEFT = 34;
const NARROWEST = 250;

type Panel = PsychometricsBlock["panels"][number];
type Place = (x: number) => number;

export function Psychometrics({ block }: { block: PsychometricsBlock }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const columns = Math.max(1, Math.min(block.panels.length, Math.floor(width / NARROWEST)));
  const rows = block.panels.map((panel): [string, (Value | null)[]] => [
    `${plain(panel.title)} (${plain(panel.unit)})`,
    panel.bends.map((bend) => bend?.threshold ?? null),
  ]);
  return (
    <Figure title={block.title} note={block.note}>
      <Legend names={block.series} dots />
      <div ref={ref} class="plot panels">
        {width > 0 && block.panels.map((panel) => <One panel={panel} series={block.series} width={width / columns} />)}
      </div>
      <Values columns={block.series} rows={rows} text={threshold} />
    </Figure>
  );
}

/** A threshold with its interval, or why there is none. */
const threshold = (value: Value | null): string => {
  if (!value) return "not asked";
  if (value.value === null) return plain(value.note ?? "", 200);
  return value.low == null || value.high == null ? short(value.value) : `${short(value.value)} (${short(value.low)}–${short(value.high)})`;
};

const short = (x: number): string => (x >= 9.95 ? x.toFixed(0) : x >= 0.995 ? x.toFixed(1) : x.toPrecision(2).replace(/0+$/, ""));

function One({ panel, series, width }: { panel: Panel; series: string[]; width: number }) {
  const known = panel.bends.flatMap((bend, k) => (bend ? [[k, bend] as const] : []));
  const [low, high] = [Math.min(...known.map(([, b]) => b.xs[0]!)), Math.max(...known.map(([, b]) => b.xs.at(-1)!))];
  const right = width - 18;
  const across: Place = (x) => LEFT + (Math.log(x / low) / Math.log(high / low)) * (right - LEFT);
  const up: Place = (y) => TOP + HEIGHT - (y / 100) * HEIGHT;
  const said = known.map(([k, bend]) => `${plain(series[k] ?? "")} ${threshold(bend.threshold)}`).join(", ");
  return (
    <section>
      <p class="panel-title"><bdi>{plain(panel.title)}</bdi></p>
      <svg width={width} height={TOP + HEIGHT + 40} role="img" aria-label={`${plain(panel.title)}, thresholds in ${plain(panel.unit)}: ${said}`}>
        {[0, 50, 100].map((y) => (
          <g>
            <line class="grid" x1={LEFT} x2={right} y1={up(y)} y2={up(y)} />
            <text class="tick" x={LEFT - 6} y={up(y)} text-anchor="end" dominant-baseline="central">{y}</text>
          </g>
        ))}
        {roundNumbers(low, high).map((x) => <text class="tick" x={across(x)} y={TOP + HEIGHT + 16} text-anchor="middle">{Number(x.toPrecision(1))}</text>)}
        <text class="tick axis-title" x={(LEFT + right) / 2} y={TOP + HEIGHT + 34} text-anchor="middle">{plain(panel.unit)}</text>
        {known.map(([k, bend]) => <polygon class={`band part${k % 7}`} points={band(bend, across, up)} />)}
        <line class="guess" x1={LEFT} x2={right} y1={up(panel.chance)} y2={up(panel.chance)}><title>guessing</title></line>
        <Others panel={panel} across={across} ends={[low, high]} right={right} />
        {known.map(([k, bend]) => <Curve k={k} bend={bend} across={across} up={up} />)}
      </svg>
    </section>
  );
}

/** Powers of ten, with 2 and 5, or 3, between them where there is room. */
function roundNumbers(low: number, high: number): number[] {
  let inside: number[] = [];
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const powers = Array.from({ length: 14 }, (_, k) => k - 6);
    inside = powers.flatMap((power) => steps.map((step) => step * 10 ** power)).filter((x) => low <= x && x <= high);
    if (inside.length <= 5) return inside;
  }
  return inside;
}

const band = (bend: Bend, across: Place, up: Place): string =>
  [...bend.xs.map((x, i) => [x, bend.high[i]!]), ...bend.xs.map((x, i) => [x, bend.low[i]!]).reverse()]
    .map(([x, y]) => `${across(x!).toFixed(1)},${up(y!).toFixed(1)}`)
    .join(" ");

/** Thresholds of others: thin lines with their names above, none over another. */
function Others({ panel, across, ends, right }: { panel: Panel; across: Place; ends: [number, number]; right: number }) {
  const inside = panel.references.filter(([, at]) => ends[0] <= at && at <= ends[1]).sort(([, a], [, b]) => a - b);
  const names = inside.map(([name]) => plain(name).replace(/^.*\//, ""));
  let edge = LEFT;
  const middles = inside.map(([, at], k) => {
    const half = names[k]!.length * 3.2;
    const middle = Math.min(Math.max(across(at), edge + half), right - half);
    edge = middle + half + 6;
    return middle;
  });
  return (
    <>
      {inside.map(([, at], k) => (
        <g class="other">
          <line x1={across(at)} x2={across(at)} y1={TOP} y2={TOP + HEIGHT} />
          <text class="tick" x={middles[k]} y={TOP - 9} text-anchor="middle">{names[k]}</text>
        </g>
      ))}
    </>
  );
}

function Curve({ k, bend, across, up }: { k: number; bend: Bend; across: Place; up: Place }) {
  const at = bend.threshold.value;
  return (
    <g class={`part${k % 7}`}>
      {at !== null && <line class="limit" x1={across(at)} x2={across(at)} y1={up(0)} y2={up(100)} />}
      <polyline class="curve" points={bend.xs.map((x, i) => `${across(x).toFixed(1)},${up(bend.mean[i]!).toFixed(1)}`).join(" ")} />
      {bend.points.map(([level, right]) => (
        <g>
          {right.low != null && right.high != null && <line class="whisk" x1={across(level)} x2={across(level)} y1={up(right.low)} y2={up(right.high)} />}
          <Dot shape={k} x={across(level)} y={up(right.value ?? 0)} />
        </g>
      ))}
    </g>
  );
}
