// The calls behind the trials: each is in the page once, a trial is a short list of them.
import { Texts, unpack, type Payload } from "./payload.ts";
import type { Codes, Replies } from "./trials.ts";

export type Part = { words: string } | { picture: string };
export interface Message {
  role: string;
  parts: Part[];
}
export interface Step {
  /** The call's number: the same call in two trials has the same. */
  call: number;
  messages: Message[];
  subject: string;
  settings: Record<string, unknown>;
  /** What came back; null if nothing did, and then `finish` says why. */
  reply: string | null;
  finish: string;
  /** What was thought before the reply, where the server keeps that apart. */
  reasoning: string;
}

interface CallsHead {
  setups: string[];
  finishes: string[];
}

const [ROLE, PICTURE, MORE, KINDS] = [1, 2, 3, 4]; // see src/snellen/report/prompts.py

export class Calls {
  private readonly pieces: Texts;
  constructor(private readonly payload: Payload<CallsHead>, private readonly replies: Replies) {
    this.pieces = new Texts(payload.arrays["ends"]!, payload.arrays["bytes"]!);
  }

  static async load(replies: Replies): Promise<Calls> {
    return new Calls(await unpack<CallsHead>("calls"), replies);
  }

  private numbers(name: string): Codes {
    return this.payload.arrays[name] as Codes;
  }

  /** The numbers of the calls behind a trial, in order. */
  of(row: number): Codes {
    const ends = this.numbers("step_ends");
    return this.numbers("steps").subarray(row ? ends[row - 1] : 0, ends[row]);
  }

  /** The calls behind a trial, in order. */
  steps(row: number): Step[] {
    return Array.from(this.of(row), (call) => this.step(call));
  }

  /** Which text a call brought, by its number among the replies; -1 if none. */
  replyCode(call: number): number {
    return this.numbers("reply")[call]! - 1;
  }

  private step(call: number): Step {
    const { setups, finishes } = this.payload.head;
    const setup = JSON.parse(setups[this.numbers("setup")[call]!] ?? "{}") as Partial<Step>;
    const reply = this.replyCode(call);
    const thought = this.numbers("reasoning")[call]! - 1;
    return {
      call,
      messages: this.messages(this.numbers("prompt")[call]!),
      subject: setup.subject ?? "",
      settings: setup.settings ?? {},
      reply: reply < 0 ? null : this.replies.text(reply),
      finish: finishes[this.numbers("finish")[call]!] ?? "",
      reasoning: thought < 0 ? "" : this.replies.text(thought),
    };
  }

  private messages(prompt: number): Message[] {
    const [tokens, ends] = [this.numbers("tokens"), this.numbers("prompt_ends")];
    const messages: Message[] = [];
    for (let t = prompt ? ends[prompt - 1]! : 0; t < ends[prompt]!; t++) {
      const kind = tokens[t]! % KINDS;
      const piece = this.pieces.get((tokens[t]! - kind) / KINDS);
      const parts = messages[messages.length - 1]?.parts ?? [];
      const last = parts[parts.length - 1];
      if (kind === ROLE) messages.push({ role: piece, parts: [] });
      else if (kind === PICTURE) parts.push({ picture: piece });
      else if (kind === MORE && last && "words" in last) last.words += `\n\n${piece}`;
      else parts.push({ words: piece });
    }
    return messages;
  }
}
