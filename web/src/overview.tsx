// Before anything else, where there is more than one: subjects by tasks, and what each subject loses to which faculty.
import { Badge, Bar, faculty as inColour, Named } from "./faculties.tsx";
import { ofHundred } from "./format.ts";
import { plain } from "./text.tsx";
import type { Diagnosis, Overview as Crossing, Pooled, Profile, Value } from "./types.ts";

export const cardId = (k: number): string => `card-${k + 1}`;

export function Overview({ crossing, diagnoses }: { crossing: Crossing; diagnoses: Diagnosis[] }) {
  return (
    <section class="section opening" id="overview">
      <h2>Overview</h2>
      <div class="scroll overview" tabIndex={0} role="group" aria-label="subjects by tasks">
        <table>
          <thead>
            <tr><th scope="col">subject</th>{crossing.tasks.map((task) => <th scope="col"><bdi>{plain(task)}</bdi></th>)}</tr>
          </thead>
          <tbody>
            {crossing.subjects.map((subject, row) => (
              <tr>
                <th scope="row"><bdi>{plain(subject)}</bdi></th>
                {crossing.cells[row]!.map((places, column) => (
                  <td class={places.length ? "" : "none"} data-task={plain(crossing.tasks[column]!)}>{places.length ? places.map((k) => <Cell diagnosis={diagnoses[k]!} id={cardId(k)} />) : "not asked"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">Of 100 items: right, and the largest loss; right and all losses add up to 100. Accuracy, whole task: percent right of all replies to the task as it is asked, or its own score. 95 % intervals. Each cell leads to its diagnosis.</p>
    </section>
  );
}

function Cell({ diagnosis: d, id }: { diagnosis: Diagnosis; id: string }) {
  const [right, around] = ofHundred(d.right).split(" ");
  const [score, interval] = ofHundred(d.accuracy, 1).split(" ");
  const [lost, reach] = ofHundred(d.largest?.share).split(" ");
  return (
    <a class="asked-cell" href={`#/diagnosis/${id}`}>
      <Badge diagnosis={d} />
      {d.right.value !== null && <span class="right-share"><b>{right}</b> of 100 right {around && <small>{around}</small>}</span>}
      {d.largest && <span class="largest"><Named name={d.largest.name} /> <span>{lost} <small>{reach}</small></span></span>}
      <Bar parts={d.bar} />
      {d.accuracy.value !== null && <span class="whole-task">accuracy, whole task {score}{"\u00a0"}% {interval && <small>{interval}</small>}</span>}
    </a>
  );
}

export function Profiles({ profiles }: { profiles: Profile[] }) {
  return (
    <section class="section" id="profiles">
      <h2>{profiles.length > 1 ? "Profiles" : "Profile"}</h2>
      <p class="prose note">Of 100 items, how many are lost to each faculty, task by task. The mean over tasks allows for tasks that differ; the spread says how far they do (standard deviation). There is no single score.</p>
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
              <th scope="col" class="number mean">mean over tasks</th>
              <th scope="col" class="number">spread</th>
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
  return (
    <>
      <Lost value={pooled?.mean ?? null} faculty={faculty} mean />
      <td class="number">{pooled?.spread == null ? <span class="empty">{pooled?.tasks === 1 ? "one task" : "\u2013"}</span> : ofHundred({ value: pooled.spread, low: null, high: null, n: null, note: "" })}</td>
    </>
  );
}
