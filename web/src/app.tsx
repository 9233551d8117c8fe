// The frame: name, views, and whichever view the address asks for.
import { useCallback, useEffect, useState } from "preact/hooks";
import { Browser } from "./browser.tsx";
import { Calls } from "./calls.ts";
import { DiagnosisView, summary } from "./diagnosis.tsx";
import { Hatches } from "./faculties.tsx";
import { Flips } from "./flips.tsx";
import { Items } from "./items.tsx";
import { Fingerprint, Help } from "./pages.tsx";
import type { Status } from "./live.ts";
import { StatusBar } from "./status.tsx";
import { format, parse, VIEWS, type Route, type View } from "./route.ts";
import { Explanations } from "./terms.tsx";
import { isDark, setTheme } from "./theme.ts";
import type { Loaded } from "./trial.tsx";
import { Facts, Replies, Trials } from "./trials.ts";
import type { Head } from "./types.ts";

const NAMES: Record<View, string> = { diagnosis: "Diagnosis", trials: "Trials", items: "Items", pairs: "Pairs", fingerprint: "Fingerprint", help: "Help" };

/** The letters of the name, as on the chart. */
const SIZES = [28, 23, 19, 15.5, 12.5, 10, 8];

/** The views that look at trials. */
const LOOKING: Partial<Record<View, typeof Browser>> = { trials: Browser, items: Items, pairs: Flips };

/** Once the diagnosis is on the screen: trials first, then what only a closer look needs. A later version of the data
 * takes the place of the earlier one when all of it is there. */
function useData(painted: Promise<unknown>, head: Head): { data: Loaded | null; failure: string } {
  const [data, setData] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    let stale = false;
    const first = (loaded: Loaded) => setData((now) => (now?.facts ? now : loaded)); // nothing complete is taken away
    const load = async () => {
      await painted;
      const trials = await Trials.load();
      first({ trials, replies: null, calls: null, facts: null });
      await new Promise((go) => setTimeout(go));
      const replies = await Replies.load();
      first({ trials, replies, calls: null, facts: null });
      await new Promise((go) => setTimeout(go));
      const whole = { trials, replies, calls: await Calls.load(replies), facts: await Facts.load() };
      if (!stale) setData(whole);
    };
    load().catch((error: unknown) => setFailure(String(error)));
    return () => void (stale = true);
  }, [head]);
  return { data, failure };
}

export function App({ head, painted, status }: { head: Head; painted: Promise<unknown>; status?: Status }) {
  const [route, setRoute] = useState<Route>(() => parse(location.hash));
  const { data, failure } = useData(painted, head);
  useEffect(() => {
    const follow = () => setRoute(parse(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (!route.section) scrollTo(0, 0);
  }, [route.view]);
  const go = useCallback((change: Partial<Route>) => setRoute((now) => ({ ...now, ...change })), []);
  const Looking = LOOKING[route.view];
  return (
    <>
      <Hatches />
      <Top head={head} route={route} />
      {status && <StatusBar status={status} head={head} />}
      <main id="main" class={head.interim ? `${route.view} interim` : route.view}>
        {route.view === "diagnosis" && <DiagnosisView head={head} section={route.section} />}
        {Looking && (
          <>
            <h1 class="offscreen">{NAMES[route.view]}</h1>
            {failure ? <p class="empty page">The trials could not be unpacked. A current browser is needed. ({failure})</p>
              : !data ? <p class="empty page" role="status">Unpacking the trials{"\u2026"}</p>
              : <Looking data={data} route={route} go={go} />}
          </>
        )}
        {route.view === "fingerprint" && <Fingerprint head={head} />}
        {route.view === "help" && <Help />}
      </main>
      <Explanations />
    </>
  );
}

function Top({ head, route }: { head: Head; route: Route }) {
  const [dark, setDark] = useState(isDark);
  const flip = () => {
    setTheme(dark ? "light" : "dark");
    setDark(!dark);
  };
  return (
    <header class="top">
      <a class="skip" href={format({ ...route })} onClick={(e) => { e.preventDefault(); document.querySelector<HTMLElement>("main :is(a, button, input, summary, [tabindex='0'])")?.focus(); }}>
        Skip to the content
      </a>
      <a class="wordmark" href="#/diagnosis" aria-label="Snellen">
        {Array.from("SNELLEN", (letter, i) => <span aria-hidden="true" style={{ fontSize: SIZES[i] }}>{letter}</span>)}
      </a>
      <nav aria-label="Views">
        {VIEWS.map((view) => <a href={format({ ...parse(""), view })} aria-current={view === route.view ? "page" : undefined}>{NAMES[view]}</a>)}
      </nav>
      <span class="summary">{summary(head).map((part, i) => <span>{i > 0 && " \u00b7 "}{part}</span>)}</span>
      <button class="theme" onClick={flip} aria-label={dark ? "Use light colours" : "Use dark colours"} title={dark ? "Light" : "Dark"}>
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="6.5" /><path d="M9 2.5a6.5 6.5 0 0 1 0 13z" /></svg>
      </button>
    </header>
  );
}
