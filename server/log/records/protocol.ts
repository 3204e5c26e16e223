/**
 * Messages between the main thread, the hosts and the log thread, and types of the rows that the log stores.
 *
 * The main thread receives each host's reports in the order in which the host sent them. Calls are of two kinds:
 * - Writes only add rows. The log performs writes in the order in which they were sent, and commits them together with
 *   the reports that arrive at the same time.
 * - All other calls wait in one queue until the commit is done. Therefore neither a report nor a write waits for a
 *   read.
 *
 * A call therefore sees every write that was sent before it, and every step that the main thread has received. A call
 * may also see rows that were sent after the call. This is harmless, because rows are added and never changed. A caller
 * whose next write must stay invisible to the call waits for the answer before it sends the write. `prune` is the only
 * call that removes rows. `prune` also waits in the queue, so calls that were sent earlier are answered first.
 */
import type { MessagePort } from "node:worker_threads";
import type { FleetTimes } from "../../config/times.js";
import type { ErrorBody } from "../../errors.js";
import type { DiskSpace } from "./disk.js";
import type { EpisodeFilter } from "./episode-filter.js";
import type { Ending, Outcome as EpisodeOutcome, EpisodeVerdict, MarkKind, Phase } from "./episode-state.js";
import type { StoredNote } from "./notes.js";
import type { LoggedStep, StepPage } from "./step-page.js";
import type { BytesByOwner } from "./usage.js";

/**
 * Properties of an episode at its creation, except the reset result, which may be megabytes long. Rows never change.
 */
export interface EpisodeRow {
  /** Position in the log. A key is never reused. */
  key: number;
  /** Public id, which contains the key. */
  id: string;
  /** `id@version` */
  environment: string;
  split: string;
  taskIndex: number;
  seed: number;
  /** JSON object with a value for each of the environment's options, and the format of actions. See `settingsOf`. */
  options: string;
  /** Number of steps after which the episode is truncated. */
  maxSteps: number;
  /** Id of the token that created the episode, or `local`. */
  owner: string;
  createdAtMs: number;
  leaseMs: number;
  /** Id of the episode that this episode was forked from. */
  parent: string | null;
  idempotencyKey: string | null;
  /** Content of the create request. A request with the same idempotency key and a different digest is refused. */
  requestDigest: string | null;
}

export interface FilteredEpisodes {
  rows: EpisodeRow[];
  /** Goal in the verdict of each row, or null. Left out if the filter does not ask for goals. */
  goals?: (string | null)[];
  /**
   * Id of the last episode that the call has read, or null if no episode follows. If that episode is another owner's, only
   * the key in the id is right.
   */
  lookedAt: string | null;
}

/** State of an episode in the log. */
export interface EpisodeRecord {
  row: EpisodeRow;
  steps: number;
  last: LoggedStep | null;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
  outcome: EpisodeOutcome;
  /** Null before the end, and in logs of older versions. */
  verdict: EpisodeVerdict | null;
  notes: readonly StoredNote[];
  /** Number of notes that were written, replaced ones included. */
  notesWritten: number;
}

/** Number that identifies an episode within a namespace, for protocols whose episode ids are small integers. */
export interface AliasRow {
  /** Name of the protocol or endpoint that assigned the number, such as `textcraft`. */
  namespace: string;
  alias: number;
  owner: string;
  /** Id of the alias's current episode. "" before the first episode, null after the alias was closed. */
  episodeId: string | null;
}

/** Episodes that `prune` leaves out, besides the kept ones. */
export interface PruneBounds {
  /** Episodes whose creation time is after this time are not removed. Default: no limit. */
  nowMs?: number | undefined;
  /**
   * Episodes with this key or a higher one are not removed, because they were created after the call was sent. A gym of a fleet
   * removes no episode of the last minute instead.
   */
  belowKey?: number | undefined;
}

/** Size of the log, and the space that is left for it. */
export interface LogSpace {
  /** Bytes of the log's file and its write-ahead log. */
  fileBytes: number;
  /** Bytes of the file that hold data. The write-ahead log has up to 32 MiB more, which is reused. */
  usedBytes: number;
  /** Bytes of the file that hold no data, and are used before the file grows. */
  freeBytes: number;
  /** Bytes by which the file will grow when the write-ahead log is copied into it. */
  pendingBytes: number;
  /** Bytes of steps that were written since the start. */
  writtenBytes: number;
  /** Whether unused bytes of the file can be returned to the disk. Files of schema version 4 and older keep them. */
  isShrinkable: boolean;
  /** Disk of the log, or null if its space is unknown. */
  disk: DiskSpace | null;
  /** Error of the last write, or null if it succeeded. */
  failure: string | null;
  usage: BytesByOwner;
}

