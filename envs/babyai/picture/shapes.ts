/**
 * The shapes that MiniGrid draws in a tile, as layers from back to front. A tile is the unit square, with x to the
 * right and y down. Sizes and colors are taken from minigrid 2.3.1.
 */
import { DoorState, Kind } from "../engine/codes.js";

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

export interface Layer {
  covers(x: number, y: number): boolean;
  readonly rgb: Rgb;
}

const black: Rgb = [0, 0, 0];
const red: Rgb = [255, 0, 0];
const grey: Rgb = [100, 100, 100];
/** Colours by number. */
const palette: readonly Rgb[] = [red, [0, 255, 0], [0, 0, 255], [112, 39, 195], [255, 255, 0], grey];

/** Grid lines on the left and the upper edge of a tile. */
export const gridLines: readonly Layer[] = [rect(0, 0.031, 0, 1, grey), rect(0, 1, 0, 0.031, grey)];

/** Returns the shape of a wall, door, key, ball or box. Objects of other kinds have no shape. */
export function shapeOf(kind: number, color: number, state: number): readonly Layer[] {
  const rgb = palette[color] ?? grey;
  switch (kind) {
    case Kind.wall:
      return [rect(0, 1, 0, 1, rgb)];
    case Kind.door:
      return door(state, rgb);
    case Kind.key:
      return key(rgb);
    case Kind.ball:
      return [circle(0.5, 0.5, 0.31, rgb)];
    case Kind.box:
      return [
        rect(0.12, 0.88, 0.12, 0.88, rgb),
        rect(0.18, 0.82, 0.18, 0.82, black),
        rect(0.16, 0.84, 0.47, 0.53, rgb),
      ];
    default:
      return [];
  }
}

function door(state: number, rgb: Rgb): readonly Layer[] {
  const whole = rect(0, 1, 0, 1, rgb);
  if (state === DoorState.open) return [rect(0.88, 1, 0, 1, rgb), rect(0.92, 0.96, 0.04, 0.96, black)];
  if (state === DoorState.locked) {
    const [r, g, b] = rgb.map((value) => Math.trunc(0.45 * value)) as unknown as Rgb;
    return [whole, rect(0.06, 0.94, 0.06, 0.94, [r, g, b]), rect(0.52, 0.75, 0.5, 0.56, rgb)];
  }
  return [
    whole,
    rect(0.04, 0.96, 0.04, 0.96, black),
    rect(0.08, 0.92, 0.08, 0.92, rgb),
    rect(0.12, 0.88, 0.12, 0.88, black),
    circle(0.75, 0.5, 0.08, rgb),
  ];
}

function key(rgb: Rgb): readonly Layer[] {
  return [
    rect(0.5, 0.63, 0.31, 0.88, rgb),
    rect(0.38, 0.5, 0.59, 0.66, rgb),
    rect(0.38, 0.5, 0.81, 0.88, rgb),
    circle(0.56, 0.28, 0.19, rgb),
    circle(0.56, 0.28, 0.064, black),
  ];
}

/**
 * Returns the shape of the agent: a triangle that points in the agent's direction. The tip is at (0.87, 0.5) if the
 * agent looks to the right.
 */
export function agentShape(direction: number): Layer {
  return {
    rgb: red,
    covers(x, y) {
      const [along, across] = turned(x - 0.5, y - 0.5, direction);
      const fromBase = along + 0.38;
      return fromBase >= 0 && Math.abs(across) <= 0.31 * (1 - fromBase / 0.75);
    },
  };
}

/** Converts a point of the tile to coordinates relative to a direction: distance ahead and distance to the right. */
function turned(x: number, y: number, direction: number): [ahead: number, right: number] {
  if (direction === 0) return [x, y];
  if (direction === 1) return [y, -x];
  return direction === 2 ? [-x, -y] : [-y, x];
}

function rect(left: number, right: number, top: number, bottom: number, rgb: Rgb): Layer {
  return { rgb, covers: (x, y) => x >= left && x <= right && y >= top && y <= bottom };
}

function circle(centerX: number, centerY: number, radius: number, rgb: Rgb): Layer {
  return { rgb, covers: (x, y) => (x - centerX) ** 2 + (y - centerY) ** 2 <= radius * radius };
}
