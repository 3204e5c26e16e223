/** `palestra eval` as users run it: in its own process, with a real gym and a policy server that sometimes fails. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EvaluationReport } from "#palestra/trainer/evaluation/evaluate.js";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import type { GymEpisode } from "#palestra/trainer/gym/gym.js";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import { eventually, fixture } from "../support/gym.js";
import { root, spawnGym, startGym } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";
import { type Fault, serveChat } from "../trainer/support/chat-server.js";

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const expertOpen = { env: { PALESTRA_LOCAL_EXPERT: "true" } };

/** Arguments of a run that is long enough to be interrupted. */
const trainByExpert = ["--env", "textcraft", "--split", "train", "--policy", "expert"];

function start(args: string[]) {
  const child = execFile(process.execPath, [join(root, "dist/server/program/cli.js"), "eval", ...args], {
    env: process.env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const outcome: Outcome = { code: -1, stdout: "", stderr: "" };
  child.stdout?.on("data", (text) => (outcome.stdout += text));
  child.stderr?.on("data", (text) => (outcome.stderr += text));
  const done = once(child, "close").then(([code]) => ({ ...outcome, code: code as number }));
  return { child, done };
}

function evaluate(...args: string[]): Promise<Outcome> {
  return start(args).done;
}

/** Expects a run to succeed, and returns its report. */
async function report(...args: string[]): Promise<EvaluationReport> {
  const { code, stdout, stderr } = await evaluate(...args, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as EvaluationReport;
}

function records(directory: string): EpisodeRecord[] {
  const [, ...lines] = readFileSync(join(directory, "episodes.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as EpisodeRecord);
}

/** The expert's actions by the first observation of the task. */
async function expertScripts(url: string, environment: string, split: string, count: number) {
  const client = await PalestraClient.connect(url);
  const scripts = new Map<string, string[]>();
  for (let index = 0; index < count; index++) {
    const episode: GymEpisode = await client.begin({ environment, split, index });
    const actions: string[] = [];
    for (let ended = false; !ended; ) {
      const action = (await episode.expert()) as string;
      actions.push(action);
      ended = (await episode.step(action)).terminated;
    }
    scripts.set(episode.observation, actions);
  }
  await client.close();
  return scripts;
}

/** A model that writes the expert's next action as ReAct. */
async function expertModel(scripts: Map<string, string[]>, fault?: (n: number) => Fault | undefined) {
  const server = await serveChat({
    say({ messages }) {
      const script = messages.map(({ content }) => scripts.get(content)).find((found) => found !== undefined);
      const turn = messages.filter(({ role, content }) => role === "assistant" && content.includes("Action:")).length;
      return `Thought:\nI know this.\n\nAction:\n${script?.[turn] ?? "inventory"}`;
    },
    ...(fault && { fault }),
  });
  return { server, policy: `openai:${server.url}#expert` };
}

describe("palestra eval", () => {
  test("eval starts a gym of its own, where the expert solves TextCraft", async () => {
    const out = scratch();
    const { summary, complete } = await report(
      ...[
        "--env",
        "textcraft",
        "--split",
        "test",
        "--limit",
        "20",
        "--policy",
        "expert",
        "--gym",
        "spawn",
        "--out",
        out,
      ],
    );
    expect(complete).toBe(true);
    expect(summary).toMatchObject({
      planned: 20,
      episodes: 20,
      failed: 0,
      successRate: { value: 1, method: "korn-graubard" },
    });
    expect(summary.families.map(({ family }) => family)).toContain("1");
    const html = readFileSync(join(out, "report.html"), "utf8");
    expect(html).toContain("Goal: craft black dye.");
    expect(html).not.toMatch(/(src|href)=/);
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain("| success rate | 100.0 %");
  });

  test("eval plays on an AgentGym server", async () => {
    const { url } = await serve();
    const args = ["--env", "babyai", "--agentgym", `${url}/agentgym/babyai`, "--policy", "random", "--limit", "8"];
    const { summary, environment } = await report(...args, "--out", scratch());
    expect(environment).toBe("babyai");
    expect(summary).toMatchObject({ planned: 8, episodes: 8, failed: 0 });
    expect(summary.families.map(({ family }) => family)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  });

  test("a model is scored by its replies, although its server stalls, refuses, breaks and sends garbage", async () => {
    const { url } = await serve(expertOpen);
    const split = "GoToRedBallNoDists";
    const faults: (Fault | undefined)[] = [
      "stall",
      { status: 429, headers: { "retry-after": "0" } },
      { status: 500 },
      "garbage",
    ];
    const model = await expertModel(await expertScripts(url, "babyai", split, 10), (n) =>
      n % 5 === 0 ? faults[(n / 5) % faults.length] : undefined,
    );
    const { summary, policy } = await report(
      ...["--env", "babyai", "--split", split, "--limit", "10", "--policy", model.policy, "--gym", url, "--k", "2"],
      ...["--timeout", "1", "--price-in", "1", "--price-out", "2", "--out", scratch(), "--concurrency", "8"],
    );
    expect(policy).toBe(model.policy);
    expect(summary).toMatchObject({ planned: 20, episodes: 20, failed: 0, successRate: { value: 1 } });
    expect(summary.usage.requests).toBe(model.server.requests.length);
    const retries = summary.usage.retries ?? {};
    expect(Object.keys(retries).sort()).toEqual(["429", "5xx", "reply", "timeout"]);
    expect(summary.passAtK.map(({ k, value }) => [k, value])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    const { promptTokens, completionTokens } = summary.usage;
    expect(summary.cost).toBeCloseTo((promptTokens + 2 * completionTokens) / 1e6);
  });

  test("eval continues after the gym is killed and restarted", async () => {
    const dataDir = scratch();
    const before = await startGym({ dataDir, ...expertOpen });
    onTestFinished(async () => void (await before.process.kill()));
    const out = scratch();
    const args = [...trainByExpert, "--gym", before.url, "--concurrency", "4"];
    const run = start([...args, "--out", out, "--json"]);
    await eventually(() => existsSync(join(out, "episodes.jsonl")) && records(out).length > 5);
    await before.process.kill();
    const after = spawnGym({ dataDir, port: Number(new URL(before.url).port), ...expertOpen });
    onTestFinished(async () => void (await after.kill()));
    const { code, stdout, stderr } = await run.done;
    expect(code, stderr).toBe(0);
    expect((JSON.parse(stdout) as EvaluationReport).summary).toMatchObject({
      episodes: 444,
      failed: 0,
      successRate: { value: 1 },
    });
  });

  test("a signal interrupts eval with a message, and the next run continues it", async () => {
    const { url } = await serve(expertOpen);
    const out = scratch();
    const args = [...trainByExpert, "--gym", url, "--concurrency", "2", "--out", out];
    const { child, done } = start(args);
    await eventually(() => existsSync(join(out, "episodes.jsonl")) && records(out).length > 5);
    child.kill("SIGINT");
    expect((await done).code).toBe(130);
    const early = records(out);
    expect(early.length).toBeLessThan(444);
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain("Cut short");
    const { summary } = await report(...args, "--concurrency", "64");
    expect(summary).toMatchObject({ episodes: 444, failed: 0 });
    const all = records(out);
    expect(all.slice(0, early.length)).toEqual(early);
    expect(new Set(all.map(({ played }) => played.index)).size).toBe(444);
    expect(all).toHaveLength(444);
    // All records exist, so no episode is played.
    expect((await report(...args)).summary).toEqual(summary);
  });

  test("infrastructure failures are counted but not scored, and the next run retries them", async () => {
    const { url } = await serve(expertOpen);
    const out = scratch();
    const scripts = await expertScripts(url, "textcraft", "test", 8);
    let isBroken = true;
    const flaky = await expertModel(scripts, () => (isBroken ? { status: 400, body: "no" } : undefined));
    const args = [
      "--env",
      "textcraft",
      "--split",
      "test",
      "--limit",
      "8",
      "--policy",
      flaky.policy,
      "--gym",
      url,
      "--out",
      out,
    ];
    const first = await evaluate(...args, "--json");
    expect(first.code).toBe(1);
    expect((JSON.parse(first.stdout) as EvaluationReport).summary).toMatchObject({
      episodes: 0,
      failed: 8,
      failures: [{ class: "policy", code: "POLICY_REFUSED", count: 8 }],
    });
    isBroken = false;
    expect((await report(...args)).summary).toMatchObject({ episodes: 8, failed: 0, successRate: { value: 1 } });
  });

  test("the end of a run lists the reasons for lost episodes with a remedy for each", async () => {
    const { url } = await serve(expertOpen);
    const scripts = await expertScripts(url, "textcraft", "test", 4);
    const model = await expertModel(scripts, (n) => (n === 1 ? { status: 400, body: "too long" } : undefined));
    const out = scratch();
    const args = ["--env", "textcraft", "--split", "test", "--limit", "4", "--policy", model.policy, "--gym", url];
    const { code, stdout } = await evaluate(...args, "--out", out, "--concurrency", "1");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 episode was lost to failures/m);
    expect(stdout).toMatch(
      /^ {2}1 x POLICY_REFUSED \(400\): .+ received 400: too long\n {6}Change what the server refuses/m,
    );
    for (const file of ["report.json", "report.md", "report.html"]) {
      const report = readFileSync(join(out, file), "utf8");
      expect(report).toContain("received 400: too long");
      expect(report).toContain("Change what the server refuses");
    }
  });

  test("a policy server that refuses the key ends the run at once, and the same command continues it later", async () => {
    const { url } = await serve(expertOpen);
    const scripts = await expertScripts(url, "textcraft", "test", 8);
    // The eight tasks take 17 requests.
    let left = 9;
    const isBroken = () => left-- <= 0;
    const model = await expertModel(scripts, () => (isBroken() ? { status: 401, body: "key revoked" } : undefined));
    const out = scratch();
    const args = ["--env", "textcraft", "--split", "test", "--limit", "8", "--policy", model.policy, "--gym", url];
    const first = await evaluate(...args, "--out", out, "--concurrency", "2");
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(
      /^palestra: expected status 200 .+ received 401: key revoked\. OPENAI_API_KEY is not set/m,
    );
    const early = records(out).filter(({ status }) => status !== "failed");
    expect(first.stderr).toContain(`${early.length} of 8 episodes are kept in ${out}`);
    expect(early.length).toBeGreaterThan(0);
    expect(early.length).toBeLessThan(8);
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain("key revoked");
    left = Number.POSITIVE_INFINITY;
    const written = records(out).length;
    expect((await report(...args, "--out", out)).summary).toMatchObject({ episodes: 8, failed: 0 });
    expect(records(out)).toEqual(expect.arrayContaining(early));
    // The gym tells the progress of the second run by its plan.
    const plan = { episodes: 8, k: 1, finished: early.length, records: written };
    expect(JSON.parse(readFileSync(join(out, "plan.json"), "utf8"))).toMatchObject(plan);
  });

  test("a policy server that never answers ends the run soon, and every retry is shown", async () => {
    const { url } = await serve();
    const model = await expertModel(new Map(), () => ({ status: 500, body: "boom" }));
    const args = ["--env", "textcraft", "--limit", "20", "--policy", model.policy, "--gym", url, "--out", scratch()];
    const run = start(args);
    const { code, stderr } = await run.done;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^retrying: 500.*, \d+ s left\n/);
    expect(stderr).toMatch(
      /^palestra: no request to .+ has succeeded in \d+ s: .+boom\. Look at the policy server's log/m,
    );
  });

  test("an environment that fails is not scored", async () => {
    const { url } = await serve({ environmentModules: [fixture("faulty")] });
    const server = await serveChat({
      say: ({ messages }) => (messages.length < 3 ? "Action: hello" : "Action: throw"),
    });
    const policy = `openai:${server.url}#thrower`;
    const args = ["--env", "faulty", "--limit", "3", "--policy", policy, "--gym", url, "--out", scratch(), "--json"];
    const { code, stdout } = await evaluate(...args);
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as EvaluationReport).summary).toMatchObject({
      episodes: 0,
      failures: [{ class: "environment", code: "ENVIRONMENT_THREW", count: 3 }],
    });
  });

  test("eval refuses to start if the gym does not permit the expert, and names the remedy", async () => {
    const { url } = await serve();
    const args = ["--env", "textcraft", "--policy", "expert", "--gym", url, "--concurrency", "4", "--out", scratch()];
    const { code, stderr } = await evaluate(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^palestra: RIGHT_MISSING: expected .+, but received no token\. Create a token .+ --expert` .+\n$/,
    );
  });

  test("AgentGym-RL's preset has its round caps and conversation, and names its tasks", async () => {
    const { url } = await serve(expertOpen);
    const model = await expertModel(new Map());
    const args = [
      "--env",
      "textcraft",
      "--preset",
      "agentgym-rl",
      "--limit",
      "2",
      "--policy",
      model.policy,
      "--gym",
      url,
    ];
    const { maxRounds, format, split, notes, summary } = await report(...args, "--out", scratch());
    expect({ maxRounds, format, split }).toEqual({ maxRounds: 30, format: "agentgym", split: "test" });
    expect(notes[0]).toContain("not part of this program");
    expect(summary).toMatchObject({ episodes: 2, meanSteps: 30, statuses: { limit: 2 } });
    expect(model.server.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test.each([
    [["--policy", "random"], /expected --env NAME, or --preset NAME for all of its environments, but received neither/],
    [["--env", "textcraft", "--policy", "magic", "--gym", "spawn"], /expected one of the policies .+ received "magic"/],
    [["--env", "textcraft", "--policy", "random", "--k", "0"], /expected an integer of at least 1, but received "0"/],
    [["--env", "textcraft", "--policy", "random", "--tasks", "nowhere.json"], /expected indices as .+ "nowhere.json"/],
    [
      ["--env", "textcraft", "--policy", "random", "--gym", "spawn", "--split", "exam"],
      /splits of textcraft: all, train.+"exam"/,
    ],
    [
      ["--env", "textcraft", "--policy", "random", "--gym", "spawn", "--tasks", "600"],
      /from 0 to 543, but received 600/,
    ],
    [["--env", "chess", "--policy", "random", "--gym", "spawn"], /ENVIRONMENT_UNKNOWN/],
    [["--env", "textcraft", "--policy", "random", "--frobnicate"], /unknown option '--frobnicate'/],
  ])("the flags %j are refused as misuse in one line", async (args, message) => {
    const { code, stdout, stderr } = await evaluate(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^palestra: [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });

  test("a gym that cannot be reached is reported in one line", async () => {
    const { code, stderr } = await evaluate("--env", "textcraft", "--policy", "random", "--gym", "http://127.0.0.1:9");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^palestra: GYM_UNREACHABLE: expected a gym at .+\n$/);
  });
});
