/** Solvers for tasks with clicks on named elements. */
import {
  click,
  clickMark,
  clickOn,
  clickOnMark,
  hasClass,
  type Item,
  inTurn,
  type Solver,
  submit,
  type View,
  wait,
} from "../view.js";

const ordinals: Readonly<Record<string, number>> = { "1st": 0, "2nd": 1, "3rd": 2 };

/** Returns the item whose name equals the text. Text between two links does not match, because it has outer spaces. */
function exactly(view: View, text: string): Item | undefined {
  return view.items.find(({ name }) => name === text);
}

const button: Solver = (view) => clickOn(view.first("button", view.asked(/"(.*)"/)));

const link: Solver = (view) => clickOn(exactly(view, view.asked(/link "(.*)"/)));

/** Opens one tab or section after another until the link is visible. */
const linkInTabs: Solver = (view) => {
  const found = exactly(view, view.asked(/link "(.*)"/));
  const isTab = view.items.find((item) => item === found)?.role === "tab";
  if (found && !isTab) return click(found);
  const tabs = view.all("tab");
  const opened = view.count(/^click/);
  const closed = tabs.filter(({ state }) => state.includes("expanded: False"));
  const isFirstOpen = tabs[0] !== undefined && (opened > 0 || !closed.includes(tabs[0]));
  return clickOn(tabs[opened + (isFirstOpen && !isSection(tabs) ? 1 : 0)]);
};

function isSection(tabs: readonly Item[]): boolean {
  return tabs[0]?.name.startsWith("Section") ?? false;
}

const section: Solver = (view) =>
  inTurn(
    view,
    () => clickOn(view.first("tab", /^Section/)),
    () => submit(view),
  );

const dialogButton: Solver = (view) => {
  const wanted = view.asked(/labeled "(.*)"/);
  return clickOn(view.first("button", wanted === "x" ? "Close" : wanted));
};

const widget: Solver = (view) => {
  const kind = view.asked(/"(.*)"/);
  if (kind === "textarea") return clickOnMark(view.marked("textarea")[0]);
  const areas = view.marked("textarea").map(({ rect }) => rect[1]);
  if (kind !== "text") return clickOn(view.first(kind));
  return clickOn(view.all("textbox").find(({ id }) => !areas.includes(Math.round(view.rectOf(id)[1]))));
};

/** Follows a menu path such as `A>B>C`. */
const menu: Solver = (view) => {
  const path = view.asked(/Select (.*)/).split(">");
  return clickOn(view.first("menuitem", path[Math.min(view.past.length, path.length - 1)]));
};

const menuIcons: Readonly<Record<string, string>> = {
  "ui-icon-disk": "Save",
  "ui-icon-seek-start": "Prev",
  "ui-icon-stop": "Stop",
  "ui-icon-play": "Play",
  "ui-icon-seek-end": "Next",
  "ui-icon-zoomin": "Zoom In",
  "ui-icon-zoomout": "Zoom Out",
};

const iconMenu: Solver = (view) => {
  const icon = view.marks.find((mark) => Object.keys(menuIcons).some((name) => hasClass(mark, name)));
  const byIcon = Object.entries(menuIcons).find(([name]) => icon && hasClass(icon, name))?.[1];
  const label = view.asked(/labeled "(.*)"/) || (byIcon ?? "");
  const path = ["Prev", "Stop", "Play", "Next"].includes(label) ? ["Playback", label] : [label];
  if (view.past.length === 0) return clickOn(view.first("button", "Menu"));
  return clickOn(view.first("menuitem", path[Math.min(view.past.length, path.length) - 1]));
};

const pie: Solver = (view) =>
  inTurn(
    view,
    () => clickOn(view.first("StaticText", "+")),
    () => wait(2),
    () => clickOn(view.first("StaticText", view.asked(/labeled "(.*)"/))),
  );

const tree: Solver = (view) => {
  const found = view.first("StaticText", view.asked(/named "(.*)"/));
  if (found) return click(found);
  const folder = view.marks.find((mark) => hasClass(mark, "expandable-hitarea"));
  return folder ? clickMark(folder) : null;
};

/** Turns the pages of a contact book until the contact is visible. */
const contact: Solver = (view) => {
  const [, name = "", kind = ""] = /Find (\S+) in the contact book and click on their (\w+)/.exec(view.task) ?? [];
  if (!view.first("heading", name)) return clickOn(view.first("link", ">"));
  const label = view.first("StaticText", new RegExp(`^${kind}:`, "i"));
  return label ? clickOn(view.after(label).find(({ role }) => role === "link")) : null;
};

export const clickSolvers: Readonly<Record<string, Solver>> = {
  "click-test": (view) => clickOn(view.first("button")),
  "click-test-2": (view) => clickOn(view.first("button", view.asked(/button (\w+)/))),
  "click-test-transfer": (view) => clickOn(view.first("button", view.asked(/button (\w+)/))),
  "click-button": button,
  "unicode-test": button,
  "click-button-sequence": (view) => clickOn(view.first("button", view.past.length === 0 ? "ONE" : "TWO")),
  "click-link": link,
  "click-dialog": (view) => clickOn(view.first("button", "Close")),
  "click-dialog-2": dialogButton,
  "click-widget": widget,
  "click-tab": (view) => clickOn(view.first("link", view.asked(/(Tab #\d)/))),
  "click-tab-2": linkInTabs,
  "click-tab-2-easy": linkInTabs,
  "click-tab-2-medium": linkInTabs,
  "click-tab-2-hard": linkInTabs,
  "click-collapsible": section,
  "click-collapsible-nodelay": section,
  "click-collapsible-2": linkInTabs,
  "click-collapsible-2-nodelay": linkInTabs,
  "click-menu": menu,
  "click-menu-2": iconMenu,
  "click-pie-nodelay": pie,
  "navigate-tree": tree,
  "phone-book": contact,
  "focus-text": (view) => clickOn(view.fields[0]),
  "focus-text-2": (view) => clickOn(view.fields[ordinals[view.asked(/the (\w+) input/)] ?? 0]),
};
