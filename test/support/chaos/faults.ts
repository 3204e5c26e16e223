/** Faults of a fleet and its database, one after the other. */
import { setTimeout as sleep } from "node:timers/promises";
import type { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { keyOf } from "#palestra/server/log/records/episode-id.js";
import { shardOf } from "#palestra/server/log/records/shards.js";
import type { Database } from "./database.js";
import type { Gyms } from "./gyms.js";
import type { Ledger } from "./ledger.js";

export interface FaultCounts {
  kills: number;
  freezes: number;
  freezeMs: number;
  /**
   * Number of times that the network silently cuts a gym off from its database, for longer than it takes to fence the
   * gym.
   */
  longSilences: number;
  /** Number of the same faults for a shorter time. */
  shortSilences: number;
  /** Number of times that the connections of a gym to its database break and cannot be opened for a while. */
  resets: number;
  /** Number of restarts of the database by an administrator, and of restarts after a crash. */
  restarts: number;
  crashes: number;
  /** Number of promotions of a standby. */
  failOvers: number;
}

interface Fault {
  kind: keyof typeof seconds;
  run(): Promise<void>;
}

/** Estimated seconds of each kind of fault. */
const seconds = { kill: 10, freeze: 40, longSilence: 20, shortSilence: 6, reset: 8, restart: 6, crash: 6, failOver: 8 };

const [longMs, shortMs, resetMs] = [15_000, 4_000, 5_000];

export class Faults {
  /** Milliseconds from each fault to the first step of each episode that it concerned. */
  readonly services = new Map<string, number[]>();
  private readonly planned: Fault[] = [];
  private doneSeconds = 0;
  private current: { kind: Fault["kind"]; startedAt: number } | null = null;
  /** Number of remaining kills during a freeze, and number of remaining freezes. */
  private killsInFreezes = 0;
  private freezesLeft = 0;

  constructor(
    private readonly gyms: Gyms,
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly random: MersenneTwister,
    private readonly counts: FaultCounts,
    private readonly onFault: (text: string) => void,
  ) {
    this.plan();
  }

  /** Share of the faults that are over, from 0 to 1. */
  get progress(): number {
    const total = this.planned.reduce((sum, { kind }) => sum + seconds[kind], 0);
    const { current } = this;
    const now = current ? Math.min(seconds[current.kind], (performance.now() - current.startedAt) / 1_000) : 0;
    return Math.min(1, (this.doneSeconds + now) / total);
  }

  async run(): Promise<void> {
    for (const { kind, run } of this.planned) {
      this.current = { kind, startedAt: performance.now() };
      await run();
      this.onFault(`${kind}: ${((performance.now() - this.current.startedAt) / 1_000).toFixed(1)} s`);
      this.current = null;
      this.doneSeconds += seconds[kind];
    }
  }

  private plan(): void {
    const { counts, planned } = this;
    const add = (kind: Fault["kind"], count: number, run: () => Promise<void>) => {
      for (let i = 0; i < count; i++) planned.push({ kind, run });
    };
    const killsInFreezes = Math.min(2 * counts.freezes, Math.floor(counts.kills / 2));
    add("freeze", counts.freezes, () => this.freeze());
    add("kill", counts.kills - killsInFreezes, () => this.kill([...this.all]));
    add("longSilence", counts.longSilences, () => this.silence(longMs));
    add("shortSilence", counts.shortSilences, () => this.silence(shortMs));
    add("reset", counts.resets, () => this.reset());
    add("restart", counts.restarts, () => this.restart("SIGINT"));
    add("crash", counts.crashes, () => this.restart("SIGKILL"));
    add("failOver", counts.failOvers, () => this.failOver());
    this.random.shuffle(planned);
    this.killsInFreezes = killsInFreezes;
    this.freezesLeft = counts.freezes;
  }

  private get all(): number[] {
    return Array.from({ length: this.gyms.count }, (_, gym) => gym);
  }

  private async kill(candidates: readonly number[]): Promise<void> {
    const { gym, ids } = await this.anyWithEpisodes(candidates);
    const pid = this.gyms.pid(gym);
    const since = performance.now();
    await this.gyms.kill(gym);
    await this.measure("kill", ids, since);
    await this.gyms.serves(gym, pid);
  }

  /** Freezes a gym, and kills others in the meantime. */
  private async freeze(): Promise<void> {
    const { gym, ids } = await this.anyWithEpisodes(this.all);
    const kills = Math.ceil(this.killsInFreezes / this.freezesLeft);
    this.freezesLeft -= 1;
    this.killsInFreezes -= kills;
    const pid = this.gyms.pid(gym);
    const since = performance.now();
    this.gyms.signal(gym, "SIGSTOP");
    await this.measure("freeze", ids, since);
    for (let i = 0; i < kills; i++) await this.kill(this.all.filter((other) => other !== gym));
    await sleep(Math.max(0, this.counts.freezeMs - (performance.now() - since)));
    this.gyms.signal(gym, "SIGCONT");
    await this.gyms.serves(gym, pid);
  }

  /** Cuts a gym off from its database, without an error. */
  private async silence(lengthMs: number): Promise<void> {
    const { gym, ids } = await this.anyWithEpisodes(this.all);
    const pid = this.gyms.pid(gym);
    const since = performance.now();
    this.database.relays[gym]?.switchMode("silent");
    const measured = this.measure(lengthMs === longMs ? "long silence" : "short silence", ids, since);
    await sleep(lengthMs);
    this.database.relays[gym]?.switchMode("open");
    await measured;
    if (lengthMs === longMs) await this.gyms.serves(gym, pid);
  }

  /** Breaks the connections of a gym to its database, and refuses new ones for a while. */
  private async reset(): Promise<void> {
    const { gym, ids } = await this.anyWithEpisodes(this.all);
    const since = performance.now();
    this.database.relays[gym]?.switchMode("closed");
    const measured = this.measure("reset", ids, since);
    await sleep(resetMs);
    this.database.relays[gym]?.switchMode("open");
    await measured;
  }

  private async restart(signal: NodeJS.Signals): Promise<void> {
    const since = performance.now();
    await this.database.restart(signal);
    await this.measure("restart of the database", this.ledger.liveEpisodes, since);
  }

  private async failOver(): Promise<void> {
    const since = performance.now();
    await this.database.failOver();
    await this.measure("promotion", this.ledger.liveEpisodes, since);
  }

  /** Chooses a gym that has episodes, if one of the candidates has any, since a gym that has just started has none. */
  private async anyWithEpisodes(candidates: readonly number[]): Promise<{ gym: number; ids: string[] }> {
    const gyms = await Promise.all(candidates.map(async (gym) => ({ gym, ids: await this.episodesOf(gym) })));
    const busy = gyms.filter(({ ids }) => ids.length > 0);
    return this.random.choice(busy.length > 0 ? busy : gyms);
  }

  private async episodesOf(gym: number): Promise<string[]> {
    const shards = await this.gyms.shardsOf(gym);
    return this.ledger.liveEpisodes.filter((id) => shards.has(shardOf(keyOf(id) as number)));
  }

  private async measure(kind: string, ids: readonly string[], since: number): Promise<void> {
    const tookMs = await this.ledger.service(ids, since);
    this.services.set(kind, [...(this.services.get(kind) ?? []), ...tookMs]);
    const worst = Math.max(0, ...tookMs) / 1_000;
    this.onFault(
      `${kind}: ${tookMs.length} of ${ids.length} episodes had a step again, the last after ${worst.toFixed(1)} s`,
    );
  }
}
