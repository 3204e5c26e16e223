/** Solvers for tasks with dragging. */
import { centreOf, dragAt, type Item, type MarkItem, type Solver, submit, type View } from "../view.js";
import { hexOf, hexOfCss } from "./colours.js";

const centre = (view: View, item: Item): [number, number] => centreOf(view.rectOf(item.id));

const box: Solver = (view) => {
  const [small, large] = [view.first("StaticText", "s"), view.first("StaticText", "L")];
  if (view.past.length > 0 || !small || !large) return submit(view);
  const [x, y] = centre(view, small);
  const [left, top] = view.rectOf(large.id);
  const [ownLeft, ownTop] = view.rectOf(small.id);
  return dragAt([x, y], [x + left - ownLeft + 15, y + top - ownTop + 15]);
};

const directions: Readonly<Record<string, readonly [number, number]>> = {
  left: [-20, 0],
  right: [20, 0],
  up: [0, -20],
  down: [0, 20],
};

const oneShape: Solver = (view) => {
  const shape = view.marks.find(({ classes }) => classes.startsWith("black-"));
  const [x, y] = directions[view.asked(/Drag the \w+ (\w+) then/)] ?? [0, 0];
  if (view.past.length > 0 || !shape) return submit(view);
  const from = centreOf(shape.rect);
  return dragAt(from, [from[0] + x, from[1] + y]);
};

/** Drags a list item just past the middle of the item at the target position. */
function toPlace(view: View, items: readonly Item[], from: number, to: number): string | null {
  const [item, other] = [items[from], items[to]];
  if (!item || !other) return null;
  const start = centre(view, item);
  const end = centre(view, other);
  const beyond = (axis: 0 | 1) => Math.sign(end[axis] - start[axis]) * 5;
  const isSameRow = Math.abs(start[1] - end[1]) < 5;
  return dragAt(start, [isSameRow ? end[0] + beyond(0) : start[0], end[1] + (isSameRow ? 0 : beyond(1))]);
}

const listItem: Solver = (view) => {
  const items = view.all("StaticText");
  const [, name = "", place = ""] = /Drag (\S+) (?:to the )?(.*?)(?: position)?\.$/.exec(view.task) ?? [];
  const from = items.findIndex((item) => item.name === name);
  const places: Record<string, number> = {
    top: 0,
    bottom: items.length - 1,
    "up by one": from - 1,
    "down by one": from + 1,
  };
  return toPlace(view, items, from, places[place] ?? Number.parseInt(place, 10) - 1);
};

const gridPlaces = [
  "top left",
  "top center",
  "top right",
  "center left",
  "center",
  "center right",
  "bottom left",
  "bottom center",
  "bottom right",
];

/** Distances in CSS pixels: from a cell's text to the middle of the cell, and from there into one half of the cell. */
const toMiddle = 17;
const farHalf = 10;

const gridItem: Solver = (view) => {
  const items = view.all("StaticText");
  const [, name = "", place = ""] = /Drag (\S+) (?:to the )?(.*)\.$/.exec(view.task) ?? [];
  const at = items.findIndex((item) => item.name === name);
  const steps: Record<string, number> = { "up by one": -3, "down by one": 3, "left by one": -1, "right by one": 1 };
  const to = steps[place] === undefined ? gridPlaces.indexOf(place.replace("middle", "center")) : at + steps[place];
  // The page moves a dragged item behind another item when the mouse is over the far half of the other item.
  const isUpAndRight = to < at && to % 3 > at % 3;
  const [item, other] = [items[at], items[isUpAndRight ? to - 1 : to]];
  if (!item || !other) return null;
  const [left, top] = view.rectOf(other.id);
  const across = Math.sign((to % 3) - (at % 3)) * farHalf;
  const along = across === 0 ? Math.sign(to - at) * farHalf : 0;
  const from = centre(view, item);
  const isSameRow = Math.floor(at / 3) === Math.floor(to / 3);
  return dragAt(from, [left + toMiddle + across, isSameRow ? from[1] : top + toMiddle + along]);
};

/** Sorts a list of numbers. Each step drags the number that belongs to the first wrong position to that position. */
const sorted: Solver = (view) => {
  const items = view.all("StaticText", /^-?\d+$/);
  const order = [...items].sort((a, b) => Number(a.name) - Number(b.name));
  const to = items.findIndex((item, at) => item.name !== order[at]?.name);
  if (to < 0) return submit(view);
  return toPlace(
    view,
    items,
    items.findIndex((item) => item.name === order[to]?.name),
    to,
  );
};

const kinds: Readonly<Record<string, string>> = { rectangles: "rect", circles: "circle", triangles: "polygon" };

function isIn({ rect }: MarkItem, container: MarkItem): boolean {
  const [x, y] = centreOf(rect);
  const [left, top, width, height] = container.rect;
  return x > left && x < left + width && y > top && y < top + height;
}

/** Drags each shape into its target box. */
function sortOut(view: View, boxOf: (shape: MarkItem) => MarkItem | undefined): string | null {
  const shapes = view.marks.filter(({ tag, id }) => Object.values(kinds).includes(tag) && id === "");
  for (const shape of shapes) {
    const container = boxOf(shape);
    if (container && !isIn(shape, container)) return dragAt(centreOf(shape.rect), centreOf(container.rect));
  }
  return submit(view);
}

const containers = (view: View): MarkItem[] => view.marks.filter(({ id }) => id === "shape-container");

const intoBox: Solver = (view) => {
  const tag = kinds[view.asked(/Drag all (\w+) into/)];
  return sortOut(view, (shape) => (shape.tag === tag ? containers(view)[0] : undefined));
};

const intoBoxes: Solver = (view) => {
  const [, what = ""] = /Drag all (\w+)(?: shapes)? into the left/.exec(view.task) ?? [];
  const isWanted = ({ tag, colour }: MarkItem) =>
    kinds[what] ? tag === kinds[what] : hexOfCss(colour) === hexOf(what);
  return sortOut(view, (shape) => containers(view)[isWanted(shape) ? 0 : 1]);
};

export const dragSolvers: Readonly<Record<string, Solver>> = {
  "drag-box": box,
  "drag-circle": oneShape,
  "drag-single-shape": oneShape,
  "drag-items": listItem,
  "drag-items-grid": gridItem,
  "drag-sort-numbers": sorted,
  "drag-shapes": intoBox,
  "drag-shapes-2": intoBoxes,
};
