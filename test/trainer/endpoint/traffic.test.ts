/** Programs of a live product call the model without a claimed rollout, and reward replies later. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";
import { RewardedFiles } from "#palestra/trainer/endpoint/rewarded-files.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { claim, post, type Served, serve } from "./serving.js";

const engine = await engineOfFile(1);
const folder = engine && (await writeAgentModel(engine, temporaryFolder(), { texts: ["say it", "again"] }));
const model: Model = engine && (await engine.loadModel(folder));
const say = { role: "user", content: "say it" } as const;

const clientOf = ({ url }: Served, headers: Record<string, string> = {}) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: "any", maxRetries: 0, defaultHeaders: headers });

async function ask(client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[] = [say], more = {}) {
  return client.chat.completions.create({ model: "any", messages, ...more });
}

const reward = ({ url }: Served, body: unknown) => post(`${url}/v1/rewards`, body);
// biome-ignore lint/suspicious/noExplicitAny: whatever the endpoint says
const traffic = async ({ url }: Served) => ((await (await fetch(`${url}/status`)).json()) as any).traffic;

describe("a call without a rollout", () => {
  test("is a conversation of its own, and a later reward makes it a group of one rollout", async () => {
    const served = await serve(model);
    const client = clientOf(served);
    const [first, second] = [await ask(client), await ask(client)];
    expect(await traffic(served)).toMatchObject({ open: 2, waiting: 0, rewarded: 0 });
    // No seat is free: the reward waits, and the reply to the user did not.
    const waiting = await reward(served, { id: second.id, reward: 0.25 });
    expect([waiting.status, waiting.body]).toMatchObject([200, { id: second.id, reward: 0.25, status: "waiting" }]);
    const { id, trajectories, failed } = await served.seat();
    expect(failed).toEqual([]);
    expect(trajectories).toMatchObject([{ group: id, return: 0.25, status: "terminated", steps: [{ reward: 0.25 }] }]);
    expect(trajectories[0]?.steps[0]?.action).toContain(second.choices[0]?.message.content ?? "none");
    // A free seat is used at once.
    const seat = served.seat();
    expect((await reward(served, { id: first.id, reward: 1 })).body.status).toBe("accepted");
    expect((await seat).trajectories).toMatchObject([{ return: 1, solved: true }]);
    expect(await traffic(served)).toMatchObject({ open: 0, waiting: 0, rewarded: 2, accepted: 2, masked: {} });
  });

  test("belongs to the conversation that its header names, whose calls are one row", async () => {
    const served = await serve(model);
    const client = clientOf(served, { "x-palestra-rollout": "ticket 7" });
    const first = await ask(client);
    const said = first.choices[0]?.message as OpenAI.ChatCompletionMessage;
    const { data, response } = await client.chat.completions
      .create({ model: "any", messages: [say, said, { role: "user", content: "again" }], stream: true })
      .withResponse();
    expect(response.headers.get("x-palestra-rollout")).toBe("ticket 7");
    for await (const _ of data);
    const seat = served.seat();
    const open = await reward(served, { id: first.id, reward: 1, end: false });
    expect(open.body).toMatchObject({ rollout: "ticket 7", status: "open" });
    expect((await reward(served, { rollout: "ticket 7", reward: -0.5 })).body.status).toBe("accepted");
    const { trajectories } = await seat;
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]).toMatchObject({ return: 0.5, steps: [{ reward: 1 }, { reward: -0.5 }] });
    // The name then begins a new conversation.
    await ask(client);
    expect(await traffic(served)).toMatchObject({ open: 1 });
  });

  test("of Responses belongs to the conversation of its previous response", async () => {
    const served = await serve(model);
    const client = clientOf(served);
    const first = await client.responses.create({ model: "any", input: "say it" });
    const next = { model: "any", input: "again", previous_response_id: first.id };
    const second = await client.responses.create(next);
    const seat = served.seat();
    await reward(served, { id: second.id, reward: 1 });
    const { trajectories } = await seat;
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]?.steps).toHaveLength(2);
    // A conversation that has ended can still be continued, as a new one.
    expect((await client.responses.create(next)).previous_response_id).toBe(first.id);
    expect(await traffic(served)).toMatchObject({ open: 1, accepted: 1 });
  });

  test("with the sampling of the product is served and not recorded", async () => {
    const served = await serve(model);
    const client = clientOf(served);
    const { data, response } = await client.chat.completions
      .create({ model: "any", messages: [say], temperature: 0.5, top_p: 0.9 })
      .withResponse();
    expect(response.headers.get("x-palestra-unrecorded")).toBe("temperature, top_p");
    const refused = await reward(served, { id: data.id, reward: 1 });
    expect([refused.status, refused.body.error.code]).toEqual([404, "call_not_found"]);
    expect(await traffic(served)).toMatchObject({ open: 0, unrecorded_calls: 1 });
  });

  test("continues while its conversation is rewarded, and is not learned from", async () => {
    const served = await serve(model);
    const client = clientOf(served, { "x-palestra-rollout": "busy" });
    const first = await ask(client);
    await served.generator.pause();
    const running = ask(client, [say, first.choices[0]?.message as OpenAI.ChatCompletionMessage, say]);
    await expect.poll(() => served.generator.stats().waiting + served.generator.stats().running).toBe(1);
    const seat = served.seat();
    expect((await reward(served, { id: first.id, reward: 1 })).body.status).toBe("accepted");
    expect((await seat).trajectories[0]?.steps).toHaveLength(1);
    served.generator.resume();
    expect((await running).choices[0]?.finish_reason).toMatch(/stop|length/);
    await expect.poll(() => served.generator.stats()).toMatchObject({ running: 0, waiting: 0, kept: 0 });
  });

  test("that fails leaves no conversation", async () => {
    const served = await serve(model, {}, { context: 24 });
    const long = [{ role: "user", content: "say it again ".repeat(20) }] as const;
    await expect(ask(clientOf(served), [...long])).rejects.toMatchObject({ code: "context_length_exceeded" });
    expect(await traffic(served)).toMatchObject({ open: 0 });
  });

  test("is refused if groups have several rollouts, with the remedy", async () => {
    const served = await serve(model, { groupSize: 4 });
    await expect(ask(clientOf(served))).rejects.toMatchObject({
      code: "rollout_required",
      message: expect.stringMatching(/compares groups of 4.*n_samples 1.*baseline ema/),
    });
    expect((await reward(served, { id: "any", reward: 1 })).body.error.code).toBe("rollout_required");
    expect(await traffic(served)).toBeUndefined();
  });

  test("is an evaluation at an endpoint that does not train", async () => {
    const served = await serve(model, { trains: false });
    const { id } = await ask(clientOf(served), [say], { temperature: 0.5 });
    expect((await reward(served, { id, reward: 1 })).body.status).toBe("evaluated");
    expect(await traffic(served)).toMatchObject({ evaluated: 1, solved: 1, accepted: 0 });
  });

  test("and a claimed rollout share the seats", async () => {
    const served = await serve(model);
    const { id } = await ask(clientOf(served));
    const claimed = claim(served.url, "claimed");
    const seats = [served.seat(), served.seat()];
    await reward(served, { id, reward: 1 });
    const rollout = await claimed;
    await post(`${rollout.base_url}/chat/completions`, { model: "any", messages: [say] });
    await post(`${served.url}/rollouts/${rollout.id}/reward`, { reward: 0, end: true });
    const tasks = (await Promise.all(seats)).map(({ trajectories }) => trajectories[0]?.played.split);
    expect(tasks.sort()).toEqual(["claimed", "traffic"]);
  });
});

describe("a conversation", () => {
  test("without a reward in time is left out of training, and a later reward is refused with the reason", async () => {
    const served = await serve(model, { rewardMs: 50 });
    const { id } = await ask(clientOf(served));
    await expect.poll(() => traffic(served)).toMatchObject({ open: 0, masked: { unrewarded: 1 } });
    const late = await reward(served, { id, reward: 1 });
    expect([late.status, late.body.error.code]).toEqual([410, "rollout_ended"]);
    expect(late.body.error.message).toMatch(/left out of training: the agent did not use it for 0.05 s/);
  });

  test("is rewarded once", async () => {
    const served = await serve(model);
    const { id } = await ask(clientOf(served));
    const [one, other] = await Promise.all([reward(served, { id, reward: 1 }), reward(served, { id, reward: 1 })]);
    expect([one.status, other.status].sort()).toEqual([200, 410]);
  });

  test("whose tokens are too old is masked, when it is rewarded or while it waits", async () => {
    let oldest = 0;
    const served = await serve(model, { isTooOld: (version) => version < oldest, versionOf: () => 3 });
    const [first, second] = [await ask(clientOf(served)), await ask(clientOf(served))];
    expect((await reward(served, { id: first.id, reward: 1 })).body.status).toBe("waiting");
    oldest = 4;
    expect((await reward(served, { id: second.id, reward: 1 })).body.status).toBe("stale");
    const stopping = new AbortController();
    const seat = served.seat(stopping.signal);
    expect(await traffic(served)).toMatchObject({ waiting: 0, rewarded: 2, accepted: 0, masked: { stale: 2 } });
    stopping.abort(new Error("the test is over"));
    await expect(seat).rejects.toThrow("the test is over");
  });
});

test.each([
  [{ reward: 1 }, "expected the id of a reply, or the name of a conversation as rollout"],
  [{ id: "a", rollout: "b", reward: 1 }, "expected the id of a reply, or the name of a conversation as rollout"],
  [{ id: "a", reward: "good" }, "reward: expected number"],
  [{ id: "a", reward: 1, call: "b" }, "expected no call, which is not supported"],
  [{ id: "unknown", reward: 1 }, 'expected the id of a reply, but received "unknown"'],
])("the reward %j is refused", async (body, message) => {
  const served = await serve(model);
  const refused = await reward(served, body);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.body.error.message).toContain(message);
});

describe("a file of a rewarded conversation", () => {
  test("is written before the reward is confirmed, and gives the same rows in a new process", async () => {
    const output = join(temporaryFolder(), "rewarded");
    const served = await serve(model, { files: new RewardedFiles(output) });
    const { id } = await ask(clientOf(served));
    expect((await reward(served, { id, reward: 0.5 })).body.status).toBe("waiting");
    expect(readdirSync(output)).toHaveLength(1);
    const read = await new RewardedFiles(output).read();
    const { trajectories } = await served.seat();
    expect(read).toHaveLength(1);
    expect(read[0]?.rows.map((row) => ({ ...row, group: "" }))).toEqual(
      trajectories.map((row) => ({ ...row, group: "" })),
    );
  });

  test("that cannot be written does not refuse the reward, and the log says what may be lost", async () => {
    const output = join(temporaryFolder(), "rewarded");
    mkdirSync(join(output, ".."), { recursive: true });
    writeFileSync(output, "a file in the place of the folder");
    const lines: string[] = [];
    const served = await serve(model, { files: new RewardedFiles(output), say: (line) => lines.push(line) });
    const { id } = await ask(clientOf(served));
    expect((await reward(served, { id, reward: 0.5 })).body.status).toBe("waiting");
    expect(lines).toEqual([expect.stringMatching(/is not on the disk, and is lost if the run is killed/)]);
    expect((await served.seat()).trajectories).toHaveLength(1);
  });
});
