import type { Registry } from "../../envs/registry.js";
import type { ErrorCode, GymError } from "../errors.js";
import type { HostPoolOptions } from "../hosts/pool.js";
import type { LogThreadData } from "../log/protocol.js";

export interface GymLimits {
  /** Live episodes in all. */
  maxEpisodes: number;
  /** Steps that wait for their reply, over all episodes. */
  maxInFlightSteps: number;
  /** Steps of one episode that wait for their reply. */
  maxPendingSteps: number;
  /** UTF-16 units of an action. */
  maxActionLength: number;
}

/** Told of what happens, for metrics and logs. */
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
  /** An async environment's instance ended by no fault of the environment. */
  onInstanceLost(environment: string, error: GymError): void;
}

export interface GymOptions {
  registry: Registry;
  log: LogThreadData;
  hosts: Omit<HostPoolOptions, "registry" | "onHostLost" | "onStray" | "onInstanceLost">;
  limits: GymLimits;
  /** The lease of an episode whose creator asks for none. */
  defaultLeaseMs: number;
  /** How often lapsed leases are looked for. */
  sweepMs: number;
  /** Episodes older than this are forgotten; 0 keeps them for ever. */
  retainMs: number;
  /** Live episodes that one owner may have. */
  maxEpisodesOf(owner: string): number;
  observer: GymObserver;
  /** The log's thread has ended: nothing can be played or read any more. */
  onLogLost?: ((error: GymError) => void) | undefined;
}
