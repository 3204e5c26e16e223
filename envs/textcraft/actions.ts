/**
 * What an action means. The grammar is that of Python's `re.match` over three patterns, which have no common string:
 *
 *     craft (.*) using (.*)      get ([0-9]+) (.*)      inventory
 *
 * A match begins at the first character, need not reach the last, and `.` stops at a line feed. So all that counts is
 * the action's first line, and " using " is the last one in it. Nothing is lower-cased or trimmed.
 */
import { type Amount, parseAmount } from "./inventory.js";
import { strip } from "./python-text.js";

export interface ItemCount {
  /** The written name with spaces as underscores: an item, a tag, or anything else. */
  name: string;
  count: Amount;
}

export type Action =
  | { verb: "craft"; output: ItemCount; inputs: ItemCount[] }
  | { verb: "get"; count: Amount; written: string }
  | { verb: "inventory" }
  | { verb: "refused"; observation: string };

/** The most digits of which Python's `int` makes a number. */
const maxDigits = 4300;
const using = " using ";

export function parseAction(action: string): Action {
  if (action.startsWith("get ")) return parseGet(action);
  if (action.startsWith("craft ")) return parseCraft(action);
  return action.startsWith("inventory") ? { verb: "inventory" } : notExecuted(action);
}

function parseGet(action: string): Action {
  const line = firstLine(action);
  const end = countEnd(line, "get ".length);
  if (end < 0 || end - "get ".length > maxDigits) return notExecuted(action);
  return { verb: "get", count: parseAmount(line.slice("get ".length, end)), written: line.slice(end + 1) };
}

function parseCraft(action: string): Action {
  const line = firstLine(action);
  const usingAt = line.lastIndexOf(using);
  if (usingAt < "craft ".length) return notExecuted(action);
  const written = line.slice("craft ".length, usingAt);
  const output = parseItemCount(written) ?? { name: itemName(written), count: 1 };
  if (output === "too long") return notExecuted(action);
  const inputs: ItemCount[] = [];
  for (let start = usingAt + using.length; start <= line.length; ) {
    const comma = line.indexOf(",", start);
    const end = comma < 0 ? line.length : comma;
    const ingredient = strip(line.slice(start, end));
    const input = parseItemCount(ingredient);
    if (input === null) return { verb: "refused", observation: `Wrong item format: ${ingredient}` };
    if (input === "too long") return notExecuted(action);
    inputs.push(input);
    start = end + 1;
  }
  return { verb: "craft", output, inputs };
}

/** "4 oak planks", or null for anything that does not begin with a number and a space. */
function parseItemCount(written: string): ItemCount | "too long" | null {
  const end = countEnd(written, 0);
  if (end < 0) return null;
  if (end > maxDigits) return "too long";
  return { name: itemName(written.slice(end + 1)), count: parseAmount(written.slice(0, end)) };
}

/** Where the digits from `start` end, or -1 where there are none or no space follows them. */
function countEnd(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= 0x30 && code <= 0x39; code = text.charCodeAt(end)) end += 1;
  return end > start && text[end] === " " ? end : -1;
}

/** "oak planks" as the recipe table has it: "oak_planks". */
export function itemName(written: string): string {
  // Either is several times slower than the other at what the other is for: names, and a million spaces.
  return written.length < 100 ? written.replaceAll(" ", "_") : written.split(" ").join("_");
}

function notExecuted(action: string): Action {
  return { verb: "refused", observation: `Could not execute ${action}` };
}

function firstLine(action: string): string {
  const end = action.indexOf("\n");
  return end < 0 ? action : action.slice(0, end);
}
