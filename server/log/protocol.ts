/**
 * What the main thread and the log thread say to each other, and the rows that the log keeps. Steps come to the log from
 * the hosts: host-protocol.ts.
 *
 * Each host's reports come out in the order in which they went in. Calls are of two kinds. Writes only add: they are done
 * in the order in which they were sent, in the commit with the reports that they meet. Everything else waits in one line
 * behind the commit, so that neither a report nor a write ever waits for a read.
 *
 * So a call sees every write that was sent before it, and every step of which the main thread has heard. It may also see
 * what was sent behind it, as if it had been asked a little later: nothing that is read ever changes, it only grows. A
 * caller that must not see its own next write therefore waits for the answer first. `prune`, which alone takes something
 * away, stands in the line: what was asked before it is answered before it.
 */
import type { MessagePort } from "node:worker_threads";
import type { ErrorBody } from "../errors.js";
import type { Ended, Message } from "../hosts/protocol.js";
import type { LoggedStep } from "./step-page.js";

/** One episode as it was created, but for its opening, which may be megabytes. Nothing of it ever changes. */
export interface EpisodeRow {
  /** Position in the log, never reused. */
  key: number;
  /** The public id, which contains the key. */
  id: string;
  /** `id@version` */
  environment: string;
  split: string;
  taskIndex: number;
  seed: number;
  /** JSON text of a value for each of the environment's options. */
  options: string;
  /** The step at which it is truncated. */
  maxSteps: number;
  /** The id of the token that created it, or `local`. */
  owner: string;
  createdAtMs: number;
  leaseMs: number;
  /** The id of the episode that this one was forked from. */
  parent: string | null;
  idempotencyKey: string | null;
  /** What the create request asked for: the same key with another digest is refused. */
  requestDigest: string | null;
}

/** Things that happen to an episode beside its steps. */
export type MarkKind = "closed" | "failed" | "expert";

/** An episode as the log knows it. */
export interface EpisodeRecord {
  row: EpisodeRow;
  steps: number;
  last: LoggedStep | null;
  ended: Ended;
  closed: boolean;
  failure: ErrorBody | null;
  expertUsed: boolean;
}

/** What an AgentGym environment id stands for. */
export interface HandleRow {
  /** Which AgentGym surface: `textcraft`, … */
  surface: string;
  handle: number;
  owner: string;
  /** The episode that it plays now; null once closed. */
  episodeId: string | null;
}

/** Calls that the log answers one by one; every method of the log store but those for pages and transactions. */
export interface LogCalls {
  /** @param opening JSON text of the reset result */
  createEpisode(row: EpisodeRow, opening: string): void;
  /** With the opening and the first `count` steps of `from`. */
  forkEpisode(row: EpisodeRow, from: number, count: number): void;
  mark(key: number, kind: MarkKind, detail: string): void;
  findEpisode(key: number): EpisodeRecord | null;
  findByIdempotencyKey(owner: string, idempotencyKey: string): EpisodeRow | null;
  listEpisodes(owner: string, beforeKey: number, limit: number): EpisodeRow[];
  readOpening(key: number): string | null;
  /** @param maxCharacters of actions and replies, where steps lie far apart fewer; a first step that is longer still comes */
  readSteps(key: number, from: number, limit: number, maxCharacters?: number): LoggedStep[];
  setHandle(row: HandleRow): void;
  findHandle(surface: string, handle: number): HandleRow | null;
  nextHandle(surface: string): number;
  nextKey(): number;
  /** Forgets up to `limit` episodes created before `beforeMs`, but none of `keep`; gives their number. */
  prune(beforeMs: number, keep: readonly number[], limit: number): number;
}

export type LogCallName = keyof LogCalls;

/** The calls that only add; one that fails takes the whole commit with it. */
export const addingCalls: ReadonlySet<LogCallName> = new Set(["createEpisode", "forkEpisode", "mark", "setHandle"]);

export interface LogCall {
  kind: "call";
  id: number;
  method: LogCallName;
  args: unknown[];
}

/** The host is gone. Answered once all that it had reported was passed on. */
export interface LogDetach {
  kind: "detach";
  id: number;
  host: number;
}

export type ToLog =
  | LogCall
  | LogDetach
  /** From now on the host at the other end of `port` reports here. */
  | { kind: "attach"; host: number; port: MessagePort }
  | { kind: "close" };

export interface FromLog {
  reports: LoggedReport[];
  /** To be read after the reports. */
  answers: LogAnswer[];
}

/** What a host reported, once its steps are in the log. */
export interface LoggedReport {
  host: number;
  results: Message;
  lines: string;
  /** Why the steps are not in the log, if so. The host's further reports are refused until it has resumed. */
  error: string | null;
}

/** To the call or detach with this id. */
export type LogAnswer = { to: number } & Outcome;

export type Outcome = { value: unknown } | { error: string };

export interface LogThreadData {
  path: string;
  /** `full` survives a power cut, `normal` the death of the process. */
  sync: "normal" | "full";
}
