/** A run that has started its own gym, and the death of the run or of the gym. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { needsEngine } from "../native/tiny-models.js";
import { scratch } from "../support/serving.js";
import { eventually } from "../support/watching.js";
import { tinyRun } from "../trainer/support/training.js";
import { outcomeOf, reach, said, startTraining, trainToTheEnd } from "./killed-training.js";

needsEngine();
beforeEach((context) => {
  if (!existsSync("/proc/self/task")) context.skip("expected a /proc that tells the children of a process");
});

const settings = {
  ...tinyRun,
  gym: "spawn",
  max_head_offpolicyness: 0,
  clone_episodes: 60,
  clone_epochs: 40,
  max_new_tokens: 12,
  total_train_steps: 8,
  eval_freq_steps: 50,
};

interface OwnGym {
  pid: number;
  dataDir: string;
}

/** Returns the process of a training run's gym, if it runs. */
function gymOf(training: number): OwnGym | undefined {
  const [child] = readFileSync(`/proc/${training}/task/${training}/children`, "utf8").trim().split(" ");
  const commandLine = `/proc/${child}/cmdline`;
  if (!child || !existsSync(commandLine)) return undefined;
  const words = readFileSync(commandLine, "utf8").split("\0");
  return { pid: Number(child), dataDir: words[words.indexOf("--data-dir") + 1] as string };
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

test("a gym that dies is restarted with its data, and the training result does not change", async () => {
  const folder = scratch();
  const alone = { folder: join(folder, "alone"), settings };
  const bereaved = { folder: join(folder, "bereaved"), settings };
  await trainToTheEnd(alone);

  const training = startTraining(bereaved);
  const deaths: number[] = [];
  for (const moment of [said(/playing/), said(/held out after train step 0/), said(/train [2-4]\//)]) {
    await reach(training, bereaved.folder, moment);
    // The gym must be running again before the next kill.
    const isBack = (gym: OwnGym | undefined) => gym !== undefined && !deaths.includes(gym.pid);
    const { pid } = (await eventually(() => gymOf(training.pid), isBack)) as OwnGym;
    process.kill(pid, "SIGKILL");
    deaths.push(pid);
  }
  const exit = await training.exited;
  expect(exit, training.stderr).toEqual({ code: 0, signal: null });
  expect(training.stderr.match(/the gym died \(SIGKILL\) and is restarted/g)).toHaveLength(3);
  expect(outcomeOf(bereaved.folder)).toEqual(outcomeOf(alone.folder));
});

test("a killed run leaves neither its gym nor the gym's data behind", async () => {
  const folder = join(scratch(), "run");
  const training = startTraining({ folder, settings: { ...settings, total_train_steps: 1_000 } });
  await reach(training, folder, said(/train 1\//));
  const { pid, dataDir } = gymOf(training.pid) as OwnGym;
  expect(existsSync(dataDir)).toBe(true);
  await training.kill();
  expect(
    await eventually(
      () => isAlive(pid) || existsSync(dataDir),
      (remains) => !remains,
    ),
  ).toBe(false);
});

test("a run that is stopped before its first train step reports this and leaves nothing behind", async () => {
  const folder = join(scratch(), "run");
  const training = startTraining({ folder, settings: { ...settings, clone_epochs: 1_000 } });
  await reach(training, folder, said(/cloning 50\//));
  const { pid, dataDir } = gymOf(training.pid) as OwnGym;
  training.signal("SIGINT");
  expect(await training.exited).toEqual({ code: 130, signal: null });
  expect(training.stderr).toContain("stopped before the first train step");
  expect(training.stderr).not.toContain("    at ");
  expect([isAlive(pid), existsSync(dataDir)]).toEqual([false, false]);
});
