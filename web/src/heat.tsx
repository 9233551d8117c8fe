// A heat map is a table first: every cell has its number, and the colour only helps to find them.
import { axisTitle, Figure } from "./charts.tsx";
import { count, digitsOf, fixed, MISSING, valueText } from "./format.ts";
import { plain } from "./text.tsx";
import type { HeatBlock, Unit, Value } from "./types.ts";

const LEAST: Record<Unit, number> = { percent: 40, probability: 0.4, points: 10 };
const TOP: Record<Unit, number> = { percent: 100, probability: 1, points: 100 };

/** The range of the colours: that of the values, but never so narrow that noise looks like a difference. */
function range({ unit, rows }: HeatBlock): [number, number] {
  const known = rows.flatMap(([, values]) => values.flatMap((v) => (v && v.value !== null ? [v.value] : [])));
  const least = LEAST[unit];
  if (unit === "points") {
    const reach = Math.max(least, ...known.map(Math.abs));
    return [-reach, reach];
  }
  if (!known.length) return [0, TOP[unit]];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const missing = Math.max(0, least - (high - low)) / 2;
  const from = Math.max(0, Math.min(low - missing, TOP[unit] - least));
  return [from, Math.min(TOP[unit], Math.max(high + missing, from + least))];
}

/** How strong the colour is, from 0 to 1; differences have two colours, one each way. */
function tint(x: number, unit: Unit, [low, high]: [number, number]): { kind: string; strength: number } {
  if (unit === "points") return { kind: x < 0 ? "less" : "more", strength: Math.min(1, Math.abs(x) / high) };
  return { kind: "more", strength: Math.max(0, Math.min(1, (x - low) / (high - low))) };
}

const LEVELS = 10;

/** How a cell of so strong a colour looks; letters on it keep their contrast. */
const shade = (kind: string, level: number) => ({ class: `${kind} ${level < 6 ? "pale" : level > 6 ? "deep" : ""}`, style: { "--t": `${level * LEVELS}%` } });

export function Heat({ block }: { block: HeatBlock }) {
  const scale = range(block);
  return (
    <Figure title={block.title} note={block.note}>
      {block.rows.length ? (
        <>
          <div class="scroll heat" tabIndex={0} role="group" aria-label={plain(block.title) || "heat map"}>
            <table>
              <thead>
                {block.across && <tr><td /><th scope="colgroup" colSpan={block.columns.length}>{plain(block.across)}</th></tr>}
                <tr>
                  <th scope="col">{plain(block.down)}</th>
                  {block.columns.map((c) => <th scope="col"><bdi>{plain(c)}</bdi></th>)}
                </tr>
              </thead>
              <tbody>
                {block.rows.map(([label, values]) => (
                  <tr>
                    <th scope="row" class={label.length < 32 ? "short" : ""}><bdi>{plain(label)}</bdi></th>
                    {block.columns.map((_, i) => <HeatCell value={values[i] ?? null} unit={block.unit} scale={scale} />)}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Key unit={block.unit} scale={scale} title={axisTitle(block.quantity, block.unit)} />
        </>
      ) : <p class="empty">Nothing to show.</p>}
    </Figure>
  );
}

function HeatCell({ value, unit, scale }: { value: Value | null; unit: Unit; scale: [number, number] }) {
  const note = plain(value?.note ?? "");
  if (!value || value.value === null) return <td class="none">{note ? <small>{note}</small> : <><span aria-hidden="true">{MISSING}</span><span class="offscreen">not asked</span></>}</td>;
  const { kind, strength } = tint(value.value, unit, scale);
  const [number = "", interval] = valueText(value, digitsOf(unit), unit === "points").split(/ (?=\[)/);
  return (
    <td {...shade(kind, Math.round(strength * LEVELS))} title={value.n === null ? undefined : `n = ${count(value.n)}`}>
      {number}
      {interval && <small>{interval}</small>}
      {note && <small>{note}</small>}
    </td>
  );
}

/** What the colours mean. */
function Key({ unit, scale: [low, high], title }: { unit: Unit; scale: [number, number]; title: string }) {
  const digits = unit === "probability" ? 2 : 0;
  const steps = Array.from({ length: LEVELS + 1 }, (_, k) => k);
  return (
    <p class="heat-key" aria-hidden="true">
      {fixed(low, digits)}
      <span>
        {unit === "points" && steps.slice(1).reverse().map((k) => <i {...shade("less", k)} />)}
        {steps.map((k) => <i {...shade("more", k)} />)}
      </span>
      {fixed(high, digits)}
      <em>{title}</em>
    </p>
  );
}
