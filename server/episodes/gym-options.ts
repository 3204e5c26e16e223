import type { Registry } from "../../envs/registry.js";
import type { Times } from "../config/times.js";
import type { GymError } from "../errors.js";
import type { HostPoolOptions } from "../hosts/pool.js";
import type { LogThreadData } from "../log/records/protocol.js";
import type { Share } from "./ownership/ownership.js";
import type { GymUse } from "./quotas/account.js";
import type { CallerQuotas, Usage } from "./quotas/quota.js";
import type { StorageLimits } from "./retention/storage.js";

export interface GymLimits {
  /** Limit on live episodes of all owners together. */
  maxEpisodes: number;
  /** Limit on the number of steps of all episodes that wait for their reply. Callers share it, see `Places`. */
  maxInFlightSteps: number;
  /** Limit on the number of steps of one episode that wait for their reply. */
  maxPendingSteps: number;
  /** Limit on the number of calls that wait for a seat's turn. Callers share it, see `Places`. */
  maxSeatWaits: number;
  /** Limit on the replays of all callers that run at the same time. */
  maxReplays: number;
  /** Milliseconds after which a replay ends. */
  maxReplayMs: number;
  /** Limit on the UTF-16 code units of an action. */
  maxActionLength: number;
}

/** Receives events of the gym for metrics and logs. */
export interface GymObserver {
  onStep(environment: string, durationMs: number): void;
  onCreate(environment: string): void;
  /** Called after answers were scored without an episode. */
  onScored(environment: string, count: number): void;
  onFailure(environment: string, error: GymError): void;
  /** Called when an environment failed at a reset or while it scored an answer, so that no episode failed. */
  onThrown(environment: string, error: GymError): void;
  onLapse(environment: string): void;
  /** Called when an episode without a client was parked because another one needed its place. */
  onYield(environment: string): void;
  /** Called when a limit of a token, a group, the callers without a token, or the gym refused a call. */
  onQuota: GymUse["onRefusal"];
  onHostLost(cause: string): void;
  /** Called when an environment threw outside of any call. */
  onStray(detail: string): void;
  /** Called when an environment's instance ended and the environment did not cause it. */
  onInstanceLost(environment: string, error: GymError): void;
  /** Called when the gym begins to refuse new episodes for lack of room, and with null when it accepts them again. */
  onRoom(refusal: GymError | null): void;
  /** Called with the error when writes to the log begin to fail, and with null when they succeed again. */
  onLogFailure(cause: string | null): void;
  /** Called with the cause when a problem of the fleet begins, and with null once no problem is left. */
  onFleetTrouble(cause: string | null): void;
  /**
   * Called with the cause when the gym can no longer read the other gyms' use of tokens, and with null when it can
   * again.
   */
  onUseUnshared(cause: string | null): void;
  /** Called after episodes were removed from the log, because of their age or to make room. */
  onRemoved(episodes: number): void;
}

/** Keeps the counted steps of the current day over a restart of the gym. */
export interface UsageStore {
  /** Returns null if no usage is stored. */
  read(): Usage | null;
  write(usage: Usage): Promise<void>;
}

export interface GymOptions {
  registry: Registry;
  log: LogThreadData;
  /** Needed for a log that other gyms share. */
  share?: Share;
  hosts: Omit<HostPoolOptions, "registry" | "times" | "onHostLost" | "onStray" | "onWaiting" | "onInstanceLost">;
  limits: GymLimits;
  /** Lease in milliseconds of an episode whose create request has no lease. */
  defaultLeaseMs: number;
  /** See `EpisodeTableOptions.quietMs`. */
  quietMs: number;
  /** Interval in milliseconds between checks for expired leases. */
  sweepMs: number;
  /** Age in milliseconds at which episodes are removed from the log. 0 keeps all episodes. */
  retainMs: number;
  storage: StorageLimits;
  /** Returns the limits of one owner, and of the group of the owner's token. */
  quotasOf(owner: string): CallerQuotas;
  /** Keeps the counts of steps over a restart. Default: each start counts from zero. */
  usage?: UsageStore;
  /** Default: the usual times. */
  times?: Times | undefined;
  observer: GymObserver;
  /** Called when the log thread has ended. After that, the gym can play no step and read no episode. */
  onLogLost?: ((error: GymError) => void) | undefined;
}
