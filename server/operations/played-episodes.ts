/** The episodes of a caller that are judged, on whichever gym of a fleet has them. */
import { createHash } from "node:crypto";
import type * as judged from "../judging/pairs.js";
import { readAnywhere } from "./exports/source.js";
import type { Call, Operation } from "./operation.js";

/** Operations of `/v1` that read an episode of another gym. */
export interface ReadingOperations {
  get: Operation;
  transcript: Operation;
}

interface EpisodeReply {
  episodeId: string;
  environment: string;
  task: { split: string; index: number };
  seed: number;
  options: object;
  phase: string;
  index: number;
}

interface Page {
  steps: { action: string }[];
  next: number | null;
}

const pageSize = 100;

export class PlayedEpisodes implements judged.PlayedEpisodes {
  constructor(
    private readonly call: Call,
    private readonly operations: ReadingOperations,
  ) {}

  list(before: string | undefined, most: number): Promise<readonly judged.PlayedTask[]> {
    const { gym, caller } = this.call;
    return gym.reader.list(caller.owner, before, most);
  }

  task(id: string): Promise<judged.PlayedTask> {
    const { gym, caller } = this.call;
    return readAnywhere<judged.PlayedTask>(
      async () => (await gym.find(caller.owner, id)).row,
      async () => {
        const { episodeId, environment, task, seed, options } = await this.reply(id);
        const { split, index: taskIndex } = task;
        return { id: episodeId, environment, split, taskIndex, seed, options: JSON.stringify(options) };
      },
    );
  }

  async actions(id: string): Promise<string | null> {
    const { gym, caller } = this.call;
    const { phase, steps } = await readAnywhere<{ phase: string; steps: number }>(
      () => gym.find(caller.owner, id),
      async () => {
        const { phase, index } = await this.reply(id);
        return { phase, steps: index };
      },
    );
    if ((phase !== "ended" && phase !== "closed") || steps === 0) return null;
    const hash = createHash("sha256");
    for (let from: number | null = 0; from !== null; ) {
      const page: Page = await this.page(id, from);
      for (const { action } of page.steps) hash.update(JSON.stringify(action));
      from = page.next;
    }
    return hash.digest("hex");
  }

  private page(episodeId: string, from: number): Promise<Page> {
    const { gym, caller, router } = this.call;
    const params = { episodeId, from, limit: pageSize };
    return readAnywhere<Page>(
      async () => {
        const { rows, next } = await gym.reader.readSteps(caller.owner, episodeId, from, pageSize);
        return { steps: rows, next };
      },
      async () => JSON.parse(await router.run("transcript", this.operations.transcript, this.call, params)) as Page,
    );
  }

  private async reply(episodeId: string): Promise<EpisodeReply> {
    const { router } = this.call;
    return JSON.parse(await router.run("get", this.operations.get, this.call, { episodeId })) as EpisodeReply;
  }
}
