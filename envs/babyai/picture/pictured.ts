/** The properties of a game that an image shows. The engine's class `Game` has all these properties. */
export interface Pictured {
  /** Size in cells. */
  readonly width: number;
  readonly height: number;
  readonly agentX: number;
  readonly agentY: number;
  /** Direction of the agent: 0 right, 1 down, 2 left, 3 up. */
  readonly agentDir: number;
  /**
   * 7 x 7 bytes, cell (i, j) at `i * 7 + j`: 1 if visible. The agent is at (3, 6). Column i grows to the right of the
   * agent, row j towards the agent.
   */
  readonly visible: Uint8Array;
  /**
   * Returns MiniGrid's code of the kind in a cell, without the agent. `colorAt` and `stateAt` return the color and the
   * state.
   */
  kindAt(x: number, y: number): number;
  colorAt(x: number, y: number): number;
  stateAt(x: number, y: number): number;
}
