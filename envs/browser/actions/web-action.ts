/**
 * Actions as text, in the grammar that WebArena gave models (Zhou et al. 2023, table 1): `click [12]`, `type [7] [hello] [1]`,
 * `stop [answer]`. Parsed as the public package parses them, slips included, since published prompts count on it.
 */

export type WebAction =
  | { kind: "click" | "hover"; id: string }
  | { kind: "type"; id: string; text: string; isEntered: boolean }
  | { kind: "press"; keys: string }
  | { kind: "scroll"; direction: "up" | "down" }
  | { kind: "goto"; url: string }
  | { kind: "tab_focus"; index: number }
  | { kind: "new_tab" }
  | { kind: "close_tab" }
  | { kind: "go_back" }
  | { kind: "go_forward" }
  | { kind: "stop"; answer: string };

/** An action that cannot be read, or not be carried out: the agent is told, and the episode goes on. */
export class WrongAction extends Error {}

/** Names of the actions. */
export const actionNames = [
  ...["click", "type", "hover", "press", "scroll", "goto", "new_tab", "tab_focus", "close_tab"],
  ...["go_back", "go_forward", "stop"],
] as const;

/**
 * The action within what a model wrote: between the first two marks of three backticks. A text without them is taken whole
 * where it begins with an action's name, as a function's call is written.
 *
 * @throws {WrongAction}
 */
export function actionText(written: string): string {
  const fenced = /```([\s\S]*?)```/.exec(written);
  if (fenced) return (fenced[1] as string).trim();
  const whole = written.trim();
  const [name = ""] = /^\w+/.exec(whole) ?? [];
  if ((actionNames as readonly string[]).includes(name)) return whole;
  throw new WrongAction(`Cannot parse action from response ${written}`);
}

/** @param text of one action @throws {WrongAction} in the words of the original */
export function parseWebAction(text: string): WebAction {
  const action = text.trim();
  const kind = (
    action.includes("[") ? action.slice(0, action.indexOf("[")) : (action.split(/\s+/)[0] as string)
  ).trim();
  const argument = (pattern: RegExp) => {
    const [, first] = pattern.exec(action) ?? [];
    if (first === undefined) throw new WrongAction(`Invalid ${kind} action ${action}`);
    return first;
  };
  switch (kind) {
    case "click":
    case "hover":
      return { kind, id: argument(kind === "click" ? /click ?\[(\d+)\]/ : /hover ?\[(\d+)\]/) };
    case "type":
      return parseType(action);
    case "press":
      return { kind, keys: argument(/press ?\[([^\n]+)\]/) };
    case "scroll":
      return { kind, direction: argument(/scroll ?\[?(up|down)\]?/) as "up" | "down" };
    case "goto":
      return { kind, url: argument(/goto ?\[([^\n]+)\]/) };
    case "tab_focus":
      return { kind, index: Number(argument(/tab_focus ?\[(\d+)\]/)) };
    case "new_tab":
    case "close_tab":
    case "go_back":
    case "go_forward":
      return { kind };
    case "stop":
      return { kind, answer: /stop ?\[([^\n]+)\]/.exec(action)?.[1] ?? "" };
    default:
      throw new WrongAction(`Invalid action ${action}`);
  }
}

/** A text that ends with `[0]` or `[1]` says by it whether Enter follows; any other is entered. */
function parseType(action: string): WebAction {
  const whole = /\[[01]\]$/.test(action) ? action : `${action} [1]`;
  const parts = /type ?\[(\d+)\] ?\[([^\n]+)\] ?\[(\d+)\]/.exec(whole);
  if (!parts) throw new WrongAction(`Invalid type action ${whole}`);
  const [, id, text, flag] = parts as unknown as [string, string, string, string];
  return { kind: "type", id, text, isEntered: flag === "1" };
}

const keyNames: Readonly<Record<string, string>> = {
  backquote: "Backquote",
  minus: "Minus",
  equal: "Equal",
  backslash: "Backslash",
  backspace: "Backspace",
  meta: "Meta",
  tab: "Tab",
  delete: "Delete",
  escape: "Escape",
  arrowdown: "ArrowDown",
  end: "End",
  enter: "Enter",
  home: "Home",
  insert: "Insert",
  pagedown: "PageDown",
  pageup: "PageUp",
  arrowright: "ArrowRight",
  arrowup: "ArrowUp",
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at + 1}`, `F${at + 1}`])),
};

/** Names that the original lacks; its own prompt has one of them. */
const moreKeyNames: Readonly<Record<string, string>> = {
  ctrl: "Control",
  control: "Control",
  shift: "Shift",
  alt: "Alt",
  esc: "Escape",
  space: "Space",
  arrowleft: "ArrowLeft",
  return: "Enter",
};

function namedKeys(keys: string, names: Readonly<Record<string, string>>): string {
  return keys
    .split("+")
    .map((key) => names[key.toLowerCase()] ?? key)
    .join("+");
}

/** Keys for Playwright to press: `ctrl+a` is `Control+a`. Meta is Control, as everywhere but on a Mac. */
export function playwrightKeys(keys: string): string {
  return namedKeys(keys, { ...keyNames, ...moreKeyNames }).replaceAll("Meta", "Control");
}

/**
 * The line that stands for an action in what a model is shown of the past.
 *
 * @param line of the element that the action names, as the model saw it
 */
export function pastAction(action: WebAction, line: string | undefined): string {
  switch (action.kind) {
    case "click":
    case "hover":
      return named(action, line, `${action.kind} [${action.id}]`);
    case "type":
      // The original shows Enter as a space.
      return named(action, line, `type [${action.id}] [${action.text}${action.isEntered ? " " : ""}]`);
    case "press":
      return `press [${namedKeys(action.keys, keyNames)}]`;
    case "scroll":
      return `scroll [${action.direction}]`;
    case "goto":
      return `goto [${action.url}]`;
    case "tab_focus":
      return `page_focus [${action.index}]`;
    case "stop":
      return `stop [${action.answer}]`;
    default:
      return action.kind;
  }
}

function named({ kind, id }: WebAction & { id: string }, line: string | undefined, text: string): string {
  if (line !== undefined) return `${text} where [${id}] is ${line.split(/\s+/).slice(1).join(" ")}`;
  // The spelling is the original's.
  const advice = "Please check the observation more carefully.";
  return `Attempt to perfom "${kind}" on element "[${id}]" but no matching element found. ${advice}`;
}
