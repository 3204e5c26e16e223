/** Solvers for tasks with numbers: sums, guesses, sliders, prices and delays. */
import {
  centreOf,
  click,
  clickAt,
  clickMark,
  clickOn,
  clickOnMark,
  hasClass,
  type Item,
  inTurn,
  press,
  type Solver,
  submit,
  typeInto,
  type View,
  wait,
} from "../view.js";

function answer(result: (view: View) => number): Solver {
  return (view) =>
    inTurn(
      view,
      () => typeInto(view.fields[0], result(view)),
      () => submit(view),
    );
}

function problem(view: View): string {
  const end = view.items.findIndex(({ role }) => role === "textbox");
  return view.items
    .slice(0, end)
    .filter(({ role }) => role === "StaticText")
    .map(({ name }) => name)
    .join(" ");
}

const sum = (view: View): number => {
  const [, a = "0", sign = "+", b = "0"] = /(\d+) ([-+x]) (\d+) =/.exec(problem(view)) ?? [];
  if (sign === "x") return Number(a) * Number(b);
  return sign === "+" ? Number(a) + Number(b) : Number(a) - Number(b);
};

const unknown = (view: View): number => {
  const [, a = "", sign = "+", b = "", result = "0"] = /(x|\d+) ([-+]) (x|\d+) = (-?\d+)/.exec(problem(view)) ?? [];
  const total = Number(result);
  if (sign === "+") return total - Number(a === "x" ? b : a);
  return a === "x" ? total + Number(b) : Number(a) - total;
};

const greatest: Solver = (view) => {
  const cards = view.all("StaticText", /^\d+$/);
  const [card] = [...cards].sort((a, b) => Number(b.name) - Number(a.name));
  return inTurn(
    view,
    () => clickOn(card),
    () => submit(view),
  );
};

const generated: Solver = (view) => {
  const shown = view.first("StaticText", /^\d+$/);
  const value = Number(shown?.name);
  const limit = Number(view.asked(/than (\d+)/));
  const isRight = view.task.includes("less")
    ? value < limit
    : view.task.includes("greater")
      ? value > limit
      : (value % 2 === 1) === view.task.includes("odd");
  return shown && isRight ? submit(view) : clickOn(view.first("button", "Generate"));
};

/** Guesses by binary search. From the second guess on, the solver replaces the text of the field. */
const guess: Solver = (view) => {
  let [low, high] = [0, 9];
  for (const { items } of [...view.history, view]) {
    const text = items.map(({ name }) => name).join(" ");
    const [, kind, told] = /number is (lower|higher) than\s+(\d)/.exec(text) ?? [];
    if (kind === "lower") high = Math.min(high, Number(told) - 1);
    if (kind === "higher") low = Math.max(low, Number(told) + 1);
  }
  const next = Math.floor((low + high) / 2);
  const last = view.past.at(-1)?.action ?? "";
  if (last === "") return typeInto(view.fields[0], next, 1);
  if (last === press("Ctrl+a")) return press(`${next}`);
  return /press \[\d\]/.test(last) ? press("Enter") : press("Ctrl+a");
};

/**
 * Clicks the numbers in ascending order. After the first click, the page shows the remaining numbers as blank boxes.
 */
const ascending: Solver = (view) => {
  const [box] = view.marked("rect");
  return box ? clickMark(box) : clickOn(view.first("StaticText", "1"));
};

/**
 * Waits for a price at or below the limit, and then buys. The price falls to the limit after 7.6 seconds at the latest.
 */
const stock: Solver = (view) => {
  const limit = Number(view.asked(/less than \$([\d.]+\d)/));
  const price = Number(/\$([\d.]+)/.exec(view.first("StaticText", /^\$\d/)?.name ?? "")?.[1] ?? Number.NaN);
  if (price <= limit) return clickOn(view.first("button", "Buy"));
  return wait(view.past.length === 7 ? 0.6 : 1);
};

/**
 * Clicks the first button, waits for the requested time, and clicks the second button. Each action takes one second.
 */
