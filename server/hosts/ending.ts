/** Writes the verdict on an episode whose last step was taken. The log stores it beside the step. */
import type { AnyEnvironmentSpec, EpisodeEnd, JsonValue, Options, StepResult, Verdict } from "../../envs/env.js";
import { rewardRangeOf } from "../../envs/registry.js";
import { shortened } from "../errors.js";
import { counted } from "../formats/counted.js";
import { type Ending, type EpisodeVerdict, storableText } from "../log/records/episode-state.js";
import { nestsDeeperThan } from "./json-shape.js";

/** `stringify` is captured before an environment can replace it. */
const { stringify } = JSON;

/** Largest number of characters of a sentence, and of the JSON text of what was expected. */
const [longestSentence, longestExpected] = [1_000, 4_000];
const deepestExpected = 32;

/** Counts the rewards and steps of an episode, and knows when it is solved. A copy continues from the same counts. */
export class EpisodeCount {
  steps = 0;
  private sum = 0;
  private readonly solvedReward: number;

  constructor(spec: AnyEnvironmentSpec, options: Options) {
    this.solvedReward = spec.solvedReward ?? rewardRangeOf(spec, options)[1];
  }

  add(reward: number): void {
    this.steps += 1;
    this.sum += reward;
  }

  copy(): EpisodeCount {
    return Object.assign(Object.create(EpisodeCount.prototype) as EpisodeCount, this);
  }

  /** @param action action of the last step @param result result of the last step */
  end(action: string, result: StepResult): EpisodeEnd {
    return { solved: this.sum >= this.solvedReward, return: this.sum, steps: this.steps, action, result };
  }
}

/**
 * Returns the entry of the log. Text that the environment gets wrong is left out, since its step was right.
 *
 * @param verdict result of the environment's `verdict`, or undefined if it has none or has failed
 */
export function endingOf(episode: number, end: EpisodeEnd, verdict: Verdict | undefined): Ending {
  const { solved, return: sum, steps } = end;
  const { goal, why, expected } = readable(verdict);
  const detail: EpisodeVerdict = {
    return: sum,
    steps,
    ...(goal !== undefined && { goal }),
    why: why ?? plainWhy(end),
    ...(expected !== undefined && { expected }),
  };
  return { episode, kind: solved ? "solved" : "unsolved", detail: stringify(detail) };
}

/** Reads the fields once, since reading runs code of the environment. */
function readable(verdict: Verdict | undefined): { goal?: string; why?: string; expected?: JsonValue } {
  try {
    const { goal, why, expected } = verdict ?? ({} as Partial<Verdict>);
    return {
      ...(typeof goal === "string" && { goal: storableText(shortened(goal, longestSentence)) }),
      ...(typeof why === "string" && { why: storableText(shortened(why, longestSentence)) }),
      ...(isShort(expected) && { expected: cleanValue(expected) }),
    };
  } catch {
    return {};
  }
}

function cleanValue(value: JsonValue): JsonValue {
  return JSON.parse(stringify(value), (_, each) => (typeof each === "string" ? storableText(each) : each)) as JsonValue;
}

function isShort(expected: JsonValue | undefined): expected is JsonValue {
  const text = stringify(expected) as string | undefined;
  return text !== undefined && text.length <= longestExpected && !nestsDeeperThan(deepestExpected, text);
}

/** The sentence for an environment that gives none. */
function plainWhy({ solved, return: sum, steps, result }: EpisodeEnd): string {
  const taken = counted(steps, "step");
  if (solved) return `Solved in ${taken}.`;
  const how = result.terminated ? "The episode ended" : "The limit on steps ended the episode";
  return `${how} after ${taken} with a return of ${numberText(sum)}.`;
}

function numberText(value: number): string {
  return `${Number(value.toPrecision(4))}`;
}
