// A list beside what is selected in it; on a small screen what is selected covers the list until it is closed.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useKeys } from "./hooks.ts";
import { List, moved } from "./list.tsx";

interface WorkbenchProps {
  name: string;
  count: number;
  selected: number;
  onSelect: (i: number) => void;
  label: string;
  row: (i: number) => ComponentChildren;
  tools: ComponentChildren;
  /** What stands above the list. */
  lead?: ComponentChildren;
  empty: ComponentChildren;
  detail: ComponentChildren;
  /** Somebody came here for what is selected: on a small screen that is shown first. */
  start?: boolean;
}

export const ROW = 56;

export function Workbench({ name, count, selected, onSelect, label, row, tools, lead, empty, detail, start = false }: WorkbenchProps) {
  const [open, setOpen] = useState(start);
  const pane = useRef<HTMLElement>(null);
  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>(".list")?.focus();
  };
  const show = () => {
    setOpen(true);
    pane.current?.focus();
  };
  useKeys((key, target) => {
    const inPane = pane.current?.contains(target) ?? false;
    const searching = target.matches("input[type=search]");
    if (key === "Escape") {
      if (searching) target.blur();
      close();
      return true;
    }
    if (key === "/") {
      document.querySelector<HTMLElement>("input[type=search]")?.focus();
      return true;
    }
    if (key === "Enter") {
      if (target.matches("button, a, summary") || inPane || selected < 0) return false;
      show();
      return true;
    }
    if ((inPane || target.matches("summary, .scroll, .raw")) && key !== "j" && key !== "k") return false;
    const next = moved(key, selected, count);
    if (next === null) return false;
    onSelect(next);
    pane.current?.scrollTo(0, 0);
    return true;
  });
  return (
    <div class={`workbench ${name}${open ? " open" : ""}`}>
      <div class="tools">{tools}</div>
      <div class="shelf">
        {lead}
        {count > 0
          ? <List count={count} rowHeight={ROW} selected={selected} label={label} row={row} onSelect={onSelect} onOpen={() => setOpen(true)} />
          : <div class="empty">{empty}</div>}
      </div>
      <section class="pane" ref={pane} tabIndex={-1} aria-label="Details">
        <button class="close" onClick={close}>{"\u2190"} Back to the list</button>
        <h2 class="offscreen">Details</h2>
        {detail}
      </section>
    </div>
  );
}
