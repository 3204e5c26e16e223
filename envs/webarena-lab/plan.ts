/** A scripted visitor. Each step identifies an element on the current page by its role and name. */
import { isDeepStrictEqual } from "node:util";
import { parseWebAction, type WebAction } from "../shared/browser/actions/web-action.js";
import type { Place } from "../shared/browser/observation/ax-text.js";
import type { Observation } from "../shared/browser/observation/observe.js";
import { pythonRepr } from "../shared/browser/observation/python-text.js";

/** Description that identifies an element of a page. */
export interface Target {
  /** Role of the element, or several possible roles separated by `|`. */
  role: string;
  /** Complete name of the element, or a regular expression for a part of the name. */
  name: string | RegExp;
  /**
   * Text before the element, or a regular expression for it. The target is the first matching element after this text.
   */
  after?: string | RegExp;
}

export type PlanStep =
  | { kind: "click" | "hover"; target: Target }
  | { kind: "type"; target: Target; text: string; isEntered: boolean }
  /** An action, as text. */
  | { kind: "action"; action: string };

export function click(role: string, name: string | RegExp, after?: string | RegExp): PlanStep {
  return { kind: "click", target: { role, name, ...(after === undefined ? {} : { after }) } };
}

/** Types a text into a field, after the existing text. */
export function type(name: string | RegExp, text: string, after?: string | RegExp): PlanStep {
  return { kind: "type", target: field(name, after), text, isEntered: false };
}

/** Types a text into a field and presses Enter. */
export function enter(name: string | RegExp, text: string, after?: string | RegExp): PlanStep {
  return { kind: "type", target: field(name, after), text, isEntered: true };
}

/** Replaces the text of a field: deletes the existing text, and types the new text. */
export function retype(name: string | RegExp, text: string, after?: string | RegExp): PlanStep[] {
  return [{ kind: "click", target: field(name, after) }, press("Control+a"), press("Delete"), type(name, text, after)];
}

/** Chooses an entry of a select list: clicks the list, types the text of the entry and presses Enter. */
export function choose(name: string | RegExp, entry: string, after?: string | RegExp): PlanStep {
  return {
    kind: "type",
    target: { role: "combobox", name, ...(after === undefined ? {} : { after }) },
    text: entry,
    isEntered: true,
  };
}

export function press(keys: string): PlanStep {
  return { kind: "action", action: `press [${keys}]` };
}

export function goto(url: string): PlanStep {
  return { kind: "action", action: `goto [${url}]` };
}

export function stop(answer = ""): PlanStep {
  return { kind: "action", action: answer === "" ? "stop" : `stop [${answer}]` };
}

function field(name: string | RegExp, after: string | RegExp | undefined): Target {
  return { role: "textbox|searchbox|spinbutton|combobox", name, ...(after === undefined ? {} : { after }) };
}

interface Viewport {
  width: number;
  height: number;
}

const scrollDown = "scroll [down]";
const scrollUp = "scroll [up]";

export class Plan {
  private at = 0;
  /** Text of the page before the last scroll action, and this action. */
  private scrolled: { from: string; direction: string } | undefined;

  constructor(private readonly steps: readonly PlanStep[]) {}

  /**
   * Returns the next action on the current page. Returns null if the plan is complete or the page lacks the element.
   */
  next({ text, places }: Observation, viewport: Viewport): string | null {
    const step = this.steps[this.at];
    if (!step) return null;
    return step.kind === "action" ? step.action : (onPlace(step, places, viewport) ?? this.search(text));
  }

  /**
   * Records an action before it is performed. The plan advances only if the action is the plan's next action on the
   * current page, whether or not anybody has asked for it: a restored episode performs its actions again without asking.
   */
  played(action: WebAction, shown: Observation, viewport: Viewport): void {
    const next = this.next(shown, viewport);
    if (next === null || !isDeepStrictEqual(parseWebAction(next), action)) return;
    const isOwn = this.steps[this.at]?.kind === "action";
    if (action.kind === "scroll" && !isOwn) {
      this.scrolled = { from: shown.text, direction: next };
      return;
    }
    this.scrolled = undefined;
    this.at += 1;
  }

  /** Returns a scroll action to find an element: down to the end of the page, and then up. */
  private search(text: string): string | null {
    if (!this.scrolled) return scrollDown;
    const isEnd = this.scrolled.from === text;
    if (!isEnd) return this.scrolled.direction;
    return this.scrolled.direction === scrollDown ? scrollUp : null;
  }
}

function onPlace(
  step: Exclude<PlanStep, { kind: "action" }>,
  places: ReadonlyMap<string, Place>,
  viewport: Viewport,
): string | undefined {
  const id = find(step.target, places, viewport);
  if (id === undefined) return undefined;
  if (step.kind !== "type") return `${step.kind} [${id}]`;
  return `type [${id}] [${step.text}] [${step.isEntered ? 1 : 0}]`;
}

function find(
  { role, name, after }: Target,
  places: ReadonlyMap<string, Place>,
  viewport: Viewport,
): string | undefined {
  const roles = role.split("|");
  const isNamed = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  let isBehind = after === undefined;
  for (const [id, place] of places) {
    if (isBehind && roles.includes(place.role) && isNamed(place.name) && isInView(place.rect, viewport)) return id;
    // Matches the line of the accessibility tree, which does not depend on the view of the page.
    const line = `${place.role} ${pythonRepr(place.name)}`;
    if (after !== undefined && (typeof after === "string" ? line.includes(after) : after.test(line))) isBehind = true;
  }
  return undefined;
}

function isInView(rect: Place["rect"], viewport: Viewport): boolean {
  if (!rect) return false;
  const [x, y, width, height] = rect;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return middleX >= 0 && middleX < viewport.width && middleY >= 0 && middleY < viewport.height;
}
