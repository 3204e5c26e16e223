/** The cells of the agent's view: where each lies, seen from the agent, and how that is said. */
import { squareAt } from "./board.js";

/** Cells to a side. */
const viewSize = 7;

export interface ViewCell {
  /** Where its three bytes begin in the view. */
  readonly offset: number;
  /** Steps from the agent; `right` is negative to the left. */
  readonly ahead: number;
  readonly right: number;
  /** Its place on the board. */
  readonly square: number;
  /** Ends with both of the spaces that follow in a description. */
  readonly place: string;
}

/**
 * All cells but the agent's own, by their distance on foot; at the same distance row by row from the farthest, each from
 * left to right.
 */
export const nearestFirst: readonly ViewCell[] = scan().sort((a, b) => distance(a) - distance(b));

/** The cells straight ahead, the nearest first. */
export const straightAhead: readonly ViewCell[] = nearestFirst.filter(({ right }) => right === 0);

function scan(): ViewCell[] {
  const cells = Array.from({ length: viewSize * viewSize }, (_, at) =>
    cellAt(at % viewSize, Math.floor(at / viewSize)),
  );
  return cells.filter((cell) => distance(cell) > 0);
}

function cellAt(i: number, j: number): ViewCell {
  const ahead = viewSize - 1 - j;
  const right = i - Math.floor(viewSize / 2);
  return { offset: (i * viewSize + j) * 3, ahead, right, square: squareAt(ahead, right), place: placeOf(ahead, right) };
}

function placeOf(ahead: number, right: number): string {
  if (right === 0) return `right in front of you ${ahead} steps away.  `;
  return `${ahead} steps in front of you and ${Math.abs(right)} steps to your ${right > 0 ? "right" : "left"}.  `;
}

function distance({ ahead, right }: ViewCell): number {
  return ahead + Math.abs(right);
}
