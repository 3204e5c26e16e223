/**
 * Gives shards of this gym to other gyms of its fleet. The gym refuses new steps of a shard's episodes, answers the steps
 * in flight, drops the episodes from memory and then gives the shard away. The next gym restores the episodes by replay.
 * Callers wait meanwhile, since their requests are repeated until a gym has the episode.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Episode } from "../episodes/episode/episode.js";
import type { EpisodeTable } from "../episodes/episode/episode-table.js";
import type { Log } from "../log/log.js";
import type { ShardMove } from "../log/records/protocol.js";
import { shardOf } from "../log/records/shards.js";
import type { FleetOwnership } from "./fleet-ownership.js";
import { planMoves, type ShardUse } from "./shard-plan.js";

/** Milliseconds for which a shard's steps in flight are awaited. After them, the gym keeps the shard for now. */
const giveUpMs = 300;
const pauseMs = 5;

/** Milliseconds for which a shard that could not be given is kept. */
const keptMs = 1_000;

interface ShardMovesParts {
  log: Log;
  ownership: FleetOwnership;
  table: EpisodeTable;
  /** Returns the keys of episodes that are being created or loaded. */
  keysInTransit(): Iterable<number>;
  /** Called after shards were given away. */
  onGiven(shards: number): void;
  /** Called for each episode that leaves this gym. */
  onLeft(episode: Episode): void;
}

export class ShardMoves {
  private running: Promise<void> | null = null;
  /** Times until which shards are kept, since their steps in flight took long. */
  private readonly kept = new Map<number, number>();
  constructor(private readonly parts: ShardMovesParts) {}

  /** Gives away the shards that the fleet wants this gym to give. Called when the fleet may have changed. */
  onFleet(): void {
    // A failing log is reported to every caller of a step. The next change of the fleet tries again.
    this.running ??= this.run()
      .catch(() => {})
      .finally(() => (this.running = null));
  }

  private async run(): Promise<void> {
    for (;;) {
      // Uses only keep shards from moving, and most of the time there is nothing to move.
      if (this.plan(new Map()).length === 0) return;
      const used = this.useByShard();
      const moves = this.plan(used);
      if (moves.length === 0) return;
      // Shards without episodes in memory are given at once, and do not wait for the others.
      const [busy, idle] = [
        moves.filter(({ shard }) => used.has(shard)),
        moves.filter(({ shard }) => !used.has(shard)),
      ];
      await this.give(idle);
      await this.give(busy);
    }
  }

  private plan(used: ReadonlyMap<number, ShardUse>): ShardMove[] {
    const { log, ownership } = this.parts;
    const now = performance.now();
    for (const [shard, until] of this.kept) if (until < now) this.kept.delete(shard);
    const own = ownership.shards.filter((shard) => !this.kept.has(shard));
    return log.fleet && log.isMember ? planMoves(log.fleet, own, used) : [];
  }

  private async give(moves: readonly ShardMove[]): Promise<void> {
    if (moves.length === 0) return;
    const { ownership, log } = this.parts;
    const shards = new Set(moves.map(({ shard }) => shard));
    ownership.beginLeaving(shards);
    const cleared = await this.clear(shards);
    const late = [...shards].filter((shard) => !cleared.has(shard));
    this.keep(late);
    const given = moves.filter(({ shard }) => cleared.has(shard));
    if (given.length === 0) return;
    try {
      await log.call("giveShards", given);
      this.parts.onGiven(given.length);
    } catch (error) {
      this.keep(cleared);
      throw error;
    }
  }

  private keep(shards: Iterable<number>): void {
    const until = performance.now() + keptMs;
    const kept = [...shards];
    for (const shard of kept) this.kept.set(shard, until);
    for (const episode of this.episodesOf(new Set(kept))) episode.isLeaving = false;
    this.parts.ownership.keep(kept);
  }

  /** Drops the episodes of the shards from memory as soon as no step is in flight. Returns the shards without episodes. */
  private async clear(shards: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const cleared = new Set<number>();
    for (const givenUpAt = performance.now() + giveUpMs; ; await sleep(pauseMs)) {
      const waiting = new Set([...this.parts.keysInTransit()].map(shardOf));
      const episodes = this.episodesOf(shards);
      for (const episode of episodes) {
        episode.isLeaving = true;
        if (!episode.idle) waiting.add(shardOf(episode.row.key));
      }
      for (const episode of episodes) if (!waiting.has(shardOf(episode.row.key))) this.drop(episode);
      for (const shard of shards) if (!waiting.has(shard)) cleared.add(shard);
      if (cleared.size === shards.size || performance.now() > givenUpAt) return cleared;
    }
  }

  private drop(episode: Episode): void {
    this.parts.table.remove(episode);
    episode.leave();
    this.parts.onLeft(episode);
  }

  private episodesOf(shards: ReadonlySet<number>): Episode[] {
    return [...this.parts.table.all()].filter(({ row }) => shards.has(shardOf(row.key)));
  }

  private useByShard(): Map<number, ShardUse> {
    const used = new Map<number, { environments: Set<string>; isBound: boolean }>();
    const useOf = (shard: number) => {
      const use = used.get(shard) ?? { environments: new Set<string>(), isBound: false };
      used.set(shard, use);
      return use;
    };
    for (const key of this.parts.keysInTransit()) useOf(shardOf(key));
    for (const { row, phase, spec } of this.parts.table.all()) {
      const use = useOf(shardOf(row.key));
      if (phase !== "running") continue;
      use.environments.add(row.environment);
      use.isBound ||= spec.restore === "none";
    }
    return used;
  }
}
