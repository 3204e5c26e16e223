/** Rows of datasets for NeMo Gym. */
import type { AnyEnvironmentSpec } from "../../../../envs/env.js";
import { toolsOf } from "../../../../envs/registry.js";
import type { splitOf } from "../../../episodes/episode/tasks.js";

/** Returns a row for each task from `from` on. The reset adds the instructions, so the model's input is empty. */
export function rowsOf(spec: AnyEnvironmentSpec, split: ReturnType<typeof splitOf>, from: number, limit: number) {
  const tools = toolsOf(spec, {}).map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  }));
  const responses_create_params = { input: [], ...(tools.length > 0 && { tools }) };
  const count = Math.max(0, Math.min(limit, split.size - from));
  return Array.from({ length: count }, (_, i) => ({ responses_create_params, split: split.name, index: from + i }));
}
