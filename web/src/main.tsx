// Where the page starts: show what is known at once, unpack the rest as it arrives.
import { render } from "preact";
import { App } from "./app.tsx";
import "./style.css";
import { setLooks } from "./faculties.tsx";
import { setGlossary } from "./terms.tsx";
import { follow, type Status } from "./live.ts";
import { unpack } from "./payload.ts";
import { StatusBar } from "./status.tsx";
import { restoreTheme } from "./theme.ts";
import type { Head } from "./types.ts";

/** After the first paint, or soon in a tab nobody sees. */
const afterPaint = () =>
  new Promise<void>((go) => {
    requestAnimationFrame(() => setTimeout(go));
    setTimeout(go, 200);
  });

restoreTheme();
const app = document.getElementById("app")!;
let painted: Promise<void> | undefined;
const show = (head: Head, status?: Status) => {
  painted ??= afterPaint();
  setLooks(head.findings.looks);
  setGlossary(head.findings.glossary);
  render(<App head={head} painted={painted} status={status} />, app);
};

async function start(): Promise<void> {
  const { head } = await unpack<Head>("head");
  if (!head.live) return show(head);
  await follow((latest, status) => (latest ? show(latest, status) : render(<><StatusBar status={status} head={null} /><p class="empty page">Waiting for the first trials{"\u2026"}</p></>, app)));
}

void start();
