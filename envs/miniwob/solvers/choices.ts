/** Solvers for tasks in which the agent chooses among several items. */
import {
  clickMark,
  clickOn,
  clickOnMark,
  hasClass,
  type Item,
  inTurn,
  type MarkItem,
  type Solver,
  select,
  submit,
  type View,
} from "../view.js";

function namesAsked(view: View, pattern: RegExp): string[] {
  return view.asked(pattern).split(", ");
}

const checkboxes: Solver = (view) => {
  const wanted = namesAsked(view, /Select (.*) and click Submit/);
  const open = view
    .all("checkbox")
    .find(({ name, state }) => wanted.includes(name) && state.includes("checked: false"));
  return open ? clickOn(open) : submit(view);
};

const radio: Solver = (view) =>
  inTurn(
    view,
    () => clickOn(view.first("radio", view.asked(/Select (.*) and click/))),
    () => submit(view),
  );

const entries: Solver = (view) => {
  const wanted = namesAsked(view, /Select (.*) from the/);
  const list = view.items.find(({ role }) => role === "combobox" || role === "listbox");
  const open = view.all("option").find(({ name, state }) => wanted.includes(name) && state.includes("selected: False"));
  return list && open ? select(list, open.name) : submit(view);
};

const oddOrEven: Solver = (view) => {
  const number = view.all("StaticText", /^-?\d+$/)[view.past.length];
  if (!number) return submit(view);
  const isOdd = Number(number.name) % 2 !== 0;
  const beside = isOdd ? view.before(number) : view.after(number);
  return clickOn(beside.find(({ role }) => role === "button"));
};

/**
 * Patterns of checkboxes for each digit: one hexadecimal digit per row from top to bottom, one bit per box. A bit of 1
 * is a checked box.
 */
const digitRows = [
  "6999996",
  "2622222",
  "6991248",
  "6916196",
  "8aaf222",
  "f88e196",
  "698e996",
  "f912244",
  "6996996",
  "6997196",
];

const digit: Solver = (view) => {
  const rows = digitRows[Number(view.asked(/number "(\d)"/))] ?? "";
  const isWanted = (at: number) => (Number.parseInt(rows[Math.floor(at / 4)] ?? "0", 16) >> (3 - (at % 4))) % 2 === 1;
  const open = view.all("checkbox").find(({ state }, at) => isWanted(at) && state.includes("checked: false"));
  return open ? clickOn(open) : submit(view);
};

/** Chooses the requested dishes in a menu. */
const food: Solver = (view) => {
  const pluses = view.all("StaticText", "+");
  const dishOf = (plus: Item): Item[] => {
    const before = view.before(plus);
    const at = before.findIndex(({ name, role }) => (role === "StaticText" && name === "+") || role === "heading");
    return before.slice(0, at < 0 ? undefined : at);
  };
  const kind = view.asked(/items that are (.*)/);
  if (kind !== "") {
    const count = Number(view.asked(/Order (\d+)/));
    if (view.past.length >= count) return submit(view);
    return clickOn(pluses.find((plus) => dishOf(plus).some(({ role, name }) => role === "image" && name === kind)));
  }
  const dish = namesAsked(view, /each item: (.*)/)[view.past.length]?.trim();
  if (dish === undefined) return submit(view);
  return clickOn(pluses.find((plus) => dishOf(plus).some(({ name }) => name.trim() === dish)));
};

/**
 * Returns the buttons of one kind in a user's posts. For each line with the user's name, the button is the first one
 * below the line.
 */
function iconsOf(view: View, user: string, kind: string): MarkItem[] {
  const icons = view.marks.filter((mark) => hasClass(mark, kind)).sort((a, b) => a.rect[1] - b.rect[1]);
  return view.all("StaticText", user).flatMap(({ id }) => {
    const icon = icons.find(({ rect }) => rect[1] > view.rectOf(id)[1]);
    return icon ? [icon] : [];
  });
}

const post: Solver = (view) => {
  const user = view.asked(/user (\S+),/);
  const action = view.asked(/"(.*)" button/);
  if (["Reply", "Retweet", "Like"].includes(action)) return clickOnMark(iconsOf(view, user, action.toLowerCase())[0]);
  if (view.past.length === 0) return clickOnMark(iconsOf(view, user, "more")[0]);
  return clickOn(view.all("StaticText").find(({ name }) => name.startsWith(action)));
};

const posts: Solver = (view) => {
  const action = view.asked(/the "(.*)" button/).toLowerCase();
  const user = view.asked(/by (\S+) and then/);
  const icons = iconsOf(view, user, action);
  const most = view.task.includes("all posts") ? icons.length : Number(view.asked(/on (\d+) post/));
  const open = icons.slice(0, most).find((icon) => !hasClass(icon, "active"));
  return open ? clickMark(open) : submit(view);
};

const shades: Solver = (view) => {
  const wanted = ["red", "green", "blue"].indexOf(view.asked(/shades of (\w+)/));
  const isShade = ({ colour }: MarkItem) => {
    const parts = (colour.match(/\d+/g) ?? []).map(Number);
    return parts.length >= 3 && parts.slice(0, 3).every((part, at) => at === wanted || part < (parts[wanted] ?? 0));
  };
  const open = view.marked("span").find((mark) => isShade(mark) && !hasClass(mark, "selected"));
  return open ? clickMark(open) : submit(view);
};

export const choiceSolvers: Readonly<Record<string, Solver>> = {
  "click-checkboxes": checkboxes,
  "click-checkboxes-large": checkboxes,
  "click-checkboxes-transfer": checkboxes,
  "click-option": radio,
  "choose-list": entries,
  "click-scroll-list": entries,
  "odd-or-even": oddOrEven,
  "number-checkboxes": digit,
  "order-food": food,
  "social-media": post,
  "social-media-all": posts,
  "social-media-some": posts,
  "click-shades": shades,
};