const delayed: Solver = (view) => {
  const seconds = Number(view.asked(/wait (\d+) seconds/));
  if (view.past.length === 0) return clickOn(view.first("button", "ONE"));
  return view.past.length === 1 && seconds > 1 ? wait(seconds - 1) : clickOn(view.first("button", "TWO"));
};

const spinner: Solver = (view) => {
  const wanted = Number(view.asked(/Select (-?\d+) with/));
  const field = view.fields[0];
  const value = Number(field ? view.valueOf(field) || "0" : 0);
  if (value === wanted) return submit(view);
  const arrow = value < wanted ? "ui-spinner-up" : "ui-spinner-down";
  const mark = view.marks.find(({ classes }) => classes.includes(value < wanted ? "triangle-1-n" : "triangle-1-s"));
  return clickOnMark(view.marks.find((each) => hasClass(each, arrow)) ?? mark);
};

interface Ends {
  from: { value: number; at: readonly [number, number] };
  to: { value: number; at: readonly [number, number] };
}

const valuesOf = (view: View): Item[] => view.all("StaticText", /^-?\d+$/);
const handlesOf = (view: View) => view.marks.filter((mark) => hasClass(mark, "ui-slider-handle"));

/** Returns value and position of the first slider at its two ends, measured after the keys Home and End. */
function endsOf(view: View): Ends {
  const views = [...view.history, view];
  const after = (keys: string) => views[view.past.findIndex(({ action }) => action === press(keys)) + 1] ?? view;
  const end = (seen: View) => ({
    value: Number(valuesOf(seen)[0]?.name),
    at: centreOf(handlesOf(seen)[0]?.rect ?? [0, 0, 0, 0]),
  });
  return { from: end(after("Home")), to: end(after("End")) };
}

/** Sets sliders to values. The solver clicks near the target value and reaches it exactly with the arrow keys. */
function slide(view: View, wanted: readonly number[]): string | null {
  const [first] = handlesOf(view);
  if (!first) return null;
  if (view.past.length === 0) return clickMark(first);
  if (view.past.length < 3) return press(view.past.length === 1 ? "Home" : "End");
  const values = valuesOf(view).map(({ name }) => Number(name));
  const at = wanted.findIndex((value, slider) => values[slider] !== value);
  const handle = handlesOf(view)[at];
  if (!handle) return null;
  const goal = wanted[at] as number;
  const { from, to } = endsOf(view);
  const share = (goal - from.value) / (to.value - from.value);
  const along = (axis: 0 | 1) => from.at[axis] + share * (to.at[axis] - from.at[axis]);
  const isFlat = from.at[1] === to.at[1];
  const place = isFlat ? [along(0), centreOf(handle.rect)[1]] : [centreOf(handle.rect)[0], along(1)];
  const there = clickAt(place as [number, number]);
  if (!view.past.some(({ action }) => action === there)) return there;
  return press((values[at] as number) < goal ? "ArrowRight" : "ArrowLeft");
}

const slider: Solver = (view) => slide(view, [Number(view.asked(/Select (-?\d+) with/))]) ?? submit(view);

const sliders: Solver = (view) =>
  slide(
    view,
    view
      .asked(/combination \[(.*)\]/)
      .split(",")
      .map(Number),
  ) ?? submit(view);

const sliderAndBox: Solver = (view) => {
  const box = view.all("checkbox")[["1st", "2nd", "3rd"].indexOf(view.asked(/the (\w+) checkbox/))];
  const sliding = slide(view, [Number(view.asked(/Select (-?\d+) with/))]);
  if (sliding !== null) return sliding;
  return box?.state.includes("checked: false") ? click(box) : submit(view);
};

export const numberSolvers: Readonly<Record<string, Solver>> = {
  "simple-arithmetic": answer(sum),
  "simple-algebra": answer(unknown),
  "visual-addition": answer((view) => view.marked("span", "addition-block").length),
  "find-greatest": greatest,
  "generate-number": generated,
  "guess-number": guess,
  "ascending-numbers": ascending,
  "stock-market": stock,
  "button-delay": delayed,
  "use-spinner": spinner,
  "use-slider": slider,
  "use-slider-2": sliders,
  "form-sequence": sliderAndBox,
};
