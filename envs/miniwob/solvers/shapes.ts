/** Solvers for tasks with shapes, colors and positions. */
import type { Point } from "../actions.js";
import {
  centreOf,
  clickAt,
  clickOn,
  clickOnMark,
  dragAt,
  hasClass,
  hover,
  inTurn,
  type MarkItem,
  press,
  type Solver,
  submit,
  typeInto,
  type View,
  wait,
} from "../view.js";
import { hexOf, hexOfCss, isColourName } from "./colours.js";

const colouredBox: Solver = (view) => {
  const wanted = hexOf(view.asked(/the (\w+) colored box/));
  const boxes = view.marks.filter((mark) => hasClass(mark, "color") && mark.id === "");
  return clickOnMark(boxes.find(({ colour }) => hexOfCss(colour) === wanted));
};

const tags: Readonly<Record<string, string>> = { rect: "rectangle", circle: "circle", polygon: "triangle" };
/** Minimum height of a large shape in CSS pixels. Large shapes are twice as high as small shapes. */
const leastLarge = 15;

/** Whether a shape matches words such as `large red letter`. */
function fits(mark: MarkItem, description: string): boolean {
  const text = mark.text;
  const own = tags[mark.tag] ?? text;
  const kind = mark.tag !== "text" ? "shape" : /\d/.test(text) ? "digit" : "letter";
  return description.split(" ").every((word) => {
    if (word === "large" || word === "small") return mark.rect[3] > leastLarge === (word === "large");
    if (isColourName(word)) return hexOfCss(mark.colour) === hexOf(word);
    return word === "item" || word === own || word === kind;
  });
}

const shapesOf = (view: View): MarkItem[] => view.marks.filter(({ tag }) => tag === "text" || tag in tags);

const shape: Solver = (view) => {
  const description = view.asked(/Click on a (.*)/);
  return clickOnMark(shapesOf(view).find((mark) => fits(mark, description)));
};

const counted: Solver = (view) => {
  const description = view.asked(/How many (.*)s are there/);
  return clickOn(view.first("button", `${shapesOf(view).filter((mark) => fits(mark, description)).length}`));
};

const named: Solver = (view) => {
  const [mark] = shapesOf(view);
  if (!mark) return null;
  const kind = tags[mark.tag] ?? (/\d/.test(mark.text) ? "number" : "letter");
  return clickOn(view.first("button", new RegExp(`^${kind}$`, "i")));
};

/** Distance in pixels, on each axis, between a click and the dot that the page draws for it. */
const offset = 2;

function drawn(view: View, [x, y]: readonly [number, number]): string | null {
  return inTurn(
    view,
    () => clickAt([x - offset, y - offset]),
    () => submit(view),
  );
}

const circles = (view: View, name: string) =>
  view.marks
    .filter((mark) => mark.tag === "circle" && (hasClass(mark, name) || mark.id === name))
    .map(({ rect }) => centreOf(rect));

const centre: Solver = (view) => drawn(view, circles(view, "black-circle")[0] ?? [0, 0]);

