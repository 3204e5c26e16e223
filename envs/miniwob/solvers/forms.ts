/** Solvers for tasks with forms. */
import {
  centreOf,
  clickOn,
  dragAt,
  type Item,
  inTurn,
  press,
  type Solver,
  select,
  submit,
  type as typed,
  typeInto,
  type View,
} from "../view.js";

const positions: Readonly<Record<string, number>> = { "1st": 0, "2nd": 1, "3rd": 2 };

/** Returns a solver that types a text into the last field and submits the form. */
function answer(textOf: (view: View) => string | number): Solver {
  return (view) =>
    inTurn(
      view,
      () => typeInto(view.fields.at(-1), textOf(view)),
      () => submit(view),
    );
}

const cased = (view: View): string => {
  const text = view.asked(/Type "(.*)" in/);
  return view.task.includes("upper case") ? text.toUpperCase() : text.toLowerCase();
};

const password: Solver = (view) => {
  const text = view.asked(/password "(.*)" into/);
  return inTurn(
    view,
    () => typeInto(view.fields[0], text),
    () => typeInto(view.fields[1], text),
    () => submit(view),
  );
};

/**
 * Logs in. If a popup asks whether to leave the page, the solver cancels it. Then it repeats the input that the popup
 * blocked.
 */
const login: Solver = (view) => {
  const cancel = view.first("button", "Cancel");
  if (cancel) return clickOn(cancel);
  const [user, secret] = view.fields;
  const [, name = "", word = ""] = /username "(.*)" and the password "(.*)" into/.exec(view.task) ?? [];
  if (user && view.valueOf(user) !== name) return typed(user, name);
  if (secret && view.valueOf(secret).length !== word.length) return typed(secret, word);
  return submit(view);
};

const date: Solver = (view) =>
  inTurn(
    view,
    () => typeInto(view.first("spinbutton", "Month"), view.asked(/Enter (\S+)/).replaceAll("/", "")),
    () => submit(view),
  );

const time: Solver = (view) => {
  const [, hours = "", minutes = "", half = ""] = /Enter (\d+):(\d+)\s*(\w+)/.exec(view.task) ?? [];
  return inTurn(
    view,
    () => typeInto(view.first("spinbutton", "Hours"), `${hours.padStart(2, "0")}${minutes}${half}`),
    () => submit(view),
  );
};

const movieLabels = [/genre/i, /director/i, /year|released/i];

/** Fills in a form about a movie. The labels are before or after the fields, in the same order. */
const movie: Solver = (view) => {
  const [, genre = "", director = "", year = ""] =
    /for (.*) movies directed by (.*) from year (\d+)/.exec(view.task) ?? [];
  const kinds = view.items.flatMap(({ name, role }) =>
    role === "RootWebArea" || role === "row" ? [] : [movieLabels.findIndex((label) => label.test(name))],
  );
  const order = [...new Set(kinds.filter((kind) => kind >= 0))];
  const fill = (at: number) => typeInto(view.fields[at], [genre, director, year][order[at] ?? 0] ?? "");
  return inTurn(
    view,
    () => fill(0),
    () => fill(1),
    () => fill(2),
    () => clickOn(view.all(null, /^(Submit|Search|Go!)$/).at(-1)),
  );
};

function cellAfter(view: View, key: string): string {
  const cells = view.all("cell");
  return cells[cells.findIndex(({ name }) => name === key) + 1]?.name ?? "";
}

const labelledCells: Solver = (view) => {
  const fill = (field: Item | undefined) => {
    const label = field && view.before(field).find(({ name }) => name.endsWith(":"));
    return typeInto(field, cellAfter(view, label?.name.slice(0, -1) ?? ""));
  };
  return inTurn(
    view,
    () => fill(view.fields[0]),
    () => fill(view.fields[1]),
    () => submit(view),
  );
};

const words = (view: View): string[] =>
  (view.first("StaticText")?.name ?? "").split(/\s+/).filter((word) => word !== "");
const letters = (word: string | undefined): string => (word ?? "").replace(/[^a-zA-Z]/g, "");

const scrolled: Solver = (view) =>
  inTurn(
    view,
    () => clickOn(view.fields[0]),
    () => press(view.task.includes("bottom") ? "Ctrl+End" : "Ctrl+Home"),
    () => submit(view),
  );

function copied(from: (view: View) => Item | undefined, to: (view: View) => Item | undefined): Solver {
  return (view) =>
    inTurn(
      view,
      () => clickOn(from(view)),
      () => press("Ctrl+a"),
      () => press("Ctrl+c"),
      () => clickOn(to(view)),
      () => press("Ctrl+v"),
      () => submit(view),
    );
}

const filledField = (view: View) => view.fields.find((field) => view.valueOf(field) !== "");
const emptyField = (view: View) => view.fields.find((field) => view.valueOf(field) === "");

const radioAndText: Solver = (view) => {
  const [, radio = "", text = "", field = ""] = /the (\w+) radio button .* "(.*)" into the (\w+)/.exec(view.task) ?? [];
  return inTurn(
    view,
    () => clickOn(view.all("radio")[positions[radio] ?? 0]),
    () => typeInto(view.fields[positions[field] ?? 0], text),
    () => submit(view),
  );
};

