/**
 * Parses actions. The grammar is that of `envs/shared/browser/actions`, without the actions for several pages and with
 * additional mouse actions.
 */
import { parseWebAction, WrongAction } from "../shared/browser/actions/web-action.js";

/** Size of the task area in CSS pixels. The task area is in the top left corner of the page. */
export const area = { width: 160, height: 210 };

export type Point = readonly [number, number];

export type MiniWobAction =
  | { kind: "click" | "double_click" | "triple_click" | "hover"; id: string }
  | { kind: "type"; id: string; text: string; isEntered: boolean }
  | { kind: "press"; keys: string }
  | { kind: "scroll"; direction: "up" | "down" }
  | { kind: "select"; id: string; entry: string }
  | { kind: "click_at" | "hover_at"; at: Point }
  | { kind: "drag"; from: string; to: string }
  | { kind: "drag_at"; from: Point; to: Point }
  | { kind: "wait"; ms: number };

const mostSeconds = 10;
/** Maximum number of characters of an invalid action that the error message quotes. */
const mostQuoted = 200;

/**
 * Parses an action.
 *
 * @param written a model's text: an action, or a text with an action between triple backticks
 * @throws {WrongAction} the action is invalid
 */
export function parseAction(written: string): MiniWobAction {
  const text = (/```([\s\S]*?)```/.exec(written)?.[1] ?? written).trim();
  return parseOwn(text) ?? parseShared(text);
}

function parseShared(text: string): MiniWobAction {
  const action = attempt(text);
  switch (action.kind) {
    case "click":
    case "hover":
    case "type":
    case "press":
    case "scroll":
      return action;
    case "stop":
      throw new WrongAction("There is nothing to stop: the task ends by itself when the page has its answer.");
    default:
      throw new WrongAction(`The task is done on this page alone: there is no ${action.kind} here.`);
  }
}

function attempt(text: string): ReturnType<typeof parseWebAction> {
  try {
    return parseWebAction(text);
  } catch (error) {
    if (error instanceof WrongAction) throw new WrongAction(`Invalid action ${text.slice(0, mostQuoted)}`);
    throw error;
  }
}

const number = String.raw`\[(\d{1,4})\]`;
const own: readonly [RegExp, (...parts: string[]) => MiniWobAction][] = [
  [pattern("double_click", number), (id = "") => ({ kind: "double_click", id })],
  [pattern("triple_click", number), (id = "") => ({ kind: "triple_click", id })],
  [pattern("select", number, String.raw`\[([^\n]+)\]`), (id = "", entry = "") => ({ kind: "select", id, entry })],
  [pattern("click_at", number, number), (x, y) => ({ kind: "click_at", at: point(x, y) })],
  [pattern("hover_at", number, number), (x, y) => ({ kind: "hover_at", at: point(x, y) })],
  [pattern("drag", number, number), (from = "", to = "") => ({ kind: "drag", from, to })],
  [
    pattern("drag_at", number, number, number, number),
    (x, y, toX, toY) => ({ kind: "drag_at", from: point(x, y), to: point(toX, toY) }),
  ],
  [
    pattern("wait", String.raw`\[(\d{1,2}(?:\.\d{1,3})?)\]`),
    (seconds) => ({ kind: "wait", ms: milliseconds(seconds) }),
  ],
];

function pattern(name: string, ...parts: string[]): RegExp {
  return new RegExp(`^${name} ?${parts.join(" ?")}$`);
}

function parseOwn(text: string): MiniWobAction | undefined {
  for (const [form, make] of own) {
    const parts = form.exec(text);
    if (parts) return make(...parts.slice(1));
  }
  return undefined;
}

function point(x: string | undefined, y: string | undefined): Point {
  const [left, top] = [Number(x), Number(y)];
  if (left < area.width && top < area.height) return [left, top];
  throw new WrongAction(`expected x below ${area.width} and y below ${area.height}, but received [${x}] [${y}]`);
}

function milliseconds(seconds: string | undefined): number {
  const ms = Math.round(Number(seconds) * 1_000);
  if (ms >= 1 && ms <= mostSeconds * 1_000) return ms;
  throw new WrongAction(`expected more than 0 and at most ${mostSeconds} seconds, but received [${seconds}]`);
}
