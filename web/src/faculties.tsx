// Right, faculties and verdicts look the same wherever they are shown; how, the page is told (see src/snellen/faculties.py).
import { Term } from "./terms.tsx";
import { plain } from "./text.tsx";
import type { Diagnosis, Lines, Looks, OnPapers } from "./types.ts";

const APART = "not told apart";
let looks: Looks = { parts: {}, verdicts: {} };

export function setLooks(told: Looks | undefined): void {
  if (told) looks = told;
}

/** A colour that follows the reader's light or dark screen. */
export const paper = ([light, dark]: readonly [string, string, ...unknown[]]): string => `light-dark(${light}, ${dark})`;

/** Right, then all faculties, in their order. */
export const partNames = (): string[] => Object.keys(looks.parts);

const place = (name: string): number => partNames().indexOf(name);

const meant = (part: string): string => (Object.hasOwn(looks.parts, part) ? part : APART);

const fillOf = (name: string): string => (looks.parts[name] ? paper(looks.parts[name].fill) : "none");

export const faculty = (name: string): { style: Record<string, string> } => ({ style: { "--part": fillOf(meant(name)) } });

/** Lines across a colour, once; a second direction is at a right angle. */
export function Hatching({ id, ink, lines: [[turn, apart] = [0, 1], second], scale = 1 }: { id: string; ink: string; lines: Lines; scale?: number }) {
  const half = apart / 2;
  return (
    <pattern id={id} width={apart} height={apart} patternUnits="userSpaceOnUse" patternTransform={`rotate(${turn}) scale(${scale})`}>
      <path d={`M0 ${half}H${apart}${second ? `M${half} 0V${apart}` : ""}`} stroke={ink} stroke-width="0.55" />
    </pattern>
  );
}

/** The lines of all faculties, once in the page, for patches and bars; in pixels, not in points. */
export function Hatches() {
  return (
    <svg class="offscreen" aria-hidden="true">
      <defs>
        {Object.values(looks.parts).map(({ lines, hatch }, k) => hatch.length > 0 && <Hatching id={`hatch-${k}`} ink={paper(lines)} lines={hatch} scale={1.8} />)}
      </defs>
    </svg>
  );
}

/** A box in the colour and the hatching of a part. */
function Filled({ name, x = 0, width }: { name: string; x?: number | string; width: number | string }) {
  const box = { x, width, height: "100%" };
  return (
    <g data-part={name}>
      <rect fill={fillOf(name)} {...box} />
      {looks.parts[name]?.hatch.length ? <rect fill={`url(#hatch-${place(name)})`} {...box} /> : null}
    </g>
  );
}

/** A faculty by name, with its patch. */
export function Named({ name }: { name: string }) {
  return (
    <span class="named">
      <svg class="swatch" width="14" height="14" aria-hidden="true"><Filled name={meant(name)} width={14} /></svg>
      <Term name={meant(name)}>{plain(name)}</Term>
    </span>
  );
}

/** What a faculty's loss means, in a few words. */
export const wordsOf = (name: string): string => looks.parts[name]?.words ?? "";

/** What is right and what is lost, at a glance: no numbers, no intervals. */
export function Bar({ parts }: { parts: Diagnosis["bar"] }) {
  let end = 0;
  if (!parts.length) return null;
  return (
    <svg class="glance" width="100%" height="12" role="img" aria-label={plain(parts.map(([, , told]) => told).join(", "), 2000)}>
      {parts.map(([name, share, told]) => {
        const start = end;
        end += share;
        return <g><title>{plain(told)}</title><Filled name={name} x={`${100 * start}%`} width={`${100 * share}%`} /></g>;
      })}
    </svg>
  );
}

const verdict = (name: string): { ink: OnPapers; words: string } | undefined => (Object.hasOwn(looks.verdicts, name) ? looks.verdicts[name] : looks.verdicts["unclear"]);

/** What a verdict means, in a few words. */
export const verdictWords = (name: string): string => verdict(name)?.words ?? "";

/** The colour of a diagnosis, for its card. */
export const tone = (name: string): { style: Record<string, string> } => {
  const look = verdict(name);
  return { style: look ? { "--tone": paper(look.ink) } : {} };
};

/** The verdict in a word or two. */
export const badge = (diagnosis: Diagnosis): string => plain(diagnosis.badge || diagnosis.verdict, 60);

export function Badge({ diagnosis }: { diagnosis: Diagnosis }) {
  return <span class="verdict" {...tone(diagnosis.verdict)} title={verdictWords(diagnosis.verdict)}>{badge(diagnosis)}</span>;
}
