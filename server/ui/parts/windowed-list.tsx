/** A list of rows of one height that renders only the rows in view, so that thousands of rows stay fast. */
import { useSignal } from "@preact/signals";
import { Component, type ComponentChildren } from "preact";
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
  /** Returns the contents of a row. Rows are rendered again only if the function or the index is another one. */
  children: (index: number) => ComponentChildren;
}

/**
 * The rendered range begins and ends at multiples of this number of rows. A block of rows costs the browser less than the
 * same rows one by one, since each change of a tile of the page draws the tile again.
 */
const block = 8;
/** Rows that are rendered beyond the view, at least, in the direction of scrolling and in the other one. */
const overscan = { ahead: 16, behind: 4 };
/** Milliseconds without a scroll event after which rows react to the pointer again. */
const restMs = 120;

export function WindowedList({ count, rowHeight, label, selected, onRange, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const range = useSignal({ first: 0, end: 48 });
  const lastTop = useRef(0);
  const look = () => {
    const { scrollTop, clientHeight } = box.current as HTMLDivElement;
    const [above, below] =
      scrollTop < lastTop.current ? [overscan.ahead, overscan.behind] : [overscan.behind, overscan.ahead];
    lastTop.current = scrollTop;
    const first = Math.max(0, Math.floor((scrollTop / rowHeight - above) / block) * block);
    const end = Math.min(count, Math.ceil(((scrollTop + clientHeight) / rowHeight + below) / block) * block);
    if (first !== range.value.first || end !== range.value.end) range.value = { first, end };
    onRange?.(first, end);
  };
  useLayoutEffect(look, [count]);
  const move = useMotion(box);
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
  const onScroll = () => {
    move();
    look();
  };
  return (
    <div class="windowed" ref={box} onScroll={onScroll}>
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
      <li aria-setsize={count} aria-posinset={index + 1} style={{ height: `${height}px`, top: `${index * height}px` }}>
        {children(index)}
      </li>
    );
  }
}

/**
 * Marks the list as moving until it rests. Rows that move under a resting pointer do not react to it: each would light up,
 * and the browser would show the address of each link.
 *
 * @returns a function to call on each scroll event
 */
function useMotion(box: { current: HTMLDivElement | null }): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  const rest = () => {
    timer.current = undefined;
    box.current?.classList.remove("moving");
  };
  return () => {
    if (timer.current === undefined) box.current?.classList.add("moving");
    clearTimeout(timer.current);
    timer.current = setTimeout(rest, restMs);
  };
}

/** Returns whether any part of the row is in view. */
function isInView({ scrollTop, clientHeight }: HTMLElement, row: number, rowHeight: number): boolean {
  const top = row * rowHeight;
  return top + rowHeight > scrollTop && top < scrollTop + clientHeight;
}
