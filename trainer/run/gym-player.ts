/** A player that plays the tasks of a curriculum in a gym. */

import { actionFormat } from "../../server/formats/actions/action-formats.js";
import type { GymClient } from "../gym/gym.js";
import type { RunTaskSets } from "../gym/task-set.js";
import type { Policy } from "../policy/policy.js";
import { defaultBackOff, type RolloutSettings } from "../rollout/episode-rollout.js";
import { playGroup } from "../rollout/group-rollout.js";
import type { PromptExamples } from "../rollout/instructions.js";
import type { Group } from "../rollout/trajectory.js";
import { type Observed, type RunCurriculum, runCurriculum } from "./curriculum.js";
import { type GroupTask, GroupTasks, type GroupTasksState } from "./group-tasks.js";
import { evaluateHeldOut, type HeldOutScore } from "./held-out.js";
import type { Partners } from "./partners.js";
import type { Player, PlayerParts } from "./player.js";

interface GymPlayerState {
  readonly tasks: GroupTasksState;
  readonly observed: Observed;
  /** State of the partners. Checkpoints of earlier versions lack it. */
  readonly partners?: unknown;
}

/** The gym of a run, and what the run plays in it. */
export interface GymOfRun {
  readonly gym: GymClient;
  readonly taskSets: RunTaskSets;
  readonly partners: Partners;
  readonly examples?: PromptExamples | undefined;
}

export class GymPlayer implements Player<GroupTask> {
  private readonly curriculum: RunCurriculum;
  private readonly tasks: GroupTasks;
  private readonly policy: Policy;

  constructor(
    private readonly ofRun: GymOfRun,
    private readonly parts: PlayerParts,
  ) {
    const { settings, trainStep, saved, generation } = parts;
    const { tasks, observed } = saved as Partial<GymPlayerState>;
    this.curriculum = runCurriculum(settings, ofRun.taskSets.train, trainStep, {
      ...observed,
      tasks: tasks?.curriculum,
    });
    this.tasks = new GroupTasks(this.curriculum.tasks, settings.seed, tasks);
    this.policy = generation.policy(settings.temperature);
  }

  get state(): Readonly<Record<string, unknown>> {
    const partners = this.ofRun.partners.state;
    const state: GymPlayerState = { tasks: this.tasks.state, observed: this.curriculum.state() };
    return { ...state, ...(partners !== undefined && { partners }) };
  }

  open(): Promise<void> {
    const { saved, trainStep } = this.parts;
    return this.ofRun.partners.start(trainStep(), (saved as Partial<GymPlayerState>).partners);
  }

  next(): GroupTask {
    return this.tasks.next();
  }

  giveBack(task: GroupTask): void {
    this.tasks.giveBack(task);
  }

  async play({ number, task, seed }: GroupTask, signal: AbortSignal): Promise<Group> {
    const { policy, parts, curriculum } = this;
    const { gym, partners } = this.ofRun;
    const settings = this.rolloutSettings(this.rounds());
    const seats = curriculum.seatsOf(task);
    const worthwhile = (own: readonly string[]) => curriculum.worthwhile(task, own);
    const seating = await partners.seat({ number, seed, seats, signal, worthwhile });
    const played = { gym, policy, partners: seating.partners, task, settings };
    try {
      return await playGroup({ ...played, id: String(number), size: parts.groupSize, seed, signal });
    } finally {
      seating.release?.();
    }
  }

  finish(group: Group): void {
    const task = this.tasks.finish(Number(group.id));
    if (task) this.curriculum.observe(task, group);
  }

  learnt(trainStep: number): Promise<void> {
    return this.ofRun.partners.learnt(trainStep);
  }

  saved(): Promise<void> {
    return this.ofRun.partners.saved();
  }

  rounds(): number {
    return this.curriculum.rounds.roundsAt(this.parts.trainStep());
  }

  evaluate(signal: AbortSignal): Promise<readonly HeldOutScore[]> {
    const { settings, generation } = this.parts;
    const { gym, taskSets, partners } = this.ofRun;
    return evaluateHeldOut(taskSets.heldOut, {
      gym,
      seat: (request) => partners.seatHeldOut(request),
      policy: generation.policy(settings.eval_temperature),
      settings: this.rolloutSettings(settings.max_rounds),
      episodes: settings.eval_episodes,
      seed: settings.seed,
      concurrency: 32,
      signal,
    });
  }

  async close(): Promise<void> {
    await this.policy.close();
    await this.ofRun.partners.close();
  }

  private rolloutSettings(maxRounds: number): RolloutSettings {
    const { action_format, rollout_retries: retries, seat_rewards: seatRewards } = this.parts.settings;
    const { examples } = this.ofRun;
    return { maxRounds, format: actionFormat(action_format), examples, retries, backOff: defaultBackOff, seatRewards };
  }
}
