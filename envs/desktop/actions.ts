/**
 * Parses actions, each of which is one JSON object. The set consists of the actions of Anthropic's computer tool, and
 * `done`.
 */
import { z } from "zod";

/** Size of the screen in pixels. */
export const screen = { width: 1024, height: 768 } as const;

/** Milliseconds between two typed characters. Slow programs lose characters if the typing is faster. */
export const typingMs = 12;
/** Maximum number of characters in one `type` action. */
const mostTyped = 1_000;
/** Maximum duration of one `wait` action in seconds. */
const mostWaiting = 10;
/** Maximum number of wheel notches in one `scroll` action. */
const mostScrolled = 50;

/** Coordinates of a point: integers in pixels from the top left corner. */
const coordinate = z.tuple([pixel(screen.width), pixel(screen.height)]);
const key = z
  .string()
  .max(100)
  .regex(/^\w+(\+\w+)*( \w+(\+\w+)*)*$/, "expected names of keys such as Return or ctrl+s");
const typed = z
  .string()
  .min(1)
  .max(mostTyped)
  .refine((text) => !text.includes("\0"), "expected text without NUL characters");

const clicks = ["left_click", "right_click", "middle_click", "double_click", "triple_click"] as const;

const Action = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("key"), text: key }),
  z.strictObject({ action: z.literal("type"), text: typed }),
  z.strictObject({ action: z.literal("mouse_move"), coordinate }),
  // If the coordinate is missing, the click is at the cursor.
  z.strictObject({ action: z.literal(clicks), coordinate: coordinate.optional() }),
  z.strictObject({ action: z.literal("left_click_drag"), start_coordinate: coordinate.optional(), coordinate }),
  z.strictObject({
    action: z.literal("scroll"),
    coordinate: coordinate.optional(),
    scroll_direction: z.enum(["up", "down", "left", "right"]),
    scroll_amount: z.int().min(1).max(mostScrolled),
  }),
  z.strictObject({ action: z.literal("wait"), duration: z.number().min(0).max(mostWaiting) }),
  z.strictObject({ action: z.literal("screenshot") }),
  z.strictObject({ action: z.literal("cursor_position") }),
  z.strictObject({ action: z.literal("done") }),
]);

export type Action = z.infer<typeof Action>;

export interface WrongAction {
  action: "none";
  /** Error message for the agent, with the expected form of an action. */
  observation: string;
}

const names = Action.options.flatMap(({ shape }) => [...shape.action.values]);

export function parseAction(text: string): Action | WrongAction {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('one JSON object such as {"action": "screenshot"}', text);
  }
  const { success, data, error } = Action.safeParse(value);
  if (success) return data;
  const named = (value as { action?: unknown } | null)?.action;
  if (!names.some((name) => name === named)) return wrong(`an action of ${names.join(", ")}`, text);
  const faults = error.issues.map(({ path, message }) => `${path.join(".") || named}: ${message}`);
  return wrong(`${named} with parameters that fit (${faults.join("; ")})`, text);
}

/** Returns an action as JSON text, in the same form as the tools' templates. */
export function actionText(action: Action): string {
  const written = (value: unknown) => (Array.isArray(value) ? `[${value.join(", ")}]` : JSON.stringify(value));
  return `{${Object.entries(action)
    .map(([name, value]) => `"${name}": ${written(value)}`)
    .join(", ")}}`;
}

function pixel(size: number): z.ZodInt {
  return z
    .int()
    .min(0)
    .max(size - 1);
}

function wrong(expected: string, received: string): WrongAction {
  const shown = received.length > 100 ? `${received.slice(0, 100)}...` : received;
  return { action: "none", observation: `Expected ${expected}, but received ${JSON.stringify(shown)}.` };
}
