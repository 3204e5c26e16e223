/** A benchmark run: plays several samples of every task, many at once, and writes each episode as it ends. */

import { join } from "node:path";
import { counted } from "../../server/formats/counted.js";
import { openAbort } from "../abort.js";
import { withFolder } from "../data/folder-lock.js";
import { TrainerError } from "../errors.js";
import type { Tool } from "../gym/gym.js";
import { type GymClient, type GymEpisode, GymError } from "../gym/gym.js";
import { keyedHash } from "../keyed-random.js";
import { type Policy, PolicyError, type Retry } from "../policy/policy.js";
import { playEpisode, type RolloutTask, type RolloutWatcher } from "../rollout/episode-rollout.js";
import { instructionsBySeat, instructionsFor } from "../rollout/instructions.js";
import type { TrajectoryFailure } from "../rollout/trajectory.js";
import { partnerSeats, playersOf } from "./by-seat.js";
import { diagnose } from "./diagnosis.js";
import type { Evaluation, EvaluationPlan, EvaluationReport } from "./evaluation.js";
import { writePlan } from "./plan-file.js";
import type { EpisodeRecord, TurnRecord } from "./record.js";
import { RecordFile } from "./record-file.js";
import { remedyOf } from "./remedies.js";
import { successByRounds, withinRounds } from "./rounds.js";
import { summarise } from "./summary.js";

export type { Evaluation, EvaluationPlan, EvaluationReport } from "./evaluation.js";

export interface EvaluationRun {
  readonly gym: GymClient;
  readonly policy: Policy;
  /** Policy of the seats that the plan leaves to a partner. */
  readonly partner?: Policy | undefined;
  /** Folder of `episodes.jsonl` and `plan.json`. */
  readonly directory: string;
  /** Signal that ends the run early; finished episodes are reported. */
  readonly signal: AbortSignal;
  /** Called with the episodes of the plan that an earlier run has finished, if there are any. */
  onResume?(finished: readonly EpisodeRecord[]): void;
  onEpisode?(record: EpisodeRecord): void;
  /** Called for each reply. */
  onTurn?(): void;
  /** Called when a failed episode will be retried after a wait. */
  onRetry?(retry: Retry): void;
}

/** The error of a run that ended early because its remaining episodes would fail. */
export class EvaluationFailed extends TrainerError {
  /** Evaluation of the episodes that were written so far. */
  evaluation: Evaluation | undefined;

  constructor(
    message: string,
    /** Failure of the episode that ended the run. */
    readonly failure: TrajectoryFailure,
  ) {
    super("EVALUATION_FAILED", message);
  }
}

/**
 * Runs a benchmark. Finished episodes are kept on disk, and the next run in the directory continues from them.
 *
 * @throws {EvaluationFailed} a failure would recur, such as a wrong key, or many episodes fail in a row
 * @throws {TrainerError} MEASUREMENT_CHANGED: the directory contains episodes of a different measurement
 * @throws {TrainerError} FOLDER_IN_USE: another evaluation uses the directory @throws errors of the gym for the
 * environment
 */
export async function evaluate(plan: EvaluationPlan, run: EvaluationRun): Promise<Evaluation> {
  const { id, solvedReward } = await run.gym.environment(plan.environment);
  return withFolder(run.directory, async () => {
    const file = RecordFile.open(join(run.directory, "episodes.jsonl"), measurementOf(plan, run, id));
    try {
      return await new Run(plan, run, { id, solvedReward }, file).play();
    } finally {
      file.close();
    }
  });
}

/**
 * Returns the measurement of a run. Runs that write to the same file may only differ in tasks, samples and concurrency.
 */
function measurementOf(plan: EvaluationPlan, { policy }: EvaluationRun, environment: string) {
  const { split, options = {}, seed, rollout, policySettings } = plan;
  const { maxRounds, format } = rollout;
  return { environment, split, options, policy: policy.name, policySettings, format: format.name, maxRounds, seed };
}

