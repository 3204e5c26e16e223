/** What the text layer needs of a level in play. The engine's game fits as it is. */
import type { Move } from "../engine/codes.js";

export interface Seen {
  /** 0 right, 1 down, 2 left, 3 up. */
  readonly agentDir: number;
  /**
   * MiniGrid's partial observation: 7 x 7 x 3 bytes, cell (i, j) at `(i * 7 + j) * 3` as kind, colour, state. i grows to
   * the agent's right and j towards it: the agent is at (3, 6) and looks to (3, 5).
   */
  readonly view: Uint8Array;
  /** What is carried; kind 0 where nothing is. */
  readonly carriedKind: number;
  readonly carriedColor: number;
}

export interface Playable extends Seen {
  readonly mission: string;
  reset(seed?: number | bigint): void;
  step(move: Move): void;
  /** Of the last move. */
  readonly reward: number;
  readonly terminated: boolean;
  /** The moves that MiniGrid allows the level are used up. */
  readonly truncated: boolean;
}
