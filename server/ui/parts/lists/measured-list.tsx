/** A list of rows of different heights, on a page that scrolls as a whole. Only the rows in view are rendered. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Heights } from "./heights.js";
import { keepFocus } from "./use-window.js";

interface Props {
  class: string;
  /** Name of the list for screen readers. */
  label: string;
  /** First row, and the end of the rows. */
  from: number;
  end: number;
  rowClass: (index: number) => string;
  children: (index: number) => ComponentChildren;
}

/** Pixels above and below the view in which rows are rendered, too. */
const margin = 600;
/** Height of a row in pixels before any was measured. */
const estimate = 120;

export function MeasuredList({ class: className, label, from, end, rowClass, children }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const { shown, above, below } = useMeasured(list, from, end);
  return (
    <ol
      class={className}
      aria-label={label}
      ref={list}
      tabIndex={-1}
      style={{ paddingTop: `${above}px`, paddingBottom: `${below}px`, overflowAnchor: "none" }}
    >
      {shown.map((index) => (
        <li
          key={index}
          class={rowClass(index)}
          data-row={index}
          aria-setsize={end - from}
          aria-posinset={index - from + 1}
        >
          {children(index)}
        </li>
      ))}
    </ol>
  );
}

/** Returns the rows to render, and the heights of the rows above and below them. */
function useMeasured(list: RefObject<HTMLElement | null>, from: number, end: number) {
  const heights = useMemo(() => new Heights(estimate), []);
  const range = useSignal({ first: from, end: from + 8 });
  /** Row at the top of the view before other rows are rendered, and its place in the window. */
  const anchor = useRef<{ row: Element; y: number } | null>(null);
  const look = () => {
    const box = list.current as HTMLElement;
    const view = scrollerOf(box).getBoundingClientRect();
    heights.measure(box.children);
    const top = view.top - box.getBoundingClientRect().top;
    const next = heights.rowsIn(from, end, top - margin, top + view.height + margin);
    if (next.first === range.value.first && next.end === range.value.end) return;
    const row = [...box.children].find((child) => child.getBoundingClientRect().bottom > view.top);
    anchor.current = row ? { row, y: row.getBoundingClientRect().y } : null;
    keepFocus(box, next.first, next.end);
    range.value = next;
  };
  useLayoutEffect(() => {
    keepPlace(anchor.current);
    anchor.current = null;
    look();
  });
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current as HTMLElement);
    scroller.addEventListener("scroll", look, { passive: true });
    return () => scroller.removeEventListener("scroll", look);
  }, [from, end]);
  const first = Math.max(from, Math.min(range.value.first, end - 1));
  const shown = Array.from({ length: Math.max(0, Math.min(range.value.end, end) - first) }, (_, i) => first + i);
  return { shown, above: heights.between(from, first), below: heights.between(first + shown.length, end) };
}

/** Rows above may be higher or lower than estimated. The rows in view stay where they are. */
function keepPlace(anchor: { row: Element; y: number } | null): void {
  if (!anchor?.row.isConnected) return;
  const moved = anchor.row.getBoundingClientRect().y - anchor.y;
  if (Math.abs(moved) >= 1) scrollerOf(anchor.row).scrollTop += moved;
}

/** Returns the part of the page that scrolls. */
function scrollerOf(element: Element): Element {
  return element.closest("main") ?? document.documentElement;
}
