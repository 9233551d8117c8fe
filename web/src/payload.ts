// Unpacking what travels in the page: base64, gzip, then a JSON head with raw arrays behind it
// (see src/snellen/report/container.py).

import { livePayload } from "./live.ts";

type Arrays = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;
const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array };

export interface Payload<H> {
  head: H;
  arrays: Record<string, Arrays>;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (s: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(base64);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** The element of that name, once all of it has arrived: pictures behind it may still be on their way. */
async function arrived(name: string): Promise<HTMLElement> {
  for (;;) {
    const element = document.getElementById(name);
    const done = document.readyState !== "loading";
    if (element && (done || element.nextElementSibling)) return element;
    if (done) throw new Error(`the page has lost its ${name}`);
    await new Promise((go) => setTimeout(go, 20));
  }
}

/** The text of the element of that name, which is dropped: nobody needs it twice. */
async function taken(name: string): Promise<string> {
  const element = await arrived(name);
  element.remove();
  return element.textContent ?? "";
}

/** Unpack what came under that name, in the page or from its server. */
export async function unpack<H>(name: string): Promise<Payload<H>> {
  const buffer = await gunzip(bytesOf(livePayload(name) ?? (await taken(name))));
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as H & {
    arrays: Record<string, [keyof typeof KINDS, number, number]>;
  };
  const arrays: Record<string, Arrays> = {};
  for (const [key, [kind, start, size]] of Object.entries(head.arrays)) {
    arrays[key] = new KINDS[kind](buffer, 4 + length + start, size);
  }
  return { head, arrays };
}

/** Many texts in one run of bytes; each is decoded when somebody looks at it. */
export class Texts {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  constructor(private readonly ends: Arrays, private readonly bytes: Arrays) {}

  get size(): number {
    return this.ends.length;
  }

  get(i: number): string {
    return this.decoder.decode(this.bytes.subarray(i ? this.ends[i - 1] : 0, this.ends[i]));
  }
}
