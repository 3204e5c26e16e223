/** The actions of several episodes as a tree: steps that episodes share occur once, and it branches where they differ. */
import type { Member } from "./group.js";

/** A run of steps that the same episodes took. */
export interface Branch {
  readonly id: string;
  /** Name of a root: what the episodes began with. Actions name all other branches. */
  readonly label: string | null;
  /** Number of steps before the branch. */
  readonly from: number;
  readonly actions: readonly string[];
  readonly members: readonly Member[];
  /** Episodes that end with this branch. */
  readonly ended: readonly Member[];
  readonly children: readonly Branch[];
}

/** Returns one tree for each seed and set of options, since their episodes begin differently. */
export function treesOf(members: readonly Member[]): Branch[] {
  const roots = grouped(members, ({ summary: { seed, options } }) => {
    const chosen = Object.entries(options).map(([name, value]) => `${name} ${value}`);
    return [`seed ${seed}`, ...chosen].join(", ");
  });
  return [...roots].map(([label, group]) => branchOf(label, label, 0, group));
}

function branchOf(id: string, label: string | null, from: number, members: readonly Member[]): Branch {
  const actions: string[] = label === null ? [(members[0] as Member).steps[from]?.action as string] : [];
  let at = from + actions.length;
  for (;;) {
    const ended = members.filter(({ steps }) => steps.length <= at);
    const going = members.filter(({ steps }) => steps.length > at);
    const next = grouped(going, ({ steps }) => steps[at]?.action as string);
    const [only] = [...next.keys()];
    if (next.size === 1 && ended.length === 0) {
      actions.push(only as string);
      at += 1;
      continue;
    }
    const children = [...next.values()]
      .sort((a, b) => meanOf(b) - meanOf(a))
      .map((group, i) => branchOf(`${id}/${i}`, null, at, group));
    return { id, label, from, actions, members, ended, children };
  }
}

/** Returns the mean return of episodes. */
export function meanOf(members: readonly Member[]): number {
  return members.reduce((sum, { total }) => sum + total, 0) / Math.max(1, members.length);
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
