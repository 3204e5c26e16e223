/** The slot of an episode for machines, from the agent's machine to the last grading. */
import { describe, expect } from "vitest";
import { Workbench } from "#palestra/envs/workbench/env.js";
import { loadTask } from "#palestra/envs/workbench/tasks.js";
import { Machines } from "#palestra/sandboxes/machines.js";
import { Turns } from "#palestra/sandboxes/turns.js";
import { machines, signal, testMachines, workbench } from "./machines.js";

describe("with room for one machine", () => {
  testMachines("finished work is graded at once, even while a new episode waits for its machine", async () => {
    const limited = new Machines(
      { process: async () => machines },
      { permits: new Turns({ most: 1 }), waitMs: 20_000 },
    );
    const [first, second] = [0, 1].map(() => new Workbench({ now: () => 0, sandboxes: { machines: limited } }));
    const task = { split: "train", index: 0 };
    await first?.reset({ task, seed: 0, options: {} }, signal());
    let hasBegun = false;
    const waiting = second?.reset({ task, seed: 0, options: {} }, signal()).then(() => {
      hasBegun = true;
    });
    expect((await first?.step("submit", signal()))?.terminated).toBe(true);
    expect(hasBegun).toBe(false);
    await first?.close();
    await waiting;
    await second?.close();
  });

  testMachines("every step of a task and each of its gradings uses the slot", async () => {
    const environment = workbench(machines, 1);
    const index = await indexOf("two-step-ledger");
    await environment.reset({ task: { split: "train", index }, seed: 0, options: {} }, signal());
    let reward = 0;
    for (let action = environment.advise(); action !== null; action = environment.advise())
      reward += (await environment.step(action, signal())).reward;
    expect(reward).toBe(1);
    await environment.close();
  });
});

async function indexOf(name: string): Promise<number> {
  for (let index = 0; ; index++) if ((await loadTask({ split: "train", index })).name === name) return index;
}
