/**
 * The whole grid as SVG, for people: MiniGrid's shapes in colors for a dark background. Floor and walls in the agent's
 * view are lighter. A cell is one unit wide and is shown 32 pixels wide by default.
 */
import { DoorState, Kind } from "../engine/codes.js";
import type { Pictured } from "./pictured.js";
import { seenCells } from "./seen-cells.js";

const pixels = 32;
const floor = "#14161a";
const lines = "#2a2e34";
const wall = "#6b717a";
const outline = `fill="none" stroke="currentColor"`;
/** Colours by number: red, green, blue, purple, yellow, grey. */
const palette = ["#ff453a", "#32d74b", "#4b8bff", "#b36bff", "#ffd60a", "#b4bac2"];

export function svg(level: Pictured): string {
  const { width, height, agentX, agentY, agentDir } = level;
  const seen = seenCells(level);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * pixels}" height="${height * pixels}">`,
    `<path fill="${floor}" d="M0 0h${width}v${height}h-${width}z"/>`,
    `<path stroke="${lines}" stroke-width=".03" d="${gridLines(width, height)}"/>`,
    `<path fill="${wall}" d="${runs(level, (x, y) => level.kindAt(x, y) === Kind.wall)}"/>`,
    `<path fill="#fff" fill-opacity=".2" d="${runs(level, (x, y) => seen[y * width + x] === 1)}"/>`,
  ];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shape = shapeOf(level.kindAt(x, y), level.stateAt(x, y));
      if (shape === "") continue;
      const color = palette[level.colorAt(x, y)];
      parts.push(`<g transform="translate(${x} ${y})" color="${color}" fill="${color}">${shape}</g>`);
    }
  }
  const turn = agentDir === 0 ? "" : ` rotate(${agentDir * 90} .5 .5)`;
  parts.push(
    `<path fill="${palette[0]}" transform="translate(${agentX} ${agentY})${turn}" d="M.12 .19 .87 .5 .12 .81z"/>`,
  );
  return `${parts.join("")}</svg>`;
}

/** Returns a path over all cells for which `passes` is true, with a rectangle for each run of cells in a row. */
function runs({ width, height }: Pictured, passes: (x: number, y: number) => boolean): string {
  let path = "";
  for (let y = 0; y < height; y++) {
    for (let start = 0; start < width; start++) {
      let end = start;
      while (end < width && passes(end, y)) end += 1;
      if (end === start) continue;
      path += `M${start} ${y}h${end - start}v1h-${end - start}z`;
      start = end;
    }
  }
  return path;
}

function gridLines(width: number, height: number): string {
  let path = "";
  for (let x = 1; x < width; x++) path += `M${x} 0v${height}`;
  for (let y = 1; y < height; y++) path += `M0 ${y}h${width}`;
  return path;
}

/** Returns the SVG shape of an object without its color, which the surrounding group sets. */
function shapeOf(kind: number, state: number): string {
  switch (kind) {
    case Kind.door:
      return doorShape(state);
    case Kind.key:
      return `<circle cx=".56" cy=".28" r=".127" ${outline} stroke-width=".126"/><path d="M.5 .4h.13v.48H.38V.81H.5V.66H.38V.59H.5z"/>`;
    case Kind.ball:
      return `<circle cx=".5" cy=".5" r=".31"/>`;
    case Kind.box:
      return `<path ${outline} stroke-width=".08" d="M.16 .16h.68v.68H.16zM.16 .5h.68"/>`;
    default:
      return "";
  }
}

function doorShape(state: number): string {
  if (state === DoorState.open) return `<path ${outline} stroke-width=".05" d="M.9 .03h.07v.94H.9z"/>`;
  const frame = `<path ${outline} stroke-width=".06" d="M.03 .03h.94v.94H.03z"`;
  if (state === DoorState.locked)
    return `<path opacity=".45" d="M0 0h1v1H0z"/>${frame}/><path d="M.5 .46h.26v.1H.5z"/>`;
  return `${frame}/><path ${outline} stroke-width=".05" d="M.13 .13h.74v.74H.13z"/><circle cx=".72" cy=".5" r=".08"/>`;
}
