import type { Registry } from "../../envs/registry.js";
import type { ErrorCode, GymError } from "../errors.js";
import type { HostPoolOptions } from "../hosts/pool.js";
import type { LogThreadData } from "../log/protocol.js";

export interface GymLimits {
  /** Live episodes in all. */
  maxEpisodes: number;
  /** Steps of all episodes that wait for their reply. */
  maxInFlightSteps: number;
  /** Steps of one episode that wait for their reply. */
  maxPendingSteps: number;
  /** UTF-16 code units of an action. */
  maxActionLength: number;
}

/** Receives events for metrics and logs. */
export interface GymObserver {
  onStep(environment: string, durationMs: number): void;
  onCreate(environment: string): void;
  /** Answers were scored without an episode. */
  onScored(environment: string, count: number): void;
  onFailure(environment: string, code: ErrorCode): void;
  onLapse(environment: string): void;
  onHostLost(cause: string): void;
  /** An environment threw outside of any call. */
  onStray(detail: string): void;
  /** An instance of an async environment ended through no fault of the environment. */
  onInstanceLost(environment: string, error: GymError): void;
}

export interface GymOptions {
  registry: Registry;
  log: LogThreadData;
  hosts: Omit<HostPoolOptions, "registry" | "onHostLost" | "onStray" | "onInstanceLost">;
  limits: GymLimits;
  /** Lease of an episode whose creator states none. */
  defaultLeaseMs: number;
  /** Interval between checks for lapsed leases. */
  sweepMs: number;
  /** Age at which episodes are removed from the log; 0 keeps them for ever. */
  retainMs: number;
  /** Limit on live episodes of one owner. */
  maxEpisodesOf(owner: string): number;
  observer: GymObserver;
  /** Called when the log thread has ended. Nothing can be played or read any more. */
  onLogLost?: ((error: GymError) => void) | undefined;
}
