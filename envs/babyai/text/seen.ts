/** The properties of a game that the text layer reads. The engine's class `Game` has all of them. */
import type { Move } from "../engine/codes.js";

export interface Seen {
  /** Direction of the agent: 0 right, 1 down, 2 left, 3 up. */
  readonly agentDir: number;
  /**
   * MiniGrid's partial observation: 7 x 7 x 3 bytes, cell (i, j) at `(i * 7 + j) * 3` with kind, color, state. Column
   * i grows to the right of the agent, and row j grows towards the agent: the agent is at (3, 6) and looks at (3, 5).
   */
  readonly view: Uint8Array;
  /** Kind of the carried object; 0 if the agent carries nothing. */
  readonly carriedKind: number;
  readonly carriedColor: number;
}

export interface Playable extends Seen {
  readonly mission: string;
  reset(seed?: number | bigint): void;
  step(move: Move): void;
  /** Reward of the last move. */
  readonly reward: number;
  readonly terminated: boolean;
  /** True if the episode has reached MiniGrid's limit on moves. */
  readonly truncated: boolean;
}
