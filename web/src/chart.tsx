// A chart: marks as they come (see src/snellen/charts/screen.py), with what can be pointed at, and its numbers as a table
// for those who read rather than look. Nothing here knows what kind of chart it is.
import { useId, useRef, useState } from "preact/hooks";
import { Hatching, paper } from "./faculties.tsx";
import { useTurn, useWidth } from "./hooks.ts";
import { termOf, withTerms } from "./terms.tsx";
import { plain, Prose } from "./text.tsx";
import type { ChartBlock, Sheet } from "./types.ts";

/** Pixels a point: letters are never smaller or larger than these make them. A chart with no room for that scrolls. */
const [LEAST, MOST] = [1.45, 1.85];
const ANCHORS = ["start", "middle", "end"] as const;
const TIP = 130; // half of what a tip needs
const EDGE = 8; // pixels beside a spot that was scrolled to

export function Chart({ block }: { block: ChartBlock }) {
  const [ref, ready] = useTurn<HTMLElement>();
  return (
    <figure class="chart" ref={ref}>
      {block.title && <figcaption>{plain(block.title, 300)}</figcaption>}
      {ready && <Drawing block={block} />}
      {ready && block.numbers && <Numbers numbers={block.numbers} />}
      {block.note && <p class="note"><Prose text={block.note} said={withTerms} /></p>}
    </figure>
  );
}

/** The widest drawing there is room for. Whatever is pointed at, or reached with the arrow keys, says what it is. */
function Drawing({ block }: { block: ChartBlock }) {
  const [ref, room] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState(-1);
  const [aside, setAside] = useState(0);
  const across = useRef<HTMLDivElement>(null);
  const sheet = block.drawings.find((drawn) => drawn.size[0] * LEAST <= room) ?? block.drawings.at(-1)!;
  const scale = Math.max(LEAST, Math.min(MOST, room / sheet.size[0]));
  const spot = sheet.spots[at];
  const keys = (event: KeyboardEvent) => {
    const last = sheet.spots.length - 1;
    if (event.ctrlKey || event.metaKey || event.altKey || last < 0) return;
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last, Escape: -1 };
    const to = steps[event.key];
    if (to === undefined || (event.key === "Escape" && at < 0)) return;
    const next = event.key === "Escape" ? -1 : Math.max(0, Math.min(last, to));
    setAt(next);
    reveal(across.current, sheet.spots[next], scale);
    event.preventDefault();
  };
  const point = (event: Event) => setAt(Number((event.target as Element).getAttribute("data-spot") ?? -1));
  return (
    <div class="drawing" ref={ref} onPointerLeave={(event) => event.pointerType === "mouse" && setAt(-1)}>
      <div class="across" ref={across} onScroll={(event) => setAside(event.currentTarget.scrollLeft)}>
        {room > 0 && (
          <svg
            width={sheet.size[0] * scale} height={sheet.size[1] * scale} viewBox={`0 0 ${sheet.size.join(" ")}`}
            role="img" aria-label={plain(`${block.title}: ${block.told}`, 5000)} tabIndex={sheet.spots.length ? 0 : -1}
            onKeyDown={keys} onPointerOver={point} onPointerDown={point} onBlur={() => setAt(-1)}
          >
            <Marks sheet={sheet} />
            {sheet.spots.map(([x, y, width, height], k) => <rect class="spot" data-spot={k} data-at={k === at || undefined} x={x} y={y} width={width} height={height} />)}
          </svg>
        )}
      </div>
      <p class="tip" role="status" hidden={!spot} style={spot && { left: Math.max(TIP, Math.min(room - TIP, (spot[0] + spot[2] / 2) * scale - aside)), top: spot[1] * scale }}>
        {spot && plain(spot[4], 400)}
      </p>
    </div>
  );
}

/** Scrolls a box sideways, as little as is needed for a spot to be seen. */
function reveal(box: HTMLElement | null, spot: Sheet["spots"][number] | undefined, scale: number): void {
  if (!box || !spot) return;
  const [left, right] = [spot[0] * scale - EDGE, (spot[0] + spot[2]) * scale + EDGE];
  if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
  if (left < box.scrollLeft) box.scrollLeft = left;
}

/** Words are as wide as they were laid out, whatever font the reader has. */
function Marks({ sheet }: { sheet: Sheet }) {
  const id = useId();
  const paint = (k: number): string => {
    const ink = sheet.paints[k];
    return ink === undefined ? "none" : ink === "paper" ? "var(--behind)" : ink[2] ? `url(#${id}-${k})` : paper(ink);
  };
  return (
    <>
      <defs>{sheet.paints.map((ink, k) => ink !== "paper" && ink[2] && <Hatching id={`${id}-${k}`} ink={paper(ink)} lines={ink[2]} />)}</defs>
      {sheet.marks.map((mark) => {
        if (mark.length === 5) {
          const [d, fill, edge, pen, dash] = mark;
          return <path d={d} fill={paint(fill)} stroke={paint(edge)} stroke-width={pen} stroke-dasharray={dash || undefined} />;
        }
        const [x, y, words, size, ink, width, anchor, upright] = mark;
        const fit = words.length > 1 && { textLength: width, lengthAdjust: "spacingAndGlyphs" as const };
        return <text data-term={termOf(words.replace(/ [\d(<].*$/, "")) || undefined} x={x} y={y} font-size={size} fill={paint(ink)} text-anchor={ANCHORS[anchor]} transform={upright ? `rotate(-90 ${x} ${y})` : undefined} {...fit}>{plain(words)}</text>;
      })}
    </>
  );
}

function Numbers({ numbers: [corner, columns, rows] }: { numbers: NonNullable<ChartBlock["numbers"]> }) {
  return (
    <details class="values">
      <summary>The numbers</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="the numbers of this chart">
        <table>
          <thead>
            <tr>
              <th scope="col">{plain(corner)}</th>
              {columns.map((column) => <th scope="col" class="number">{plain(column) || "value"}</th>)}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, texts]) => (
              <tr>
                <th scope="row">{plain(label) || "all"}</th>
                {texts.map((text) => <td class="number">{plain(text)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
