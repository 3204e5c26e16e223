/** `palestra export` as users run it: in its own process, with recorded evaluations and a gym with episodes. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import { type RunningServer, root, scratchDir, startGym } from "../support/server-process.js";

type Row = Record<string, never>;

const home = scratchDir();
const expert = join(home.path, "evals/expert");
const random = join(home.path, "evals/random");
const called = join(home.path, "called");
let gym: RunningServer;

beforeAll(async () => {
  gym = await startGym({ dataDir: join(home.path, "gym"), env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const tasks = ["--env", "textcraft", "--split", "test", "--limit", "10", "--gym", gym.url];
  expect((await palestra("eval", ...tasks, "--policy", "expert", "--out", expert)).stderr).not.toContain("palestra:");
  await palestra("eval", ...tasks, "--policy", "random", "--k", "3", "--rounds", "3", "--out", random);
  await palestra("eval", ...tasks, "--policy", "expert", "--format", "tool_call", "--out", called);
});
afterAll(async () => {
  await gym?.process.kill();
  home.remove();
});

async function palestra(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = execFile(process.execPath, [join(root, "dist/server/program/cli.js"), ...args], { maxBuffer: 1 << 28 });
  const outcome = { stdout: "", stderr: "" };
  child.stdout?.on("data", (text) => (outcome.stdout += text));
  child.stderr?.on("data", (text) => (outcome.stderr += text));
  const [code] = await once(child, "close");
  return { code: code as number, ...outcome };
}

async function rows(...args: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await palestra("export", ...args);
  expect(code, stderr).toBe(0);
  return linesOf(stdout);
}

function linesOf(text: string): Row[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}

function recordsOf(folder: string) {
  return linesOf(readFileSync(join(folder, "episodes.jsonl"), "utf8")).slice(1) as unknown as {
    opening: string;
    prompt?: string;
    played: { index: number };
    turns: { reply: string; action: string; observation: string; reward: number }[];
  }[];
}

/** A line of OpenAI's fine-tuning data, by its documentation. */
const FineTuningLine = z.strictObject({
  messages: z.array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.enum(["system", "user"]), content: z.string() }),
      z.strictObject({ role: z.literal("tool"), content: z.string(), tool_call_id: z.string() }),
      z
        .strictObject({
          role: z.literal("assistant"),
          content: z.string().nullable(),
          tool_calls: z
            .array(
              z.strictObject({
                id: z.string(),
                type: z.literal("function"),
                function: z.strictObject({ name: z.string(), arguments: z.string() }),
              }),
            )
            .min(1)
            .optional(),
        })
        .refine(({ content, tool_calls }) => content !== null || tool_calls !== undefined),
    ]),
  ),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
      }),
    )
    .optional(),
});

