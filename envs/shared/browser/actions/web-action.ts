/**
 * Parses actions in WebArena's grammar (Zhou et al. 2023, table 1): `click [12]`, `type [7] [hello] [1]`,
 * `stop [answer]`. The parser copies the public package, including its quirks, because published prompts rely on them.
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

/** Error if an action is invalid or cannot be performed. The agent receives the message, and the episode continues. */
export class WrongAction extends Error {}

/** Names of the actions. */
export const actionNames = [
  "click",
  "type",
  "hover",
  "press",
  "scroll",
  "goto",
  "new_tab",
  "tab_focus",
  "close_tab",
  "go_back",
  "go_forward",
  "stop",
] as const;

/**
 * Extracts the action from a model's text: the part between the first two triple backticks. Without backticks, the
 * whole text is the action if it begins with the name of an action, as texts of function calls do.
 *
 * @throws {WrongAction} the text contains no action
 */
export function actionText(written: string): string {
  const fenced = /```([\s\S]*?)```/.exec(written);
  if (fenced) return (fenced[1] as string).trim();
  const whole = written.trim();
  const [name = ""] = /^\w+/.exec(whole) ?? [];
  if ((actionNames as readonly string[]).includes(name)) return whole;
  throw new WrongAction(`Cannot parse action from response ${written}`);
}

/**
 * Parses one action.
 *
 * @throws {WrongAction} the action is invalid; the message has WebArena's wording
 */
export function parseWebAction(text: string): WebAction {
  const action = text.trim();
  const kind = (
    action.includes("[") ? action.slice(0, action.indexOf("[")) : (action.split(/\s+/)[0] as string)
  ).trim();
  const invalid = (): never => {
    throw new WrongAction(`Invalid ${kind} action ${action}`);
  };
  const argument = (pattern: RegExp) => pattern.exec(action)?.[1] ?? invalid();
  switch (kind) {
    case "click":
    case "hover":
      return { kind, id: argument(kind === "click" ? /click ?\[(\d+)\]/ : /hover ?\[(\d+)\]/) };
    case "type":
      return parseType(action);
    case "press":
      return { kind, keys: bracketed("press", action) ?? invalid() };
    case "scroll":
      return { kind, direction: argument(/scroll ?\[?(up|down)\]?/) as "up" | "down" };
    case "goto":
      return { kind, url: bracketed("goto", action) ?? invalid() };
    case "tab_focus":
      return { kind, index: Number(argument(/tab_focus ?\[(\d+)\]/)) };
    case "new_tab":
    case "close_tab":
    case "go_back":
    case "go_forward":
      return { kind };
    case "stop":
      return { kind, answer: bracketed("stop", action) ?? "" };
    default:
      throw new WrongAction(`Invalid action ${action}`);
  }
}

/**
 * Parses a `type` action. A final `[1]` presses Enter after the text, and `[0]` does not. Enter is pressed by default.
 */
function parseType(action: string): WebAction {
  const whole = /\[[01]\]$/.test(action) ? action : `${action} [1]`;
  for (const { group: id, rest } of restsAfter(/type ?\[(\d+)\] ?\[/, whole)) {
    const end = [...rest.matchAll(/\](?= ?\[(\d+)\])/g)].at(-1);
    if (end !== undefined && end.index > 0)
      return { kind: "type", id, text: rest.slice(0, end.index), isEntered: end[1] === "1" };
  }
  throw new WrongAction(`Invalid type action ${whole}`);
}

/** Returns the text in the brackets of `name [text]`: the group of the expression `name ?\[([^\n]+)\]`. */
function bracketed(name: string, action: string): string | undefined {
  for (const { rest } of restsAfter(new RegExp(`${name} ?\\[()`), action)) {
    const end = rest.lastIndexOf("]");
    if (end > 0) return rest.slice(0, end);
  }
  return undefined;
}

/**
 * Returns, for each line, the first group of the first match of `start`, and the rest of the line. If a text after the first match
 * has no end in its line, a text after a later match has none either. An expression that tries all of them takes quadratic
 * time.
 */
function restsAfter(start: RegExp, text: string): { group: string; rest: string }[] {
  return text.split("\n").flatMap((line) => {
    const match = start.exec(line);
    return match ? [{ group: match[1] as string, rest: line.slice(match.index + match[0].length) }] : [];
  });
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

/** Key names that WebArena's package lacks, although WebArena's own prompt uses one of them. */
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

/** Converts key names to Playwright's names: `ctrl+a` becomes `Control+a`. The key Meta becomes Control. */
export function playwrightKeys(keys: string): string {
  return namedKeys(keys, { ...keyNames, ...moreKeyNames }).replaceAll("Meta", "Control");
}

/**
 * Describes an earlier action in the words of WebArena's prompt.
 *
 * @param line line of the action's element in the observation before the action
 */
export function pastAction(action: WebAction, line: string | undefined): string {
  switch (action.kind) {
    case "click":
    case "hover":
      return named(action, line, `${action.kind} [${action.id}]`);
    case "type":
      // WebArena shows the key Enter as a space.
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
  // WebArena uses the same wording.
  const advice = "Please check the observation more carefully.";
  return `Attempt to perfom "${kind}" on element "[${id}]" but no matching element found. ${advice}`;
}
