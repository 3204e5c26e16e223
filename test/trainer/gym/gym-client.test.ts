import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type GymEpisode, GymError } from "#palestra/trainer/gym/gym.js";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import { eventually, fixture } from "../../support/gym.js";
import { scratchDir, startGym } from "../../support/server-process.js";
import { connect, listen } from "../support/gym.js";

const quick = { backOff: { baseMs: 5, maxMs: 20 } };

async function failureOf(promise: Promise<unknown>): Promise<GymError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(GymError);
  return error as GymError;
}

describe("an episode", () => {
  test("is played with numbered steps, the expert's advice and an end", async () => {
    const client = await connect((await listen()).url);
    const episode = await client.begin({ environment: "textcraft", split: "test", index: 3, seed: 7 });
    expect(episode).toMatchObject({
      played: { environment: "textcraft@1", split: "test", index: 3, seed: 7 },
      observation: expect.stringContaining("Goal: craft cobblestone stairs."),
      info: { depth: 1 },
      environment: { hasExpert: true, solvedReward: 1, maxSteps: 50 },
    });
    let last: Awaited<ReturnType<GymEpisode["step"]>> | undefined;
    while (!last?.terminated) last = await episode.step((await episode.expert()) as string);
    expect(last.reward).toBe(1);
  });

  test("has the prompt of its options", async () => {
    const client = await connect((await listen()).url);
    const text = await client.begin({ environment: "babyai", index: 0 });
    const moves = await client.begin({ environment: "babyai", index: 0, options: { actions: "primitive" } });
    expect(text.prompt).toContain("exploration master");
    expect(moves.prompt).toContain("- left, right: turn on the spot");
  });

  test("starts beside many others, each with its own result", async () => {
    const client = await connect((await listen()).url);
    const results = await client.beginMany([
      { environment: "textcraft", index: 0 },
      { environment: "textcraft", index: 99_999 },
      { environment: "babyai", split: "GoToLocal", index: 5, seed: 1 },
    ]);
    expect(results[0]).toMatchObject({ played: { environment: "textcraft@1", index: 0 } });
    expect(results[1]).toBeInstanceOf(GymError);
    expect(results[1]).toMatchObject({ code: "TASK_OUT_OF_RANGE", class: "action" });
    expect(results[2]).toMatchObject({ played: { split: "GoToLocal", index: 5, seed: 1 } });
  });

  test("fails with a typed error if the environment fails", async () => {
    const { url } = await listen({ environments: [fixture("faulty")] });
    const client = await connect(url);
    const episode = await client.begin({ environment: "faulty", index: 0 });
    expect(await failureOf(episode.step("throw"))).toMatchObject({ code: "ENVIRONMENT_THREW", class: "environment" });
  });

  test("is closed at the gym when the client is closed", async () => {
    const { url, gym } = await listen();
    const client = await connect(url);
    const { id } = await client.begin({ environment: "textcraft", index: 0 });
    await client.close();
    expect((await gym.call("get", { episodeId: id })).phase).toBe("closed");
    expect(await failureOf(client.begin({ environment: "textcraft", index: 0 }))).toMatchObject({ code: "GYM_CLOSED" });
  });

  test("is also closed if the caller gave up before it was created", async () => {
    const { url, gym } = await listen();
    const client = await connect(url);
    await client.info("textcraft");
    const giveUp = new AbortController();
    const beginning = client.begin({ environment: "textcraft", index: 0 }, giveUp.signal);
    await Promise.resolve();
    giveUp.abort(new Error("given up"));
    await expect(beginning).rejects.toThrow("given up");
    await eventually(async () => {
      const [newest] = (await gym.call("list")).episodes;
      return newest !== undefined && (await gym.call("get", { episodeId: newest.episodeId })).phase === "closed";
    });
  });
});

describe("the gym's environments", () => {
  test("are listed with their tasks", async () => {
    const client = await connect((await listen()).url);
    expect((await client.environments()).map(({ id, version }) => `${id}@${version}`)).toEqual([
      ...[
        "textcraft@1",
        "textcraft-pair@1",
        "babyai@1",
        "sciworld@1",
        "sciworld@jvm",
        "memory@2",
        "math@3",
        "math@python",
        ...["service@1", "bargain@1", "delegate@1", "assistant@1"],
        "searchqa@1",
        "deepsearch@1",
        "sql@2",
        ...["tau2-airline@1", "tau2-retail@1", "tau2-mock@1"],
        "webarena-lab@2",
        "webarena@2",
      ],
      ...["miniwob@1", "workbench@2", "desktop@1"],
    ]);
    const { tasks, next } = await client.tasks("textcraft", { split: "test", from: 98, limit: 5 });
    expect([tasks.map(({ index }) => index), next]).toEqual([[98, 99], null]);
    const { splits, defaultSplit } = await client.environment("textcraft");
    expect([splits.get("test"), defaultSplit]).toEqual([100, "all"]);
  });

  test("that are unknown are refused, and requested again the next time", async () => {
    const client = await connect((await listen()).url);
    for (let time = 0; time < 2; time++) {
      expect(await failureOf(client.environment("chess"))).toMatchObject({ code: "ENVIRONMENT_UNKNOWN" });
    }
  });
});

