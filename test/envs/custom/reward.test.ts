/** Rewards: built-in pieces, and functions that fail. */
import { execFileSync } from "node:child_process";
import { setMaxListeners } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Piece, rangeOf, scoreOf } from "#palestra/envs/custom/reward/pieces.js";
import { RewardPool } from "#palestra/envs/custom/reward/pool.js";
import type { RewardRequest } from "#palestra/envs/custom/reward/request.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { file, ownGym, rewardsOf } from "./support.js";

const { signal } = new AbortController();
setMaxListeners(0, signal);
const limits = { timeoutMs: 3_000, memoryMb: 64, processes: 2, variables: [] as string[] };
const asked: RewardRequest = { task: { prompt: "?", answer: "x" }, answer: "x", steps: 1, tokens: 10, calls: [] };

function pool(source: string, changes: Partial<typeof limits> = {}): RewardPool {
  return new RewardPool(source, { ...limits, ...changes }, [0, 1]);
}

const call = (tool: string, isError = false) => ({ tool, arguments: {}, isError });

describe("the built-in piece", () => {
  test.each([
    ["exact", { exact: {} }, {}, 1],
    ["exact, but for spaces", { exact: {} }, { answer: " x\n" }, 1],
    ["exact, with its accent apart", { exact: {} }, { task: { answer: "caf\u00e9" }, answer: "cafe\u0301" }, 1],
    ["exact, of another case", { exact: {} }, { answer: "X" }, 0],
    ["exact, where case is let go", { exact: { ignoreCase: true } }, { answer: "X" }, 1],
    ["exact, of another field", { exact: { field: "prompt" } }, { answer: "?" }, 1],
    ["exact, of a missing field", { exact: { field: "golden" } }, { answer: "" }, 0],
    ["numeric", { numeric: {} }, { task: { prompt: "?", answer: "12%" }, answer: "12" }, 0],
    ["numeric, asked in percent", { numeric: {} }, { task: { prompt: "What %?", answer: "12%" }, answer: "12" }, 1],
    ["regex", { regex: { pattern: "^[xy]$" } }, {}, 1],
    ["regex, which does not match", { regex: { pattern: "^[xy]$" } }, { answer: "xy" }, 0],
    ["jsonSchema", { jsonSchema: { schema: { type: "array" } } }, { answer: "[1]" }, 1],
    [
      "jsonSchema, of JSON nested too deep",
      { jsonSchema: { schema: { type: "array", items: { $ref: "#" } } } },
      { answer: "[".repeat(100_000) + "]".repeat(100_000) },
      0,
    ],
    ["jsonSchema, of no JSON", { jsonSchema: { schema: {} } }, { answer: "[1" }, 0],
    [
      "toolBonus",
      { toolBonus: { tool: "a", each: 0.25, most: 1 } },
      { calls: [call("a"), call("b"), call("a", true)] },
      0.25,
    ],
    [
      "toolBonus, at most",
      { toolBonus: { tool: "a", each: 0.25, most: 0.5 } },
      { calls: Array(4).fill(call("a")) },
      0.5,
    ],
    ["lengthPenalty, below", { lengthPenalty: { over: 10 } }, { tokens: 10 }, 0],
    ["lengthPenalty, half over", { lengthPenalty: { over: 10, penalty: 1 } }, { tokens: 15 }, -0.5],
    ["lengthPenalty, far over", { lengthPenalty: { over: 10, penalty: 1 } }, { tokens: 1_000 }, -1],
    ["formatPenalty", { formatPenalty: { pattern: "^x", penalty: 0.1 } }, {}, 0],
    ["formatPenalty, broken", { formatPenalty: { pattern: "^y", penalty: 0.1 } }, {}, -0.1],
    ["sum", { sum: [{ weight: 2, of: { exact: {} } }, { of: { lengthPenalty: { over: 5, penalty: 0.5 } } }] }, {}, 1.5],
  ] as const)("%s", (_, given, change, reward) => {
    const piece = Piece.parse(given);
    const score = scoreOf(piece, { ...asked, ...change } as RewardRequest);
    expect(score.reward).toBeCloseTo(reward, 12);
    const [low, high] = rangeOf(piece);
    expect(score.reward).toBeGreaterThanOrEqual(low);
    expect(score.reward).toBeLessThanOrEqual(high);
  });

  test("sum reports the rewards of its parts", () => {
    const piece = Piece.parse({
      sum: [{ of: { exact: {} } }, { of: { regex: { pattern: "y" } } }, { of: { exact: {} } }],
    });
    expect(scoreOf(piece, asked).info).toEqual({ exact: 1, regex: 0, exact2: 1 });
  });
});

