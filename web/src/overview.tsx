// Before anything else, where there is more than one: subjects by tasks, and what each subject loses to which faculty.
import { Badge, badge, Bar, faculty as inColour, Named, partNames, verdictWords, wordsOf } from "./faculties.tsx";
import { fixed, MISSING, ofHundred } from "./format.ts";
import { Term } from "./terms.tsx";
import { plain } from "./text.tsx";
import type { Diagnosis, Overview as Crossing, Pooled, Profile, Value } from "./types.ts";

export const cardId = (k: number): string => `card-${k + 1}`;

export function Overview({ crossing, diagnoses }: { crossing: Crossing; diagnoses: Diagnosis[] }) {
  const several = crossing.tasks.length > 1;
  return (
    <section class="section opening" id="overview">
      <h2>Overview</h2>
      <p class="prose">
        Each cell says what goes wrong (the <Term name="verdict" />), what becomes of all items (the bar), and the share
        of items answered <Term name="right" />. Follow a cell to its diagnosis.
      </p>
      <Legend diagnoses={diagnoses} />
      <div class="scroll overview" tabIndex={0} role="group" aria-label="Overview: subjects by tasks">
        <table>
          <thead>
            <tr><th scope="col">subject</th>{crossing.tasks.map((task) => <th scope="col"><bdi>{plain(task)}</bdi></th>)}</tr>
          </thead>
          <tbody>
            {crossing.subjects.map((subject, row) => (
              <tr>
                <th scope="row"><bdi>{plain(subject)}</bdi>{several && <small>{inShort(crossing.cells[row]!.flat().map((k) => diagnoses[k]!))}</small>}</th>
                {crossing.cells[row]!.map((places, column) => (
                  <td class={places.length ? "" : "none"} data-task={plain(crossing.tasks[column]!)}>{places.length ? places.map((k) => <Cell diagnosis={diagnoses[k]!} id={cardId(k)} />) : "not asked"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">Percent of items, <Term name="corrected for guessing" />: lower than the accuracy in the tables below where guesses are often right. The parts of a bar add up to 100{"\u00a0"}% before rounding.</p>
    </section>
  );
}

/** The verdicts of one subject, counted: "eyes in 5 tasks, no fault found in 1". */
function inShort(diagnoses: Diagnosis[]): string {
  const counts = Map.groupBy(diagnoses.filter((d) => d.verdict !== "measured"), badge);
  return Array.from(counts, ([word, own]) => `${word}\u00a0\u00d7\u00a0${own.length}`).join(", ");
}

/** What the bars and the verdicts mean, of those that occur. */
function Legend({ diagnoses }: { diagnoses: Diagnosis[] }) {
  const drawn = diagnoses.flatMap((d) => d.bar.filter(([, share]) => share >= 0.005).map(([name]) => name));
  const faults = diagnoses.flatMap((d) => d.faults);
  const parts = partNames().filter((name) => drawn.includes(name) || faults.includes(name));
  const others = diagnoses.filter((d, k) => ["small", "unclear"].includes(d.verdict) && diagnoses.findIndex((e) => e.verdict === d.verdict) === k);
  return (
    <ul class="legend" aria-label="Legend">
      {parts.map((name) => <li><Named name={name} />{wordsOf(name) && `: ${wordsOf(name)}`}</li>)}
      {others.map((d) => <li><Term name={badge(d)} />: {verdictWords(d.verdict)}</li>)}
    </ul>
  );
}

function Cell({ diagnosis: d, id }: { diagnosis: Diagnosis; id: string }) {
  const [right, around] = ofHundred(d.right).split(" ");
  return (
    <a class="asked-cell" href={`#/diagnosis/${id}`}>
      <Badge diagnosis={d} />
      <Bar parts={d.bar} />
      {d.right.value !== null && <span class="right-share"><b>{right}{"\u00a0"}%</b> right {around && <small>{around}</small>}</span>}
      {d.right.value === null && d.verdict !== "measured" && <span class="right-share">right: not known</span>}
    </a>
  );
}

export function Profiles({ profiles }: { profiles: Profile[] }) {
  return (
    <section class="section" id="profiles">
      <h2>{profiles.length > 1 ? "Profiles" : "Profile"}</h2>
      <p class="prose">Percent of items lost to each faculty, task by task, with 95{"\u00a0"}% CI. Where only some items of a task can show a faculty, it is the percentage of those items. There is no single score.</p>
      {profiles.map((profile) => <ProfileTable profile={profile} />)}
    </section>
  );
}

function ProfileTable({ profile }: { profile: Profile }) {
  const pooled = new Map(profile.pooled.map((p) => [p.faculty, p]));
  return (
    <figure class="table profile">
      <figcaption><bdi>{plain(profile.subject)}</bdi></figcaption>
      <div class="scroll" tabIndex={0} role="group" aria-label={`Profile of ${plain(profile.subject)}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">lost to</th>
              {profile.tasks.map((task) => <th scope="col" class="number"><bdi>{plain(task)}</bdi></th>)}
              <th scope="col" class="number mean"><Term name="mean over tasks" /></th>
              <th scope="col" class="number"><Term name="range across tasks" /></th>
            </tr>
          </thead>
          <tbody>
            {profile.rows.map(([faculty, values]) => (
              <tr>
                <th scope="row"><Named name={faculty} /></th>
                {profile.tasks.map((_, k) => <Lost value={values[k] ?? null} faculty={faculty} />)}
                <Mean pooled={pooled.get(faculty)} faculty={faculty} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {profile.rows.length === 0 && <p class="empty">No task could tell one faculty from another.</p>}
    </figure>
  );
}

function Lost({ value, faculty, mean = false }: { value: Value | null; faculty: string; mean?: boolean }) {
  if (!value || value.value === null) return <td class={`number none ${mean ? "mean" : ""}`}><span aria-hidden="true">{"\u2013"}</span><span class="offscreen">not asked or not told apart</span></td>;
  const [number, interval] = ofHundred(value).split(" ");
  const percent = (x: number) => `${Math.max(0, Math.min(1, x)) * 100}%`;
  const { low, high } = value;
  return (
    <td class={`number ${mean ? "mean" : ""}`}>
      <b>{number}</b>{interval && <span class="interval"> {interval}</span>}
      <span class="lost-bar" {...inColour(faculty)} aria-hidden="true">
        <i style={{ width: percent(value.value) }} />
        {low !== null && high !== null && <u style={{ left: percent(low), width: percent(high - low) }} />}
      </span>
    </td>
  );
}

function Mean({ pooled, faculty }: { pooled: Pooled | undefined; faculty: string }) {
  const [low, high] = (pooled?.across ?? []).map((share) => fixed(share * 100, 0));
  return (
    <>
      <Lost value={pooled?.mean ?? null} faculty={faculty} mean />
      <td class="number">{low === undefined ? <span class="empty">{pooled?.tasks === 1 ? "one task" : MISSING}</span> : low === high ? low : `${low}\u2013${high}`}</td>
    </>
  );
}
