import { PNG } from "pngjs";

export interface Room {
  columns: number;
  rows: number;
}

type Rgb = readonly [number, number, number];

/**
 * Draws a PNG as text for a terminal with 24-bit colors. Each character is an upper half block, which shows two pixels,
 * one above the other. The picture is scaled down to fit the available columns and rows, and never scaled up.
 */
export function terminalPicture(png: Buffer, room: Room): string {
  const picture = PNG.sync.read(png);
  const scale = Math.min(1, room.columns / picture.width, (2 * room.rows) / picture.height);
  const columns = Math.max(1, Math.floor(picture.width * scale));
  const rows = Math.max(1, Math.floor((picture.height * scale) / 2));
  const area = (column: number, halfRow: number) =>
    mean(picture, column / columns, (column + 1) / columns, halfRow / (2 * rows), (halfRow + 1) / (2 * rows));
  const lines = Array.from({ length: rows }, (_, row) => {
    const blocks = Array.from({ length: columns }, (_, column) =>
      halfBlock(area(column, 2 * row), area(column, 2 * row + 1)),
    );
    return `${blocks.join("")}\u001b[0m`;
  });
  return lines.join("\n");
}

function halfBlock(upper: Rgb, lower: Rgb): string {
  return `\u001b[38;2;${upper.join(";")}m\u001b[48;2;${lower.join(";")}m\u2580`;
}

/**
 * Returns the mean color of a rectangle. The sides of the rectangle are fractions of the picture's width and height.
 */
function mean(picture: PNG, left: number, right: number, top: number, bottom: number): Rgb {
  const [x0, x1] = [Math.floor(left * picture.width), Math.ceil(right * picture.width)];
  const [y0, y1] = [Math.floor(top * picture.height), Math.ceil(bottom * picture.height)];
  const sums = [0, 0, 0];
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      for (let channel = 0; channel < 3; channel++) {
        (sums[channel] as number) += picture.data[4 * (y * picture.width + x) + channel] as number;
      }
    }
  }
  const pixels = (x1 - x0) * (y1 - y0);
  const [red, green, blue] = sums.map((sum) => Math.round(sum / pixels)) as [number, number, number];
  return [red, green, blue];
}
