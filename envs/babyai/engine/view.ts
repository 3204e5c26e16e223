/**
 * The view of the agent: the 7 x 7 cells in front of the agent. The view is rotated so that the agent stands in the
 * middle of the lowest row and looks up. Walls and shut doors hide the cells behind them. Source: `gen_obs_grid` and
 * `Grid.process_vis` of MiniGrid.
 */
import { nothing, wall } from "./objects.js";
import { viewReach, type World } from "./world.js";

export const viewSize = viewReach + 1;
const middle = viewSize >> 1;
const rowMask = (1 << viewSize) - 1;

/**
 * Lookup table for the spread of visibility in a row of the view. Bit i of each 7-bit mask is column i. The index
 * consists of two masks: the cells that are visible from the row below (high bits) and the transparent cells (low
 * bits). The entry consists of two masks: the visible cells of the next row above (high bits) and of this row (low
 * bits).
 */
const spreads = Uint16Array.from({ length: 1 << (2 * viewSize) }, (_, index) => {
  return spread(index >> viewSize, index & rowMask);
});

/**
 * Scans a row in both directions: a visible, transparent cell makes the next cell and the two cells above it visible.
 */
function spread(seenBelow: number, clear: number): number {
  let seen = seenBelow;
  let above = 0;
  for (let i = 0; i < viewSize - 1; i++) {
    if (((seen & clear) >> i) & 1) {
      seen |= 1 << (i + 1);
      above |= (1 << i) | (1 << (i + 1));
    }
  }
  for (let i = viewSize - 1; i > 0; i--) {
    if (((seen & clear) >> i) & 1) {
      seen |= 1 << (i - 1);
      above |= (1 << i) | (1 << (i - 1));
    }
  }
  return (above << viewSize) | seen;
}

export class View {
  /**
   * MiniGrid's `gen_obs()["image"]`: 7 x 7 x 3 bytes, x first, with the kind, color and state of each cell. The bytes
   * of a hidden cell are 0.
   */
  readonly image = new Uint8Array(viewSize * viewSize * 3);
  /** 7 x 7 flags, x first: 1 if the cell is visible. */
  readonly visible = new Uint8Array(viewSize * viewSize);

  look(world: World): void {
    const { cells, steps, agentDir } = world;
    const forward = steps[agentDir] as number;
    const right = steps[(agentDir + 1) & 3] as number;
    this.image.fill(0);
    this.visible.fill(0);
    let rowStart = world.agentCell - middle * right;
    let seen = 1 << middle;
    for (let y = viewSize - 1; y >= 0 && seen !== 0; y--) {
      const clear = clearCells(cells, world.objects.states, rowStart, right);
      const row = spreads[(seen << viewSize) | clear] as number;
      this.show(world, y, rowStart, right, row & rowMask);
      seen = row >> viewSize;
      rowStart += forward;
    }
    this.showCarried(world);
  }

  /** Writes a row of the image. @param seen bit mask of the visible cells in row `y` */
  private show({ cells, objects }: World, y: number, rowStart: number, right: number, seen: number): void {
    const { image, visible } = this;
    const { kinds, colors, states } = objects;
    for (let x = 0, cell = rowStart, at = y; x < viewSize; x++, cell += right, at += viewSize) {
      if (((seen >> x) & 1) === 0) continue;
      const object = cells[cell] as number;
      visible[at] = 1;
      image[3 * at] = kinds[object] as number;
      image[3 * at + 1] = colors[object] as number;
      image[3 * at + 2] = states[object] as number;
    }
  }

  /**
   * Writes the carried object, or an empty cell, into the agent's own cell of the image. An open door there is not
   * shown.
   */
  private showCarried({ carried, objects }: World): void {
    const at = 3 * (middle * viewSize + viewSize - 1);
    this.image[at] = objects.kinds[carried] as number;
    this.image[at + 1] = objects.colors[carried] as number;
    this.image[at + 2] = objects.states[carried] as number;
  }

  copyFrom({ image, visible }: View): void {
    this.image.set(image);
    this.visible.set(visible);
  }
}

/** Returns the bit mask of the transparent cells in a row. */
function clearCells(cells: Uint8Array, states: Uint8Array, rowStart: number, right: number): number {
  let clear = 0;
  for (let x = 0, cell = rowStart; x < viewSize; x++, cell += right) {
    const object = cells[cell] as number;
    if (object === nothing || (object !== wall && states[object] === 0)) clear |= 1 << x;
  }
  return clear;
}
