/** The state that a solver sees: the agent's observations and actions so far. */
import type { Mark, PastStep, Sight } from "./sight.js";

/** A line of the accessibility tree. */
export interface Item {
  id: string;
  role: string;
  name: string;
  /** Properties of the element, such as `checked: true`. */
  state: string;
}

export interface MarkItem extends Mark {
  /** Number that the observation shows in brackets. */
  number: string;
}

export class View {
  readonly items: readonly Item[];
  readonly marks: readonly MarkItem[];

  constructor(
    private readonly sight: Sight,
    readonly past: readonly PastStep[],
  ) {
    this.items = [...sight.seen].flatMap(([id, { line }]) => (sight.marks.has(id) ? [] : [itemOf(id, line)]));
    this.marks = [...sight.marks].map(([number, mark]) => ({ ...mark, number }));
  }

  get task(): string {
    return this.sight.utterance;
  }

  /** Returns the text of a pattern's first group in the task's text, or `""` if the pattern does not match. */
  asked(pattern: RegExp): string {
    return pattern.exec(this.task)?.[1] ?? "";
  }

  /** @param name exact name without outer spaces, or a regular expression */
  all(role: string | null, name?: string | RegExp): Item[] {
    return this.items.filter((item) => (role === null || item.role === role) && isNamed(item.name, name));
  }

  first(role: string | null, name?: string | RegExp): Item | undefined {
    return this.all(role, name)[0];
  }

  /** Returns all lines after an item's line. */
  after(item: Item): readonly Item[] {
    return this.items.slice(this.items.indexOf(item) + 1);
  }

  /** Returns all lines before an item's line, starting with the nearest line. */
  before(item: Item): readonly Item[] {
    return this.items.slice(0, this.items.indexOf(item)).reverse();
  }

  /** Text fields in page order. */
  get fields(): Item[] {
    return this.items.filter(({ role }) => /^(textbox|searchbox|spinbutton|combobox)$/.test(role));
  }

  /** Returns the text in a field. */
  valueOf(field: Item): string {
    const [next] = this.after(field);
    return next?.role === "StaticText" ? next.name : "";
  }

  marked(tag: string, classes?: string): MarkItem[] {
    return this.marks.filter((mark) => mark.tag === tag && (classes === undefined || hasClass(mark, classes)));
  }

  rectOf(id: string): readonly [number, number, number, number] {
    return this.sight.seen.get(id)?.rect ?? [0, 0, 0, 0];
  }

  /** Returns the number of performed actions that match a pattern. */
  count(pattern: RegExp): number {
    return this.past.filter(({ action }) => pattern.test(action)).length;
  }

  /** For each past action, the view before this action. */
  get history(): View[] {
    return this.past.map(({ sight }, at) => new View(sight, this.past.slice(0, at)));
  }
}

export function hasClass({ classes }: Pick<Mark, "classes">, wanted: string): boolean {
  return classes.split(/\s+/).includes(wanted);
}

export function isNamed(name: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === "string" ? name.trim() === wanted.trim() : wanted.test(name);
}

function itemOf(id: string, line: string): Item {
  const [, role = "", rest = ""] = /^\[\d+\] (\S+) (.*)$/s.exec(line) ?? [];
  const [quoted = "''"] = /^'(?:[^'\\]|\\.)*'|^"(?:[^"\\]|\\.)*"/s.exec(rest) ?? [];
  return { id, role, name: unquoted(quoted), state: rest.slice(quoted.length).trim() };
}

/** Decodes a text that `pythonRepr` has encoded. */
function unquoted(quoted: string): string {
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/g, (_, x, u, long, other) =>
      other === undefined ? String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16)) : (escapes[other] ?? other),
    );
}

export type Solver = (view: View) => string | null;

export const click = ({ id }: { id: string } = { id: "0" }): string => `click [${id}]`;
export const clickMark = ({ number }: { number: string }): string => `click [${number}]`;
export const type = ({ id }: { id: string }, text: string | number, enter = 0): string =>
  `type [${id}] [${text}] [${enter}]`;
export const hover = ([x, y]: readonly [number, number]): string => `hover_at [${x}] [${y}]`;
export const clickAt = ([x, y]: readonly [number, number]): string => `click_at [${Math.round(x)}] [${Math.round(y)}]`;
export const press = (keys: string): string => `press [${keys}]`;
export const wait = (seconds: number): string => `wait [${seconds}]`;
export const select = ({ id }: { id: string }, entry: string): string => `select [${id}] [${entry}]`;
export function dragAt(from: readonly [number, number], to: readonly [number, number]): string {
  return `drag_at ${[...from, ...to].map((at) => `[${Math.max(0, Math.round(at))}]`).join(" ")}`;
}

/**
 * Runs a fixed sequence of steps, one step per action, and returns the action of the current step. The last step
 * repeats.
 */
export function inTurn(view: View, ...steps: (() => string | null)[]): string | null {
  const step = steps[Math.min(view.past.length, steps.length - 1)];
  return step?.() ?? null;
}

/** Returns a click on an item, or null if the item is undefined. */
export function clickOn(item: Item | undefined): string | null {
  return item ? click(item) : null;
}

export function clickOnMark(mark: MarkItem | undefined): string | null {
  return mark ? clickMark(mark) : null;
}

export function typeInto(item: Item | undefined, text: string | number, enter = 0): string | null {
  return item ? type(item, text, enter) : null;
}

export function submit(view: View): string | null {
  return clickOn(view.first("button", /^\s*(Submit|Login|Search|Go!|Order!|OK)\s*$/));
}

export function centreOf([x, y, width, height]: readonly [number, number, number, number]): [number, number] {
  return [x + width / 2, y + height / 2];
}
