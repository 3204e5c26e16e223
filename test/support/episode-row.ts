import type { EpisodeRow } from "#palestra/server/log/records/protocol.js";

/** Returns an ordinary row of the log, with the fields of `more`. */
export function episodeRow(key: number, more: Partial<EpisodeRow> = {}): EpisodeRow {
  return {
    key,
    id: `ep-${key}`,
    environment: "maze@1",
    split: "all",
    taskIndex: 0,
    seed: 0,
    options: "{}",
    maxSteps: 10,
    owner: "ada",
    createdAtMs: 0,
    leaseMs: 1_000,
    parent: null,
    idempotencyKey: null,
    requestDigest: null,
    ...more,
  };
}