describe.each(["js", "py"])("a reward function of .%s", (kind) => {
  const of = (js: string, python: string) =>
    kind === "js" ? file("r.js", `export default (r) => { ${js} }`) : file("r.py", `def reward(**r):\n    ${python}`);

  test("scores many answers at once in separate processes", async () => {
    const rewards = pool(
      of(
        "return { reward: r.tokens / 100, info: { pid: process.pid } }",
        "import os; return {'reward': r['tokens'] / 100, 'info': {'pid': os.getpid()}}",
      ),
    );
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, tokens) => rewards.score({ ...asked, tokens }, signal)),
    );
    expect(results.map(({ reward }) => reward)).toEqual(results.map((_, at) => at / 100));
    expect(new Set(results.map(({ info }) => info.pid)).size).toBeLessThanOrEqual(2);
  });

  test("that throws fails with its message", async () => {
    const rewards = pool(of("throw new TypeError('no such key')", "raise TypeError('no such key')"));
    await expect(rewards.score(asked, signal)).rejects.toThrow(
      /^the reward function threw TypeError: no such key \(\d+-r\.(js:1:\d+|py:2)\)$/,
    );
  });

  test.each([
    ["NaN", "NaN", "float('nan')"],
    ["too high", "1.5", "1.5"],
    ["too low", "-1", "-1"],
    ["text", "'1'", "{}"],
    ["nothing", "undefined", "None"],
  ])("that returns %s instead of a reward is refused", async (_, js, python) => {
    const rewards = pool(of(`return ${js}`, `return ${python}`));
    await expect(rewards.score(asked, signal)).rejects.toThrow(/expected a reward from 0 to 1|threw|TypeError/);
  });

  test("that never returns is ended, and the next answer is scored", async () => {
    const rewards = pool(
      of(
        "while (r.answer === 'loop'); return 1",
        "import itertools; [0 for _ in itertools.count() if r['answer'] != 'loop' and 1/0] if r['answer'] == 'loop' else 0; return 1",
      ),
    );
    const [looped, scored] = await Promise.allSettled([
      rewards.score({ ...asked, answer: "loop" }, signal),
      rewards.score(asked, signal),
    ]);
    expect(looped).toMatchObject({
      status: "rejected",
      reason: { name: "ServiceFailed", received: "no reply within 3000 ms" },
    });
    expect(scored).toMatchObject({ value: { reward: 1 } });
    expect(await rewards.score(asked, signal)).toMatchObject({ reward: 1 });
  });

  test("that exhausts its memory does not affect others", async () => {
    const rewards = pool(
      of(
        "const all = []; while (r.answer === 'eat') all.push(new Array(1e5).fill(all.length)); return 1",
        "x = bytearray(2**30) if r['answer'] == 'eat' else 0; return 1",
      ),
      { timeoutMs: 20_000 },
    );
    await expect(rewards.score({ ...asked, answer: "eat" }, signal)).rejects.toThrow(
      /the end of its process by|MemoryError/,
    );
    expect(await rewards.score(asked, signal)).toMatchObject({ reward: 1 });
  });

  test("whose process is killed fails only the current answer", async () => {
    const rewards = pool(
      of(
        "if (r.answer === 'die') process.kill(process.pid, 'SIGKILL'); return 1",
        "import os; os.kill(os.getpid(), 9) if r['answer'] == 'die' else 0; return 1",
      ),
    );
    await expect(rewards.score({ ...asked, answer: "die" }, signal)).rejects.toThrow(
      "the end of its process by SIGKILL",
    );
    expect(await rewards.score(asked, signal)).toMatchObject({ reward: 1 });
  });

  test("may print, and its output is reported when its process ends", async () => {
    const rewards = pool(
      of(
        "console.log('looking'); if (r.answer === 'exit') process.exit(3); return 1",
        "print('looking', flush=True); __import__('os')._exit(3) if r['answer'] == 'exit' else 0; return 1",
      ),
    );
    expect(await rewards.score(asked, signal)).toMatchObject({ reward: 1 });
    await expect(rewards.score({ ...asked, answer: "exit" }, signal)).rejects.toThrow(/exit code 3: looking/);
  });

  test("is ended when its caller disconnects", async () => {
    const rewards = pool(of("while (true);", "\n    while True: pass"), { timeoutMs: 60_000 });
    const aborting = AbortSignal.timeout(300);
    await expect(rewards.score(asked, aborting)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("sees only the usual environment variables and those that the definition names", async () => {
    vi.stubEnv("PALESTRA_SECRET", "token");
    vi.stubEnv("PGPASSWORD", "secret");
    vi.stubEnv("JUDGE_KEY", "key");
    const source = of(
      "const { PATH, PALESTRA_SECRET, PGPASSWORD, JUDGE_KEY = null } = process.env;" +
        " return { reward: PATH && !PALESTRA_SECRET && !PGPASSWORD ? 1 : 0, info: { key: JUDGE_KEY } }",
      "import os; get = os.environ.get;" +
        " right = get('PATH') and not get('PALESTRA_SECRET') and not get('PGPASSWORD');" +
        " return {'reward': 1 if right else 0, 'info': {'key': get('JUDGE_KEY')}}",
    );
    expect(await pool(source).score(asked, signal)).toEqual({ reward: 1, info: { key: null } });
    const named = pool(source, { variables: ["JUDGE_KEY"] });
    expect(await named.score(asked, signal)).toEqual({ reward: 1, info: { key: "key" } });
    vi.unstubAllEnvs();
  });

  test("ends with the gym even if it never returns", async () => {
    const path = of("while (true);", "\n    while True: pass");
    const source = new URL("../../../dist/.modules/envs/custom/reward/pool.js", import.meta.url).href;
    const program = `
      const { RewardPool } = await import(${JSON.stringify(source)});
      const pool = new RewardPool(${JSON.stringify(path)}, ${JSON.stringify({ ...limits, timeoutMs: 60_000 })}, [0, 1]);
      pool.score(${JSON.stringify(asked)}, new AbortController().signal);
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 1500);`;
    expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", program], { stdio: "pipe" })).toThrow();
    const isThere = () => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(path);
    await eventually(() => !isThere());
  });
});

test("a failing function does not affect other answers", async () => {
  const reward = file(
    "breaks.js",
    `export default ({ answer }) => {
      if (answer === "throw") throw new Error("as asked");
      while (answer === "loop");
      return answer === "high" ? 2 : 1;
    }`,
  );
  const gym = await ownGym({ reward, limits: { rewardMs: 3_000 } });
  expect(await rewardsOf(gym, ["a", "throw", "loop", "high", "b"])).toEqual([
    1,
    "ENVIRONMENT_THREW",
    "SERVICE_FAILED",
    "ENVIRONMENT_THREW",
    1,
  ]);
  const { episodeId } = await gym.create({ environment: "own", task: { index: 0 } });
  expect(await gym.refusal("step", { episodeId, index: 0, action: "loop" })).toMatchObject({ code: "SERVICE_FAILED" });
  expect(await gym.call("step", { episodeId, index: 0, action: "a" })).toMatchObject({ reward: 1, terminated: true });
});

test("a slow function does not delay answers of another environment", async () => {
  const gate = join(scratchDir(), "open");
  const slow = file(
    "slow.js",
    `import { existsSync } from "node:fs";
    export default async () => {
      while (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 50));
      return 1;
    };`,
  );
  const tasks = file("slow.jsonl", { prompt: "?" });
  const definition = { id: "slow", tasks, reward: slow, limits: { rewardMs: 60_000, rewardProcesses: 8 } };
  const entries = [definition, { ...definition, id: "own", reward: { regex: { pattern: "." } } }];
  const gym = await ownGym({}, { environments: entries.map((entry) => JSON.stringify(entry)) });
  expect(await rewardsOf(gym, ["warm"])).toEqual([1]);
  const answers = Array.from({ length: 16 }, () => ({ task: { index: 0 }, answer: "a" }));
  const flood = gym.call("score", { environment: "slow", answers });
  expect(await rewardsOf(gym, ["quick"])).toEqual([1]);
  writeFileSync(gate, "");
  expect((await flood).results).toMatchObject(answers.map(() => ({ reward: 1 })));
});
