/**
 * The requests of an ordinary day of a shared gym, in rounds. A round opens episodes, plays them over every protocol,
 * makes mistakes, loses connections and hosts, and closes everything that it opened. After a round, the gym should be
 * as it was before.
 */
import { request } from "undici";
import { agentgymLoops } from "../bench/agentgym-loops.js";
import { GymSocket } from "./gym-socket.js";

export interface RoundSize {
  /** Number of episodes that are played in batches. */
  episodes: number;
  /** Number of steps of each of these episodes. */
  steps: number;
}

interface Opened {
  episodeId: string;
  action: string;
}

const games = [
  { environment: "textcraft", task: { split: "all", index: 0 }, action: "inventory" },
  { environment: "babyai", task: { index: 3 }, action: "check available actions" },
  { environment: "sciworld", task: { index: 5 }, action: "look around" },
  { environment: "faulty", task: { split: "play", index: 1 }, action: "fine" },
] as const;
const shortestLeaseMs = 1_000;

export class DailyLoad {
  /** Number of steps that the gym has answered. */
  steps = 0;
  private left: { episodeId: string; leftAt: number }[] = [];

  private constructor(
    private readonly url: string,
    private readonly socket: GymSocket,
    private readonly size: RoundSize,
  ) {}

  /** @param url address of a gym with the added environment `faulty` */
  static async begin(url: string, size: RoundSize): Promise<DailyLoad> {
    return new DailyLoad(url, await GymSocket.connect(url), size);
  }

  async round(): Promise<void> {
    await this.playBatches();
    await this.playOverHttp();
    await this.playAgentGym();
    await this.forkAndRead();
    await this.leaveAndReturn();
    await this.loseConnections();
    await this.breakEpisodes();
    await this.makeMistakes();
  }

  end(): void {
    this.socket.terminate();
  }

  private async playBatches(): Promise<void> {
    const opened = await Promise.all(Array.from({ length: this.size.episodes }, (_, i) => this.open(i)));
    for (let index = 0; index < this.size.steps; index++) {
      const steps = opened.map(({ episodeId, action }) => ({ episodeId, index, action }));
      const { results } = await this.socket.request<{ results: { index?: number }[] }>("stepMany", { steps });
      const wrong = results.find((result) => result.index !== index);
      if (wrong) throw new Error(`expected step ${index}, but received ${JSON.stringify(wrong)}`);
      this.steps += results.length;
    }
    await Promise.all(opened.map(({ episodeId }) => this.close(episodeId)));
  }

  private async playOverHttp(): Promise<void> {
    const { environment, task } = games[0];
    const key = `key ${this.steps}`;
    const { episodeId } = await this.post("/v1/episodes", { environment, task }, key);
    const again = await this.post("/v1/episodes", { environment, task }, key);
    if (again.episodeId !== episodeId) throw new Error(`expected ${episodeId}, but received ${again.episodeId}`);
    for (let index = 0; index < 5; index++) {
      await this.post(`/v1/episodes/${episodeId}/step`, { index, action: "look" });
      this.steps += 1;
    }
    await this.get(`/v1/episodes/${episodeId}/opening`);
    await this.close(episodeId);
    for (const path of ["/v1/environments", "/openapi.json", "/metrics", "/readyz"]) await this.get(path);
  }

  private async playAgentGym(): Promise<void> {
    const base = `${this.url}/agentgym/textcraft`;
    const [loop] = await agentgymLoops(base, { connections: 1, dataIndex: 0, actions: ["inventory"] });
    if (!loop) return;
    for (let step = 0; step < 5; step++) {
      loop.received(JSON.stringify(await this.post(loop.path(), JSON.parse(loop.next()))));
      this.steps += 1;
    }
    const { id } = JSON.parse(loop.next()) as { id: number };
    await this.post("/agentgym/textcraft/close", { id });
  }

  private async forkAndRead(): Promise<void> {
    const { episodeId, action } = await this.open(0);
    for (let index = 0; index < 3; index++) await this.step(episodeId, index, action);
    const fork = await this.socket.request<{ episodeId: string }>("fork", { episodeId, index: 2 });
    await this.step(fork.episodeId, 2, action);
    await this.get(`/v1/episodes/${fork.episodeId}/transcript`);
    await this.close(fork.episodeId);
    await this.close(episodeId);
  }

  /** Abandons an episode, and continues the episodes whose lease has expired since. The gym restores these. */
  private async leaveAndReturn(): Promise<void> {
    const { episodeId, action } = await this.open(0, shortestLeaseMs);
    await this.step(episodeId, 0, action);
    const lapsed = this.left.filter(({ leftAt }) => performance.now() - leftAt > 2 * shortestLeaseMs);
    this.left = [...this.left.filter((each) => !lapsed.includes(each)), { episodeId, leftAt: performance.now() }];
    for (const { episodeId } of lapsed) {
      await this.step(episodeId, 1, action);
      await this.close(episodeId);
    }
  }

  /** Drops sockets in the middle of a step, and HTTP connections in the middle of a request. */
  private async loseConnections(): Promise<void> {
    const { episodeId, action } = await this.open(0);
    const lost = await GymSocket.connect(this.url);
    const answer = lost.requestText("step", { episodeId, index: 0, action }).catch(() => {});
    lost.terminate();
    await answer;
    const gone = new AbortController();
    const aborted = request(`${this.url}/v1/environments`, { signal: gone.signal }).catch(() => {});
    gone.abort();
    await aborted;
    await this.close(episodeId);
  }

  /** Lets environments throw, and crashes a host. */
  private async breakEpisodes(): Promise<void> {
    for (const action of ["throw", "exit"]) {
      const { episodeId } = await this.open(3);
      await this.refused("step", { episodeId, index: 0, action });
      await this.close(episodeId);
    }
  }

  private async makeMistakes(): Promise<void> {
    await this.refused("step", { episodeId: "ep-unknown", index: 0, action: "look" });
    await this.refused("create", { environment: "unknown", task: { index: 0 } });
    await this.refused("no such operation", {});
    await this.refused("query", { episodeId: "ep-unknown", query: "inventory" });
    await request(`${this.url}/v1/episodes`, { method: "POST", body: "{" }).then(({ body }) => body.dump());
  }

  private open(game: number, leaseMs?: number): Promise<Opened> {
    const { action, ...rest } = games[game % games.length] as (typeof games)[number];
    const params = { ...rest, maxSteps: 1_000_000, leaseMs };
    return this.socket.request<Opened>("create", params).then(({ episodeId }) => ({ episodeId, action }));
  }

  private async step(episodeId: string, index: number, action: string): Promise<void> {
    await this.socket.request("step", { episodeId, index, action });
    this.steps += 1;
  }

  private async close(episodeId: string): Promise<void> {
    await this.socket.request("close", { episodeId });
  }

  private async refused(op: string, params: object): Promise<void> {
    const isRefused = await this.socket.request(op, params).then(
      () => false,
      () => true,
    );
    if (!isRefused) throw new Error(`expected ${op} with ${JSON.stringify(params)} to be refused`);
  }

  private async post(path: string, body: object, key?: string): Promise<{ episodeId: string }> {
    const headers = { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) };
    const response = await request(this.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`expected status 200 of ${path}, but received ${text}`);
    return JSON.parse(text) as { episodeId: string };
  }

  private async get(path: string): Promise<void> {
    const { statusCode, body } = await request(this.url + path);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`expected status 200 of ${path}, but received ${text}`);
  }
}
