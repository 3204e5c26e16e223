/** OpenEnv's own Python clients, unchanged, in the newest release and in the last one under its old name. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { root } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";
import { script } from "../support/textcraft-scripts.js";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
/** A Python with the package `openenv` and the requirements of its clients, which .ci/run installs. */
const python = process.env.OPENENV_PYTHON ?? join(cache, "openenv-0.10.0/bin/python");
/** Folder of the package `openenv-core`, which has the same name in Python. */
const core = join(cache, "openenv-0.10.0/openenv-core-0.3.0");

interface Result {
  observation: { text: string; prompt?: string };
  reward: number | null;
  done: boolean;
}

/** The Python program, which answers one command after another. */
class Program {
  private readonly lines: AsyncIterator<string>;

  constructor(private readonly child: ChildProcess) {
    const { stdout } = child;
    if (!stdout) throw new Error("expected a program whose output can be read");
    this.lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    onTestFinished(() => void child.kill("SIGKILL"));
  }

  async ask<T>(name: string, ...given: unknown[]): Promise<T> {
    this.child.stdin?.write(`${JSON.stringify([name, given])}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`expected an answer to ${name}, but the program ended`);
    return JSON.parse(value) as T;
  }
}

function start(url: string, path?: string): Program {
  const program = join(root, "test/e2e/openenv-client.py");
  const env = { ...process.env, ...(path !== undefined && { PYTHONPATH: path }) };
  return new Program(spawn(python, [program, url], { env, stdio: ["pipe", "pipe", "inherit"] }));
}

interface OwnResult {
  episodeId: string;
  prompt: string;
  observation: string;
  reward: number;
}

/** Plays an episode of TextCraft over /v1, and returns its results in OpenEnv's form. */
async function playOwn(url: string, params: object, actions: readonly string[]): Promise<Result[]> {
  const socket = await connect(url);
  const { episodeId, prompt, observation } = await socket.request<OwnResult>("create", {
    environment: "textcraft",
    ...params,
  });
  const results: Result[] = [{ observation: { prompt, text: observation }, reward: null, done: false }];
  for (const [index, action] of actions.entries()) {
    const step = await socket.request<OwnResult>("step", { episodeId, index, action });
    results.push({ observation: { text: step.observation }, reward: step.reward, done: false });
  }
  return results;
}

const releases = [
  ["openenv 0.10.0", undefined],
  ["openenv-core 0.3.0", core],
] as const;

describe.skipIf(!existsSync(python))(`OpenEnv's clients (skipped without a Python at ${python})`, () => {
  test.each(releases)("%s plays an episode with the results of /v1", async (_name, path) => {
    const { url } = await serve();
    const { task, actions } = script(7, 20);
    const program = start(`${url}/openenv/textcraft`, path);
    const reset = { ...task, seed: 4 };
    const { results, state } = await program.ask<{ results: Result[]; state: object }>("play", reset, actions);
    expect(results).toEqual(await playOwn(url, { task, seed: 4 }, actions));
    expect(state).toMatchObject({ step_count: actions.length, ...task });
  });

  test("play twenty episodes of three environments, at a path with a token", async () => {
    const dataDir = scratch();
    const { secret } = new TokenStore(dataDir).create({ name: "ada", rights: [], maxEpisodes: 100 });
    const { url } = await serve({ dataDir });
    for (const environment of ["textcraft", "babyai", "sciworld"]) {
      const program = start(`${url}/t/${secret}/openenv/${environment}`);
      for (let seed = 0; seed < 7; seed++) {
        const { results } = await program.ask<{ results: Result[] }>("play", { seed }, ["look around", "inventory"]);
        expect(results).toHaveLength(3);
        for (const { observation } of results) expect(observation.text).not.toBe("");
      }
    }
  });

  test.each(releases)("%s reports errors and continues", async (_name, path) => {
    const { url } = await serve();
    const { messages, state } = await start(`${url}/openenv/textcraft`, path).ask<{
      messages: string[];
      state: object;
    }>("errors");
    expect(messages).toEqual([
      expect.stringMatching(/Invalid action.*\(code: VALIDATION_ERROR\)/),
      expect.stringMatching(/"sed".*\(code: VALIDATION_ERROR\)/),
      expect.stringMatching(/one of textcraft's splits.*\(code: EXECUTION_ERROR\)/),
    ]);
    expect(state).toMatchObject({ step_count: 0, seed: 1 });
  });

  test("work with tools, AutoEnv, several sessions and the validator", async () => {
    const { url } = await serve();
    const program = start(`${url}/openenv/textcraft`);
    const calls = [
      ["get", { count: 2, item: "dirt" }],
      ["inventory", {}],
    ];
    expect(await program.ask("tools", { seed: 5 }, calls)).toEqual({
      names: ["get", "craft", "inventory"],
      results: ["Got 2 dirt", "Inventory: [dirt] (2) "],
      refusal: expect.stringContaining("expected one of the tools get, craft, inventory"),
      steps: 2,
    });
    expect(await program.ask("sessions")).toMatchObject([{ seed: 1 }, { seed: 2 }]);
    expect(await program.ask<Result>("auto")).toMatchObject({ reward: null, done: false });
    const report = await program.ask<{ passed: boolean; standard_profile: string; criteria: unknown[] }>("validate");
    expect(report).toMatchObject({ passed: true, standard_profile: "openenv-http/1.x", mode: "simulation" });
  });

  test.each(releases)(
    "%s gets an error when its gym is killed, and continues the same episode",
    async (_name, path) => {
      const dataDir = scratch();
      const first = await serve({ dataDir });
      const { task, actions } = script(3, 20);
      const program = start(`${first.url}/openenv/textcraft`, path);
      const { results, id } = await program.ask<{ results: Result[]; id: string }>("hold", task, actions.slice(0, 10));
      await first.process.kill();
      const second = await serve({ dataDir, port: Number(new URL(first.url).port) });
      const after = await program.ask<{ failure: string; results: Result[]; state: object }>(
        "go_on",
        actions.slice(10),
      );
      // The client may have reconnected on its own, and then its session has no episode yet.
      expect(after.failure).toMatch(/ConnectionClosed|expected a reset before the first step/);
      expect(after.state).toMatchObject({ episode_id: id, step_count: 20 });
      const whole = await playOwn(second.url, { task }, actions);
      expect([...results, ...after.results]).toEqual(whole);
    },
  );
});