interface Place {
  readonly index: number;
  readonly sample: number;
}

/** Facts about the newest attempt to play an episode. */
interface Seen {
  episode?: GymEpisode;
  turns: TurnRecord[];
  /** Prompt, if this episode is the first one with a prompt. */
  prompt?: string;
  tools?: readonly Tool[];
  seats?: NonNullable<EpisodeRecord["seats"]>;
}

class Run {
  private readonly records = new Map<string, EpisodeRecord>();
  private readonly stopping = openAbort();
  private prompt: string | undefined;
  private failedInARow = 0;

  constructor(
    private readonly plan: EvaluationPlan,
    private readonly run: EvaluationRun,
    private readonly environment: { readonly id: string; readonly solvedReward: number },
    private readonly file: RecordFile,
  ) {}

  async play(): Promise<Evaluation> {
    const { k, tasks, concurrency } = this.plan;
    const places = Array.from({ length: k }, (_, sample) => tasks.map((index) => ({ index, sample }))).flat();
    for (const record of this.file.found) {
      this.records.set(keyOf(placeOf(record)), record);
      this.prompt ??= record.prompt;
    }
    // A failed episode is played again, so an episode may have several lines. The newest line counts.
    const open = places.filter((place) => this.finishedAt(place) === undefined);
    const finished = places.flatMap((place) => this.finishedAt(place) ?? []);
    const records = this.file.found.length;
    writePlan(this.run.directory, { episodes: places.length, k, finished: finished.length, records });
    if (finished.length > 0) this.run.onResume?.(finished);
    const stop = () => this.stopping.abort(this.run.signal.reason);
    if (this.run.signal.aborted) stop();
    this.run.signal.addEventListener("abort", stop);
    try {
      const queue = open.values();
      await Promise.all(Array.from({ length: Math.min(concurrency, open.length) }, () => this.work(queue)));
    } finally {
      this.run.signal.removeEventListener("abort", stop);
    }
    const evaluation = this.evaluation(places);
    const { reason } = this.stopping.signal;
    if (!(reason instanceof EvaluationFailed)) return evaluation;
    const { episodes } = evaluation.report.summary;
    const kept = `${episodes} of ${counted(places.length, "episode")} are kept in ${this.run.directory}`;
    if (episodes > 0) reason.message += ` ${kept}: the same command continues from them.`;
    reason.evaluation = evaluation;
    throw reason;
  }

  private finishedAt(place: Place): EpisodeRecord | undefined {
    const record = this.records.get(keyOf(place));
    return record?.status === "failed" ? undefined : record;
  }

  private async work(queue: Iterator<Place> & Iterable<Place>): Promise<void> {
    for (const place of queue) {
      if (this.stopping.signal.aborted) return;
      let record: EpisodeRecord;
      try {
        record = await this.playOne(place);
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.stopping.abort(error);
        throw error;
      }
      this.file.append(record);
      this.records.set(keyOf(place), record);
      this.run.onEpisode?.(record);
      this.watchFailures(record);
    }
  }

  private async playOne({ index, sample }: Place): Promise<EpisodeRecord> {
    const { environment, split, options, seed, rollout, familyKey, seats } = this.plan;
    const { partner } = this.run;
    const task: RolloutTask = { environment, split, index, seed: seed + sample, options };
    const started = performance.now();
    const seen: Seen = { turns: [] };
    const left = seats && partner ? partnerSeats(seats, index, sample).map((seat) => [seat, partner] as const) : [];
    const trajectory = await playEpisode({
      gym: this.run.gym,
      policy: this.run.policy,
      partners: new Map(left),
      task,
      settings: rollout,
      group: `${split}:${index}`,
      seed: keyedHash(seed, index, sample),
      signal: this.stopping.signal,
      watcher: this.watcher(seen),
    });
    const { episode, turns, prompt, tools } = seen;
    const players = playersOf(trajectory);
    const family = familyKey === undefined ? undefined : episode?.info[familyKey];
    const { played, status, failure, return: score, solved, usage } = trajectory;
    return {
      played: { ...played, split, index },
      sample,
      ...(family !== undefined && { family: String(family) }),
      ...(players && { players }),
      status,
      ...(failure && { failure }),
      score,
      solved,
      ...(usage && { usage }),
      wallMs: Math.round(performance.now() - started),
      ...(prompt !== undefined && { prompt }),
      ...(tools && tools.length > 0 && { tools }),
      ...(seen.seats && { seats: seen.seats }),
      opening: episode?.observation ?? "",
      turns,
    };
  }