const dropdown: Solver = (view) =>
  inTurn(
    view,
    () => {
      const list = view.first("combobox");
      return list ? select(list, view.asked(/Choose (.*) from/)) : null;
    },
    () => clickOn(view.first("button", view.asked(/labeled "(.*)"/))),
  );

const search: Solver = (view) => {
  const [, text = "", nth = "1"] =
    /enter "(.*)" and press "Search", then find and click the (\d+)/.exec(view.task) ?? [];
  const links = view.all("link");
  const page = Math.ceil(Number(nth) / 3);
  const result = () => clickOn(links.filter(({ name }) => !/^[\d<>]|^(First|Last)$/.test(name))[(Number(nth) - 1) % 3]);
  return inTurn(
    view,
    () => typeInto(view.fields[0], text),
    () => submit(view),
    () => (page === 1 ? result() : clickOn(view.first("link", `${page}`))),
    result,
  );
};

const autocomplete: Solver = (view) => {
  const start = view.asked(/starts with "(.*?)"/);
  const end = view.asked(/ends with "(.*?)"/);
  const fits = ({ name, role }: Item) =>
    role === "StaticText" && name.startsWith(start) && name.endsWith(end) && name.length > start.length;
  const field = view.fields[0];
  const offered = view.items.filter((item) => field && item.id !== field.id && fits(item));
  return inTurn(
    view,
    () => typeInto(field, start),
    () => clickOn(offered.find(({ name }) => !name.includes("result"))),
    () => submit(view),
  );
};

/** Lists the files with `ls`, and deletes the file with the requested extension. */
const terminal: Solver = (view) => {
  const prompt = view.all("StaticText", /user\$/).at(-1);
  if (view.past.length === 0) return typeInto(prompt, "ls", 1);
  const ending = view.asked(/extension \.(\S+)/);
  const listed = view.items.findIndex(({ name }) => name.trim() === "ls");
  const files =
    view.items
      .slice(listed + 1)
      .find(({ name }) => !/user\$/.test(name))
      ?.name.split(/\s+/) ?? [];
  const file = files.find((name) => (ending === "" ? !name.includes(".") : name.endsWith(`.${ending}`)));
  return file === undefined ? null : typeInto(prompt, `rm ${file}`, 1);
};

const distorted = (view: View): string => {
  const field = view.fields[0];
  const before = field ? [...view.before(field)].reverse() : [];
  return before.flatMap(({ role, name }) => (role === "StaticText" ? [name.trim()] : [])).join("");
};

const agreement: Solver = (view) => {
  const name = view.asked(/enter the name "(.*)" then/);
  const wanted = name === "" ? "Cancel" : view.asked(/press "(.*)"/);
  const field = view.first("textbox", "Name");
  if (name === "" || !field) return clickOn(view.first("button", wanted));
  if (field.state.includes("disabled")) return view.past.length === 0 ? clickOn(view.fields[0]) : press("End");
  return view.valueOf(field) === name ? clickOn(view.first("button", wanted)) : typed(field, name);
};

const highlight: Solver = (view) => {
  const at = positions[view.asked(/in the (\w+) paragraph/)] ?? 0;
  const paragraph = view.all("StaticText").filter((item) => view.before(item)[0]?.role !== "button")[at];
  return inTurn(
    view,
    () => (paragraph ? `triple_click [${paragraph.id}]` : null),
    () => submit(view),
  );
};

const corner: Solver = (view) => {
  const handle = view.marks.find(({ classes }) => classes.split(" ").includes("ui-resizable-se"));
  if (view.past.length > 0 || !handle) return submit(view);
  const from = centreOf(handle.rect);
  const by = view.task.includes("larger") ? 15 : -15;
  return dragAt(from, [from[0] + by, from[1] + by]);
};

export const formSolvers: Readonly<Record<string, Solver>> = {
  "enter-text": answer((view) => view.asked(/Enter "(.*)" into/)),
  "enter-text-dynamic": answer((view) => view.asked(/Enter "(.*)" into/)),
  "enter-text-2": answer(cased),
  "enter-password": password,
  "login-user": login,
  "login-user-popup": login,
  "enter-date": date,
  "enter-time": time,
  "multi-layouts": movie,
  "multi-orderings": movie,
  "read-table": answer((view) => cellAfter(view, view.asked(/value of (.*) into/))),
  "read-table-2": labelledCells,
  "find-word": answer((view) => letters(words(view)[Number(view.asked(/the (\d+)/)) - 1])),
  "scroll-text": answer((view) => letters(words(view).at(-1))),
  "scroll-text-2": scrolled,
  "copy-paste": copied(filledField, emptyField),
  "copy-paste-2": copied(
    (view) => view.fields[positions[view.asked(/the (\w+) text area/)] ?? 0],
    (view) => view.fields[3],
  ),
  "form-sequence-2": radioAndText,
  "form-sequence-3": dropdown,
  "search-engine": search,
  "use-autocomplete": autocomplete,
  "use-autocomplete-nodelay": autocomplete,
  terminal,
  "text-transform": answer(distorted),
  "sign-agreement": agreement,
  "highlight-text": highlight,
  "highlight-text-2": highlight,
  "resize-textarea": corner,
};
