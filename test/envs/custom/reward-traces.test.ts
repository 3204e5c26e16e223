/** Changes by a reward function, and its processes, end with the answer that it scored. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { RewardPool } from "#palestra/envs/custom/reward/pool.js";
import type { RewardRequest } from "#palestra/envs/custom/reward/request.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { file } from "./support.js";

const { signal } = new AbortController();
const limits = { timeoutMs: 5_000, memoryMb: 64, processes: 1, variables: [] as string[] };
const asked: RewardRequest = { task: { prompt: "?" }, answer: "", steps: 1, tokens: 1, calls: [] };
let pool: RewardPool | undefined;

afterEach(() => pool?.close());

/** Returns the info of each answer, from one process after the other. */
async function infos(source: string, answers: readonly string[]) {
  pool = new RewardPool(source, limits, [0, 1]);
  const found = [];
  for (const answer of answers) {
    const score = await pool
      .score({ ...asked, answer }, signal)
      .catch((error: Error) => ({ info: { failed: error.message } }));
    found.push(score.info);
  }
  return found;
}

const isRunning = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("an answer cannot change a value for the next answer:", () => {
  test.each([
    ["a method of arrays", "Array.prototype.map = () => []", "[1].map((x) => x).length === 1"],
    ["a getter of maps", "Object.defineProperty(Map.prototype, 'size', { get: () => 7 })", "new Map().size === 0"],
    ["an additional property of objects", "Object.prototype.extra = 1", "({}).extra === undefined"],
    [
      "the prototype of generators",
      "Object.getPrototypeOf(function* () {}).prototype.next = () => ({ done: true })",
      "[...(function* () { yield 1; })()].length === 1",
    ],
    ["a global function", "globalThis.parseInt = () => 3", "parseInt('5') === 5"],
    ["a function of Math", "Math.random = () => 0; Math.max = () => 0", "Math.max(1, 2) === 2"],
    ["a function of JSON", "JSON.stringify = () => 'null'", "JSON.stringify([1]) === '[1]'"],
    [
      "the checks themselves",
      "Object.is = () => true; Reflect.ownKeys = () => []; Array.prototype.map = 0",
      "typeof [].map === 'function'",
    ],
    ["a variable of the environment", "process.env.HOME = '/nowhere'", "process.env.HOME !== '/nowhere'"],
    ["the working folder", "process.chdir('/')", "process.cwd() !== '/'"],
    [
      "a module of Node",
      "process.getBuiltinModule('fs').readFileSync = () => 'x'",
      "process.getBuiltinModule('fs').readFileSync.length > 0",
    ],
    [
      "a timer that strikes later",
      "setTimeout(() => { Array.prototype.map = () => []; }, 1)",
      "[1].map((x) => x).length === 1",
    ],
    [
      "a change before it throws",
      "Array.prototype.map = () => []; throw new Error('no')",
      "[1].map((x) => x).length === 1",
    ],
  ])("%s", async (_, change, isWhole) => {
    const source = file(
      "r.mjs",
      `export default async ({ answer }) => {
  if (answer === "wait") await new Promise((done) => setTimeout(done, 50));
  const info = { isWhole: ${isWhole} };
  if (answer === "change") { ${change} }
  return { reward: 1, info };
}`,
    );
    const [first, , ...later] = await infos(source, ["plain", "change", "wait", "plain", "plain"]);
    expect([first, ...later]).toEqual(Array(4).fill({ isWhole: true }));
  });

  test.each([
    ["a builtin of Python", "builtins.len = lambda _: 7", "len([1]) == 1"],
    ["an additional builtin of Python", "builtins.extra = 1", "not hasattr(builtins, 'extra')"],
    ["a function of a Python module", "math.floor = lambda _: 7", "math.floor(1.5) == 1"],
    [
      "a variable of the environment in Python",
      "os.environ['HOME'] = '/nowhere'",
      "os.environ.get('HOME') != '/nowhere'",
    ],
    ["the working folder in Python", "os.chdir('/')", "os.getcwd() != '/'"],
    [
      "a thread in Python",
      "threading.Thread(target=lambda: (time.sleep(0.01), setattr(builtins, 'len', None)), daemon=True).start()",
      "len([1]) == 1",
    ],
  ])("%s", async (_, change, isWhole) => {
    const source = file(
      "r.py",
      `import builtins, math, os, threading, time
def reward(answer):
    if answer == "wait":
        time.sleep(0.1)
    info = {"isWhole": ${isWhole}}
    if answer == "change":
        ${change}
    return {"reward": 1, "info": info}
`,
    );
    const [first, , ...later] = await infos(source, ["plain", "change", "wait", "plain"]);
    expect([first, ...later]).toEqual(Array(3).fill({ isWhole: true }));
  });
});

test("an ordinary function's process serves all answers, even if the function loads parts of Node late", async () => {
  const source = file(
    "r.mjs",
    `import { readFileSync } from "node:fs";
const cache = new Map();
export default async ({ answer }) => {
  cache.set(answer, [new Blob([answer]), new Headers(), structuredClone({}), new Intl.NumberFormat("en"), readFileSync("/proc/self/stat")]);
  await new Promise((done) => setTimeout(done, 1));
  return { reward: 1, info: { pid: process.pid, seen: cache.size } };
}`,
  );
  const found = await infos(source, ["a", "b", "c"]);
  expect(found).toMatchObject([{ seen: 1 }, { seen: 2 }, { seen: 3 }]);
});

test.skipIf(process.platform !== "linux").each([
  ["a detached process", "spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })"],
  ["a process without variables", "spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} })"],
])("%s ends with its answer", async (_, start) => {
  const source = file(
    "r.mjs",
    `import { spawn } from "node:child_process";
export default () => {
  const child = ${start};
  child.unref();
  return { reward: 1, info: { pid: child.pid } };
}`,
  );
  const [first, second] = (await infos(source, ["", ""])) as { pid: number }[];
  await eventually(() => [first, second].every((info) => !isRunning(info?.pid as number)));
});

describe.skipIf(process.platform !== "linux")("grandchild processes in new sessions", () => {
  const twice = (told: string) =>
    `sh -c 'env -i setsid sh -c "echo \\\\$\\\\$ > ${told}; exec sleep 1000" &'; while [ ! -s ${told} ]; do sleep 0.01; done`;

  test.each(["mjs", "py"])("end with the answer of a function of .%s", async (kind) => {
    const told = join(scratchDir(), "pid");
    const script = join(scratchDir(), "start.sh");
    writeFileSync(script, twice(told).replaceAll("\\\\", "\\"));
    const source =
      kind === "py"
        ? file("r.py", `import subprocess\ndef reward():\n    subprocess.run(["sh", "${script}"])\n    return 1\n`)
        : file(
            "r.mjs",
            `import { execFileSync } from "node:child_process";\nexport default () => { execFileSync("sh", ["${script}"], { stdio: "ignore" }); return 1; }`,
          );
    await infos(source, [""]);
    const pid = Number(readFileSync(told, "utf8"));
    expect(pid).toBeGreaterThan(1);
    await eventually(() => !isRunning(pid));
  });

  test("that were started during the load of the file run until the function's process ends", async () => {
    const source = file(
      "r.mjs",
      `import { spawn } from "node:child_process";
const helper = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
helper.unref();
export default () => ({ reward: 1, info: { pid: helper.pid } });`,
    );
    const [first, second] = (await infos(source, ["", ""])) as { pid: number }[];
    expect(second?.pid).toBe(first?.pid);
    expect(isRunning(first?.pid as number)).toBe(true);
    pool?.close();
    await eventually(() => !isRunning(first?.pid as number));
  });
});
