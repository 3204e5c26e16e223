/** A list of rows of one height in a box that is as high as its rows, or ends in the middle of one. */
import type { ComponentChildren } from "preact";
import { WindowedList } from "../../../parts/lists/windowed-list.js";
import "./evaluation.css";

/** Height of a row in pixels. */
const rowHeight = 34;
/** Rows that the box shows at most. The half row tells that more follow. */
const mostInView = 11.5;

interface Props {
  label: string;
  count: number;
  /** Number of cells in a row. */
  cells: number;
  children: (index: number) => ComponentChildren;
}

export function RowsBox({ label, count, cells, children }: Props) {
  if (count === 0) return null;
  return (
    <div class="rows-box" style={{ height: `${Math.min(count, mostInView) * rowHeight + 2}px`, "--cells": cells }}>
      <WindowedList label={label} count={count} rowHeight={rowHeight}>
        {children}
      </WindowedList>
    </div>
  );
}
