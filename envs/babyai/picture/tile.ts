/**
 * Tiles in pixels, equal to MiniGrid's byte for byte. Each tile is drawn at three times its size without smoothing,
 * lightened if the agent sees the cell, and scaled down by averaging. Lightening and scaling truncate fractions, as
 * numpy does for bytes.
 */
import { agentShape, gridLines, type Layer, shapeOf } from "./shapes.js";

/** Side in pixels. */
export const tileSize = 32;
const fine = 3;
const fineSize = tileSize * fine;

export interface TileContent {
  kind: number;
  color: number;
  state: number;
  /** Direction of the agent in this cell, or -1 if the agent is in another cell. */
  agentDir: number;
  isSeen: boolean;
}

/** Cache of the drawn tiles: a few hundred tiles of 3 kB each. */
const drawn = new Map<number, Uint8Array>();

/** Returns `[32, 32, 3]` bytes of red, green and blue by rows. Callers share the array and must not change it. */
export function tile({ kind, color, state, agentDir, isSeen }: TileContent): Uint8Array {
  const key = (((kind * 8 + color) * 4 + state) * 8 + agentDir + 1) * 2 + (isSeen ? 1 : 0);
  let pixels = drawn.get(key);
  if (!pixels) {
    const agent = agentDir < 0 ? [] : [agentShape(agentDir)];
    const large = draw([...gridLines, ...shapeOf(kind, color, state), ...agent]);
    if (isSeen) lighten(large);
    pixels = shrink(large);
    drawn.set(key, pixels);
  }
  return pixels;
}

function draw(layers: readonly Layer[]): Uint8Array {
  const pixels = new Uint8Array(fineSize * fineSize * 3);
  for (let at = 0; at < fineSize * fineSize; at++) {
    const x = ((at % fineSize) + 0.5) / fineSize;
    const y = (Math.floor(at / fineSize) + 0.5) / fineSize;
    const top = layers.findLast((layer) => layer.covers(x, y));
    if (top) pixels.set(top.rgb, at * 3);
  }
  return pixels;
}

/** Blends pixels with 30 % white. */
function lighten(pixels: Uint8Array): void {
  for (const [at, value] of pixels.entries()) pixels[at] = Math.trunc(value + 0.3 * (255 - value));
}

function shrink(large: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(tileSize * tileSize * 3);
  for (let at = 0; at < pixels.length; at++) {
    const channel = at % 3;
    const x = Math.floor(at / 3) % tileSize;
    const y = Math.floor(at / (tileSize * 3));
    // The sum runs along the rows first, and across the rows second: the order determines the rounding of the last bit.
    let sum = 0;
    for (let row = y * fine; row < (y + 1) * fine; row++) {
      const left = (row * fineSize + x * fine) * 3 + channel;
      sum += ((large[left] as number) + (large[left + 3] as number) + (large[left + 6] as number)) / fine;
    }
    pixels[at] = Math.trunc(sum / fine);
  }
  return pixels;
}
