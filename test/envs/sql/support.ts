/** A player of one task, and a pool of two processes. */
import type { TaskRef } from "#palestra/envs/env.js";
import { EnginePool } from "#palestra/envs/sql/engine/pool.js";
import sql from "#palestra/envs/sql/index.js";

export const { signal } = new AbortController();

export function smallPool(queryMs = 1_000, processes = 2): EnginePool {
  return new EnginePool(processes, { queryMs, memoryMb: 256 });
}

export function environment(record: <T>(ask: () => Promise<T>) => Promise<T> = (ask) => ask()) {
  return sql.create({ now: () => 0, record, sandboxes: {} as never });
}

export async function started(task: TaskRef, options: Record<string, string> = { schema: "asked" }) {
  const instance = environment();
  const reset = await instance.reset({ task, seed: 0, options }, signal);
  return { instance, reset, act: (action: string) => instance.step(action, signal) };
}

/** Returns the expert's reward. */
export async function expertReward(task: TaskRef): Promise<number> {
  const { instance, act } = await started(task);
  for (let steps = 0; steps < sql.maxSteps; steps++) {
    const action = await sql.expert?.(instance, signal);
    const { reward, terminated } = await act(action as string);
    if (terminated) return reward;
  }
  return 0;
}
