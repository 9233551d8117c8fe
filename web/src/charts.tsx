// Charts, drawn by hand in SVG. Each also gives its numbers as a table, for those who read rather than look.
import type { ComponentChildren } from "preact";
import { hatch, looks, Swatch } from "./faculties.tsx";
import { useWidth } from "./hooks.ts";
import { digitsOf, fixed, MISSING, ofHundred, shareText, valueText } from "./format.ts";
import { plain, Prose } from "./text.tsx";
import type { IntervalsBlock, SharesBlock, Unit, Value } from "./types.ts";

const LETTER = 6.7; // width of a letter at 13 px, near enough
const NARROW = 560;
const EDGE = 14; // half a number on the axis

/** Room for labels beside the plot, or 0 if they go above. */
function gutter(width: number, labels: string[]): number {
  if (width < NARROW) return 0;
  const longest = Math.max(0, ...labels.map((l) => l.length));
  return Math.min(longest * LETTER + 16, width * 0.34);
}

/** The label cut to the room there is, with the whole behind it. */
function Label({ text, x, y, room, end = false }: { text: string; x: number; y: number; room: number; end?: boolean }) {
  const most = Math.max(6, Math.floor(room / LETTER));
  const cut = text.length > most ? `${text.slice(0, most - 1)}\u2026` : text;
  return (
    <text class="label" x={x} y={y} text-anchor={end ? "end" : "start"} dominant-baseline="central">
      {cut}
      {cut !== text && <title>{text}</title>}
    </text>
  );
}

export function Figure({ title, note, children }: { title: string; note: string; children: ComponentChildren }) {
  return (
    <figure class="chart">
      {title && <figcaption>{plain(title, 300)}</figcaption>}
      {children}
      {note && <p class="note"><Prose text={note} /></p>}
    </figure>
  );
}

/** What the colours mean, or the colours and shapes of dots; `from` is the first of them. */
export function Legend({ names, from = 0, dots = false, numbers = [], children }: { names: string[]; from?: number; dots?: boolean; numbers?: string[]; children?: ComponentChildren }) {
  const colours = looks(names);
  return (
    <ul class="legend">
      {names.map((name, k) => {
        const i = from + k;
        return (
          <li>
            {dots ? <svg class={`mark part${i % 7}`} width="14" height="14" aria-hidden="true"><Dot shape={i} x={7} y={7} /></svg> : <Swatch look={from ? `part${i % 7}` : colours[k]!} />}
            {plain(name)}
            {numbers[k] && <b>{numbers[k]}</b>}
          </li>
        );
      })}
      {children && <li>{children}</li>}
    </ul>
  );
}

