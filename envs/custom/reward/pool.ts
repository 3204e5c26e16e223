import { AnswerProcess } from "../../shared/processes/answer-process.js";
import { ProcessPool } from "../../shared/processes/pool.js";
import { type RewardProcesses, type RewardSource, rewardProgram } from "./program.js";
import type { FactsRequest, RewardFacts, RewardRequest, Score, Scored } from "./request.js";

/** Pool of processes that run one reward function. Processes are started on demand, up to a limit. */
export class RewardPool {
  private readonly pool: ProcessPool<RewardRequest>;

  constructor(
    source: RewardSource,
    limits: RewardProcesses,
    private readonly range: readonly [number, number],
  ) {
    // A reward function may have side effects, and a retry would repeat them.
    this.pool = new ProcessPool(rewardProgram(source, limits), { most: limits.processes, retries: 0 });
  }

  /**
   * @param isStep true if an episode waits for the score. Such answers are scored before answers without an episode.
   * @throws {ServiceFailed} the process exited or did not reply in time
   * @throws {Error} the function threw, or its result is not a reward within the range
   * @throws the signal's reason
   */
  async score(request: RewardRequest, signal: AbortSignal, isStep = false): Promise<Score> {
    return this.checked((await this.pool.ask(request, signal, isStep)) as Scored);
  }

  /** Ends all processes. */
  close(): void {
    this.pool.close();
  }

  private checked({ reward, info = {}, why }: Scored): Score {
    const [low, high] = this.range;
    if (typeof reward !== "number")
      throw new Error(`expected a reward from ${low} to ${high}, but received ${shown(reward)}, which is not a number`);
    if (!(reward >= low && reward <= high)) {
      const remedy =
        "If the reward is correct, export a larger `rewardRange` (in Python: `reward_range`) from the reward file";
      throw new Error(`expected a reward from ${low} to ${high}, but received ${reward}. ${remedy}`);
    }
    if (typeof info !== "object" || info === null || Array.isArray(info))
      throw new Error(`expected an object as info, but received ${shown(info)}`);
    if (why !== undefined && typeof why !== "string")
      throw new Error(`expected a sentence as why, but received ${shown(why)}`);
    return { reward, info: info as Score["info"], ...(why !== undefined && { why }) };
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? "undefined";
}

/**
 * Returns the facts that a reward file exports in addition to the reward function, not yet validated. A separate
 * process loads the file and exits afterwards.
 *
 * @throws {Error} the function cannot be loaded; the message states the reason
 */
export async function rewardFacts(source: RewardSource, limits: RewardProcesses): Promise<RewardFacts> {
  const process = new AnswerProcess<FactsRequest>(rewardProgram(source, limits), () => {});
  try {
    return (await process.ask({ facts: true }, new AbortController().signal)) as RewardFacts;
  } finally {
    process.close();
  }
}
