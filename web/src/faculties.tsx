// Right and every faculty look the same wherever they are drawn: a colour, and lines across it for those who do not see it.
import { plain } from "./text.tsx";

/** The lines across each: their turn in degrees and how far apart they are; see src/snellen/charts/shapes.py. */
const LINES: Record<string, [turn: number, apart: number][]> = {
  right: [],
  refusal: [[90, 3.6]],
  form: [[0, 7], [90, 7]],
  leaning: [[0, 3.6]],
  attention: [[0, 5]],
  thinking: [[45, 5]],
  finding: [[45, 10]],
  applying: [[45, 3.6]],
  eyes: [[-45, 6.5]],
  clutter: [[-45, 10]],
  saying: [[-45, 3.6]],
  habit: [[-45, 8], [45, 8]],
  apart: [[90, 5]],
};

const faculty = (part: string): string | null => {
  const names = part.split(" or ");
  if (part === "not told apart") return "apart";
  if (!names.every((name) => Object.hasOwn(LINES, name) && name !== "apart")) return null;
  return names.length > 1 ? "apart" : part;
};

/** The class of each part of a chart: what it means if all are faculties (or right), else one colour after the other. */
export function looks(parts: string[]): string[] {
  const meant = parts.map(faculty);
  return meant.every(Boolean) ? meant.map((name) => `is-${name}`) : parts.map((_, i) => `part${i % 7}`);
}

/** What fills a part over its colour, if it is a faculty's. */
export const hatch = (look: string): string | null => (LINES[look.slice(3)]?.length ? `url(#lines-${look})` : null);

/** The lines, once in the page. */
export function Hatches() {
  return (
    <svg class="offscreen" aria-hidden="true">
      <defs>
        {Object.entries(LINES).map(([name, lines]) => {
          const [[turn, apart] = [0, 0]] = lines;
          return lines.length > 0 && (
            <pattern id={`lines-is-${name}`} class={`is-${name}`} width={apart} height={apart} patternUnits="userSpaceOnUse" patternTransform={`rotate(${turn})`}>
              <path class="lines-across" d={`M0 0H${apart}${lines.length > 1 ? `M0 0V${apart}` : ""}`} />
            </pattern>
          );
        })}
      </defs>
    </svg>
  );
}

/** A patch of a part's colour. */
export function Swatch({ look }: { look: string }) {
  const over = hatch(look);
  return (
    <svg class={`swatch ${look}`} width="14" height="14" aria-hidden="true">
      <rect class="segment" width="14" height="14" rx="2" />
      {over && <rect fill={over} width="14" height="14" rx="2" />}
    </svg>
  );
}

/** A faculty by name, with its patch. */
export function Named({ name }: { name: string }) {
  return <span class="named"><Swatch look={looks([name])[0]!} />{plain(name)}</span>;
}