const midpoint: Solver = (view) => {
  const [a = [0, 0], b = [0, 0]] = circles(view, "black-circle");
  return drawn(view, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
};

function angle(a: Point, vertex: Point, b: Point): number {
  const turn = Math.atan2(a[1] - vertex[1], a[0] - vertex[0]) - Math.atan2(b[1] - vertex[1], b[0] - vertex[0]);
  const inside = Math.abs(turn) % (2 * Math.PI);
  return Math.min(inside, 2 * Math.PI - inside);
}

/** Returns the point in the drawing area with the smallest error. */
function bestPlace(vertex: Point, error: (place: Point) => number): Point {
  let best: Point = vertex;
  let least = Number.POSITIVE_INFINITY;
  for (let x = 8; x <= 145; x++) {
    for (let y = 58; y <= 175; y++) {
      if (Math.hypot(x - vertex[0], y - vertex[1]) < 25) continue;
      const its = error([x, y]);
      if (its < least) [least, best] = [its, [x, y]];
    }
  }
  return best;
}

const rightAngle: Solver = (view) => {
  const [black = [0, 0]] = circles(view, "init-black");
  const [vertex = [0, 0]] = circles(view, "init-blue");
  return drawn(
    view,
    bestPlace(vertex, (place) => Math.abs(angle(black, vertex, place) - Math.PI / 2)),
  );
};

const bisector: Solver = (view) => {
  const [a = [0, 0], b = [0, 0]] = circles(view, "init-black");
  const [vertex = [0, 0]] = circles(view, "init-blue");
  return drawn(
    view,
    bestPlace(vertex, (place) => Math.max(angle(a, vertex, place), angle(b, vertex, place))),
  );
};

const line: Solver = (view) => {
  const [dot = [0, 0]] = circles(view, "circ");
  const isFlat = view.task.includes("horizontal");
  const end = (by: number): [number, number] => (isFlat ? [dot[0] + by, dot[1]] : [dot[0], dot[1] + by]);
  const back = Math.min(isFlat ? dot[0] - 6 : dot[1] - 56, 40);
  return inTurn(
    view,
    () => dragAt(end(-back), end(isFlat ? Math.min(60, 150 - dot[0]) : Math.min(60, 160 - dot[1]))),
    () => submit(view),
  );
};

/** Distances from the hidden spot in pixels, as a range, for each hint of the page. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  HOT: [0, 5],
  WARM: [5, 10],
  COLD: [10, 40],
  "ICE COLD": [40, 1_000],
};

const heat: Solver = (view) => {
  const views = [...view.history.slice(1), view];
  const tried = view.past.flatMap(({ action }, at) => {
    const [, x, y] = /hover_at \[(\d+)\] \[(\d+)\]/.exec(action) ?? [];
    const word = views[at]?.all("StaticText").find(({ name }) => name in ranges)?.name;
    return x === undefined || word === undefined ? [] : [{ at: [Number(x), Number(y)] as Point, word }];
  });
  const last = tried.at(-1);
  if (last?.word === "HOT") return clickAt(last.at);
  const open = places(2).filter((place) =>
    tried.every(({ at, word }) => {
      const [least = 0, most = 0] = ranges[word] ?? [];
      const distance = Math.hypot(at[0] - place[0], at[1] - place[1]);
      return distance >= least && distance < most;
    }),
  );
  return hover(mostTelling(open));
};

/** Returns all possible positions of the hidden spot. */
function places(step: number): Point[] {
  const all: Point[] = [];
  for (let x = 5; x < 155; x += step) for (let y = 55; y < 170; y += step) all.push([x, y]);
  return all;
}

/** Returns the guess after which the smallest number of positions remains on average. */
function mostTelling(open: readonly Point[]): Point {
  let best: Point = open[0] ?? [80, 110];
  let least = Number.POSITIVE_INFINITY;
  for (const place of places(open.length > 400 ? 6 : 2)) {
    const counts = [0, 0, 0, 0];
    for (const [x, y] of open) {
      const distance = Math.hypot(x - place[0], y - place[1]);
      const at = distance < 5 ? 0 : distance < 10 ? 1 : distance < 40 ? 2 : 3;
      counts[at] = (counts[at] as number) + 1;
    }
    const [hot = 0, ...others] = counts;
    const left = others.reduce((sum, count) => sum + count * count, 0) - hot;
    if (left < least) [least, best] = [left, place];
  }
  return best;
}

/** Watches the sequence in which buttons light up, and then clicks the same sequence. */
const simon: Solver = (view) => {
  const views = [...view.history, view];
  const lit = views.slice(1).map((each) => each.marks.find((mark) => hasClass(mark, "push"))?.id);
  const end = lit.indexOf(undefined);
  if (end <= 0) return wait(view.past.length === 0 ? 0.7 : 0.6);
  const order = lit.slice(0, end);
  const pushed = view.past.filter(({ action }) => action.startsWith("click")).length;
  return clickOnMark(view.marks.find(({ id }) => id === order[pushed]));
};

/** Replaces the chosen color by typing the requested color. */
const colour: Solver = (view) => {
  const shown = view.marked("div", "cc")[0];
  const hex = shown ? hexOfCss(shown.colour) : hexOf(view.asked(/Select (\w+) with/));
  return inTurn(
    view,
    () => clickOn(view.fields[0]),
    () => press("Ctrl+a"),
    () => press("Delete"),
    () => typeInto(view.fields[0], hex),
    // The picker covers the button until another element is clicked.
    () => clickOn(view.first("StaticText", /Color/)),
    () => submit(view),
  );
};

export const shapeSolvers: Readonly<Record<string, Solver>> = {
  "click-color": colouredBox,
  "click-shape": shape,
  "count-shape": counted,
  "identify-shape": named,
  "grid-coordinate": (view) => clickOnMark(view.marks.find(({ id }) => id === view.asked(/coordinate (\(.*\))/))),
  "circle-center": centre,
  "find-midpoint": midpoint,
  "right-angle": rightAngle,
  "bisect-angle": bisector,
  "draw-line": line,
  "hot-cold": heat,
  "simon-says": simon,
  "use-colorwheel": colour,
  "use-colorwheel-2": colour,
};
