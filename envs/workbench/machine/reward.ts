/** Reads the reward that a verifier wrote: from `reward.json` or, if it is missing, from `reward.txt`. */

/** Rewards by name. A reward that is a single number has the name `reward`. */
export type Rewards = Readonly<Record<string, number>>;

export type ReadReward = { rewards: Rewards } | { fault: string };

/**
 * Parses the texts of `reward.json` and `reward.txt`, of which `reward.json` takes precedence. The text of a missing
 * file is undefined.
 */
export function readReward(json: string | undefined, text: string | undefined): ReadReward {
  if (json !== undefined) return readJson(json);
  if (text !== undefined) return readText(text);
  return { fault: "the verifier wrote neither /logs/verifier/reward.json nor /logs/verifier/reward.txt" };
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

/** Whether a value is a finite number or, as in Harbor, a boolean, which counts as 1 or 0. */
function isNumber(value: unknown): boolean {
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}

/** Returns one number: the reward named `reward` or, if it is missing, the mean of all rewards. */
export function singleReward(rewards: Rewards): number {
  const values = Object.values(rewards);
  return rewards.reward ?? values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Whether the rewards of a step reach Harbor's `min_reward`, so that the task continues. */
export function isEnough(rewards: Rewards, least: number | Readonly<Record<string, number>> | undefined): boolean {
  if (least === undefined) return true;
  const wanted = typeof least === "number" ? { reward: least } : least;
  return Object.entries(wanted).every(([name, value]) => (rewards[name] ?? Number.NEGATIVE_INFINITY) >= value);
}

/** Computes the rewards of a task's stages. Their sum is the reward of the task by Harbor's rules. */
export class Tally {
  private readonly graded: number[] = [];
  private given = 0;

  constructor(
    private readonly stages: number,
    private readonly strategy: "mean" | "final",
  ) {}

  /**
   * Returns the reward of a stage, from 0 to 1.
   *
   * Rewards of the verifier outside this range are clipped. With the strategy `mean`, each stage immediately returns
   * its share of the mean. If the task ends early, Harbor uses the mean of the graded stages, and the last stage also
   * returns the difference.
   */
  add(reward: number, isOver: boolean): number {
    this.graded.push(Math.min(1, Math.max(0, reward)));
    const sum = this.graded.reduce((total, each) => total + each, 0);
    const shared = this.strategy === "mean" ? sum / this.stages : 0;
    const last = this.strategy === "mean" ? sum / this.graded.length : (this.graded.at(-1) as number);
    const share = (isOver ? last : shared) - this.given;
    this.given += share;
    return Math.min(1, Math.max(0, share));
  }
}
