/** What a picture needs of a level in play. The engine's game fits as it is. */
export interface Pictured {
  /** Cells. */
  readonly width: number;
  readonly height: number;
  readonly agentX: number;
  readonly agentY: number;
  /** 0 right, 1 down, 2 left, 3 up. */
  readonly agentDir: number;
  /** 7 x 7, (i, j) at `i * 7 + j`: 1 where the agent sees the cell. i grows to its right, j towards it; it is at (3, 6). */
  readonly visible: Uint8Array;
  /** What is in a cell, the agent left out: kind, colour and state as MiniGrid encodes them. */
  kindAt(x: number, y: number): number;
  colorAt(x: number, y: number): number;
  stateAt(x: number, y: number): number;
}