describe("a connection", () => {
  test("to an address without a server fails at once", async () => {
    const error = await failureOf(PalestraClient.connect("http://127.0.0.1:9"));
    expect(error).toMatchObject({ code: "GYM_UNREACHABLE", class: "infrastructure" });
    expect(error.message).toMatch(/^expected a gym at ws:\/\/127.0.0.1:9\/v1\/socket, but received .*ECONNREFUSED/);
  });

  test("that fails names its address without the token in the path, since records contain the message", async () => {
    const error = await failureOf(PalestraClient.connect("http://127.0.0.1:9/t/pal_secret"));
    expect(error.message).toContain("expected a gym at ws://127.0.0.1:9/t/pal_…/v1/socket, but");
  });

  test("needs a known token if the gym requires one", async () => {
    const { url, gym } = await listen({ auth: "required" });
    const token = await gym.createToken(["expert"]);
    expect(await failureOf(PalestraClient.connect(url))).toMatchObject({ code: "GYM_REFUSED", class: "action" });
    const client = await connect(url, { token });
    expect(await client.environments()).toHaveLength(23);
  });

  test("fails after its timeout, with all waiting requests", async () => {
    const { url, gym } = await listen();
    const client = await connect(url, { ...quick, giveUpMs: 50 });
    const episode = await client.begin({ environment: "textcraft", index: 0 });
    await gym.close();
    expect(await failureOf(episode.step("inventory"))).toMatchObject({ code: "GYM_UNREACHABLE" });
  });

  test("to a server that never answers ends with GYM_TIMEOUT", async () => {
    const { url } = await listen({ environments: [fixture("faulty")], hosts: { count: 1, stepDeadlineMs: 20_000 } });
    const client = await connect(url, { requestMs: 5_000 });
    const episode = await client.begin({ environment: "faulty", index: 0 });
    expect(await failureOf(episode.step("hang"))).toMatchObject({ code: "GYM_TIMEOUT", class: "infrastructure" });
  });

  test("to a server that is not a gym is refused", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const error = await failureOf(PalestraClient.connect(`http://127.0.0.1:${port}`));
    expect(error).toMatchObject({ code: "GYM_REFUSED", class: "action" });
  });

  test("to an invalid URL is refused", async () => {
    expect((await failureOf(PalestraClient.connect("gym"))).message).toBe(
      'expected a URL such as http://127.0.0.1:8700, but received "gym"',
    );
  });

  test("waits while the gym is full", async () => {
    const { url } = await listen({ limits: { maxEpisodes: 1, maxEpisodesPerCaller: 1 } });
    const client = await connect(url, quick);
    const first = await client.begin({ environment: "textcraft", index: 0 });
    const second = client.begin({ environment: "textcraft", index: 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await first.close();
    expect((await second).played.index).toBe(1);
  });

  test("continues its episodes after the gym is killed and restarted", async () => {
    const scratch = scratchDir();
    onTestFinished(scratch.remove);
    const before = await startGym({ dataDir: scratch.path, showErrors: true });
    onTestFinished(async () => void (await before.process.kill()));
    const client = await connect(before.url, { ...quick, giveUpMs: 30_000 });
    const episodes = await Promise.all([0, 1, 2, 3].map((index) => client.begin({ environment: "textcraft", index })));
    const item = /using \d+ ([a-z ]+)/.exec((episodes[0] as GymEpisode).observation)?.[1] as string;
    await Promise.all(episodes.map((episode) => episode.step(`get 1 ${item}`)));
    await before.process.kill();
    // The step is sent while no gym runs.
    const steps = episodes.map((episode) => episode.step("inventory"));
    const after = await startGym({ dataDir: scratch.path, port: Number(new URL(before.url).port), showErrors: true });
    onTestFinished(async () => void (await after.process.kill()));
    for (const { observation } of await Promise.all(steps)) expect(observation).toContain(`[${item}] (1)`);
  });

  test("reports an episode that the gym has lost as an infrastructure failure", async () => {
    const scratch = scratchDir();
    onTestFinished(scratch.remove);
    const before = await startGym({ dataDir: `${scratch.path}/a`, showErrors: true });
    onTestFinished(async () => void (await before.process.kill()));
    const client = await connect(before.url, { ...quick, giveUpMs: 30_000 });
    const episode = await client.begin({ environment: "textcraft", index: 0 });
    await before.process.kill();
    const after = await startGym({ dataDir: `${scratch.path}/b`, port: Number(new URL(before.url).port) });
    onTestFinished(async () => void (await after.process.kill()));
    const failure = await failureOf(episode.step("inventory"));
    expect(failure).toMatchObject({ code: "EPISODE_UNKNOWN", class: "infrastructure", passes: true });
  });
});
