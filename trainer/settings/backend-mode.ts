/** Settings that only the engine in this process reads. A server of the Tinker API refuses them. */
import type { SettingName } from "./fields.js";

/** Settings of the engine, of its sampling and of its servers. */
export const engineSettings = [
  ...(["device", "dtype", "deterministic", "threads", "memory_recompute", "kv_on_update"] as const),
  ...(["train_share", "generate_share", "policy", "policy_server", "policy_weights", "max_tokens_per_mb"] as const),
] satisfies readonly SettingName[];

type Values = Readonly<Record<string, unknown>>;

/** Removes the settings of a preset that only the engine reads, and the cloning of experts, which the engine does. */
export function withoutEngine(preset: Values): Record<string, unknown> {
  const names = new Set<string>(engineSettings);
  const rest = Object.entries(preset).filter(([name]) => !names.has(name) && !name.startsWith("clone_"));
  return { ...Object.fromEntries(rest), clone_episodes: 0 };
}
