/** Machines of the process provider for tests of the workbench, and tasks that are written for a test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, type TestContext, test } from "vitest";
import { machines as requirement } from "#palestra/envs/shared/machines/requirement.js";
import { Workbench } from "#palestra/envs/workbench/env.js";
import { readTask } from "#palestra/envs/workbench/harbor/task.js";
import { AgentMachine } from "#palestra/envs/workbench/machine/agent-machine.js";
import { type GradedStage, gradeStage } from "#palestra/envs/workbench/machine/grade.js";
import { Machines } from "#palestra/sandboxes/machines.js";
import { ProcessProvider } from "#palestra/sandboxes/process/process-provider.js";
import type { MachineProvider } from "#palestra/sandboxes/sandbox.js";
import { Turns } from "#palestra/sandboxes/turns.js";
import { scratchDir } from "../../support/gym.js";

const { available, detail } = await requirement.probe();
export const machines: MachineProvider = new ProcessProvider();
afterAll(() => machines.close());

/** Defines a test that opens machines, and is skipped if there are none. */
export function testMachines(title: string, run: (context: TestContext) => Promise<void>, timeoutMs = 60_000): void {
  test(title, { timeout: timeoutMs }, (context) => {
    if (!available || !detail.startsWith("bubblewrap")) context.skip(`expected bubblewrap, but received ${detail}`);
    return run(context);
  });
}

export const signal = () => AbortSignal.timeout(50_000);

/** @param most largest number of machines at once */
export function workbench(by: MachineProvider = machines, most = 4): Workbench {
  const limited = new Machines({ given: async () => by }, { permits: new Turns({ most }), waitMs: 2_000 });
  return new Workbench({ now: () => 0, sandboxes: { machines: limited } });
}

/** Machines, of which the first ends on its own after a second. */
export function firstOneEnds(): MachineProvider {
  let opened = 0;
  return {
    open: (spec, abort) => machines.open({ ...spec, ...(opened++ === 0 && { lifetimeMs: 1_000 }) }, abort),
    close: async () => {},
  };
}

export const plainFiles = {
  "task.toml": 'schema_version = "1.4"\n[verifier]\ntimeout_sec = 20.0\n[environment]\nnetwork_mode = "no-network"\n',
  "instruction.md": "Write answer.txt.\n",
  "environment/Dockerfile": "FROM palestra-base:1\nWORKDIR /app\nCOPY app/ /app/\n",
  "environment/app/given.txt": "given\n",
  "tests/test.sh":
    "#!/bin/bash\ngrep -qx right /app/answer.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
} as const;

export type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

/** @returns the folder of a task with these files on top of those of the plain task */
export function writeTask(files: Files = {}, name = "made"): string {
  const folder = join(scratchDir(), name);
  for (const [path, text] of Object.entries({ ...plainFiles, ...files })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs a command in the agent's machine of the first stage, and grades the result. */
export async function gradeAfter(
  command: string,
  files: Files = {},
  by: MachineProvider = machines,
): Promise<GradedStage & { output: string }> {
  const task = await readTask(writeTask(files));
  const [stage] = task.stages;
  if (!stage) throw new Error("expected a stage");
  const agent = await AgentMachine.open(by, task.machine, stage, {}, signal());
  const { stdout, stderr } = await agent.bash(command, signal());
  const graded = await gradeStage(by, task, stage, agent, signal());
  await graded.spool?.remove();
  return { ...graded, output: stdout + stderr };
}
