/** A list of rows of one height that renders only the rows in view, so that thousands of rows stay fast. */
import { Component, type ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useWindow } from "./use-window.js";

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
  /** Returns the contents of a row. Rows are rendered again only if the function or the index is another one. */
  children: (index: number) => ComponentChildren;
}

export function WindowedList({ count, rowHeight, label, selected, onRange, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { first, end, onScroll } = useWindow(box, count, rowHeight, onRange);
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
  const shown = Array.from({ length: end - first }, (_, i) => first + i);
  return (
    <div class="windowed" ref={box} tabIndex={-1} onScroll={onScroll}>
      <ol aria-label={label} style={{ height: `${count * rowHeight}px` }}>
        {shown.map((index) => (
          <Row key={index} index={index} count={count} height={rowHeight}>
            {children}
          </Row>
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  index: number;
  count: number;
  height: number;
  children: (index: number) => ComponentChildren;
}

/** A row, which is not rendered again when others come into view. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ count, height, children }: RowProps): boolean {
    const { props } = this;
    return count !== props.count || height !== props.height || children !== props.children;
  }

  override render({ index, count, height, children }: RowProps) {
    return (
      <li
        data-row={index}
        aria-setsize={count}
        aria-posinset={index + 1}
        style={{ height: `${height}px`, top: `${index * height}px` }}
      >
        {children(index)}
      </li>
    );
  }
}

/** Returns whether any part of the row is in view. */
function isInView({ scrollTop, clientHeight }: HTMLElement, row: number, rowHeight: number): boolean {
  const top = row * rowHeight;
  return top + rowHeight > scrollTop && top < scrollTop + clientHeight;
}
