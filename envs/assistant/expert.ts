import type { Assistant } from "./env.js";
import type { Situation } from "./situation.js";
import { pauses } from "./world/day.js";

/**
 * Returns the next action: a look at the habit that the news or the occupation asks for, then the wanted proposals in time,
 * and then `wait`.
 */
export function nextAction({ situation }: Assistant): string | null {
  if (!situation || situation.now >= situation.day.moments.length) return null;
  const table = unseen(situation);
  if (table !== undefined) return `look ${table}`;
  return due(situation)[0] ?? "wait";
}

/** Returns the first table that the agent has not seen and needs at this moment. */
function unseen({ day, now, seen }: Situation): string | undefined {
  const topics = day.items.filter(({ from }) => from === now).map(({ topic }) => topic);
  const needed = day.moments[now]?.occupation === null ? topics : [pauses, ...topics];
  return needed.find((name) => !seen.includes(name));
}

/** Returns the wanted proposals that are in time at this moment and not yet settled. */
function due({ day, now, settled }: Situation): string[] {
  if (day.moments[now]?.isBusy) return [];
  return day.items
    .filter(({ id, from, until }) => from <= now && now <= until && !settled.includes(id))
    .flatMap(({ wanted }) => wanted ?? []);
}
