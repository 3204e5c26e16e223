/** What a level is. levels/ has those of MiniGrid. */

import type { RoomGrid } from "./room-grid.js";
import type { Instruction } from "./sequences.js";

export interface LevelRules {
  /** Length of a room's side, walls included. */
  readonly roomSize: number;
  /** Rows of rooms. */
  readonly rows: number;
  /** Rooms in a row. */
  readonly cols: number;
  /** The limit on steps; undefined where it follows from the rooms and the mission. */
  readonly maxSteps?: number | undefined;
  /** The agent may have to clear its way. Then no mission is about a key that opens a locked door. */
  readonly unblocking?: boolean;
  /** Once the first view is made, the agent is given the object that it has to put next to another. */
  readonly startCarrying?: boolean;
  /**
   * Makes rooms into a mission: `gen_mission`. All randomness is that of `grid.draws`.
   *
   * @throws {Rejection} the draws lead nowhere: another attempt is made on the same stream
   */
  generate(grid: RoomGrid): Instruction;
}

export interface Level extends LevelRules {
  /** "GoToLocal". */
  readonly name: string;
  /** As MiniGrid registers it: "BabyAI-GoToLocal-v0". */
  readonly id: string;
}