describe("records of an evaluation", () => {
  test("the format openai has system prompt, observations and replies in lines for fine-tuning", async () => {
    const lines = (await rows(expert, "--format", "openai")).map((line) => FineTuningLine.parse(line));
    const records = recordsOf(expert);
    const prompt = records.find((record) => record.prompt !== undefined)?.prompt;
    const expected = records.map(({ opening, turns }) => [
      { role: "system", content: prompt },
      { role: "user", content: opening },
      ...turns.flatMap(({ reply, observation }) => [
        { role: "assistant", content: reply },
        { role: "user", content: observation },
      ]),
    ]);
    expect(lines.map(({ messages }) => messages)).toEqual(expected.map((messages) => messages.slice(0, -1)));
  });

  test("the format openai has function calls as tool_calls, their tool messages, and the functions", async () => {
    const lines = (await rows(called, "--format", "openai")).map((line) => FineTuningLine.parse(line));
    expect(lines).toHaveLength(10);
    for (const { messages, tools } of lines) {
      const names = tools?.map((tool) => tool.function.name);
      const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
      const answers = messages.flatMap((message) => (message.role === "tool" ? message.tool_call_id : []));
      expect(answers).toEqual(calls.map(({ id }) => id).slice(0, -1));
      expect(calls.every((call) => names?.includes(call.function.name))).toBe(true);
    }
  });

  test("the format agentgym has conversations of AgentTraj, in which only replies are trained", async () => {
    const [line] = await rows(expert, "--format", "agentgym", "--limit", "1");
    const [record] = recordsOf(expert);
    const { conversations, item_id } = line as unknown as { conversations: Record<string, unknown>[]; item_id: string };
    expect(Object.keys(line as Row).sort()).toEqual(["conversations", "item_id"]);
    expect(item_id).toBe(`textcraft_${record?.played.index}`);
    expect(conversations.slice(0, 4)).toEqual([
      { from: "human", loss: null, value: expect.stringContaining("crafting recipes") },
      { from: "gpt", loss: false, value: "OK. I'll follow your instructions and try my best to solve the task." },
      { from: "human", loss: null, value: record?.opening },
      { from: "gpt", loss: true, value: record?.turns[0]?.reply },
    ]);
    expect(conversations.at(-1)).toEqual({ from: "gpt", loss: true, value: record?.turns.at(-1)?.reply });
  });

  test("the format steps has a row per step, whose next observation equals the next row's observation", async () => {
    const steps = (await rows(expert, "--format", "steps")) as unknown as Record<string, unknown>[];
    const expected = recordsOf(expert).flatMap(({ turns }) => turns);
    expect(steps.map(({ action }) => action)).toEqual(expected.map(({ action }) => action));
    expect(steps.map(({ reward }) => reward)).toEqual(expected.map(({ reward }) => reward));
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      if (next && next.index !== 0) expect(step.nextObservation).toBe(next.observation);
      expect(step.terminated).toBe(next === undefined || next.index === 0);
    }
  });

  test("the format preferences has the best and worst reply to a prompt, or all pairs with --pairs all", async () => {
    const both = join(home.path, "evals");
    const pairs = (await rows(both, "--format", "preferences")) as unknown as Record<string, never>[];
    expect(pairs.length).toBeGreaterThan(0);
    for (const pair of pairs) {
      const { prompt, chosen, rejected, chosenReturn, rejectedReturn } = pair as unknown as {
        prompt: { role: string }[];
        chosen: { role: string }[];
        rejected: { role: string }[];
        chosenReturn: number;
        rejectedReturn: number;
      };
      expect(prompt.map(({ role }) => role)).toEqual(["system", "user"]);
      expect([chosen[0]?.role, chosen.at(-1)?.role]).toEqual(["assistant", "assistant"]);
      expect([rejected[0]?.role, rejected.at(-1)?.role]).toEqual(["assistant", "assistant"]);
      expect(chosenReturn).toBeGreaterThan(rejectedReturn);
    }
    const all = await rows(both, "--format", "preferences", "--pairs", "all");
    expect(all.length).toBeGreaterThan(pairs.length);
    expect(await rows(both, "--format", "preferences", "--margin", "1.5")).toEqual([]);
    expect(await rows(both, "--format", "preferences", "--pairs", "all", "--limit", "2")).toEqual(all.slice(0, 2));
  });

  test("records are filtered by environment, split, returns, solved and limit", async () => {
    const both = [join(home.path, "evals"), "--format", "openai"];
    const count = async (...filter: string[]) => (await rows(...both, ...filter)).length;
    const all = await count();
    expect(all).toBe(40);
    expect([await count("--environment", "babyai"), await count("--split", "train")]).toEqual([0, 0]);
    expect([await count("--environment", "textcraft"), await count("--environment", "textcraft@1")]).toEqual([
      all,
      all,
    ]);
    const solved = await count("--solved");
    expect(solved).toBeGreaterThanOrEqual(10);
    expect([await count("--min-return", "1"), await count("--max-return", "0.5")]).toEqual([solved, all - solved]);
    expect(await count("--limit", "3")).toBe(3);
  });

  test("failed episodes are left out and counted, and the newest record of an episode counts", async () => {
    const folder = join(home.path, "patched");
    mkdirSync(folder);
    const [header, first, second] = readFileSync(join(expert, "episodes.jsonl"), "utf8").split("\n");
    const failed = JSON.stringify({ ...JSON.parse(second as string), status: "failed", solved: false, turns: [] });
    const again = JSON.stringify({ ...JSON.parse(first as string), score: 0.25, solved: false });
    // Half a line, as left by a process that died during a write.
    writeFileSync(join(folder, "episodes.jsonl"), [header, first, failed, again, '{"play'].join("\n"));
    const { stdout, stderr } = await palestra("export", folder, "--format", "steps");
    expect(new Set(linesOf(stdout).map((row) => row.return))).toEqual(new Set([0.25]));
    expect(stderr).toContain("2 episodes read, 1 episode written");
    expect(stderr).toContain("left out: 1 failed");
  });
});

test.each(["openai", "agentgym", "steps", "preferences"])(
  "Parquet of %s has the same rows as JSON lines",
  async (format) => {
    const source = [join(home.path, format === "openai" ? "called" : "evals"), "--format", format];
    const path = join(home.path, `${format}.parquet`);
    expect((await palestra("export", ...source, "--out", path)).code).toBe(0);
    const read = (await parquetReadObjects({ file: await asyncBufferFromFile(path) })).map(plain);
    expect(read).toEqual((await rows(...source)).map(plain));
  },
);

