/** Tables at a terminal. */
import { styled } from "./command-line.js";

/**
 * Returns rows under their heads, in aligned columns, or "" without rows. On a terminal, the last column is cut to the
 * width of the terminal. A pipe or a file gets every character.
 */
export function tableOf<Row>(
  heads: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => string[],
  stream: NodeJS.WriteStream = process.stdout,
): string {
  if (rows.length === 0) return "";
  const lines = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] as string))));
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, i) => `${cell}${" ".repeat((widths[i] as number) - widthOf(cell))}`).join("  ");
  const [head = "", ...body] = lines.map((cells) => cutTo(lineOf(cells).trimEnd(), stream));
  return [styled("bold", head, stream), ...body].join("\n");
}

/** Cuts a line to the width of a terminal, with an ellipsis. */
export function cutTo(line: string, stream: NodeJS.WriteStream): string {
  const { isTTY, columns } = stream;
  if (!isTTY || !columns || widthOf(line) <= columns) return line;
  let cut = "";
  for (const character of line) {
    if (widthOf(cut) + widthOf(character) >= columns) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Pattern of characters that take two columns of a terminal: those of East Asia, and pictures. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** Returns the number of columns of a terminal that text takes. */
function widthOf(text: string): number {
  return [...text].reduce(
    (width, character) => width + (/\p{Mn}/u.test(character) ? 0 : wide.test(character) ? 2 : 1),
    0,
  );
}
