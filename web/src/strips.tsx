// Texts as strips, from the first word to the last: what they are given to, and where something happens.
import { Dot, Figure, Legend } from "./charts.tsx";
import { useWidth } from "./hooks.ts";
import { plain } from "./text.tsx";
import type { StripsBlock } from "./types.ts";

const HEIGHT = 24;
const MARK = 3; // the colour and shape of the first mark: those before are of parts

export function Strips({ block }: { block: StripsBlock }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const top = block.marks.length * 12;
  return (
    <Figure title={block.title} note={block.note}>
      <Legend names={block.parts} />
      {top > 0 && <Legend names={block.marks} from={MARK} dots />}
      <div ref={ref} class="plot">
        {block.rows.map((row) => (
          <div class="strip">
            <p><bdi>{plain(row.label)}</bdi><small>{plain(row.remark)}</small></p>
            <svg width={width} height={top + HEIGHT} role="img" aria-label={plain(row.remark)}>
              {row.cells.map(([from, to, shares]) => {
                let y = top;
                return shares.map((share, i) => {
                  y += share * HEIGHT;
                  return <rect class={`segment part${i}`} x={from * width} y={y - share * HEIGHT} width={Math.max(1, (to - from) * width - 1)} height={share * HEIGHT} />;
                });
              })}
              {row.marks.map(([which, at]) => (
                <g class={`part${MARK + which}`}><Dot shape={MARK + which} x={5 + at * (width - 10)} y={which * 12 + 6} /></g>
              ))}
            </svg>
          </div>
        ))}
        {block.rows.length > 0 && <p class="axis-title">place in the text, from its first word to its last</p>}
      </div>
    </Figure>
  );
}
