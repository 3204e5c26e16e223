/** `POST /v1/episodes/:episodeId/replay` replays an episode and compares every result with the log. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ReplayLine } from "#palestra/server/operations/schemas/replay.js";
import { checkError, eventually, fixture, openGym, scratchDir, type TestGym } from "../../../support/gym.js";

const environments = ["faulty", "plain", "unrestorable", "distant"].map(fixture);

interface Line {
  index?: number | null;
  equal?: boolean;
  logged?: string;
  replayed?: string;
  recorded?: true;
  steps?: number;
  proved?: boolean;
  error?: { code: string };
}

async function replay(gym: TestGym, episodeId: string): Promise<Line[]> {
  const { statusCode, headers, payload } = await gym.app.inject({
    method: "POST",
    url: `/v1/episodes/${episodeId}/replay`,
  });
  expect(statusCode, payload).toBe(200);
  expect(headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
  const lines = payload
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(ReplayLine.parse(line)).toEqual(line);
  return lines;
}

async function refusal(gym: TestGym, episodeId: string) {
  const response = await gym.app.inject({ method: "POST", url: `/v1/episodes/${episodeId}/replay` });
  return checkError(response.json(), response.statusCode);
}

async function play(gym: TestGym, environment: string, actions: readonly string[]): Promise<string> {
  const { episodeId } = await gym.create({ environment, task: { index: 0 } });
  for (const [index, action] of actions.entries()) await gym.step(episodeId, index, action);
  return episodeId;
}

describe("a replay", () => {
  test.each(["textcraft", "babyai", "sciworld", "distant@elsewhere"])(
    "confirms every result of an episode of %s",
    async (name) => {
      const gym = await openGym({ environments });
      const actions = Array.from({ length: 30 }, (_, i) => ["look around", "go forward", "inventory"][i % 3] as string);
      const episodeId = await play(gym, name, actions);
      const lines = await replay(gym, episodeId);
      const indices = [null, ...actions.keys()];
      expect(lines).toEqual([...indices.map((index) => ({ index, equal: true })), { steps: 30, proved: true }]);
      expect(await gym.call("get", { episodeId })).toMatchObject({ index: 30, phase: "running" });
    },
  );

  test("confirms an ended and a closed episode", async () => {
    const gym = await openGym({ environments });
    const ended = await play(gym, "faulty", ["on", "end"]);
    expect((await replay(gym, ended)).at(-1)).toEqual({ steps: 2, proved: true });
    const closed = await play(gym, "faulty", ["on"]);
    await gym.call("close", { episodeId: closed });
    expect((await replay(gym, closed)).at(-1)).toEqual({ steps: 1, proved: true });
  });

  test.each(["faulty", "distant@elsewhere"])(
    "of %s ends at the first difference and reports both texts",
    async (name) => {
      const gym = await openGym({ environments });
      const episodeId = await play(gym, name, ["on", "diverge", "on"]);
      const lines = await replay(gym, episodeId);
      expect(lines.slice(0, 2)).toEqual([
        { index: null, equal: true },
        { index: 0, equal: true },
      ]);
      const { logged = "", replayed = "", ...rest } = lines[2] as Line;
      expect(rest).toEqual({ index: 1, equal: false });
      expect([logged, replayed].map((text) => JSON.parse(text).observation)).toEqual([
        expect.stringMatching(/^it is \d+ now$/),
        expect.stringMatching(/^it is \d+ now$/),
      ]);
      expect(logged).not.toBe(replayed);
      expect(lines.slice(3)).toEqual([{ steps: 3, proved: false }]);
      expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "running", index: 3 });
    },
  );

  test("of an environment that cannot be replayed is refused", async () => {
    const gym = await openGym({ environments });
    const episodeId = await play(gym, "unrestorable", ["on"]);
    expect(await refusal(gym, episodeId)).toMatchObject({ code: "EPISODE_LOST" });
    expect(await refusal(gym, "ep-unknown")).toMatchObject({ code: "EPISODE_UNKNOWN" });
  });

  test("counts as a live episode of its caller only while it runs", async () => {
    const gym = await openGym({ environments, limits: { maxEpisodesPerCaller: 2 } });
    const episodeId = await play(gym, "faulty", ["on"]);
    await replay(gym, episodeId);
    await replay(gym, episodeId);
    await play(gym, "faulty", ["on"]);
    expect(await refusal(gym, episodeId)).toMatchObject({ code: "LIMIT_TOKEN_EPISODES" });
  });

  test("frees its place when the client disconnects, and is refused above the limit", async () => {
    const gym = await openGym({
      environments,
      limits: { maxReplays: 1 },
      hosts: { count: 1, stepDeadlineMs: 120_000 },
    });
    const gate = join(scratchDir(), "open");
    writeFileSync(gate, "");
    const episodeId = await play(gym, "distant@elsewhere", [`gate ${gate}`, "on"]);
    rmSync(gate);
    const url = await gym.app.listen({ port: 0, host: "127.0.0.1" });
    const left = new AbortController();
    const response = await fetch(`${url}/v1/episodes/${episodeId}/replay`, { method: "POST", signal: left.signal });
    expect(response.status).toBe(200);
    expect(await refusal(gym, episodeId)).toMatchObject({ code: "LIMIT_IN_FLIGHT" });
    expect(await gym.metric("palestra_live_episodes")).toBe(2);
    left.abort();
    await eventually(async () => (await gym.metric("palestra_live_episodes")) === 1);
    writeFileSync(gate, "");
    expect((await replay(gym, episodeId)).at(-1)).toEqual({ steps: 2, proved: true });
  });

  test("that exceeds its time limit ends with REPLAY_TIMEOUT", async () => {
    const gym = await openGym({ environments, limits: { maxReplayMs: 100 } });
    const episodeId = await play(gym, "distant@elsewhere", ["wait 500"]);
    expect((await replay(gym, episodeId)).at(-1)).toMatchObject({ error: { code: "REPLAY_TIMEOUT" } });
    expect(await gym.metric("palestra_live_episodes")).toBe(1);
  });

  test("whose environment fails ends with the error", async () => {
    const gym = await openGym({ environments });
    const episodeId = await play(gym, "faulty", ["on", "x".repeat(5_000)]);
    const strict = await gym.restart({ environments, limits: { maxReplyLength: 2_000 } });
    const lines = await replay(strict, episodeId);
    expect(lines[1]).toEqual({ index: 0, equal: true });
    expect(lines.slice(2)).toMatchObject([{ error: { code: "ENVIRONMENT_RESULT", class: "environment" } }]);
    expect(await strict.metric("palestra_live_episodes")).toBe(0);
  });

  test("names the steps that used logged answers of outside services", async () => {
    const gym = await openGym({ environments });
    const episodeId = await play(gym, "distant@elsewhere", ["on", "clock", "on"]);
    const lines = await replay(gym, episodeId);
    expect(lines.map(({ recorded }) => recorded === true)).toEqual([false, false, true, false, false]);
    expect(lines.at(-1)).toEqual({ steps: 3, proved: true });
  });
});