/** Returns a row without nulls, with integers as numbers and parsed JSON columns. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(
    entries.map(([name, each]) => {
      const isJson = ["tools", "options"].includes(name) && typeof each === "string";
      return [name, plain(isJson ? JSON.parse(each) : each)];
    }),
  );
}

describe("a running gym", () => {
  test("ended episodes of a gym are exported with their openings, and running ones are counted", async () => {
    const client = await PalestraClient.connect(gym.url);
    const running = await client.begin({ environment: "babyai", split: "GoToLocal", index: 0 });
    const played = await client.begin({ environment: "babyai", split: "GoToLocal", index: 1 });
    const expected: unknown[] = [{ role: "user", content: played.observation }];
    for (let ended = false; !ended; ) {
      const action = (await played.expert()) as string;
      const step = await played.step(action);
      expected.push({ role: "assistant", content: action }, { role: "user", content: step.observation });
      ended = step.terminated;
    }
    const of = ["export", "--gym", gym.url, "--environment", "babyai", "--format"];
    const { stdout, stderr } = await palestra(...of, "openai");
    const react = await palestra(...of, "agentgym");
    await client.close();
    const [line, ...others] = linesOf(stdout).map((row) => FineTuningLine.parse(row));
    expect(others).toEqual([]);
    expect(line?.messages[0]).toEqual({ role: "system", content: played.prompt });
    expect(line?.messages.slice(1)).toEqual(expected.slice(0, -1));
    expect(stderr).toMatch(/1 episode written to standard output; left out: 1 not ended, \d+ filtered/);
    expect(react.stdout).toContain(JSON.stringify(`Thought:\n\n\nAction:\n`).slice(1, -1));
    expect(running.id).not.toBe(played.id);
  });

  test("the steps of the gym equal those of the evaluation's records", async () => {
    const [of, keys] = [
      ["--format", "steps", "--solved"],
      ["index", "action", "reward", "nextObservation"],
    ];
    const picked = (row: Row) => JSON.stringify(keys.map((key) => row[key]));
    const recorded = (await rows(expert, ...of)).map(picked);
    const logged = (await rows("--gym", gym.url, "--environment", "textcraft", ...of)).map(picked);
    expect(logged).toEqual(expect.arrayContaining(recorded));
  });
});

describe("exports that are refused", () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await palestra("export", ...args);
    expect([0, null]).not.toContain(code);
    return stderr;
  };

  test("an unknown format, a wrong file name, and records together with a gym are refused", async () => {
    expect(await refused(expert, "--format", "opnai")).toMatch(
      /openai, agentgym.*received "opnai" \(Did you mean openai/,
    );
    const csv = await refused(expert, "--format", "steps", "--out", "a.csv");
    expect(csv).toContain("expected --out with a name that ends in .jsonl or .parquet, but received a.csv");
    expect(await refused(expert, "--gym", gym.url, "--format", "steps")).toContain("but received both");
    expect(await refused(expert, "--format", "steps", "--min-return", "much")).toContain('received "much"');
  });

  test("a folder without records and a missing path are refused", async () => {
    const empty = join(home.path, "empty");
    mkdirSync(empty);
    expect(await refused(empty, "--format", "steps")).toContain("expected a folder with episodes.jsonl");
    expect(await refused(`${empty}/no`, "--format", "steps")).toContain("expected a file or folder of an evaluation");
  });

  test("a damaged line is reported with its file, and no output is left", async () => {
    const path = join(home.path, "damaged.jsonl");
    const [header, first] = readFileSync(join(expert, "episodes.jsonl"), "utf8").split("\n");
    for (const [line, said] of [
      ['{"played": 3', "which is not JSON"],
      ['{"played": 3}', "an invalid played ("],
    ]) {
      writeFileSync(path, [header, first, line, first, ""].join("\n"));
      for (const out of ["d.jsonl", "d.parquet"]) {
        const error = await refused(path, "--format", "openai", "--out", join(home.path, out));
        expect(error).toContain(`${path}:3: expected an episode of an evaluation, but received`);
        expect(error).toContain(said);
      }
    }
    expect(readdirSync(home.path).filter((name) => name.startsWith("d."))).toEqual([]);
  });

  test("a gym that does not answer is reported", async () => {
    expect(await refused("--gym", "http://127.0.0.1:9", "--format", "steps")).toContain("GYM_UNREACHABLE");
  });

  test("an existing file is refused unless --force is given", async () => {
    const path = join(home.path, "twice.jsonl");
    const args = [expert, "--format", "steps", "--out", path];
    expect((await palestra("export", ...args)).code).toBe(0);
    writeFileSync(path, "precious");
    expect(await refused(...args)).toContain("Add --force to replace it.");
    expect(readFileSync(path, "utf8")).toBe("precious");
    expect((await palestra("export", ...args, "--force")).code).toBe(0);
    expect(linesOf(readFileSync(path, "utf8")).length).toBeGreaterThan(10);
  });
});
