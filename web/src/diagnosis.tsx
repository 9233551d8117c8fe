// The first thing people see: what is wrong with the subject, in a sentence and a chart; then the sections behind it.
import { useEffect } from "preact/hooks";
import { Intervals, Shares } from "./charts.tsx";
import { count, many } from "./format.ts";
import { Heat } from "./heat.tsx";
import { Compass } from "./rose.tsx";
import { Strips } from "./strips.tsx";
import { DataTable } from "./table.tsx";
import { plain, Prose } from "./text.tsx";
import type { Block, Diagnosis, Findings, Head, IntervalsBlock, Section, SharesBlock } from "./types.ts";

const VERDICTS: Record<string, string> = {
  eyes: "the pictures are not seen well",
  habit: "a habit overrides what the prompt says",
  thinking: "seen well, but reasoned wrongly",
  sound: "no deficit found",
  unclear: "the exam cannot say",
};

export function DiagnosisView({ head, section }: { head: Head; section: string }) {
  const { diagnoses = [], sections = [] } = head.findings;
  useEffect(() => {
    if (section) document.getElementById(section)?.scrollIntoView();
  }, [section]);
  return (
    <div class="reading">
      {sections.length > 1 && <Contents sections={sections} />}
      <div class="column">
        <h1 class="offscreen">Diagnosis</h1>
        {diagnoses.map((d) => <Card diagnosis={d} shares={sharesOf(head.findings, d)} />)}
        {diagnoses.length === 0 && (
          <section class="card unclear">
            <p class="headline">No diagnosis yet.</p>
            <p>
              {head.trials === 0
                ? "There are no trials in this store. Run an exam, then write the report again."
                : `There ${head.trials === 1 ? "is" : "are"} ${many(head.trials, "trial")}, but not enough paired answers to say why the subject fails. The trials can still be looked at.`}
            </p>
          </section>
        )}
        {sections.map((s, i) => <SectionView section={s} id={sectionId(i)} />)}
      </div>
    </div>
  );
}

const sectionId = (i: number): string => `section-${i + 1}`;

function Contents({ sections }: { sections: Section[] }) {
  return (
    <nav class="contents" aria-label="Sections">
      <ol>
        {sections.map((s, i) => <li><a href={`#/diagnosis/${sectionId(i)}`}>{plain(s.title)}</a></li>)}
      </ol>
    </nav>
  );
}

/** The subject's own row of the task's first stacked chart that has one: the picture that goes with the sentence. */
function sharesOf({ sections = [] }: Findings, { subject, task }: Diagnosis): SharesBlock | null {
  for (const block of sections.filter((s) => s.task === task).flatMap((s) => s.blocks)) {
    if (block.kind !== "shares") continue;
    const row = block.rows.find(([label]) => label === subject || label.startsWith(`${subject} \u00b7 `));
    if (!row) continue;
    const rest = row[0].slice(subject.length);
    return { ...block, title: block.title + rest, note: "", rows: [row] };
  }
  return null;
}

/** What is drawn as dots: not the shares, which are drawn as bars already. */
const dots = (diagnosis: Diagnosis, shares: SharesBlock | null): IntervalsBlock => ({
  kind: "intervals", title: "", note: "", unit: "probability", series: [""], reference: null,
  rows: Object.entries(diagnosis.parameters ?? {})
    .filter(([name]) => !(shares && name.startsWith("share_")))
    .map(([name, value]) => [name.replaceAll("_", " "), [value]]),
});

function Card({ diagnosis, shares }: { diagnosis: Diagnosis; shares: SharesBlock | null }) {
  const verdict = diagnosis.verdict in VERDICTS ? diagnosis.verdict : "unclear";
  const parameters = dots(diagnosis, shares);
  return (
    <section class={`card ${verdict}`} aria-label={`Diagnosis of ${plain(diagnosis.subject)}`}>
      <p class="who">
        <span class="verdict" title={VERDICTS[verdict]}>{verdict}</span>
        <bdi class="subject">{plain(diagnosis.subject)}</bdi>
      </p>
      <h2 class="headline"><Prose text={diagnosis.headline} /></h2>
      {shares && <Shares block={shares} bare />}
      <div class="grounds">
        {diagnosis.details.length > 0 && (
          <ul class="details">{diagnosis.details.map((d) => <li><Prose text={d} /></li>)}</ul>
        )}
        {parameters.rows.length > 0 && <div class="parameters"><Intervals block={parameters} bare /></div>}
      </div>
    </section>
  );
}

function SectionView({ section, id }: { section: Section; id: string }) {
  return (
    <section class="section" id={id}>
      <h2>{plain(section.title, 300)}</h2>
      {section.blocks.length === 0 && <p class="empty">Nothing to show.</p>}
      {section.blocks.map((block) => <BlockView block={block} />)}
    </section>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "text":
      return <p class="prose"><Prose text={block.text} /></p>;
    case "shares":
      return <Shares block={block} />;
    case "intervals":
      return <Intervals block={block} />;
    case "heat":
      return <Heat block={block} />;
    case "table":
      return <DataTable block={block} />;
    case "compass":
      return <Compass block={block} />;
    case "strips":
      return <Strips block={block} />;
    default:
      return null;
  }
}

export const summary = (head: Head): string => {
  const subjects = new Set(head.findings.diagnoses?.map((d) => d.subject)).size;
  return `${subjects ? `${many(subjects, "subject")} \u00b7 ` : ""}${count(head.trials)} ${head.trials === 1 ? "trial" : "trials"}`;
};
