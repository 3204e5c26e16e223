/** Solvers for tasks with calendars. */
import { clickOn, dragAt, type Item, inTurn, type Solver, submit, typeInto, type View } from "../view.js";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Returns the next click in an open calendar toward the date `MM/DD/YYYY`, or null if no calendar is open. */
function inCalendar(view: View, date: string): string | null {
  const [month = 0, day = 0] = date.split("/").map(Number);
  const shown = view.items.find(({ name }) => months.includes(name.trim()));
  if (!shown) return null;
  const ahead = months.indexOf(shown.name.trim()) + 1 - month;
  if (ahead !== 0) return clickOn(view.items.find(({ name }) => name === (ahead > 0 ? "Prev" : "Next")));
  return clickOn(view.first("link", `${day}`));
}

const chosenDate: Solver = (view) => {
  const date = view.asked(/Select (\S+) as the date/);
  const field = view.fields[0];
  if (field && view.valueOf(field) === date) return submit(view);
  return inCalendar(view, date) ?? clickOn(field);
};

/** Chooses an airport by its city or its code. */
function chosenPlace(view: View, field: Item | undefined, place: string): string | null {
  const offered = view.items.find(
    ({ role, name, id }) => role === "StaticText" && name.includes(place) && /\(\w+\)$/.test(name) && id !== field?.id,
  );
  return offered && view.past.at(-1)?.action.startsWith("type") ? clickOn(offered) : typeInto(field, place);
}

const flight: Solver = (view) => {
  const [, wish = "", from = "", to = "", date = ""] =
    /the (\w+) one-way flight from: (.*) to: (.*) on (\S+)\.$/.exec(view.task) ?? [];
  const offers = view.all("button", /Book flight for/);
  if (offers.length > 0) return clickOn(best(view, offers, wish));
  const calendar = inCalendar(view, date);
  if (calendar !== null) return calendar;
  const [origin, target, day] = view.fields;
  if (origin && !view.valueOf(origin).endsWith(")")) return chosenPlace(view, origin, from);
  if (target && !view.valueOf(target).endsWith(")")) return chosenPlace(view, target, to);
  return day && view.valueOf(day) === date ? submit(view) : clickOn(day);
};

function best(view: View, offers: readonly Item[], wish: string): Item | undefined {
  const price = ({ name }: Item) => Number(/\$(\d+)/.exec(name)?.[1] ?? 0);
  const minutes = (offer: Item) => {
    const told = view.before(offer).find(({ name }) => /^\d+h \d+m$/.test(name))?.name ?? "";
    const [hours = 0, rest = 0] = (told.match(/\d+/g) ?? []).map(Number);
    return hours * 60 + rest;
  };
  const by = /cost|cheapest/.test(wish) ? price : minutes;
  const sorted = [...offers].sort((a, b) => by(a) - by(b));
  return /most|longest/.test(wish) ? sorted.at(-1) : sorted[0];
}

const ticket: Solver = (view) => clickOn(best(view, view.all("button", /^Book for/), view.asked(/with the (.*)\./)));

/**
 * Returns the start of a free period of `length` half hours. Existing events are in the middle of the day and last at
 * most three half hours.
 */
function freeStart(view: View, between: string, length: number): number {
  if (between.startsWith("8AM")) return 20;
  if (between.startsWith("4PM")) return 32;
  const last = view.items.findIndex(({ name }) => name === "11pm");
  const halves = view.marks.filter(({ classes }) => classes === "half-hour");
  const startOf = ({ id }: Item) => halves.filter(({ rect }) => rect[1] <= view.rectOf(id)[1] + 2).length - 1;
  const taken =
    view.items
      .slice(last + 1)
      .map(startOf)
      .find((start) => start >= 24 && start < 32) ?? 32;
  return taken - 24 >= length ? 24 : taken + 3;
}

const calendarEvent: Solver = (view) => {
  const [, amount = "1", unit = "", name = "", between = ""] =
    /Create a ([\d.]+) (\w+) event named "(.*)", between (.*)\.$/.exec(view.task) ?? [];
  const length = Math.round(Number(amount) / (unit.startsWith("min") ? 30 : 0.5));
  const start = freeStart(view, between, length);
  const half = (at: number) => view.marks.find(({ id }) => id === `hh-${at}`);
  return inTurn(
    view,
    () => `hover [${half(start)?.number}]`,
    () => {
      const [from, to] = [half(start), half(start + length - 1)];
      if (!from || !to) return null;
      const x = from.rect[0] + 10;
      return dragAt([x, from.rect[1] + 3], [x, to.rect[1] + 14]);
    },
    () => typeInto(view.fields[0], name),
    () => clickOn(view.first("button", "Create")),
  );
};

export const dateSolvers: Readonly<Record<string, Solver>> = {
  "choose-date": chosenDate,
  "choose-date-easy": chosenDate,
  "choose-date-medium": chosenDate,
  "choose-date-nodelay": chosenDate,
  "book-flight": flight,
  "book-flight-nodelay": flight,
  "buy-ticket": ticket,
  "daily-calendar": calendarEvent,
};
