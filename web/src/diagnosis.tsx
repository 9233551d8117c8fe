// The first thing people see: what is wrong with the subject. With several subjects or tasks an overview comes first, and
// cards and sections are folded; else the one card, and the sections behind it.
import { useEffect } from "preact/hooks";
import { Card, FoldedCard } from "./card.tsx";
import { Chart } from "./chart.tsx";
import { EyeCards } from "./eyes.tsx";
import { tone } from "./faculties.tsx";
import { count, many } from "./format.ts";
import { cardId, Overview, Profiles } from "./overview.tsx";
import { DataTable } from "./table.tsx";
import { withTerms } from "./terms.tsx";
import { plain, Prose } from "./text.tsx";
import type { Block, Diagnosis, Head, Section } from "./types.ts";

/** Something with the place it had among its like. */
type Placed<T> = [thing: T, place: number];

const byTask = <T extends { task?: string }>(things: T[]): Map<string, Placed<T>[]> =>
  Map.groupBy(things.map((thing, place): Placed<T> => [thing, place]), ([thing]) => thing.task ?? "");

/** Open whatever the element of that name is folded into, and go there. */
function reveal(id: string): void {
  const target = document.getElementById(id);
  for (let e: HTMLElement | null = target; e; e = e.parentElement) if (e instanceof HTMLDetailsElement) e.open = true;
  target?.scrollIntoView();
}

export function DiagnosisView({ head, section }: { head: Head; section: string }) {
  const { diagnoses = [], sections = [], history, overview, profiles = [], eye_cards: eyes = [] } = head.findings;
  useEffect(() => {
    if (section) reveal(section);
  }, [section]);
  const several = diagnoses.length > 1;
  const tasks = byTask(sections);
  const folded = tasks.size > 1;
  return (
    <div class="reading">
      {(sections.length > 1 || several) && <Contents diagnoses={diagnoses} sections={sections} profiles={several && profiles.length > 0} history={Boolean(history)} eyes={eyes.length} />}
      <div class="column">
        <h1 class="offscreen">Diagnosis</h1>
        {several && overview && <Overview crossing={overview} diagnoses={diagnoses} />}
        {several && profiles.length > 0 && <Profiles profiles={profiles} />}
        {history && several && <SectionView section={history} id="history" />}
        {several ? <Cards diagnoses={diagnoses} /> : diagnoses.map((d, k) => <Card diagnosis={d} id={cardId(k)} />)}
        {history && !several && <SectionView section={history} id="history" />}
        {diagnoses.length === 0 && <Nothing trials={head.trials} />}
        {eyes.length > 0 && <EyeCards cards={eyes} />}
        {folded && <h2 class="part-title">What the tasks report</h2>}
        {folded ? Array.from(tasks, ([task, members]) => <TaskFold task={task} sections={members} />)
          : sections.map((s, i) => <SectionView section={s} id={sectionId(i)} />)}
      </div>
    </div>
  );
}

/** All cards, task by task. */
function Cards({ diagnoses }: { diagnoses: Diagnosis[] }) {
  return (
    <section class="section" id="diagnoses">
      <h2>Diagnoses</h2>
      {Array.from(byTask(diagnoses), ([task, members]) => (
        <div class="cards" id={`diagnoses-${members[0]![1] + 1}`}>
          {task && <h3><bdi>{plain(task)}</bdi></h3>}
          {members.map(([d, k]) => <FoldedCard diagnosis={d} id={cardId(k)} />)}
        </div>
      ))}
    </section>
  );
}

function Nothing({ trials }: { trials: number }) {
  return (
    <section class="card" {...tone("unclear")}>
      <p class="headline">No diagnosis yet.</p>
      <p>
        {trials === 0
          ? "There are no trials in this store. Run an exam, then write the report again."
          : `There ${trials === 1 ? "is" : "are"} ${many(trials, "trial")}, but not enough paired answers to say why the subject fails. The trials can still be looked at.`}
      </p>
    </section>
  );
}