/** Calls that the log answers one after another. `LogStore` implements them. */
export interface LogCalls {
  /** @param resetResult JSON text */
  createEpisode(row: EpisodeRow, resetResult: string): void;
  /** Creates an episode with the reset result and the first `count` steps of the episode `from`. */
  forkEpisode(row: EpisodeRow, from: number, count: number): void;
  mark(key: number, kind: MarkKind, detail: string): void;
  findEpisode(key: number): EpisodeRecord | null;
  findByIdempotencyKey(owner: string, idempotencyKey: string): EpisodeRow | null;
  listEpisodes(owner: string, beforeKey: number, limit: number): EpisodeRow[];
  /**
   * Returns up to `limit` of the owner's episodes that pass a filter, in its order. One call looks at some thousand
   * episodes at most.
   */
  filterEpisodes(owner: string, beforeKey: number, limit: number, filter: EpisodeFilter): FilteredEpisodes;
  /** Returns the JSON text of the reset result. */
  readResetResult(key: number): string | null;
  /**
   * Returns up to `limit` steps. It returns at least one step if the episode has a step from the index `from` on.
   *
   * @param maxCharacters limit on the characters of actions, replies and answers together. Steps in distant pages of
   *   the log reach the limit earlier.
   */
  readSteps(key: number, from: number, limit: number, maxCharacters?: number): LoggedStep[];
  setAlias(row: AliasRow): void;
  findAlias(namespace: string, alias: number): AliasRow | null;
  nextAlias(namespace: string): number;
  nextKey(): number;
  /** Returns the creation time of the newest episode, or null if there is none. */
  newestCreatedAtMs(): number | null;
  /**
   * Removes up to `limit` episodes created before `beforeMs`, except those in `keep`. Returns the number removed.
   *
   * The wall clock may have jumped when an episode was created. An episode that was created after a younger one is not
   * removed, and an episode that seems to be created after `nowMs` does not count as younger.
   */
  prune(beforeMs: number, keep: readonly number[], limit: number, bounds?: PruneBounds): number;
  /**
   * Removes all but the newest row of each alias. The newest row is also removed if its episode was removed, if the alias
   * was closed, or if it has had no episode since before `beforeMs`.
   */
  pruneAliases(beforeMs: number): void;
  /** Measures the log and its disk. After a failed write, tries to write again. */
  space(): LogSpace;
  /**
   * Returns up to `bytes` unused bytes of the file to the file system. Returns the number of bytes returned: 0 if the
   * file has no unused bytes, or was made by a version of Palestra whose files cannot shrink.
   */
  shrinkFile(bytes: number): number;
}

/** Counts of a gym against the limits of tokens and groups. */
export interface PublishedUse {
  /** UTC day of the counted steps, `YYYY-MM-DD`. */
  day: string;
  /** JSON text. The log stores it and does not read it. */
  counts: string;
}

/** Counts that another gym has published. */
export interface OthersUse extends PublishedUse {
  /** True if the gym is live, or is dead and no gym has noticed it yet. */
  isLive: boolean;
}

/** Calls of a log in a database. */
export interface FleetCalls extends LogCalls {
  /**
   * Publishes the counts of this gym. Returns the counts of the other gyms that are live or ended on the same day, or
   * null if these have not changed since the last call.
   */
  shareUse(own: PublishedUse): OthersUse[] | null;
  /** Gives shards to other gyms of the fleet. This gym must have no step of their episodes in flight. */
  giveShards(moves: readonly ShardMove[]): void;
  /** Sets this gym's description of itself for the others. */
  describeGym(facts: GymFacts): void;
  /** Announces that this gym serves requests. From then on, it gets its share of the shards. */
  serveGym(): void;
  /** Announces that this gym drains. From then on, it should give all of its shards away, and gets no others. */
  drainGym(): void;
  /** Asks the fleet to move a shard to another gym, and to keep it there. */
  pinShard(shard: number, to: number): void;
  /**
   * Returns a number `n` for keys of new episodes in a fleet: `n * 4096 + shard` to `(n + 999) * 4096 + shard`, for any
   * shard. No other call returns the same number.
   */
  takeKeys(): number;
}

export type LogCallName = keyof FleetCalls;

/** Calls that only add rows. If one of these calls fails, the whole commit fails. */
export const addingCalls: ReadonlySet<LogCallName> = new Set(["createEpisode", "forkEpisode", "mark", "setAlias"]);

export interface LogCall {
  type: "call";
  id: number;
  method: LogCallName;
  args: unknown[];
}

/** Sent after a host has ended. The log answers when it has passed on all reports of the host. */
export interface LogDetach {
  type: "detach";
  id: number;
  host: number;
}

