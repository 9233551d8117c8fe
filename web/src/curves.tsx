// Lines over a number that goes up, in panels side by side: one scale for all, so that panels can be compared.
import { Dot, Figure, Legend, ticks, Values } from "./charts.tsx";
import { useWidth } from "./hooks.ts";
import { fixed, valueText } from "./format.ts";
import { plain } from "./text.tsx";
import type { CurvesBlock, Value } from "./types.ts";

const HEIGHT = 150;
const NARROWEST = 260;
const LEFT = 34;
const UNITS: Record<CurvesBlock["unit"], string> = { percent: " (%)", nats: "" };
const FEW = 16; // more points than this are a line without dots

type Scale = (x: number) => number;

export function Curves({ block }: { block: CurvesBlock }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const columns = Math.max(1, Math.min(block.rows.length, Math.floor(width / NARROWEST)));
  const each = width / columns;
  const digits = block.unit === "percent" ? 0 : 2;
  const text = (value: Value | null) => valueText(value, digits, false);
  const rows = block.rows.flatMap(([panel, lines]) => lines.map((line, k): [string, (Value | null)[]] => [`${panel}, ${block.series[k] ?? ""}`, line]));
  return (
    <Figure title={block.title} note={block.note}>
      <Legend names={block.series} dots />
      <div ref={ref} class="plot panels">
        {width > 0 && block.rows.map(([name, lines]) => <Panel block={block} name={name} lines={lines} width={each} />)}
      </div>
      <Values columns={block.xs.map((x) => `${plain(block.across)} ${x}`)} rows={rows.filter(([, line]) => line.some(Boolean))} text={text} />
    </Figure>
  );
}

function Panel({ block, name, lines, width }: { block: CurvesBlock; name: string; lines: (Value | null)[][]; width: number }) {
  const [low, high] = domain(block);
  const [first, last] = [Math.min(...block.xs), Math.max(...block.xs)];
  const plot = width - LEFT - 18;
  const across: Scale = (x) => LEFT + (last > first ? (x - first) / (last - first) : 0.5) * plot;
  const up: Scale = (y) => HEIGHT - ((y - low) / (high - low)) * (HEIGHT - 8);
  const levels = ticks(low, high, 4);
  const decimals = levels.some((level) => level % 1) ? (high - low < 1 ? 2 : 1) : 0;
  const along = last > first ? ticks(first, last, Math.max(2, plot / 70)) : [first];
  return (
    <section>
      <p class="panel-title"><bdi>{plain(name)}</bdi></p>
      <svg width={width} height={HEIGHT + 40} role="img" aria-label={`${plain(name)}: ${said(block, lines)}`}>
        {levels.map((level) => (
          <g>
            <line class="grid" x1={LEFT} x2={LEFT + plot} y1={up(level)} y2={up(level)} />
            <text class="tick" x={LEFT - 6} y={up(level)} text-anchor="end" dominant-baseline="central">{fixed(level, decimals)}</text>
          </g>
        ))}
        {along.map((x) => <text class="tick" x={across(x)} y={HEIGHT + 15} text-anchor="middle">{fixed(x, 0)}</text>)}
        <text class="tick axis-title" x={LEFT + plot / 2} y={HEIGHT + 34} text-anchor="middle">{`${plain(block.quantity)}${UNITS[block.unit]} over ${plain(block.across)}`}</text>
        {lines.map((line, k) => <Line block={block} k={k} line={line} across={across} up={up} />)}
      </svg>
    </section>
  );
}

/** One series: its line, and its dots where there are few. Where a value is missing the line goes on. */
function Line({ block, k, line, across, up }: { block: CurvesBlock; k: number; line: (Value | null)[]; across: Scale; up: Scale }) {
  const known = line.flatMap((value, i) => (value?.value == null ? [] : [[across(block.xs[i]!), up(value.value)] as const]));
  return (
    <g class={`part${k % 7}`}>
      <polyline class="curve" points={known.map(([x, y]) => `${x},${y}`).join(" ")} />
      {known.length <= FEW && known.map(([x, y]) => <Dot shape={k} x={x} y={y} />)}
    </g>
  );
}

function domain(block: CurvesBlock): [number, number] {
  if (block.bounds) return block.bounds;
  const known = block.rows.flatMap(([, lines]) => lines.flatMap((line) => line.flatMap((value) => value?.value ?? [])));
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  return high > low ? [low, high] : [low, low + 1];
}

/** From where to where each line goes, in words. */
const said = (block: CurvesBlock, lines: (Value | null)[][]): string =>
  lines
    .flatMap((line, k) => {
      const known = line.flatMap((value) => value?.value ?? []);
      return known.length ? [`${plain(block.series[k] ?? "")} from ${fixed(known[0]!, 2)} to ${fixed(known.at(-1)!, 2)}`] : [];
    })
    .join(", ");
