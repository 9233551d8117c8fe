// A wind rose: shares all the way around, the first at the top. Areas are shares, so a quarter reaches half as far.
import { Figure, Values } from "./charts.tsx";
import { fixed, shareText } from "./format.ts";
import { plain } from "./text.tsx";
import type { CompassBlock } from "./types.ts";

const REACH = 80;

export function Compass({ block }: { block: CompassBlock }) {
  const most = Math.max(0.01, ...block.rows.flatMap(([, values]) => values.map((v) => v?.high ?? v?.value ?? 0)));
  const far = (share: number) => REACH * Math.sqrt(share / most);
  const step = (2 * Math.PI) / block.parts.length;
  const at = (i: number, r: number) => `${(r * Math.sin(i * step)).toFixed(1)} ${(-r * Math.cos(i * step)).toFixed(1)}`;
  return (
    <Figure title={block.title} note={block.note}>
      <div class="roses">
        {block.rows.map(([label, values]) => (
          <div>
            <svg width="240" height="230" viewBox="-120 -112 240 230" role="img" aria-label={values.map((v, i) => `${plain(block.parts[i] ?? "")} ${shareText(v)}`).join(", ")}>
              <circle class="grid" r={REACH} />
              <circle class="grid" r={REACH / 2} />
              {block.parts.map((part, i) => {
                const v = values[i] ?? null;
                const share = v?.value ?? 0;
                const r = far(share);
                const [x, y] = at(i, REACH + 21).split(" ");
                return (
                  <g class={`part${i ? 4 : 0}`}>
                    <title>{`${plain(part)}: ${shareText(v)}`}</title>
                    <path class="segment" d={`M0 0L${at(i - 0.4, r)}A${r} ${r} 0 0 1 ${at(i + 0.4, r)}Z`} />
                    {r > 0 && <path class="reach" d={`M${at(i, far(v?.low ?? share))}L${at(i, far(v?.high ?? share))}`} />}
                    <text class="tick" x={x} y={y} text-anchor="middle">
                      {plain(part)}
                      {r > 0 && <tspan x={x} dy="1.1em">{fixed(share * 100, 0)} %</tspan>}
                    </text>
                  </g>
                );
              })}
            </svg>
            <p>{plain(label)}</p>
          </div>
        ))}
      </div>
      {block.rows.length > 0 && <p class="axis-title">{block.of ? `share of ${plain(block.of)} (%), by area` : "share (%), by area"}</p>}
      <Values columns={block.parts} rows={block.rows} text={shareText} />
    </Figure>
  );
}