/** A message from the main thread to the log. */
export type ToLog =
  | LogCall
  | LogDetach
  /** Adds a new host, which sends its reports through `port`. */
  | { type: "attach"; host: number; port: MessagePort }
  | { type: "close" };

/** Results of a host's commands. The log passes them on without parsing them. */
export type HostResults = readonly unknown[];

/** A message from a host to the log. */
export type FromHost = HostReport | { type: "resumed" };

/** Results of a host, and the page with the steps of these results. */
export interface HostReport {
  type: "report";
  results: HostResults;
  page: StepPage;
  /** Verdicts on the episodes that steps of the page have ended. */
  endings: readonly Ending[];
}

/** A message from the log to the main thread. */
export interface FromLog {
  reports: LoggedReport[];
  /** Answers to calls. The main thread handles the reports first. */
  answers: LogAnswer[];
  /** Present when the fleet has changed. */
  fleet?: FleetState;
  /** Time from `monotonicMs` at which the renewal of this gym's membership began. Present after a renewal. */
  renewedAt?: number;
  /** Present when the durability has changed. */
  durability?: LogDurability;
  /** Description of a problem of the fleet, sent every second while the problem lasts. */
  trouble?: string;
  /**
   * Warning for the operator in the first message: commits that a power failure has lost, or a protection that the log
   * lacks.
   */
  warning?: string;
}

/** Report of a host, sent after its steps were written to the log. */
export interface LoggedReport {
  host: number;
  results: HostResults;
  lines: string;
  /** See `LoggedStep.atMs`. */
  atMs: number;
  /** Error that kept the steps out of the log, or null. The log refuses further reports until the host has resumed. */
  error: string | null;
}

/** Answer to the `call` or `detach` message with the id `to`. */
export type LogAnswer = { to: number } & Outcome;

/** `isDamage` is true if the error means that the log's file is damaged. */
export type Outcome = { value: unknown } | { error: string; isDamage?: boolean };

/** A log in an SQLite file. */
export interface SqliteLogData {
  path: string;
  /** With `full`, commits survive a power failure. With `normal`, they survive only a crash of the process. */
  sync: "normal" | "full";
  /** Default: the usual times. */
  times?: FleetTimes | undefined;
}

/** `local`: acknowledged steps survive a crash of the log's machine. `replicated`: they also survive its loss. */
export type LogDurability = "local" | "replicated";

/** A log in a PostgreSQL database. */
export interface PostgresLogData {
  /** Connection string, such as `postgres://user:password@host/database`. */
  url: string;
  /** Least durability of steps. Default: `local`. */
  durability?: LogDurability;
  /** Makes the gym one of a fleet on the same database. Default: the gym uses the database alone. */
  node?: {
    /** URL under which the other gyms reach this gym. */
    address: string;
    /** If true, the gym gets no shards before the call `serveGym`, unless it is the only gym. Default: false. */
    isStarting?: boolean;
  };
  /** Default: the usual times. */
  times?: FleetTimes | undefined;
  /** One shared integer, which the main thread changes every `pulseMs` while it runs. `Log.open` adds the integer. */
  pulse?: Int32Array;
}

/** Facts about a gym that the other gyms of its fleet know. */
export interface GymFacts {
  /** Version of Palestra. */
  version: string;
  /** Environments that the gym can run, as `id@version`. */
  environments: readonly string[];
  /** Number of live episodes. */
  episodes: number;
  stepsPerSecond: number;
  /** Number of additional episodes that could hold a sandbox. */
  freeSandboxes: number;
}

/** A gym of a fleet. Each start of a gym is a new incarnation. */
export interface FleetMember {
  incarnation: number;
  address: string;
  /** True if the gym gives all of its shards away, or does not get any yet. */
  isDraining: boolean;
  /** Whether the gym does not serve requests yet. */
  isStarting: boolean;
  /** Milliseconds since the gym's last renewal of its membership. */
  ageMs: number;
  /** Null until the gym has described itself. */
  facts: GymFacts | null;
}

/** The gyms of a fleet, and the shards of each. */
export interface FleetState {
  /** Incarnation of this gym. */
  incarnation: number;
  /** Secret that the gyms of the fleet show each other. */
  secret: string;
  /** Gyms that are live, this one first. */
  nodes: readonly FleetMember[];
  /** Counts the changes of `owners` and `pins` that this gym has seen. */
  mapVersion: number;
  /** Incarnation of the owner of each shard, or 0. */
  owners: readonly number[];
  /** Shards that an operator or a gym has moved to a gym, with the incarnation of this gym. They stay there. */
  pins: ReadonlyMap<number, number>;
}

/** A shard that a gym gives away, and the incarnation of the gym that gets it. */
export interface ShardMove {
  shard: number;
  to: number;
}

export type LogThreadData = SqliteLogData | PostgresLogData;
