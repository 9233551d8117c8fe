// The steps of a trial: who was asked what, and what came back.
import type { Message, Step } from "./calls.ts";
import { words } from "./diff.ts";
import { many } from "./format.ts";
import { Gallery, Words } from "./gallery.tsx";
import { picturesIn, wordsIn, type Stage } from "./procedure.ts";
import { LongText, plain, visible } from "./text.tsx";
import { pictureOf } from "./trials.ts";

interface StageProps {
  stage: Stage;
  place: number;
  role: string;
  /** In a pair, for each word of the prompt whether the other prompt lacks it. */
  marks: Uint8Array | null;
}

/** A stage on the way to the answer. */
export function StageView({ stage: { steps, seen }, place, role, marks }: StageProps) {
  const [step] = steps as [Step];
  const pictures = seen.length
    ? seen.map((s) => ({ ...s, said: [{ by: s.step.subject, text: s.step.reply, finish: s.step.finish }] }))
    : picturesIn(step);
  return (
    <section class="stage">
      <StageHeading place={place} role={role} subject={step.subject} calls={steps.length} />
      <Gallery pictures={pictures} label={`Pictures of step ${place}`} />
      {!seen.length && <Words said={{ by: step.subject, text: step.reply, finish: step.finish }} />}
      <details class="asked" open={marks !== null}>
        <summary>{steps.length > 1 ? "Prompt as sent with each picture" : "Prompt as sent"}</summary>
        <Prompt step={step} marks={marks} />
      </details>
    </section>
  );
}

export function StageHeading({ place, role, subject, calls = 1 }: { place: number; role: string; subject: string; calls?: number }) {
  return (
    <h4 class="who-asked">
      <span class="place">{place}</span> {role ? plain(role) : "step"}{" "}
      <span class="by"><bdi>{plain(subject)}</bdi>{calls > 1 && `, ${many(calls, "call")}`}</span>
    </h4>
  );
}

/** The messages of one call, and its settings. */
export function Prompt({ step, marks }: { step: Step; marks: Uint8Array | null }) {
  return (
    <>
      {step.messages.map((message, k) => (
        <MessageView message={message} marks={marks?.subarray(wordsIn([{ ...step, messages: step.messages.slice(0, k) }]).length) ?? null} />
      ))}
      <Settings settings={step.settings} />
    </>
  );
}

function Settings({ settings }: { settings: Step["settings"] }) {
  const said = Object.entries(settings).map(([k, v]) => `${plain(k)} ${plain(typeof v === "string" ? v : JSON.stringify(v))}`);
  return said.length ? <p class="note">{said.join(" \u00b7 ")}</p> : null;
}

function MessageView({ message, marks }: { message: Message; marks: Uint8Array | null }) {
  let before = 0;
  return (
    <div class="message">
      <p class="role">{plain(message.role)}</p>
      {message.parts.map((part) => {
        if ("picture" in part) return <Thumb digest={part.picture} />;
        const own = marks?.subarray(before) ?? null;
        before += words(part.words).length;
        return own && part.words.length < 20_000 ? <Compared text={part.words} marks={own} /> : <LongText text={part.words} label="prompt" />;
      })}
    </div>
  );
}

function Thumb({ digest }: { digest: string }) {
  const found = pictureOf(digest);
  return found?.source ? <img class="thumb" src={found.source} alt="" /> : <span class="missing">picture</span>;
}

/** Words with those that the other prompt lacks set off, neighbours together. */
function Compared({ text, marks }: { text: string; marks: Uint8Array }) {
  const runs: { text: string; differs: boolean }[] = [];
  let n = 0;
  for (const piece of text.split(/(\s+)/)) {
    const last = runs[runs.length - 1];
    const space = !piece.trim();
    const differs = space ? Boolean(last?.differs && marks[n]) : marks[n++] === 1;
    if (last && last.differs === differs) last.text += piece;
    else runs.push({ text: piece, differs });
  }
  return <div class="raw" dir="auto">{runs.map((run) => (run.differs ? <span class="differs">{visible(run.text)}</span> : visible(run.text)))}</div>;
}
