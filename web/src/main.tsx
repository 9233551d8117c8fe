// Where the page starts: show what is known at once, unpack the rest as it arrives.
import { render } from "preact";
import { App } from "./app.tsx";
import "./style.css";
import { setLooks } from "./faculties.tsx";
import { setGlossary } from "./terms.tsx";
import { follow, type Status } from "./live.ts";
import { StatusBar } from "./status.tsx";
import { restoreTheme } from "./theme.ts";
import type { Head } from "./types.ts";

/** After the first paint, or soon in a tab nobody sees. */
const painted = new Promise<void>((go) => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, 200);
});

restoreTheme();
const app = document.getElementById("app")!;
const show = (head: Head, status?: Status) => {
  setLooks(head.findings.looks);
  setGlossary(head.findings.glossary);
  render(<App head={head} painted={painted} status={status} />, app);
};

const head = JSON.parse(document.getElementById("head")?.textContent ?? "{}") as Head;
if (head.live) {
  void follow((latest, status) => (latest ? show(latest, status) : render(<><StatusBar status={status} head={null} /><p class="empty page">Waiting for the first trials{"\u2026"}</p></>, app)));
} else {
  show(head);
}
