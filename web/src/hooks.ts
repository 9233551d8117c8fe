// Small things several views need.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The width of an element in pixels, kept up to date: charts are drawn to it, so their letters never shrink. */
export function useWidth<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [ref, width] as const;
}

const waiting: (() => void)[] = [];

function fillNext(): void {
  waiting.shift()?.();
  if (waiting.length) setTimeout(fillNext);
}

/** True once an element is to be filled: at once if it can be seen, on opening if it is folded away, else after the first
 * paint, one at a time. So a page of many folds shows soon, and all of it can be searched and printed. */
export function useTurn<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [ready, setReady] = useState(false);
  useLayoutEffect(() => {
    const [element, fill] = [ref.current, () => setReady(true)];
    if (!element || element.checkVisibility()) return fill();
    if (waiting.push(fill) === 1) setTimeout(fillNext, 200);
    const watcher = new ResizeObserver(() => element.checkVisibility() && fill());
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [ref, ready] as const;
}

/** Keys, wherever the focus is, except where somebody is typing. */
export function useKeys(act: (key: string, target: HTMLElement) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || target.closest("dialog")) return;
      if (target.matches("input:not([type=checkbox]), select, textarea") && event.key !== "Escape") return;
      if (latest.current(event.key, target)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Put text on the clipboard; the old way where the new one is not allowed. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "offscreen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
