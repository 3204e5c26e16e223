/** `palestra setup tasks`: the tasks that become a split, and the split after a restart. */
import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Stage } from "#palestra/envs/workbench/harbor/task.js";
import { scratchDir } from "../../support/gym.js";
import { root } from "../../support/server-process.js";
import { plainFiles, writeTask } from "./machines.js";

async function palestra(data: string, ...args: string[]) {
  const env = { ...process.env, XDG_DATA_HOME: data, PALESTRA_DATA_DIR: join(data, "gym") };
  const run = promisify(execFile)(process.execPath, [join(root, "dist/server/program/cli.js"), ...args], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  );
}

/** Loads the first task of an added split, as a gym does that starts after the addition. */
async function firstStage(data: string, split: string): Promise<Stage> {
  const program = `import { loadTask } from "${join(root, "dist/.modules/envs/workbench/tasks.js")}";
    console.log(JSON.stringify((await loadTask({ split: "${split}", index: 0 })).stages[0]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, XDG_DATA_HOME: data },
  });
  return JSON.parse(stdout) as Stage;
}

function folderOfTasks(): string {
  const one = writeTask({}, "tasks/one");
  const parent = dirname(one);
  for (const [name, text] of [
    ["two", plainFiles["task.toml"]],
    ["gpu", "[environment]\ngpus = 1\n"],
    ["image", '[environment]\ndocker_image = "python:3.12"\n'],
  ] as const) {
    const made = writeTask({ "task.toml": text, "environment/app/data.txt": name }, name);
    symlinkSync(made, join(parent, name));
  }
  mkdirSync(join(parent, "no-task"));
  return parent;
}

test("a folder of tasks becomes a permanent split, and each refused task is reported with its reason", async () => {
  const data = scratchDir();
  const folder = folderOfTasks();
  const added = await palestra(data, "setup", "tasks", folder, "--as", "mine");
  expect(added).toMatchObject({ code: 0 });
  expect(added.text).toContain("accepted  one\n");
  expect(added.text).toContain("refused   gpu: expected environment.gpus = 0");
  expect(added.text).toContain(
    "accepted  image (needs Docker: it runs the image python:3.12; network_mode is not stated",
  );
  expect(added.text).toContain("The split mine has 3 of 4 tasks");

  const { text } = await palestra(data, "envs", "--json");
  const { environments } = JSON.parse(text) as {
    environments: { id: string; splits: Record<string, { size: number }> }[];
  };
  expect(environments.find(({ id }) => id === "workbench")?.splits).toMatchObject({
    train: { size: 16 },
    mine: { size: 3 },
  });

  const again = await palestra(data, "setup", "tasks", join(folder, "one"), "--as", "mine");
  expect(again.text).toContain("The split mine has 1 of 1 tasks");
  expect(readdirSync(join(data, "palestra/workbench"))).toEqual(["mine"]);
});

test("tasks that have changed since their addition are not played", async () => {
  const data = scratchDir();
  await palestra(data, "setup", "tasks", folderOfTasks(), "--as", "mine");
  appendFileSync(join(data, "palestra/workbench/mine/one/instruction.md"), "Or do not.\n");
  const { code, text } = await palestra(data, "play", "workbench", "--task", "mine:1");
  expect(code).toBe(1);
  expect(text).toMatch(/expected the digest \w+ for the files of .+, but received \w+\. Add the folder again\./);
});

test.each([
  ["no folder", [], "no folder was named. Run `palestra setup tasks FOLDER` with a folder of Harbor tasks."],
  ["a folder that is not there", ["/nowhere/x"], "no such file"],
  ["a folder without tasks", [root], "expected folders with a task.toml"],
  ["a name that is taken", [root, "--as", "train"], "(not train or test)"],
  ["a name that is a path", [root, "--as", "../x"], "Give a name with --as NAME."],
])("%s is refused", async (_, args, reason) => {
  const { code, text } = await palestra(scratchDir(), "setup", "tasks", ...args);
  expect(code).toBe(1);
  expect(text).toContain(reason);
});

test("tasks that ask for an open network keep the chosen network after a restart", async () => {
  const data = scratchDir();
  const folder = writeTask({ "task.toml": "[environment]\nallow_internet = true\n" }, "open");
  const refused = await palestra(data, "setup", "tasks", folder);
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining("Choose with --internet none or http") });
  const added = await palestra(data, "setup", "tasks", folder, "--internet", "none");
  expect(added.text).toContain("accepted  open (it asks for an open network, here it is closed)");
  expect((await firstStage(data, "open")).network).toBe("none");
});

test("an added task gets no file of the bundled tasks", async () => {
  const data = scratchDir();
  const folder = join(scratchDir(), "copied");
  cpSync(join(root, "envs/workbench/data/tasks/best-customers"), folder, { recursive: true });
  expect((await palestra(data, "setup", "tasks", folder)).code).toBe(0);
  const { verifier } = await firstStage(data, "copied");
  expect(verifier.tests.map(({ path }) => path)).toEqual(["check.py", "test.sh"]);
});

test("for many tasks each reason is reported once, with its count", async () => {
  const data = scratchDir();
  const parent = dirname(writeTask({}, "many/a"));
  for (let i = 0; i < 60; i++) {
    const text = i < 7 ? "[environment]\ngpus = 1\n" : "[environment]\n";
    symlinkSync(writeTask({ "task.toml": text }, `task-${i}`), join(parent, `task-${i}`));
  }
  const { text } = await palestra(data, "setup", "tasks", parent);
  expect(text).toContain("accepted  54 tasks\n");
  expect(text).toContain("refused  7 tasks\n  7 (task-0 ...): expected environment.gpus = 0");
  expect(text.split("\n").length).toBeLessThan(12);
});
