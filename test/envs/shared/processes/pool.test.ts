/** Processes that answer one request at a time, and pools of them. */
import { setMaxListeners } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProcessLost } from "#palestra/envs/shared/processes/answer-process.js";
import { lineOf } from "#palestra/envs/shared/processes/messages.js";
import { type PoolLimits, ProcessPool } from "#palestra/envs/shared/processes/pool.js";
import { eventually, scratchDir } from "../../../support/gym.js";

const serve = new URL("../../../../dist/.modules/envs/shared/processes/serve.js", import.meta.url).href;
const { signal } = new AbortController();
setMaxListeners(0, signal);

interface Asked {
  /** JavaScript expression of the answer. */
  js: string;
}

/** Creates a pool whose program evaluates expressions. In them, `begin` starts the time limit. */
function poolOf(limits: Partial<PoolLimits> = {}, times: { prepare?: number } = {}, load = "") {
  const path = join(scratchDir(), "program.mjs");
  const answer = `async ({ js }, begin) => new Function("begin", "return " + js)(begin)`;
  writeFileSync(
    path,
    `import { serve } from ${JSON.stringify(serve)};\nawait serve(() => { ${load}; return ${answer}; });`,
  );
  const pool = new ProcessPool<Asked>(
    {
      command: [process.execPath, path],
      name: "the calculator",
      times: { start: 20_000, answer: 1_500, ...times },
      errors: {
        unusable: (reason) => new Error(`unusable: ${reason}`),
        late: (milliseconds) => new Error(`late after ${milliseconds} ms`),
        ended: (how) => (how === "SIGKILL" ? new ProcessLost("an answer", "SIGKILL") : new Error(`ended by ${how}`)),
        threw: (message) => new Error(`threw ${message}`),
      },
    },
    { most: 1, retries: 1, ...limits },
  );
  onTestFinished(() => pool.close());
  return pool;
}

const ask = (pool: ProcessPool<Asked>, js: string, by = signal) => pool.ask({ js }, by);
const sleep = (milliseconds: number) => `new Promise((resolve) => setTimeout(resolve, ${milliseconds}, "slept"))`;

test("the allowed number of processes answers the requests in turn", async () => {
  const pool = poolOf({ most: 2 });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => ask(pool, `[${at}, process.pid]`)));
  expect(answers.map((answer) => (answer as number[])[0])).toEqual(answers.map((_, at) => at));
  expect(new Set(answers.map((answer) => (answer as number[])[1]))).toEqual(new Set(pool.pids));
  expect(pool.pids).toHaveLength(2);
});

test("a request that throws, ends the process or takes too long does not affect others", async () => {
  const pool = poolOf();
  await expect(ask(pool, "nothing")).rejects.toThrow("threw nothing is not defined");
  await expect(ask(pool, "process.exit(3)")).rejects.toThrow("ended by 3");
  await expect(ask(pool, "(() => { for (;;); })()")).rejects.toThrow("late after 1500 ms");
  expect(await ask(pool, "1 + 1")).toBe(2);
});

test("line and paragraph separators are transmitted in requests and replies", async () => {
  const text = "a\u2028b\u2029c\n\r\u0085";
  expect(await ask(poolOf(), JSON.stringify(text))).toBe(text);
  // `readline` splits lines at both characters in newer versions of Node.
  expect(lineOf({ text })).not.toMatch(/[\u2028\u2029]/);
  expect(JSON.parse(lineOf({ text }))).toEqual({ text });
});

test("the error of a reply that is too long names its length", async () => {
  await expect(ask(poolOf(), '"x".repeat(2_000_000)')).rejects.toThrow(
    /expected an answer of at most 1048576 characters, but received 2000\d+/,
  );
});

test("the time limit of an answer starts at the program's signal", async () => {
  const pool = poolOf({ retries: 0 }, { prepare: 4_000 });
  expect(await ask(pool, `${sleep(2_000)}.then((text) => (begin(), text))`)).toBe("slept");
  await expect(ask(pool, `(begin(), ${sleep(3_000)})`)).rejects.toThrow("late after 1500 ms");
  await expect(ask(pool, sleep(9_000))).rejects.toMatchObject({
    name: "ServiceFailed",
    received: "no answer within 4000 ms",
  });
});

test("a lost process is replaced once, and a second loss is a typed failure", async () => {
  const pool = poolOf();
  const path = join(scratchDir(), "once");
  const once = `import("node:fs").then((fs) => {
    if (fs.existsSync(${JSON.stringify(path)})) return "again";
    fs.writeFileSync(${JSON.stringify(path)}, "");
    process.kill(process.pid, "SIGKILL");
  })`;
  // A function created from text has no module context for imports.
  const js = once.replace('import("node:fs")', 'Promise.resolve(process.getBuiltinModule("node:fs"))');
  expect(await ask(pool, js)).toBe("again");
  await expect(ask(pool, 'process.kill(process.pid, "SIGKILL"), new Promise(() => {})')).rejects.toBeInstanceOf(
    ProcessLost,
  );
  expect(await ask(pool, "7")).toBe(7);
});

test("the error of a program that cannot be loaded or started gives the reason", async () => {
  const pool = poolOf({}, {}, 'throw new Error("no such table")');
  await expect(ask(pool, "1")).rejects.toThrow("unusable: no such table");
  expect(pool.pids).toEqual([]);
});

test("a caller that aborts leaves the queue or ends its process", async () => {
  const pool = poolOf();
  await ask(pool, "1");
  const [pid] = pool.pids;
  const running = new AbortController();
  const waiting = new AbortController();
  const first = ask(pool, sleep(60_000), running.signal);
  const second = ask(pool, "2", waiting.signal);
  const third = ask(pool, "3");
  waiting.abort(new Error("left the line"));
  await expect(second).rejects.toThrow("left the line");
  running.abort(new Error("hung up"));
  await expect(first).rejects.toThrow("hung up");
  expect(await third).toBe(3);
  expect(pool.pids).not.toContain(pid);
});

test("a closed pool fails running, waiting and later requests and leaves no process", async () => {
  const pool = poolOf();
  await ask(pool, "1");
  const [pid] = pool.pids as [number];
  const running = ask(pool, sleep(60_000));
  const waiting = ask(pool, "2");
  // Waits until the first request has been sent to the process.
  await new Promise((resolve) => setTimeout(resolve, 50));
  pool.close();
  for (const asked of [running, waiting, ask(pool, "3")]) await expect(asked).rejects.toBeInstanceOf(ProcessLost);
  expect(pool.pids).toEqual([]);
  await eventually(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});

test("an urgent request goes before waiting requests and after urgent ones", async () => {
  const pool = poolOf();
  const order: string[] = [];
  const asked = (name: string, isUrgent = false) =>
    pool.ask({ js: "1" }, signal, isUrgent).then(() => order.push(name));
  await Promise.all([asked("first"), asked("a"), asked("b"), asked("urgent", true), asked("too", true)]);
  expect(order).toEqual(["first", "urgent", "too", "a", "b"]);
});
