/** The definition of a level. The levels of MiniGrid are in levels/. */

import type { RoomGrid } from "./room-grid.js";
import type { Instruction } from "./sequences.js";

export interface LevelRules {
  /** Side of a room in cells, walls included. */
  readonly roomSize: number;
  /** Number of rows of rooms. */
  readonly rows: number;
  /** Number of rooms in a row. */
  readonly cols: number;
  /** Limit on steps. Default: computed from the rooms and the mission. */
  readonly maxSteps?: number | undefined;
  /** True if the agent may have to clear the way. In such a level, no mission names a key that opens a locked door. */
  readonly unblocking?: boolean;
  /** True if the agent receives the object to move after the first view. */
  readonly startCarrying?: boolean;
  /**
   * Furnishes the rooms and returns the instruction: `gen_mission`. All randomness comes from `grid.draws`.
   *
   * @throws {Rejection} the draws give no valid mission; the caller tries again on the same stream
   */
  generate(grid: RoomGrid): Instruction;
}

export interface Level extends LevelRules {
  /** Short name, such as "GoToLocal". */
  readonly name: string;
  /** Id in MiniGrid, such as "BabyAI-GoToLocal-v0". */
  readonly id: string;
}
