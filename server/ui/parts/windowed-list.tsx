/** A list of rows of one height that renders only the rows in view, so that thousands of rows stay fast. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  count: number;
  /** Height of a row in pixels. */
  rowHeight: number;
  /** Name of the list for screen readers. */
  label: string;
  /**
   * Row to keep in view, or undefined. If the list grows, a reader who has scrolled away from the selected row stays in
   * place.
   */
  selected?: number | undefined;
  /** Called when rows come into view, for lists that load their rows. */
  onRange?: (first: number, end: number) => void;
  children: (index: number) => ComponentChildren;
}

/** Rows that are rendered above and below the view, so that fast scrolling shows no gaps. */
const overscan = 12;

export function WindowedList({ count, rowHeight, label, selected, onRange, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const range = useSignal({ first: 0, end: 50 });
  const look = () => {
    const { scrollTop, clientHeight } = box.current as HTMLDivElement;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - overscan);
    const end = Math.min(count, Math.ceil((scrollTop + clientHeight) / rowHeight) + overscan);
    if (first !== range.value.first || end !== range.value.end) range.value = { first, end };
    onRange?.(first, end);
  };
  useLayoutEffect(look, [count]);
  const before = useRef({ count, selected });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { count, selected };
    if (selected === undefined || !box.current) return;
    // A selected row that was not loaded yet could not be in view.
    const wasLoaded = last.selected !== undefined && last.selected < last.count;
    if (count > last.count && wasLoaded && !isInView(box.current, last.selected as number, rowHeight)) return;
    const { scrollTop, clientHeight } = box.current;
    const top = selected * rowHeight;
    if (top < scrollTop) box.current.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) box.current.scrollTop = top + rowHeight - clientHeight;
  }, [selected, count]);
  const { first, end } = range.value;
  const shown = Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, i) => first + i);
  return (
    <div class="windowed" ref={box} onScroll={look}>
      <ol aria-label={label} style={{ height: `${count * rowHeight}px` }}>
        {shown.map((index) => (
          <li
            key={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ height: `${rowHeight}px`, top: `${index * rowHeight}px` }}
          >
            {children(index)}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns whether any part of the row is in view. */
function isInView({ scrollTop, clientHeight }: HTMLElement, row: number, rowHeight: number): boolean {
  const top = row * rowHeight;
  return top + rowHeight > scrollTop && top < scrollTop + clientHeight;
}
