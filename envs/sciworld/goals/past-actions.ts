/** Goals about the commands that the agent has performed since the first check. */

import type { Objects } from "../actions/action.js";
import { nameOf } from "../engine/naming.js";
import { type Goal, type GoalView, met } from "./goal.js";
import { isCalled } from "./surroundings.js";

type Options = Pick<Goal, "key" | "after">;

function done(action: string, description: string, fits: (objects: Objects) => boolean, options: Options = {}): Goal {
  let since: number | undefined;
  const check = (_: unknown, { history }: GoalView) => {
    since ??= history.length;
    return met(
      history.some(({ action: { name }, objects }, at) => at >= (since ?? 0) && name === action && fits(objects)),
    );
  };
  return { description, ...options, check };
}

export function hasRead(document: string, description: string): Goal {
  return done("read", description, ([thing]) => thing !== undefined && isCalled(thing, document));
}

export function hasExamined(name: string, description: string, options?: Options): Goal {
  return done("look at", description, ([thing]) => thing !== undefined && isCalled(thing, name), options);
}

/** Goal: the tool was used on some thing, or some tool was used on the patient. */
export function hasUsed(tool: string, patient: string, description: string, options?: Options): Goal {
  const fits = ([one, other]: Objects) =>
    one?.name.toLowerCase() === tool.toLowerCase() ||
    (other !== undefined && nameOf(other).toLowerCase() === patient.toLowerCase());
  return done("use object", description, fits, options);
}
