/** An episode that is exported: its facts, its first observation, and its steps as they are read from the log. */
import type { z } from "zod";
import { type EpisodeResult, parseResult, readResetResult } from "../../episodes/episode/results.js";
import { specOf } from "../../episodes/episode/tasks.js";
import { wholeReply } from "../replies.js";
import type { Episode } from "../schemas/episode.js";
import { readAnywhere, readStepLines, type Source, type StepLine } from "./source.js";

export type EpisodeFacts = z.input<typeof Episode>;

/** A step with its action and its time. */
export interface ExportedStep extends EpisodeResult {
  readonly action: string;
  /** See `LoggedStep.atMs`. */
  readonly atMs: number | null;
}

/** Number of steps that are read from the log at a time. */
const stepsPerPage = 100;

/** During a rolling update, only another gym may have the version of an environment. @throws {GymError} ENVIRONMENT_UNKNOWN */
async function solvedRewardOf({ gym, ask }: Source, environment: string): Promise<number> {
  if (!gym.registry.has(environment)) {
    const described = JSON.parse(await ask("getEnvironment", { environment })) as { solvedReward: number };
    return described.solvedReward;
  }
  const { solvedReward, rewardRange } = specOf(gym.registry, environment);
  return solvedReward ?? rewardRange[1];
}

export class ExportedEpisode {
  private constructor(
    private readonly source: Source,
    readonly facts: EpisodeFacts,
    /** JSON text of the reset result. */
    readonly opening: string,
    /** Lowest return of a solved episode. */
    readonly solvedReward: number,
  ) {}

  /** Reads an episode of a caller. Steps that are taken after this call are not exported. @throws {GymError} EPISODE_UNKNOWN, LOG_FAILED */
  static async read(source: Source, id: string): Promise<ExportedEpisode> {
    const { gym, caller, owner, ask } = source;
    const { facts, opening } = await readAnywhere(
      async () => {
        const episode = await gym.find(owner, id);
        return {
          facts: await wholeReply(gym, caller, episode),
          opening: await readResetResult(gym.log, episode.row),
        };
      },
      async () => ({
        facts: JSON.parse(await ask("get", { episodeId: id })) as EpisodeFacts,
        opening: await ask("opening", { episodeId: id }),
      }),
    );
    return new ExportedEpisode(source, facts, opening, await solvedRewardOf(source, facts.environment));
  }

  /** Reads the steps as they are in the log. */
  async *logged(): AsyncGenerator<StepLine> {
    const { episodeId, index: end } = this.facts;
    for (let from = 0; from < end; ) {
      const limit = Math.min(stepsPerPage, end - from);
      const rows = await readStepLines(this.source, episodeId, from, limit);
      if (rows.length === 0) return;
      yield* rows;
      from += rows.length;
    }
  }

  async *steps(): AsyncGenerator<ExportedStep> {
    for await (const { action, atMs, reply } of this.logged()) yield { action, atMs, ...parseResult(reply) };
  }

  /** Whether the episode has ended by itself, so that its return is final. */
  get isEnded(): boolean {
    return this.facts.terminated || this.facts.truncated;
  }
}