  private watcher(seen: Seen): RolloutWatcher {
    return {
      began: (episode) => {
        seen.episode = episode;
        seen.turns = [];
        if (this.prompt === undefined) {
          const { prompt, tools } = instructionsFor(this.plan.rollout, episode);
          this.prompt = prompt;
          seen.prompt = prompt;
          if (tools) seen.tools = tools;
          if (episode.environment.seats) seen.seats = instructionsBySeat(this.plan.rollout, episode);
        }
      },
      turned: ({ reply, seat, action, observation, reward, rewards, info }) => {
        const by = seat === undefined ? {} : { seat };
        const sent = {
          ...by,
          ...(action !== undefined && { action }),
          ...(info.action === "invalid" && { invalid: true }),
        };
        seen.turns.push({ reply: reply.text, ...sent, observation, reward, ...(rewards && { rewards }) });
        this.run.onTurn?.();
      },
      failed: (error, waitMs) => this.hear(error, waitMs),
    };
  }

  private hear(error: GymError | PolicyError, waitMs: number | undefined): void {
    if (error instanceof PolicyError && error.facts.isFatal) {
      const { code, message, facts } = error;
      const { status } = facts;
      this.fail(message, { class: "policy", code, message, ...(status !== undefined && { status }) });
    } else if (waitMs !== undefined) {
      const brief = error instanceof GymError ? error.code : (error.facts.brief ?? error.code);
      this.run.onRetry?.({ brief, waitMs });
    }
  }

  private fail(message: string, failure: TrajectoryFailure): void {
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    this.stopping.abort(new EvaluationFailed(`${sentence} ${remedyOf(failure)}`, failure));
  }

  /** Counts failures and ends the run after too many of them in a row. */
  private watchFailures({ failure }: EpisodeRecord): void {
    this.failedInARow = failure ? this.failedInARow + 1 : 0;
    if (!failure || this.failedInARow < this.plan.concurrency + 8) return;
    const expected = `an episode that is played to its end, but received ${counted(this.failedInARow, "failed episode")} in a row`;
    this.fail(`expected ${expected}. The last failure is ${failure.code}: ${failure.message}`, failure);
  }

  private evaluation(places: readonly Place[]): Evaluation {
    const { plan, run, environment } = this;
    const records = places.flatMap((place) => this.records.get(keyOf(place)) ?? []);
    const sorted = records.sort((a, b) => a.played.index - b.played.index || a.sample - b.sample);
    const { rollout, cap: maxRounds = rollout.maxRounds, caps = [] } = plan;
    const { solvedReward } = environment;
    const within = sorted.map((record) => withinRounds(record, maxRounds, solvedReward));
    const report: EvaluationReport = {
      environment: environment.id,
      split: plan.split,
      policy: run.policy.name,
      k: plan.k,
      seed: plan.seed,
      maxRounds,
      format: rollout.format.name,
      options: plan.options ?? {},
      policySettings: plan.policySettings,
      notes: plan.notes,
      complete: records.length === places.length,
      summary: summarise(within, places.length, plan.prices, solvedReward),
      byRounds: successByRounds(sorted, caps, solvedReward),
      diagnosis: diagnose(within),
    };
    return { report, records: within, prompt: this.prompt };
  }
}

function placeOf({ played, sample }: EpisodeRecord): Place {
  return { index: played.index, sample };
}

function keyOf({ index, sample }: Place): string {
  return `${index}#${sample}`;
}
