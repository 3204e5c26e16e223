/** MiniGrid's own observation, for policies that read no text. */
import type { JsonValue } from "../env.js";
import type { Game } from "./engine/game.js";
import { viewSize } from "./engine/view.js";

/**
 * `gen_obs()` of MiniGrid. `image` is [column][row][kind, colour, state], 7 x 7 x 3; the agent stands in column 3 of row
 * 6 and looks towards row 0. `direction`: 0 right, 1 down, 2 left, 3 up.
 */
export function symbolicView({ view, agentDir, mission }: Game): { [key: string]: JsonValue } {
  const cell = (column: number, row: number) => {
    const at = 3 * (column * viewSize + row);
    return [...view.subarray(at, at + 3)];
  };
  const indices = Array.from({ length: viewSize }, (_, index) => index);
  return { image: indices.map((column) => indices.map((row) => cell(column, row))), direction: agentDir, mission };
}
