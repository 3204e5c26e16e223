/** The whole grid in pixels, equal byte for byte to `get_frame(highlight=True, tile_size=32)` of minigrid 2.3.1. */
import type { Pictured } from "./pictured.js";
import { seenCells } from "./seen-cells.js";
import { tile, tileSize } from "./tile.js";

export interface Frame {
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
  /** Red, green and blue by rows: `[height, width, 3]` bytes. */
  readonly rgb: Uint8Array;
}

export function frame(level: Pictured): Frame {
  const width = level.width * tileSize;
  const height = level.height * tileSize;
  const rgb = new Uint8Array(height * width * 3);
  const seen = seenCells(level);
  const rowBytes = tileSize * 3;
  for (let y = 0; y < level.height; y++) {
    for (let x = 0; x < level.width; x++) {
      const pixels = tile({
        kind: level.kindAt(x, y),
        color: level.colorAt(x, y),
        state: level.stateAt(x, y),
        agentDir: x === level.agentX && y === level.agentY ? level.agentDir : -1,
        isSeen: seen[y * level.width + x] === 1,
      });
      for (let row = 0; row < tileSize; row++) {
        const from = row * rowBytes;
        rgb.set(pixels.subarray(from, from + rowBytes), ((y * tileSize + row) * width + x * tileSize) * 3);
      }
    }
  }
  return { width, height, rgb };
}
