// A list that may hold a hundred thousand rows and draws only those on the screen.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const TALLEST = 8_000_000; // browsers lose count of pixels somewhere beyond; longer lists scroll faster instead
const SPARE = 6;

interface ListProps {
  count: number;
  rowHeight: number;
  selected: number;
  label: string;
  row: (i: number) => ComponentChildren;
  onSelect: (i: number) => void;
  onOpen: () => void;
}

export function List({ count, rowHeight, selected, label, row, onSelect, onOpen }: ListProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [view, setView] = useState(600);
  const height = Math.min(count * rowHeight, TALLEST);
  // rows scrolled past, per pixel scrolled: 1 / rowHeight unless the list is taller than a browser can count
  const pace = height > view ? (count - view / rowHeight) / (height - view) : 0;

  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const measure = () => setView(box.clientHeight);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(box);
    return () => watcher.disconnect();
  }, []);

  useEffect(() => {
    const box = ref.current;
    if (!box || selected < 0 || pace <= 0) return;
    const first = box.scrollTop * pace;
    const fits = box.clientHeight / rowHeight;
    if (selected < first) box.scrollTop = selected / pace;
    else if (selected + 1 > first + fits) box.scrollTop = (selected + 1 - fits) / pace;
  }, [selected, count, pace]);

  const first = Math.min(top, Math.max(0, height - view)) * pace;
  const from = Math.max(0, Math.floor(first) - SPARE);
  const to = Math.min(count, Math.ceil(first + view / rowHeight) + SPARE);
  const rows = [];
  for (let i = from; i < to; i++) {
    const y = Math.round(Math.min(top, Math.max(0, height - view)) + (i - first) * rowHeight);
    rows.push(
      <div
        key={i} id={`row-${i}`} role="option" class="row" aria-selected={i === selected} aria-posinset={i + 1} aria-setsize={count}
        style={{ transform: `translateY(${y}px)`, height: `${rowHeight}px` }}
        onClick={() => { onSelect(i); onOpen(); }}
      >
        {row(i)}
      </div>,
    );
  }
  return (
    <div
      ref={ref} class="list" role="listbox" tabIndex={0} aria-label={label}
      aria-activedescendant={selected >= from && selected < to ? `row-${selected}` : undefined}
      onScroll={(e) => setTop(e.currentTarget.scrollTop)}
    >
      <div class="sizer" role="presentation" style={{ height: `${height}px` }}>{rows}</div>
    </div>
  );
}

/** Where a key takes the selection in a list of that length, or null if it is not such a key. */
export function moved(key: string, at: number, count: number): number | null {
  const last = count - 1;
  const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = steps[key];
  return step === undefined || count === 0 ? null : at < 0 ? 0 : Math.max(0, Math.min(last, at + step));
}
