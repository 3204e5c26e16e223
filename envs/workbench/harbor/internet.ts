/**
 * Determines the network access of a task's machines. Many public tasks request an open network, which may be replaced.
 */
import type { Network } from "../../../sandboxes/sandbox.js";
import type { Internet } from "../../env.js";
import type { TaskConfig } from "./schema.js";

export type NetworkConfig = Pick<TaskConfig["environment"], "network_mode" | "allowed_hosts">;

/** Returns the tables of the configuration that can set a network mode, with their paths. */
export function networksOf({ environment, agent, verifier, steps = [] }: TaskConfig): [string, NetworkConfig][] {
  const own = (path: string, one: TaskConfig["verifier"]): [string, NetworkConfig][] => [
    [path, one],
    ...(one.environment ? [[`${path}.environment`, one.environment] as [string, NetworkConfig]] : []),
  ];
  return [
    ["environment", environment],
    ["agent", agent],
    ...own("verifier", verifier),
    ...steps.flatMap((step, at): [string, NetworkConfig][] => [
      [`steps[${at}].agent`, step.agent],
      ...own(`steps[${at}].verifier`, step.verifier),
    ]),
  ];
}

/**
 * Returns the network of the first table with a network mode. Without a mode, a task requests an open network, which it
 * gets only if the person who adds the task allows it.
 */
export function networkOf(internet: Internet | undefined, ...configs: (NetworkConfig | undefined)[]): Network {
  const { network_mode: mode = "public", allowed_hosts: hosts = [] } =
    configs.find((config) => config?.network_mode !== undefined) ?? {};
  if (mode === "allowlist") return { hosts };
  return mode === "public" && internet === "http" ? { hosts: ["*"] } : "none";
}

/**
 * Returns a note for the person who adds the task if the task does not get the network that it sets. Otherwise returns
 * undefined.
 */
export function networkNote(config: TaskConfig, internet: Internet | undefined): string | undefined {
  const asks = networksOf(config).some(([, { network_mode: mode }]) => mode === "public");
  if (!asks && config.environment.network_mode !== undefined) return undefined;
  const asked = asks ? "it asks for an open network" : "network_mode is not stated: Harbor would open the network";
  return `${asked}, here it ${internet === "http" ? "reaches public hosts by HTTP and HTTPS" : "is closed"}`;
}
