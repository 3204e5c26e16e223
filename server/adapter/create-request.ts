/** Environments and tasks as outside protocols name them. */
import type { AnyEnvironmentSpec, Options } from "../../envs/env.js";
import { type Registry, versionedId } from "../../envs/registry.js";
import { splitOf } from "../episodes/episode/tasks.js";
import type { CreateRequest } from "../episodes/episode-factory.js";
import type { EpisodeFormat } from "../formats/actions/action-formats.js";

/** Absent and null mean the default. */
export interface Wanted {
  /** Default: the environment's default split. */
  split?: string | null | undefined;
  /** Default: the seed modulo the number of tasks, so that clients that only give seeds play different tasks. */
  index?: number | null | undefined;
  /** Default: 0. */
  seed?: number | null | undefined;
  options?: Options | null | undefined;
  /** Default: the format for which the environment's prompt asks, since these protocols bring what a model wrote. */
  format?: EpisodeFormat | null | undefined;
  maxSteps?: number | null | undefined;
}

/** @throws {GymError} SPLIT_UNKNOWN */
export function requestOf(spec: AnyEnvironmentSpec, wanted: Wanted): CreateRequest {
  const { name: split, size } = splitOf(spec, wanted.split ?? undefined);
  const seed = wanted.seed ?? 0;
  return {
    environment: versionedId(spec),
    task: { split, index: wanted.index ?? seed % size },
    seed,
    options: wanted.options ?? undefined,
    format: wanted.format ?? spec.promptFormat ?? "plain",
    maxSteps: wanted.maxSteps ?? undefined,
  };
}

/** Returns the names of all environments: the id of the newest version, or the id with a named engine. */
export function namesOf(registry: Registry): string[] {
  return registry.list().map(({ id, version }) => (typeof version === "string" ? `${id}@${version}` : id));
}
