/** Episodes of the environment `boxed`, each with a sandbox of its own, at a running gym. */
import type { GymSocket, Refusal } from "./gym-socket.js";

export type Outcome = { observation: string } | { code: string; class: string };

export class BoxedEpisode {
  private index = 0;

  private constructor(
    private readonly socket: GymSocket,
    readonly episodeId: string,
  ) {}

  static async open(socket: GymSocket, split: "play" | "pages"): Promise<BoxedEpisode> {
    const params = { environment: "boxed", task: { split, index: 0 } };
    const { episodeId } = await socket.request<{ episodeId: string }>("create", params);
    return new BoxedEpisode(socket, episodeId);
  }

  /** Returns the pid of the process that all boxed episodes share. */
  async processId(): Promise<number> {
    const { answer } = await this.socket.request<{ answer: number }>("query", {
      episodeId: this.episodeId,
      query: "process",
    });
    return answer;
  }

  /** Returns the step's result, or the class and code of its failure. A failed step can be retried. */
  async step(action: string): Promise<Outcome> {
    const { episodeId, index } = this;
    try {
      const result = await this.socket.request<{ observation: string }>("step", { episodeId, index, action });
      this.index += 1;
      return result;
    } catch (error) {
      const { code, failureClass: kind } = error as Refusal;
      return { code, class: kind };
    }
  }
}

/** @param split `pages` for episodes that also have a browser session */
export function openBoxed(socket: GymSocket, count: number, split: "play" | "pages" = "play"): Promise<BoxedEpisode[]> {
  return Promise.all(Array.from({ length: count }, () => BoxedEpisode.open(socket, split)));
}
