// JSON laid out for reading. It stays text: what does not parse, is too long or too deep is left as it was said.

const LONGEST = 50_000;
const DEEPEST = 24;
const WIDTH = 50;

const FENCED = /^\s*```\w*\s*\n([\s\S]*?)```\s*$/;

function depth(text: string): number {
  let [now, most] = [0, 0];
  for (const c of text) {
    if (c === "{" || c === "[") most = Math.max(most, ++now);
    else if (c === "}" || c === "]") now--;
  }
  return most;
}

const onOneLine = (value: unknown): string => JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");

function lines(value: unknown, pad: string): string {
  const flat = onOneLine(value);
  if (typeof value !== "object" || value === null || flat.length + pad.length <= WIDTH) return flat;
  const deeper = `${pad}  `;
  const inside = Array.isArray(value)
    ? value.map((v) => lines(v, deeper))
    : Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}: ${lines(v, deeper)}`);
  const nested = Object.values(value).some((v) => typeof v === "object" && v !== null);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (pad && !nested) return filled(inside, `${open} `, deeper) + ` ${close}`; // a small fact: a running text
  return `${open}\n${inside.map((line) => deeper + line).join(",\n")}\n${pad}${close}`;
}

/** The pieces one after the other, with a new line where the next would stand out. */
function filled(pieces: string[], open: string, pad: string): string {
  let [text, used] = [open, pad.length];
  pieces.forEach((piece, i) => {
    const last = i === pieces.length - 1;
    if (i > 0 && used + piece.length > WIDTH) [text, used] = [`${text.trimEnd()}\n${pad}`, pad.length];
    text += last ? piece : `${piece}, `;
    used += piece.length + 2;
  });
  return text;
}

/** The text laid out, or null if it is not JSON with something inside. */
export function laidOut(text: string): string | null {
  if (text.length > LONGEST) return null;
  const inner = (FENCED.exec(text)?.[1] ?? text).trim();
  if (!/^[{[]/.test(inner) || depth(inner) > DEEPEST) return null;
  try {
    return lines(JSON.parse(inner), "");
  } catch {
    return null;
  }
}
