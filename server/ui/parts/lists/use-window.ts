/** Which rows of a long list are rendered: those in view, and some beyond it. All rows have one height. */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * The rendered range begins and ends at multiples of this number of rows. A block of rows costs the browser less than the
 * same rows one by one, since each change of a tile of the page draws the tile again.
 */
const block = 8;
/** Rows that are rendered beyond the view, at least, in the direction of scrolling and in the other one. */
const overscan = { ahead: 16, behind: 4 };
/** Milliseconds without a scroll event after which rows react to the pointer again. */
const restMs = 120;

export interface Window {
  first: number;
  end: number;
  onScroll: () => void;
}

/**
 * @param box the element that scrolls. Its rows have the attribute `data-row`
 * @param onRange called when rows come into view
 */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  onRange?: (first: number, end: number) => void,
): Window {
  const range = useSignal({ first: 0, end: 48 });
  const lastTop = useRef(0);
  const look = () => {
    const { scrollTop, clientHeight } = box.current as HTMLElement;
    const [above, below] =
      scrollTop < lastTop.current ? [overscan.ahead, overscan.behind] : [overscan.behind, overscan.ahead];
    lastTop.current = scrollTop;
    const first = Math.max(0, Math.floor((scrollTop / rowHeight - above) / block) * block);
    const end = Math.min(count, Math.ceil(((scrollTop + clientHeight) / rowHeight + below) / block) * block);
    if (first !== range.value.first || end !== range.value.end) {
      keepFocus(box.current as HTMLElement, first, end);
      range.value = { first, end };
    }
    onRange?.(first, end);
  };
  useLayoutEffect(look, [count]);
  const move = useMotion(box);
  const { first, end } = range.value;
  return {
    first: Math.min(first, count),
    end: Math.min(end, count),
    onScroll() {
      look();
      move();
    },
  };
}

/** Takes the focus from a row that leaves the page, so that keys go on scrolling the list. */
export function keepFocus(box: HTMLElement, first: number, end: number): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === box || !box.contains(activeElement)) return;
  const row = Number(activeElement.closest<HTMLElement>("[data-row]")?.dataset.row ?? first);
  if (row < first || row >= end) box.focus({ preventScroll: true });
}

/**
 * Marks the list as moving until it rests. Rows that move under a resting pointer do not react to it: each would light up,
 * and the browser would show the address of each link.
 *
 * @returns a function to call on each scroll event
 */
function useMotion(box: RefObject<HTMLElement | null>): () => void {
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
