/** The cells of the view, with the position of each cell relative to the agent and the words for the position. */
import { squareAt } from "./board.js";

/** Length of the view's side in cells. */
const viewSize = 7;

export interface ViewCell {
  /** Index of the cell's first byte in the view, which has three bytes per cell. */
  readonly offset: number;
  /** Distance ahead of the agent, in steps. */
  readonly ahead: number;
  /** Distance to the right of the agent, in steps. The distance is negative to the left. */
  readonly right: number;
  /** Square of the board. */
  readonly square: number;
  /** Words for the position in a description, followed by two spaces. */
  readonly place: string;
}

/**
 * All cells except the agent's own, sorted by walking distance. Cells at the same distance are sorted by row, the
 * farthest row first. Cells in one row are sorted from left to right.
 */
export const nearestFirst: readonly ViewCell[] = scan().sort((a, b) => distance(a) - distance(b));

/** The cells straight ahead, the nearest cell first. */
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
