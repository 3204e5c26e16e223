import { dirX, dirY } from "../engine/codes.js";
import type { Pictured } from "./pictured.js";

/** Length of the view's side in cells. */
const viewSize = 7;

/** Returns the visible cells of the whole grid: 1 at `y * width + x` if the agent sees the cell. */
export function seenCells({ width, height, agentX, agentY, agentDir, visible }: Pictured): Uint8Array {
  const seen = new Uint8Array(width * height);
  const right = (agentDir + 1) % 4;
  for (let at = 0; at < visible.length; at++) {
    if (visible[at] !== 1) continue;
    const toRight = Math.floor(at / viewSize) - Math.floor(viewSize / 2);
    const ahead = viewSize - 1 - (at % viewSize);
    const x = agentX + ahead * step(dirX, agentDir) + toRight * step(dirX, right);
    const y = agentY + ahead * step(dirY, agentDir) + toRight * step(dirY, right);
    if (x >= 0 && x < width && y >= 0 && y < height) seen[y * width + x] = 1;
  }
  return seen;
}

function step(steps: readonly number[], direction: number): number {
  return steps[direction] as number;
}
