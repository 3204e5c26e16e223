/** Environments and tasks as outside protocols name them. */
import type { AnyEnvironmentSpec, Options } from "../../envs/env.js";
import { type Registry, versionedId } from "../../envs/registry.js";
import type { CreateRequest } from "../episodes/episode-factory.js";
import { splitOf } from "../episodes/tasks.js";

export interface Wish {
  /** Default: the environment's first split. */
  split?: string | undefined;
  /** Default: the seed modulo the number of tasks, so that clients that only give seeds play different tasks. */
  index?: number | undefined;
  /** Default: 0. */
  seed?: number | undefined;
  options?: Options | undefined;
  maxSteps?: number | undefined;
}

/** @throws {GymError} SPLIT_UNKNOWN */
export function requestOf(spec: AnyEnvironmentSpec, { seed = 0, ...wish }: Wish): CreateRequest {
  const { name: split, size } = splitOf(spec, wish.split);
  const { index = seed % size, options, maxSteps } = wish;
  return { environment: versionedId(spec), task: { split, index }, seed, options, maxSteps };
}

/** Returns the names of all environments: the id of the newest version, or the id with a named engine. */
export function namesOf(registry: Registry): string[] {
  return registry.list().map(({ id, version }) => (typeof version === "string" ? `${id}@${version}` : id));
}
