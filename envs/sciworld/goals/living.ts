/** Goals about living things and the stages of life. */
import type { Family } from "../engine/kind-facts.js";
import type { Thing } from "../engine/thing.js";
import { still } from "./focus.js";
import { type Goal, type GoalView, met, type Outcome } from "./goal.js";

type Options = Partial<Omit<Goal, "check" | "description">>;

/** Goal about the thing in focus, whose outcome `check` determines. */
function focusing(description: string, check: (focus: Thing) => Outcome, options: Options = {}): Goal {
  return { description, isAboutThing: true, ...options, check: (focus) => (focus ? check(focus) : "open") };
}

export function focusOnAny(family: Family, description: string): Goal {
  const aim = { type: "focus on any", fits: (thing: Thing) => thing.is(family) } as const;
  return focusing(description, (focus) => (focus.is(family) ? "met" : "failed"), { aim });
}

/** Goal: a movable non-living thing is in focus. A living thing fails the task; an immovable thing has no effect. */
export function focusOnNonliving(description: string): Goal {
  return focusing(
    description,
    (focus) => {
      if (focus.is("living thing")) return "failed";
      return focus.isMovable ? "met" : "open";
    },
    { aim: { type: "focus on any", fits: (thing) => !thing.is("living thing") && thing.isMovable } },
  );
}

const isInStage = ({ life }: Thing, species: string, stage: string) =>
  life?.species === species && life.stage.name === stage;

export function focusOnStage(species: string, stage: string, description: string, options?: Options): Goal {
  const aim = { type: "focus on stage", species, stage } as const;
  return focusing(description, (focus) => (isInStage(focus, species, stage) ? "met" : "failed"), { aim, ...options });
}

/** Goal: the thing in focus reaches a stage of life. */
export function inStage(species: string, stage: string, description: string): Goal {
  const aim = { type: "grown", species, stage } as const;
  return still(description, (focus) => isInStage(focus, species, stage), { aim });
}

/**
 * Goal: living things in a stage of life are in the place of the agent. @param count minimum number @param as word for
 * them in the description
 */
export function nearInStage(
  { species, stage, count, as }: Readonly<Record<"species" | "stage" | "as", string>> & { readonly count: number },
  options: Options = {},
): Goal {
  const check = (_: unknown, { near }: GoalView) =>
    met(near.filter((one) => isInStage(one, species, stage)).length >= count);
  return { description: `have at least ${count} plants as ${as}`, ...options, check };
}
