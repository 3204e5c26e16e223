/** Exports of training data over the API of a listening gym. */
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { ExportedEpisode } from "#palestra/server/operations/exports/episode.js";
import { checkError, eventually, fixture, openGym, type TestGym } from "../../../support/gym.js";
import { paint } from "./painted.js";

async function listening(settings: object = {}): Promise<{ gym: TestGym; url: string }> {
  const gym = await openGym({ environments: [fixture("painter")], ...settings });
  return { gym, url: await gym.app.listen({ host: "127.0.0.1", port: 0 }) };
}

const ask = (url: string, body: object, token?: string, signal?: AbortSignal) =>
  fetch(`${url}/v1/export`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(signal && { signal }),
  });

async function rowsOf(reply: Response): Promise<Record<string, never>[]> {
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("an export of steps or chats has the caller's own ended episodes, by id or the newest", async () => {
  const { gym, url } = await listening();
  const token = await gym.createToken();
  const own = await paint(gym, ["red", "blue"], 0, token);
  const second = await paint(gym, ["blue", "red"], 1, token);
  await paint(gym, ["red", "blue"], 2);
  const reply = await ask(url, { format: "steps" }, token);
  expect(reply.headers.get("content-disposition")).toBe('attachment; filename="palestra-episodes.steps.jsonl"');
  const steps = (await rowsOf(reply)) as unknown as { episodeId: string; action: string }[];
  expect(steps.map(({ episodeId, action }) => [episodeId, action])).toEqual([
    [second, "blue"],
    [second, "red"],
    [own, "red"],
    [own, "blue"],
  ]);
  const named = await rowsOf(await ask(url, { format: "openai", episodeIds: [own] }, token));
  expect(named).toHaveLength(1);
  const { messages } = named[0] as unknown as { messages: { role: string; content: string }[] };
  expect(messages.at(-1)).toEqual({ role: "assistant", content: "blue" });
});

test("a preference pair follows the majority of the raters, and a tie gives no pair", async () => {
  const { gym, url } = await listening();
  const pairs = await Promise.all(
    [0, 1].map(async (index) => [await paint(gym, ["red", "blue"], index), await paint(gym, ["blue", "red"], index)]),
  );
  const [[first, second], [third, fourth]] = pairs as [[string, string], [string, string]];
  const judge = (left: string, right: string, choice: string, rater: string) =>
    gym.call("judge", { left, right, choice, rater });
  await judge(first, second, "left", "ada");
  await judge(first, second, "right", "ada");
  await judge(second, first, "left", "bob");
  await judge(first, second, "left", "eve");
  await judge(third, fourth, "left", "ada");
  await judge(third, fourth, "tie", "bob");
  const rows = await rowsOf(await fetch(`${url}/v1/judgments/export`));
  expect(rows).toHaveLength(1);
  const { chosen, rejected, task } = rows[0] as unknown as Record<string, { content: string }[]>;
  expect([chosen?.[0]?.content, rejected?.[0]?.content]).toEqual(["blue", "red"]);
  expect(task).toEqual({ split: "only", index: 0 });
});

test("an unknown episode, or one of another caller, gives an error and no file", async () => {
  const { gym, url } = await listening();
  const token = await gym.createToken();
  const foreign = await paint(gym, ["red", "blue"]);
  const reply = await ask(url, { format: "steps", episodeIds: [foreign] }, token);
  const { message, code } = checkError(await reply.json(), reply.status);
  expect([reply.status, code]).toEqual([404, "EPISODE_UNKNOWN"]);
  expect(message).not.toContain(token);
  const own = await paint(gym, ["red", "blue"], 0, token);
  const half = await ask(url, { format: "preferences", episodeIds: [own, "ep-none"] }, token);
  expect(checkError(await half.json(), half.status).code).toBe("EPISODE_UNKNOWN");
  // A refused export holds no place.
  expect(await rowsOf(await ask(url, { format: "openai", episodeIds: [own] }, token))).toHaveLength(1);
});

test("an export has only the episodes of its environment and split, and no more than its limit", async () => {
  const { gym, url } = await listening();
  const play = async (environment: string, split: string) => {
    const { episodeId } = await gym.call("create", { environment, task: { split, index: 0 }, maxSteps: 1 });
    await gym.step(episodeId, 0, "inventory");
    return episodeId;
  };
  const [test, train] = [await play("textcraft", "test"), await play("textcraft", "train")];
  const only = await play("painter", "only");
  const exported = async (selection: object) => {
    const rows = (await rowsOf(await ask(url, { format: "steps", ...selection }))) as { episodeId?: string }[];
    return rows.map(({ episodeId }) => episodeId);
  };
  expect(await exported({})).toEqual([only, train, test]);
  expect(await exported({ split: "test" })).toEqual([test]);
  expect(await exported({ environment: "textcraft" })).toEqual([train, test]);
  expect(await exported({ environment: "textcraft", split: "train" })).toEqual([train]);
  expect(await exported({ environment: "painter", split: "test" })).toEqual([]);
  expect(await exported({ limit: 2 })).toEqual([only, train]);
});

test("a client that disconnects ends its export and frees its place", async () => {
  const { gym, url } = await listening();
  // Running episodes give no row.
  for (const index of [0, 1]) await paint(gym, ["red"], index);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const read = ExportedEpisode.read.bind(ExportedEpisode);
  const reads = vi.spyOn(ExportedEpisode, "read").mockImplementation(async (source, id) => {
    await held;
    return read(source, id);
  });
  onTestFinished(() => reads.mockRestore());
  const hangUp = new AbortController();
  const cut = ask(url, { format: "steps" }, undefined, hangUp.signal);
  await eventually(() => reads.mock.calls.length === 1);
  const second = await ask(url, { format: "steps" });
  expect(checkError(await second.json(), second.status).code).toBe("LIMIT_EXPORTS");
  hangUp.abort();
  await expect(cut).rejects.toThrow();
  const { server } = gym.app;
  await eventually(async () => (await promisify(server.getConnections.bind(server))()) <= 1);
  release();
  await eventually(async () => (await ask(url, { format: "steps" })).status === 200);
  // The first export read one episode, and the last export read both.
  expect(reads.mock.calls).toHaveLength(3);
});

test("an episode with more text than a row may have is left out, and the other episodes are written", async () => {
  const { gym, url } = await listening({ environments: [fixture("bulky")] });
  const play = async (characters: number, maxSteps: number) => {
    const { episodeId } = await gym.call("create", {
      environment: "bulky",
      task: { split: "all", index: 0 },
      maxSteps,
    });
    for (let index = 0; index < maxSteps; index++) await gym.step(episodeId, index, `${characters}`);
    return episodeId;
  };
  const small = await play(10, 2);
  await play(4_000_000, 9);
  const rows = (await rowsOf(await ask(url, { format: "steps" }))) as { episodeId?: string }[];
  expect(rows.map(({ episodeId }) => episodeId)).toEqual([small, small]);
});
