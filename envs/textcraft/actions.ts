/**
 * Parses actions as Python's `re.match` does with the three patterns of AgentGym's TextCraft. At most one pattern
 * matches:
 *
 *     craft (.*) using (.*)      get ([0-9]+) (.*)      inventory
 *
 * `re.match` matches a prefix of the text, and `.` does not match a line feed. The parser therefore reads only the
 * first line, and splits it at the last " using ". Upper and lower case, and spaces, are significant.
 */
import { type Amount, parseAmount } from "./inventory.js";
import { strip } from "./python-text.js";

export interface ItemCount {
  /** Name as written, with underscores for spaces. It need not be the name of an item or a tag. */
  name: string;
  count: Amount;
}

export type Action =
  | { verb: "craft"; output: ItemCount; inputs: ItemCount[] }
  | { verb: "get"; count: Amount; written: string }
  | { verb: "inventory" }
  | { verb: "refused"; observation: string };

/** Maximum number of digits that Python's `int` accepts. */
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

/** Parses a text such as "4 oak planks". Returns null if the text does not start with a number and a space. */
function parseItemCount(written: string): ItemCount | "too long" | null {
  const end = countEnd(written, 0);
  if (end < 0) return null;
  if (end > maxDigits) return "too long";
  return { name: itemName(written.slice(end + 1)), count: parseAmount(written.slice(0, end)) };
}

/**
 * Returns the index after the digits that start at `start`, or -1 if the text has no digit at `start` or no space after
 * the digits.
 */
function countEnd(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= 0x30 && code <= 0x39; code = text.charCodeAt(end)) end += 1;
  return end > start && text[end] === " " ? end : -1;
}

/** Converts a written name to the name in the recipe table: "oak_planks" for "oak planks". */
export function itemName(written: string): string {
  // `replaceAll` is faster for names. `split` and `join` are faster for a text of a million spaces.
  return written.length < 100 ? written.replaceAll(" ", "_") : written.split(" ").join("_");
}

function notExecuted(action: string): Action {
  return { verb: "refused", observation: `Could not execute ${action}` };
}

function firstLine(action: string): string {
  const end = action.indexOf("\n");
  return end < 0 ? action : action.slice(0, end);
}
