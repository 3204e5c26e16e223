/** Goals about the surroundings of the agent, which do not depend on the focus. */
import { nameOf } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";
import { type Goal, type GoalView, met } from "./goal.js";

type Options = Pick<Goal, "key" | "after">;

/** Goal: a thing in the place of the agent, at any depth of containers, satisfies a condition. */
export function around(description: string, fits: (thing: Thing) => boolean | undefined, options: Options = {}): Goal {
  const check = (_: unknown, { near }: GoalView) => met(near.some(fits));
  return { description, ignoresFocus: true, ...options, check };
}

/** Whether a name is the thing's name, or its current name, which fire or age may have changed. */
export function isCalled(thing: Thing, name: string): boolean {
  return isSameWord(thing.name, name) || isSameWord(nameOf(thing), name);
}

/** Whether two words are equal, ignoring case. */
function isSameWord(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}

const isOneOf = (thing: Thing, names: readonly string[]) => names.includes(thing.name) || names.includes(nameOf(thing));

/**
 * Goal: a thing with this name is near the agent. @param as word for the thing in the description; default: its name
 */
export function nearTo(name: string, { as = name, ...options }: Options & { as?: string } = {}): Goal {
  const isNear = (thing: Thing) => isSameWord(thing.name, name) || nameOf(thing).toLowerCase() === name;
  return around(`be in same location as ${as}`, isNear, options);
}

/** Goal: a container near the agent contains exactly these things. */
export function together(names: readonly string[], description: string, options?: Options): Goal {
  const holds = (thing: Thing) => {
    const contents = thing.visibleContents();
    return contents.length === names.length && contents.every((one) => isOneOf(one, names));
  };
  return around(description, holds, options);
}

export function containing(container: string, names: readonly string[], description: string, options?: Options): Goal {
  const holds = (thing: Thing) =>
    thing.visibleContents().some((one) => isOneOf(one, names)) && isCalled(thing, container);
  return around(description, holds, options);
}

export function activated(device: string, description: string, options?: Options): Goal {
  return around(description, (thing) => thing.device?.isActive && isCalled(thing, device), options);
}

export function deactivated(device: string, description: string, options?: Options): Goal {
  return around(description, (thing) => thing.device && !thing.device.isActive && isCalled(thing, device), options);
}

export function opened(container: string, description: string, options?: Options): Goal {
  return around(description, (thing) => thing.isOpen && isCalled(thing, container), options);
}

export function onFire(name: string, description: string, options?: Options): Goal {
  return around(description, (thing) => thing.isBurning && isCalled(thing, name), options);
}

export function besideOpenDoor(description: string): Goal {
  return { description, check: (_, { agent }) => met(agent.container?.passages.some((one) => one.passage?.isOpen)) };
}

/** Goal: the agent stays in a place. @param checks number of consecutive checks; a tick makes several checks */
export function staying(location: string, checks: number, description: string): Goal {
  let passed = 0;
  const check = (_: unknown, { agent: { container } }: GoalView) => {
    if (!container) return "open";
    passed = container.name === location ? passed + 1 : 0;
    return met(passed >= checks);
  };
  return { description, check };
}

export function at(location: string, description: string, options: Options = {}): Goal {
  return { description, ...options, check: (_, { agent }) => met(agent.container?.name === location) };
}

/** Goal: the agent has left the place where it started. @param unless place that also meets the goal */
export function elsewhere(description: string, unless?: string): Goal {
  let first: string | undefined;
  const check = (_: unknown, { agent: { container } }: GoalView) => {
    if (!container) return "open";
    // The starting place is not set in this case. After `reset task`, the first other place of the agent becomes the
    // starting place.
    if (container.name === unless) return "met";
    first ??= container.name;
    return met(container.name !== first);
  };
  return { description, check };
}
