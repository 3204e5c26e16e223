/**
 * AgentGym's protocol, with the requests of its Python client and trainer. test/peers/agentgym-client.py drives the
 * real client.
 */
import { expect, onTestFinished, test } from "vitest";
import textcraft from "#palestra/envs/textcraft/index.js";
import { AgentgymClient, AgentgymWire, NotOk } from "../support/agentgym-client.js";
import { serve } from "../support/serving.js";

const burst = 256;

test("an evaluation plays one environment task by task, with the calls of the client class", async () => {
  const wire = await serveWire();
  const client = await AgentgymClient.create(wire);
  expect(client.id).toBe(0);
  expect(client.last).toEqual({
    observation: expect.stringMatching(/^Crafting commands:\n[\s\S]+\n\nGoal: craft .+\.$/),
    reward: 0,
    done: false,
  });
  for (const dataIndex of [7, 0, 543, 544, 1_000_000]) {
    const start = await client.reset(dataIndex);
    expect(start).toMatchObject({ reward: 0, done: false });
    expect(start.observation).toContain(goalLine(dataIndex));
    expect(await client.observation()).toBe(start.observation);
    expect(await client.step("inventory")).toEqual({
      observation: "Inventory: You are not carrying anything.",
      reward: 0,
      done: false,
    });
    expect(await client.observation()).toBe("Inventory: You are not carrying anything.");
  }
  expect(await client.close()).toBe(true);
  expect(await client.close()).toBe(false);
});

test("256 simultaneous creates, resets, steps and closes are each answered for their own environment", async () => {
  const wire = await serveWire();
  const clients = await Promise.all(Array.from({ length: burst }, () => AgentgymClient.create(wire)));
  const ids = clients.map(({ id }) => id).sort((a, b) => a - b);
  expect(ids).toEqual(Array.from({ length: burst }, (_, i) => i));
  for (const { id, last } of clients) expect(last.observation).toContain(goalLine(id));

  const starts = await Promise.all(clients.map((client, i) => client.reset(i * 2)));
  for (const [i, { observation }] of starts.entries()) expect(observation).toContain(goalLine(i * 2));

  for (let turn = 1; turn <= 5; turn++) {
    const replies = await Promise.all(clients.map((client, i) => client.step(`get ${i * turn} dirt`)));
    expect(replies.map(({ observation }) => observation)).toEqual(clients.map((_, i) => `Got ${i * turn} dirt`));
  }
  const inventories = await Promise.all(clients.map((client) => client.step("inventory")));
  expect(inventories.map(({ observation }) => observation)).toEqual(
    clients.map((_, i) => `Inventory: [dirt] (${i * 15}) `),
  );

  expect(await Promise.all(clients.map((client) => client.close()))).toEqual(new Array(burst).fill(true));
  expect(await Promise.all(clients.map((client) => client.close()))).toEqual(new Array(burst).fill(false));
  expect((await AgentgymClient.create(wire)).id).toBe(burst);
});

test("simultaneous steps of one environment are taken in sequence", async () => {
  const wire = await serveWire();
  const client = await AgentgymClient.create(wire);
  await Promise.all(Array.from({ length: burst }, () => client.step("get 1 dirt")));
  expect((await client.step("inventory")).observation).toBe(`Inventory: [dirt] (${burst}) `);
});

test("a reset takes effect between the steps that were sent before and after it", async () => {
  const wire = await serveWire();
  const client = await AgentgymClient.create(wire);
  const rounds = Array.from({ length: 20 }, async (_, i) => {
    await client.step("get 3 dirt");
    await client.reset(i);
  });
  await Promise.all(rounds);
  expect((await client.step("inventory")).observation).toBe("Inventory: You are not carrying anything.");
});

test("a create without a body or with extra fields is accepted", async () => {
  const wire = await serveWire();
  expect(await wire.post("create")).toMatchObject({ id: 0, reward: 0, done: false });
  expect(await wire.post("create", {})).toMatchObject({ id: 1 });
  const surplus = {
    minecraft_dir: "agentenv_textcraft/",
    commands: "craft nothing",
    goal: "minecraft:dirt",
    extra: [1],
  };
  expect(await wire.post("create", surplus)).toMatchObject({
    id: 2,
    observation: expect.stringContaining(goalLine(2)),
  });
});

test("the greeting, an observation and the reply to a close are bare JSON values", async () => {
  const wire = await serveWire();
  expect(await wire.get("")).toBe("This is environment TextCraft.");
  const { id, last } = await AgentgymClient.create(wire);
  expect(await wire.get(`observation?id=${id}`)).toBe(last.observation);
  expect(await wire.get(`detail?id=${id}`)).toEqual({ ...last, deleted: false });
  expect(await wire.post("close", { id })).toBe(true);
});

test("errors of the game have status 200 and the messages of AgentGym's server", async () => {
  const wire = await serveWire();
  const client = await AgentgymClient.create(wire);
  const unknown = { error: "The id 77 is not valid." };
  expect(await wire.post("step", { id: 77, action: "inventory" })).toEqual(unknown);
  expect(await wire.post("reset", { id: 77, data_idx: 0 })).toEqual(unknown);
  expect(await wire.get("observation?id=77")).toEqual(unknown);
  expect(await wire.get("detail?id=77")).toEqual(unknown);
  expect(await wire.post("close", { id: 77 })).toBe(false);
  await client.close();
  expect(await wire.post("step", { id: client.id, action: "inventory" })).toEqual({ error: "The id 0 is not valid." });
});

test.for([
  { body: { id: 0 }, field: "action" },
  { body: { action: "inventory" }, field: "id" },
  { body: { id: "zero", action: "inventory" }, field: "id" },
  { body: { id: 0.5, action: "inventory" }, field: "id" },
  { body: { id: 0, action: 5 }, field: "action" },
])("a step of $body is refused for its $field, as FastAPI does", async ({ body, field }) => {
  const wire = await serveWire();
  await AgentgymClient.create(wire);
  const refused = await wire.post("step", body).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NotOk);
  expect((refused as NotOk).status).toBe(422);
  const { detail } = JSON.parse((refused as NotOk).body) as { detail: { loc: string[]; msg: string; type: string }[] };
  expect(detail).toEqual([{ loc: ["body", field], msg: expect.any(String), type: expect.any(String) }]);
});

async function serveWire(): Promise<AgentgymWire> {
  const { url } = await serve();
  const wire = new AgentgymWire(() => `${url}/agentgym/textcraft`);
  onTestFinished(() => wire.close());
  return wire;
}

function goalLine(dataIndex: number): string {
  const all = textcraft.splits.all;
  return `Goal: ${all?.title(dataIndex % all.size)}.`;
}