const sectionId = (i: number): string => `section-${i + 1}`;

const ACROSS = "Over all tasks";

function TaskFold({ task, sections }: { task: string; sections: Placed<Section>[] }) {
  return (
    <details class="task-fold">
      <summary>
        <h3><bdi>{plain(task) || ACROSS}</bdi></h3>
        <span>{sections.map(([s]) => plain(s.title)).join(" \u00b7 ")}</span>
      </summary>
      {sections.length > 1 && (
        <nav class="parts" aria-label={`Contents of ${plain(task) || ACROSS}`}>
          {sections.map(([s, i]) => <a href={`#/diagnosis/${sectionId(i)}`}>{plain(s.title, 300)}</a>)}
        </nav>
      )}
      {sections.map(([s, i], k) => <SectionFold section={s} id={sectionId(i)} open={k === 0} />)}
    </details>
  );
}

function Contents({ diagnoses, sections, profiles, history, eyes }: { diagnoses: Diagnosis[]; sections: Section[]; profiles: boolean; history: boolean; eyes: number }) {
  const link = (id: string, text: string) => <li><a href={`#/diagnosis/${id}`}>{plain(text)}</a></li>;
  const tasks = byTask(sections);
  return (
    <nav class="contents" aria-label="Sections">
      {diagnoses.length > 1 && (
        <ol>
          {link("overview", "Overview")}
          {profiles && link("profiles", "Profiles")}
          {history && link("history", "History")}
          <li>
            <a href="#/diagnosis/diagnoses">Diagnoses</a>
            <ol>{Array.from(byTask(diagnoses), ([task, [[, first] = [null, 0]]]) => task && link(`diagnoses-${first + 1}`, task))}</ol>
          </li>
        </ol>
      )}
      {history && diagnoses.length < 2 && <ol>{link("history", "History")}</ol>}
      {eyes > 0 && <ol>{link("eye-charts", eyes > 1 ? "Eye charts" : "Eye chart")}</ol>}
      {tasks.size > 1
        ? Array.from(tasks, ([task, members]) => (
          <details>
            <summary>{plain(task) || ACROSS}</summary>
            <ol>{members.map(([s, i]) => link(sectionId(i), s.title))}</ol>
          </details>
        ))
        : <ol>{sections.map((s, i) => link(sectionId(i), s.title))}</ol>}
    </nav>
  );
}

function SectionView({ section, id }: { section: Section; id: string }) {
  return (
    <section class="section" id={id}>
      <h2>{plain(section.title, 300)}</h2>
      <Blocks section={section} />
    </section>
  );
}

/** A part of a fold: all but the first are closed until somebody asks for them. */
function SectionFold({ section, id, open }: { section: Section; id: string; open: boolean }) {
  return (
    <details class="part section" id={id} open={open}>
      <summary><h4>{plain(section.title, 300)}</h4></summary>
      <Blocks section={section} />
    </details>
  );
}

function Blocks({ section }: { section: Section }) {
  if (section.blocks.length === 0) return <p class="empty">Nothing to show.</p>;
  return <>{section.blocks.map((block) => <BlockView block={block} />)}</>;
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "text":
      return <p class="prose"><Prose text={block.text} said={withTerms} /></p>;
    case "table":
      return <DataTable block={block} />;
    case "chart":
      return <Chart block={block} />;
    default:
      return null;
  }
}

export const summary = (head: Head): string[] => {
  const diagnoses = head.findings.diagnoses ?? [];
  const subjects = new Set(diagnoses.map((d) => d.subject)).size;
  const tasks = new Set(diagnoses.map((d) => d.task)).size;
  const said = [subjects && many(subjects, "subject"), tasks > 1 && many(tasks, "task"), many(head.trials, "trial"), head.listed !== undefined && `${count(head.listed)} listed`];
  return said.filter((part) => typeof part === "string");
};
