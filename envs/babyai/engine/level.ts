/** The definition of a level. The levels of MiniGrid are in levels/. */

import type { RoomGrid } from "./room-grid.js";
import type { Instruction } from "./sequences.js";

export interface LevelRules {
  /** Length of a room's side in cells, walls included. */
  readonly roomSize: number;
  /** Number of rows of rooms. */
  readonly rows: number;
  /** Number of rooms in a row. */
  readonly cols: number;
  /** Limit on steps. Default: computed from the rooms and the mission. */
  readonly maxSteps?: number | undefined;
  /**
   * True if the agent may have to clear obstacles from its way. No mission of such a level names a key that opens a
   * locked door.
   */
  readonly unblocking?: boolean;
  /** True if the agent carries the object to move from the start. The first view does not show this yet. */
  readonly startCarrying?: boolean;
  /**
   * Places the objects and the agent, and returns the instruction, as `gen_mission` does. All randomness comes from
   * `grid.draws`.
   *
   * @throws {Rejection} the generated mission is invalid; the caller tries again with the same random stream
   */
  generate(grid: RoomGrid): Instruction;
}

export interface Level extends LevelRules {
  /** Short name, such as "GoToLocal". */
  readonly name: string;
  /** Id in MiniGrid, such as "BabyAI-GoToLocal-v0". */
  readonly id: string;
}
