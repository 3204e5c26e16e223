/** Clients that think before each step, on a real fleet: the load that the model simulates. */
import { WebSocket } from "ws";
import { cpuBetween, type FleetGyms, type PartsCpu } from "../fleet-gyms.js";
import { socketUrl } from "../steps.js";
import { Histogram } from "./histogram.js";
import { Random } from "./random.js";

export interface ThinkingPlan {
  episodes: number;
  /** Mean of the exponential distribution of the think times. */
  thinkMs: number;
  seconds: number;
  warmUpS: number;
  /** If true, each step is sent to a random gym, and otherwise to the gym that owns the episode. */
  isForwarding: boolean;
  seed: number;
}

export interface ThinkingLoad {
  steps: number;
  stepsPerSecond: number;
  latencies: Histogram;
  /** Mean of the actual think times, which are longer because timers are late. */
  thinkMs: number;
  cpu: PartsCpu;
  seconds: number;
  commits: number;
  walBytes: number;
}

/** Sockets to each gym, which the episodes share. */
const socketsPerGym = 4;

export async function playThinking(fleet: FleetGyms, plan: ThinkingPlan): Promise<ThinkingLoad> {
  const clients = await Clients.connect(fleet, plan);
  try {
    clients.start();
    await clients.run(plan.warmUpS);
    const [before, writtenBefore] = [fleet.cpu(), await fleet.written()];
    clients.count();
    const seconds = await clients.run(plan.seconds);
    const { latencies, thinkMs } = clients.counted();
    const [cpu, written] = [cpuBetween(before, fleet.cpu()), await fleet.written()];
    return {
      steps: latencies.count,
      stepsPerSecond: latencies.count / seconds,
      latencies,
      thinkMs,
      cpu,
      seconds,
      commits: written.commits - writtenBefore.commits,
      walBytes: written.walBytes - writtenBefore.walBytes,
    };
  } finally {
    await clients.stop();
  }
}

interface Client {
  episodeId: string;
  /** Sockets of which the client uses a random one. */
  sockets: WebSocket[];
  index: number;
  askedAt: number;
  answeredAt: number;
}

class Clients {
  private readonly random: Random;
  private isRunning = true;
  private inFlight = 0;
  private latencies = new Histogram();
  private thinkMs = 0;
  private failure: Error | null = null;

  private constructor(
    private readonly clients: Client[],
    private readonly sockets: readonly WebSocket[],
    private readonly plan: ThinkingPlan,
  ) {
    this.random = new Random(plan.seed);
    for (const socket of sockets) socket.on("message", (data: Buffer) => this.receive(data.toString()));
  }

  static async connect(fleet: FleetGyms, plan: ThinkingPlan): Promise<Clients> {
    const { urls } = fleet;
    const clients: Client[] = [];
    const byGym = await Promise.all(
      urls.map((url) =>
        Promise.all(Array.from({ length: socketsPerGym }, () => connect(socketUrl(url, "/v1/socket")))),
      ),
    );
    for (const gym of urls.keys()) {
      const count = Math.floor((plan.episodes + gym) / urls.length);
      const sockets = plan.isForwarding ? byGym.flat() : (byGym[gym] as WebSocket[]);
      for (const episodeId of await fleet.createOn(gym, count))
        clients.push({ episodeId, sockets, index: 0, askedAt: 0, answeredAt: performance.now() });
    }
    return new Clients(clients, byGym.flat(), plan);
  }

  start(): void {
    for (const i of this.clients.keys()) this.think(i);
  }

  /** Waits while the clients play. Returns the elapsed seconds. */
  async run(seconds: number): Promise<number> {
    const startedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    if (this.failure) throw this.failure;
    return (performance.now() - startedAt) / 1_000;
  }

  count(): void {
    this.latencies = new Histogram();
    this.thinkMs = 0;
  }

  counted(): { latencies: Histogram; thinkMs: number } {
    return { latencies: this.latencies, thinkMs: this.thinkMs / Math.max(1, this.latencies.count) };
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    for (let tries = 0; this.inFlight > 0 && tries < 500; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    for (const socket of this.sockets) socket.terminate();
  }

  private think(i: number): void {
    const thinkMs = this.random.exponential(this.plan.thinkMs);
    // A timer takes at least a millisecond.
    if (thinkMs < 0.5) setImmediate(() => this.ask(i));
    else setTimeout(() => this.ask(i), thinkMs);
  }

  private ask(i: number): void {
    if (!this.isRunning) return;
    const client = this.clients[i] as Client;
    const socket = client.sockets[this.random.below(client.sockets.length)] as WebSocket;
    client.askedAt = performance.now();
    this.thinkMs += client.askedAt - client.answeredAt;
    this.inFlight += 1;
    const params = { episodeId: client.episodeId, index: client.index, action: `get ${client.index % 7} oak log` };
    socket.send(JSON.stringify({ id: i, op: "step", params }));
  }

  private receive(text: string): void {
    const { id, error } = JSON.parse(text) as { id: number; error?: unknown };
    if (error) this.failure ??= new Error(`expected the reply to a step, but received ${text}`);
    const client = this.clients[id] as Client;
    client.answeredAt = performance.now();
    client.index += 1;
    this.inFlight -= 1;
    this.latencies.add(client.answeredAt - client.askedAt);
    this.think(id);
  }
}

function connect(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}
