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
  return [...alikeOf(members)].map(([label, group]) => branchOf(label, label, 0, group));
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
      .sort((a, b) => (meanOf(b) || 0) - (meanOf(a) || 0))
      .map((group, i) => branchOf(`${id}/${i}`, null, at, group));
    return { id, label, from, actions, members, ended, children };
  }
}

/** Returns the mean return of the episodes that are over, since the others may still get rewards. NaN without any. */
export function meanOf(members: readonly Member[]): number {
  const over = members.filter(isOver);
  return over.reduce((sum, { total }) => sum + total, 0) / over.length;
}

export function isOver({ summary: { state } }: Member): boolean {
  return state?.phase !== "running";
}

/**
 * Returns each member's return minus the mean of the members that are like it and over, in their standard deviations. A
 * member that still runs has none.
 */
export function advantagesOf(members: readonly Member[]): Map<Member, number> {
  const advantages = new Map<Member, number>();
  for (const alike of alikeOf(members.filter(isOver)).values()) {
    const mean = meanOf(alike);
    const deviation = Math.sqrt(alike.reduce((sum, { total }) => sum + (total - mean) ** 2, 0) / alike.length);
    for (const member of alike) advantages.set(member, deviation === 0 ? 0 : (member.total - mean) / deviation);
  }
  return advantages;
}

/** Returns the members with the same seed and options, which alone are compared with each other. */
export function alikeOf(members: readonly Member[]): Map<string, Member[]> {
  return grouped(members, ({ summary: { seed, options } }) => {
    const chosen = Object.entries(options).map(([name, value]) => `${name} ${value}`);
    return [`seed ${seed}`, ...chosen].join(", ");
  });
}

/** Returns the id of the episode that tells most beside another one: of those like it, the one with the most distant return. */
export function counterpartOf(members: readonly Member[], episodeId: string): string | undefined {
  const of = members.find(({ summary }) => summary.episodeId === episodeId);
  if (!of) return undefined;
  const alike = [...alikeOf(members).values()].find((group) => group.includes(of)) ?? [];
  const others = alike.length > 1 ? alike : members;
  const distance = ({ total }: Member) => Math.abs(total - of.total);
  const [most] = others.filter((member) => member !== of).sort((a, b) => distance(b) - distance(a));
  return most?.summary.episodeId;
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
