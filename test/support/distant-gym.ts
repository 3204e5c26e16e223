/** A gym with the environment of fixtures/environments/distant.mjs, in which an action names its reply. */

import type { Settings } from "#palestra/server/config/settings.js";
import type { Times } from "#palestra/server/config/times.js";
import type { ErrorBody } from "#palestra/server/errors.js";
import { type EpisodeReply, fixture, openGym, type Params, type TestGym } from "./gym.js";

export const distantId = "distant@elsewhere";

/** Deadline of a call, shorter than the environment's own deadline of 300 ms. */
export const distantSettings = {
  environments: ["distant", "fleeting", "plain"].map(fixture),
  hosts: { count: 1, stepDeadlineMs: 100 },
};

/** Counts of the environment's instances, from the process that runs them. */
export interface Census {
  pid: number;
  made: number;
  closed: number;
  running: number;
  mostRunning: number;
}

/** A gym, with calls for episodes of that environment. */
export class DistantGym {
  private constructor(readonly gym: TestGym) {}

  static async open(settings: Settings = {}, times?: Times): Promise<DistantGym> {
    return new DistantGym(await openGym({ ...distantSettings, ...settings }, undefined, times));
  }

  create(params: Params = {}): Promise<EpisodeReply> {
    return this.gym.create({ environment: distantId, task: { split: "play", index: 0 }, ...params });
  }

  step(episodeId: string, index: number, action: string) {
    return this.gym.call("step", { episodeId, index, action });
  }

  refusal(episodeId: string, index: number, action: string): Promise<ErrorBody> {
    return this.gym.refusal("step", { episodeId, index, action });
  }

  /** Returns the parameters of an episode whose reset has the given result. */
  async creation(title: string): Promise<Params> {
    const { tasks } = await this.gym.call("listTasks", { environment: distantId, split: "reset" });
    return { environment: distantId, task: { split: "reset", index: tasks.findIndex((task) => task.title === title) } };
  }

  /** Returns the counts, from a new instance that is closed afterwards. */
  async census(): Promise<Census> {
    const { episodeId } = await this.create();
    const { answer } = await this.gym.call("query", { episodeId, query: "census" });
    await this.gym.call("close", { episodeId });
    return answer as unknown as Census;
  }

  async unclosed(): Promise<number> {
    const { made, closed } = await this.census();
    return made - closed;
  }

  /** Closes this gym, and opens another on the same data. */
  async restart(settings?: Settings): Promise<DistantGym> {
    return new DistantGym(await this.gym.restart(settings && { ...distantSettings, ...settings }));
  }
}