export function Values({ columns, rows, text }: { columns: string[]; rows: [string, (Value | null)[]][]; text: (v: Value | null) => string }) {
  return (
    <details class="values">
      <summary>The numbers</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="the numbers of this chart">
        <table>
          <thead>
            <tr>
              <th scope="col"><span class="offscreen">row</span></th>
              {columns.map((c) => <th scope="col" class="number">{plain(c) || "value"}</th>)}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, values]) => (
              <tr>
                <th scope="row">{plain(label)}</th>
                {columns.map((_, i) => <td class="number">{text(values[i] ?? null)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function Shares({ block, bare = false }: { block: SharesBlock; bare?: boolean }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const left = bare ? 0 : gutter(width, block.rows.map(([label]) => plain(label)));
  const above = !bare && left === 0;
  const lanes = block.parts.length;
  const bar = bare ? 34 : 24;
  const step = bar + 4 + lanes * 4 + (bare ? 6 : 14) + (above ? 20 : 0);
  const plot = Math.max(40, width - left - 2);
  const bottom = block.rows.length * step;
  const numbers = bare ? (block.rows[0]?.[1] ?? []).map((v) => ofHundred(v)) : [];
  return (
    <Figure title={block.title} note={block.note}>
      <Legend names={block.parts} numbers={numbers} />
      <div ref={ref} class="plot">
        {width > 0 && (
          <svg width={width} height={bottom + 36} role="img" aria-label={described(block)}>
            {[0, 0.25, 0.5, 0.75, 1].map((t) => (
              <g>
                {block.rows.map((_, r) => (
                  <line class="grid" x1={left + t * plot} x2={left + t * plot} y1={r * step + (above ? 20 : 0)} y2={(r + 1) * step - (above ? 8 : 0)} />
                ))}
                <text class="tick" x={left + t * plot} y={bottom + 10} text-anchor={t === 0 ? "start" : t === 1 ? "end" : "middle"}>{t * 100}</text>
              </g>
            ))}
            <AxisTitle text={block.of ? `share of ${plain(block.of)} (%)` : "share (%)"} x={left + plot / 2} y={bottom + 29} />
            {block.rows.map(([label, values], r) => (
              <g transform={`translate(0 ${r * step})`}>
                {!bare && <Label text={plain(label)} x={above ? 0 : left - 12} y={above ? 10 : bar / 2} room={above ? width : left - 12} end={!above} />}
                <g transform={`translate(${left} ${above ? 20 : 0})`}>
                  <Stack values={values} parts={block.parts} width={plot} height={bar} />
                </g>
              </g>
            ))}
          </svg>
        )}
      </div>
      {!bare && <Values columns={block.parts} rows={block.rows} text={shareText} />}
    </Figure>
  );
}

/** What an axis shows, and in which unit. */
const AxisTitle = ({ text, x, y }: { text: string; x: number; y: number }) => <text class="tick axis-title" x={x} y={y} text-anchor="middle">{text}</text>;

/** One stacked bar; below it, in lanes, how far each part might reach. */
function Stack({ values, parts, width, height, lanes = true }: { values: (Value | null)[]; parts: string[]; width: number; height: number; lanes?: boolean }) {
  let start = 0;
  const colours = looks(parts);
  if (values.every((v) => !v || v.value === null)) {
    return <text class="tick" x={0} y={height / 2} dominant-baseline="central">nothing to show</text>;
  }
  return values.map((v, i) => {
    const share = Math.max(0, Math.min(1, v?.value ?? 0));
    const from = start;
    start += share;
    const gap = from > 0 ? 1 : 0;
    const [x, w] = [from * width, share * width];
    const text = `${fixed(share * 100, 0)}\u00a0%`;
    const last = i === values.length - 1;
    // the last part has only its left end free; all others move at their right end
    const reach = lanes && v && v.low !== null && v.high !== null ? (last ? [1 - v.high, 1 - v.low] : [from + v.low, from + v.high]) : null;
    const lane = height + 6 + i * 4;
    const box = { x: x + gap, y: 0, width: Math.max(0.5, w - gap), height };
    const over = hatch(colours[i]!);
    return (
      <g class={colours[i]}>
        <title>{`${plain(parts[i] ?? "")}: ${shareText(v)}`}</title>
        {w > 0 && <rect class="segment" {...box} />}
        {w > 0 && over && <rect fill={over} {...box} />}
        {lanes && w > text.length * 8 + 12 && (
          <text class="inside" x={x + w / 2} y={height / 2 + 0.5} text-anchor="middle" dominant-baseline="central">{text}</text>
        )}
        {reach && (
          <path class="whisker" d={`M${clip(reach[0]!) * width} ${lane}H${clip(reach[1]!) * width}M${clip(reach[0]!) * width} ${lane - 2}v4M${clip(reach[1]!) * width} ${lane - 2}v4`} />
        )}
      </g>
    );
  });
}

/** A bar at a glance: no numbers, no intervals. */
export function StackedBar({ parts, values }: { parts: string[]; values: (Value | null)[] }) {
  const [ref, width] = useWidth<HTMLSpanElement>();
  const said = parts.map((part, i) => `${plain(part)} ${shareText(values[i] ?? null)}`).join(", ");
  if (values.every((v) => !v || v.value === null)) return null;
  return (
    <span ref={ref} class="glance">
      <svg width={width} height="10" role="img" aria-label={said}><Stack values={values} parts={parts} width={width} height={10} lanes={false} /></svg>
    </span>
  );
}

const clip = (x: number): number => Math.max(0, Math.min(1, x));

const described = (block: SharesBlock): string =>
  block.rows
    .map(([label, values]) => `${plain(label)}: ${block.parts.map((p, i) => `${plain(p)} ${shareText(values[i] ?? null)}`).join(", ")}`)
    .join("; ");

/** Round numbers from low to high, about `wanted` of them. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const raw = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? raw;
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step);
  return found;
}

function domain(block: IntervalsBlock): [number, number] {
  if (block.unit === "percent") return [0, 100];
  if (block.unit === "probability") return [0, 1];
  const all = block.rows.flatMap(([, values]) => values.flatMap((v) => [v?.value ?? null, v?.low ?? null, v?.high ?? null]));
  const known = [...all.filter((x) => x !== null), block.reference ?? 0];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = Math.max((high - low) * 0.06, 2);
  return [Math.max(-100, low - room), Math.min(100, high + room)];
}

const UNITS: Record<Unit, string> = { percent: " %", points: " points", probability: "" };
const AXES: Record<Unit, [plainest: string, unit: string]> = { percent: ["share", " (%)"], points: ["difference", " (percentage points)"], probability: ["probability", ""] };

/** What an axis shows, and in which unit. */
export const axisTitle = (quantity: string | undefined, unit: Unit): string => (plain(quantity ?? "") || AXES[unit][0]) + AXES[unit][1];

/** What the line is to read dots against, and where it is. */
function lineName(block: IntervalsBlock): string {
  const name = plain(block.line ?? "") || "reference";
  if (block.references?.length) return `${name} (each row its own)`;
  return block.reference ? `${name} (${fixed(block.reference, block.unit === "probability" ? 2 : 0)}${block.unit === "percent" ? "\u00a0%" : ""})` : name;
}

export function Intervals({ block, bare = false }: { block: IntervalsBlock; bare?: boolean }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const digits = digitsOf(block.unit);
  const signed = block.unit === "points";
  const labels = block.rows.map(([label]) => plain(label));
  const left = gutter(width, labels);
  const above = left === 0;
  const single = block.series.length <= 1;
  const right = single && !above ? 150 : 16;
  const plot = Math.max(60, width - left - right - EDGE);
  const [low, high] = domain(block);
  const at = (x: number) => left + EDGE + ((Math.max(low, Math.min(high, x)) - low) / (high - low)) * plot;
  const step = Math.max(1, block.series.length) * 15 + (above ? 30 : 13);
  const clear = above ? 22 : 0; // lines of the grid stop short of labels
  const bottom = block.rows.length * step;
  const marks = ticks(low, high, Math.max(2, plot / 90));
  const text = (v: Value | null) => valueText(v, digits, signed);
  const named = Boolean(block.line) && block.rows.length > 0 && (block.reference !== null || Boolean(block.references?.length));
  const lines = block.rows.map((_, r) => (block.references?.length ? (block.references[r] ?? null) : block.reference));
  const say = block.rows.map(([label, values]) => `${plain(label)}: ${values.map((v, i) => `${plain(block.series[i] ?? "")} ${text(v)}`).join(", ")}`).join("; ");
  return (
    <Figure title={block.title} note={block.note}>
      {(!single || named) && <Legend names={single ? [] : block.series} dots>{named && <><i class="key-line" />{lineName(block)}</>}</Legend>}
      <div ref={ref} class="plot">
        {width > 0 && block.rows.length > 0 && (
          <svg width={width} height={bottom + 44} role="img" aria-label={say}>
            {marks.map((t) => (
              <g>
                {block.rows.map((_, r) => <line class="grid" x1={at(t)} x2={at(t)} y1={r * step + clear} y2={(r + 1) * step} />)}
                <text class="tick" x={at(t)} y={bottom + 16} text-anchor="middle">{fixed(t, marks.some((m) => m % 1) ? (block.unit === "probability" ? 2 : 1) : 0)}</text>
              </g>
            ))}
            <AxisTitle text={axisTitle(block.quantity, block.unit)} x={at(low) + plot / 2} y={bottom + 37} />
            {block.rows.map(([, values], r) => (
              <g>
                {lines[r] !== null && <line class="reference" x1={at(lines[r]!)} x2={at(lines[r]!)} y1={r * step + clear} y2={(r + 1) * step} />}
                {r > 0 && !bare && <line class="rule" x1={0} x2={width} y1={r * step - 0.5} y2={r * step - 0.5} />}
                <Label text={labels[r]!} x={above ? 0 : left - 8} y={r * step + (above ? 12 : step / 2)} room={above ? width - (single ? 130 : 0) : left - 10} end={!above} />
                {values.map((v, i) => {
                  const y = r * step + (above ? 22 : 6) + 7.5 + i * 15;
                  return <Whisker value={v} shape={i} y={y} at={at} title={`${labels[r]} ${plain(block.series[i] ?? "")} ${text(v)}${v?.note ? ` (${plain(v.note)})` : ""}`} />;
                })}
                {single && <text class="readout" x={width} y={r * step + (above ? 12 : step / 2)} text-anchor="end" dominant-baseline="central">{text(values[0] ?? null) === MISSING ? plain(values[0]?.note || MISSING) : text(values[0] ?? null)}</text>}
              </g>
            ))}
          </svg>
        )}
      </div>
      {block.rows.length === 0 ? <p class="empty">Nothing to show.</p> : !bare && (
        <Values columns={block.series} rows={block.rows} text={(v) => text(v) + (v && v.value !== null ? UNITS[block.unit] : "")} />
      )}
    </Figure>
  );
}

function Whisker({ value, shape, y, at, title }: { value: Value | null; shape: number; y: number; at: (x: number) => number; title: string }) {
  if (!value || value.value === null) return null;
  const { low, high } = value;
  return (
    <g class={`part${shape % 7}`}>
      <title>{title}</title>
      {low !== null && high !== null && <path class="whisker" d={`M${at(low)} ${y}H${at(high)}M${at(low)} ${y - 4}v8M${at(high)} ${y - 4}v8`} />}
      <Dot shape={shape} x={at(value.value)} y={y} />
    </g>
  );
}

/** Series differ in shape as well as in colour. */
export function Dot({ shape, x, y }: { shape: number; x: number; y: number }) {
  const paths = [
    `M${x - 4.5} ${y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0`,
    `M${x - 4} ${y - 4}h8v8h-8z`,
    `M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`,
    `M${x} ${y - 5}l5 9h-10z`,
    `M${x} ${y + 5}l5 -9h-10z`,
  ];
  return <path class="dot" d={paths[shape % paths.length]!} />;
}
