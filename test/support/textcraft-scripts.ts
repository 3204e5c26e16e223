/** Long TextCraft episodes with known actions. */
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import textcraft from "#palestra/envs/textcraft/index.js";

export interface Script {
  task: { split: string; index: number };
  actions: string[];
}

const split = "all";
const size = textcraft.splits[split]?.size as number;

/**
 * Returns `length` actions that change the inventory and never craft the goal, so that the episode does not end. A step
 * that is lost, or taken twice, changes later replies.
 */
export function script(number: number, length: number): Script {
  const task = { split, index: number % size };
  const lines = opening(task).split("\n");
  const goal = lines.at(-1)?.replace(/^Goal: craft (.*)\.$/, "$1") as string;
  const safe = lines.filter((line) => line.startsWith("craft ") && !line.includes(` ${goal} using`));
  const inputs = [...new Set(safe.flatMap((line) => (line.split(" using ")[1] as string).split(", ")))];
  const random = new MersenneTwister(number);
  const choose = (from: readonly string[]) => from[random.randbelow(from.length)] as string;
  const actions = Array.from({ length }, () => {
    const kind = random.randbelow(10);
    if (kind < 4 && inputs.length > 0) return `get ${choose(inputs)}`;
    if (kind < 7 && safe.length > 0) return choose(safe);
    return kind < 9 ? "inventory" : `get ${1 + random.randbelow(9)} dirt`;
  });
  return { task, actions };
}

function opening(task: Script["task"]): string {
  const environment = createWrapped(textcraft, { now: Date.now });
  return environment.reset({ task, seed: 0, options: {} }).observation;
}
