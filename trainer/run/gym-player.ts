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
import type { Player, PlayerParts } from "./player.js";

interface GymPlayerState {
  readonly tasks: GroupTasksState;
  readonly observed: Observed;
}

export class GymPlayer implements Player<GroupTask> {
  private readonly curriculum: RunCurriculum;
  private readonly tasks: GroupTasks;
  private readonly policy: Policy;

  constructor(
    private readonly gym: GymClient,
    private readonly taskSets: RunTaskSets,
    private readonly parts: PlayerParts,
    private readonly examples?: PromptExamples,
  ) {
    const { settings, trainStep, saved, generation } = parts;
    const { tasks, observed } = saved as Partial<GymPlayerState>;
    this.curriculum = runCurriculum(settings, taskSets.train, trainStep, { ...observed, tasks: tasks?.curriculum });
    this.tasks = new GroupTasks(this.curriculum.tasks, settings.seed, tasks);
    this.policy = generation.policy(settings.temperature);
  }

  get state(): Readonly<Record<string, unknown>> {
    const state: GymPlayerState = { tasks: this.tasks.state, observed: this.curriculum.state() };
    return { ...state };
  }

  async open(): Promise<void> {}

  next(): GroupTask {
    return this.tasks.next();
  }

  giveBack(task: GroupTask): void {
    this.tasks.giveBack(task);
  }

  play({ number, task, seed }: GroupTask, signal: AbortSignal): Promise<Group> {
    const { gym, policy, parts } = this;
    const settings = this.rolloutSettings(this.rounds());
    return playGroup({ gym, policy, task, settings, id: String(number), size: parts.groupSize, seed, signal });
  }

  finish({ id, trajectories }: Group): void {
    const task = this.tasks.finish(Number(id));
    if (task) this.curriculum.observe(task, trajectories);
  }

  rounds(): number {
    return this.curriculum.rounds.roundsAt(this.parts.trainStep());
  }

  evaluate(signal: AbortSignal): Promise<readonly HeldOutScore[]> {
    const { settings, generation } = this.parts;
    return evaluateHeldOut(this.taskSets.heldOut, {
      gym: this.gym,
      policy: generation.policy(settings.eval_temperature),
      settings: this.rolloutSettings(settings.max_rounds),
      episodes: settings.eval_episodes,
      seed: settings.seed,
      concurrency: 32,
      signal,
    });
  }

  close(): Promise<void> {
    return this.policy.close();
  }

  private rolloutSettings(maxRounds: number): RolloutSettings {
    const { action_format, rollout_retries: retries } = this.parts.settings;
    const { examples } = this;
    return { maxRounds, format: actionFormat(action_format), examples, retries, backOff: defaultBackOff };
  }
}
