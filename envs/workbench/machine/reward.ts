/** Reads the reward that a verifier has written: `reward.json`, or else `reward.txt`. */

/** The reward by the name of what is rewarded; a single number is called `reward`. */
export type Rewards = Readonly<Record<string, number>>;

export type ReadReward = { rewards: Rewards } | { fault: string };

/** Reads Harbor's two files, of which the first wins. A file that is not there is undefined. */
export function readReward(json: string | undefined, text: string | undefined): ReadReward {
  if (json !== undefined) return readJson(json);
  if (text !== undefined) return readText(text);
  return { fault: "expected /logs/verifier/reward.json or reward.txt, but received neither" };
}

function readText(text: string): ReadReward {
  const bare = text.trim();
  const value = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(bare) ? Number(bare) : Number.NaN;
  if (Number.isFinite(value)) return { rewards: { reward: value } };
  return { fault: `expected a finite number in reward.txt, but received ${shown(text)}` };
}

function readJson(json: string): ReadReward {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { fault: `expected JSON in reward.json, but received ${shown(json)}` };
  }
  if (isNumber(value)) return { rewards: { reward: Number(value) } };
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isMap ? Object.entries(value as object) : [];
  if (entries.length > 0 && entries.every(([, each]) => isNumber(each)))
    return { rewards: Object.fromEntries(entries.map(([name, each]) => [name, Number(each)])) };
  return {
    fault: `expected a finite number, or names with finite numbers, in reward.json, but received ${shown(json)}`,
  };
}

/** Harbor counts true and false as 1 and 0. */
function isNumber(value: unknown): boolean {
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}

/** One number out of several: the one called `reward`, or else their mean. */
export function singleReward(rewards: Rewards): number {
  const values = Object.values(rewards);
  return rewards.reward ?? values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Whether the rewards of a step let the task go on, as Harbor's `min_reward` has it. */
export function isEnough(rewards: Rewards, least: number | Readonly<Record<string, number>> | undefined): boolean {
  if (least === undefined) return true;
  const wanted = typeof least === "number" ? { reward: least } : least;
  return Object.entries(wanted).every(([name, value]) => (rewards[name] ?? Number.NEGATIVE_INFINITY) >= value);
}
