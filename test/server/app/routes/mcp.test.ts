/**
 * The Model Context Protocol with the clients of both TypeScript SDKs, for the current revision and for earlier ones.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixture, openGym } from "../../../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty"), fixture("painter")] });
const first = await gym.createToken();
const second = await gym.createToken();
const url = await gym.app.listen({ port: 0, host: "127.0.0.1" });

interface Content {
  type: string;
  text?: string;
  mimeType?: string;
}

interface CallResult {
  content: Content[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Methods that the tests call on a client of either SDK. */
interface AnyClient {
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
}

type Kind = "2026-07-28" | "initialize, v2" | "initialize, v1";
const kinds: Kind[] = ["2026-07-28", "initialize, v2", "initialize, v1"];

async function connect(path: string, kind: Kind = "2026-07-28", token?: string): Promise<AnyClient> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const options = { requestInit: { headers } };
  const name = { name: "test", version: "1" };
  if (kind === "initialize, v1") {
    const old = new OldClient(name);
    await old.connect(new OldTransport(new URL(path, url), options) as Parameters<typeof old.connect>[0]);
    onTestFinished(() => old.close());
    return old as AnyClient;
  }
  const mode = kind === "2026-07-28" ? ({ mode: { pin: "2026-07-28" } } as const) : ({ mode: "legacy" } as const);
  const client = new Client(name, { versionNegotiation: mode });
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), options));
  onTestFinished(() => client.close());
  return client as AnyClient;
}

async function call(client: AnyClient, name: string, given: Record<string, unknown> = {}): Promise<CallResult> {
  return (await client.callTool({ name, arguments: given })) as CallResult;
}

const textOf = ({ content }: CallResult) => content.map(({ text = "" }) => text).join("\n");

describe.each(kinds)("the endpoint of an episode, with a client of %s", (kind) => {
  test("offers the tools of the environment, and shows no rewards", async () => {
    const { episodeId, prompt } = await gym.create({ task: { split: "all", index: 3 } });
    const client = await connect(`/mcp/textcraft/${episodeId}`, kind);
    expect(client.getInstructions()).toContain(prompt);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["get", "craft", "inventory"]);
    expect(await call(client, "get", { count: 2, item: "dirt" })).toMatchObject({
      content: [{ type: "text", text: "Got 2 dirt" }],
      structuredContent: { observation: "Got 2 dirt", step: 1, done: false },
    });
    for (const [name, given, expected] of [
      ["get", { count: "two", item: "dirt" }, "arguments of get"],
      ["start_episode", {}, "one of the tools get, craft, inventory"],
    ] as const) {
      const refused = await call(client, name, given);
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain(expected);
    }
    expect((await gym.call("get", { episodeId })).index).toBe(1);
  });

  test("shows the transcript of this episode and of no other", async () => {
    const { episodeId, observation } = await gym.create();
    const other = await gym.create();
    await gym.step(episodeId, 0, "get 1 dirt\n# no heading");
    const client = await connect(`/mcp/textcraft/${episodeId}`, kind);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([`palestra://episodes/${episodeId}/transcript`]);
    const { contents } = await client.readResource({ uri: resources[0]?.uri as string });
    const [{ text }] = contents as [{ text: string }];
    expect(text).toContain(observation.split("\n")[0]);
    expect(text).toContain("> get 1 dirt\n> # no heading");
    expect(text).not.toContain("reward");
    await expect(client.readResource({ uri: `palestra://episodes/${other.episodeId}/transcript` })).rejects.toThrow(
      "of this episode",
    );
  });

  test("reports the end of the task and refuses a further call", async () => {
    const { episodeId } = await gym.create({ environment: "faulty", task: { split: "play", index: 3 } });
    const client = await connect(`/mcp/faulty/${episodeId}`, kind);
    const end = await call(client, "act", { action: "end" });
    expect(end.structuredContent).toMatchObject({ done: true });
    expect(textOf(end)).toContain("The task has ended.");
    const more = await call(client, "act", { action: "more" });
    expect(more.isError).toBe(true);
    expect(textOf(more)).toContain("EPISODE_ENDED");
  });
});

describe.each(kinds)("the endpoint of the gym, with a client of %s", (kind) => {
  test("opens, plays and ends an episode", async () => {
    const client = await connect("/mcp", kind);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "list_environments",
      "list_tasks",
      "start_episode",
      "act",
      "call_tool",
      "end_episode",
    ]);
    expect(textOf(await call(client, "list_environments"))).toContain("textcraft: Craft");
    expect(
      textOf(await call(client, "list_tasks", { environment: "textcraft", split: "all", from: 2, limit: 2 })),
    ).toMatch(/^all:2 .*\nall:3 .*$/);
    const start = await call(client, "start_episode", { environment: "textcraft", split: "all", index: 3 });
    const episode = start.structuredContent?.episode as string;
    expect(textOf(start)).toContain("Goal: craft");
    expect((await call(client, "act", { episode, action: "get 1 dirt" })).structuredContent).toMatchObject({
      reward: 0,
      step: 1,
    });
    const got = await call(client, "call_tool", { episode, tool: "inventory" });
    expect(textOf(got)).toBe("Inventory: [dirt] (1) ");
    expect((await call(client, "end_episode", { episode })).isError).toBeUndefined();
    expect((await gym.call("get", { episodeId: episode })).phase).toBe("closed");
    const dead = await call(client, "act", { episode, action: "inventory" });
    expect(dead.isError).toBe(true);
    expect(textOf(dead)).toContain("EPISODE_CLOSED");
  });
});

test("a wrong call returns a result with the expected arguments", async () => {
  const client = await connect("/mcp");
  for (const [name, given, expected] of [
    ["fly", {}, "one of the tools list_environments"],
    ["act", {}, "REQUEST_INVALID: expected arguments of act that fit its schema"],
    ["start_episode", { environment: "nothing" }, "ENVIRONMENT_UNKNOWN"],
    ["start_episode", { environment: "textcraft", index: 99_999 }, "TASK_OUT_OF_RANGE"],
    ["act", { episode: "ep-1-0", action: "a" }, "EPISODE_UNKNOWN"],
  ] as const) {
    const refused = await call(client, name, given);
    expect(refused.isError, name).toBe(true);
    expect(textOf(refused)).toContain(expected);
  }
});

test("a result contains pictures beside its text", async () => {
  const { episodeId } = await gym.create({ environment: "painter", task: { index: 0 } });
  const client = await connect(`/mcp/painter/${episodeId}`);
  expect((await call(client, "paint", { colour: "red" })).content).toEqual([
    { type: "text", text: "You said red." },
    { type: "image", mimeType: "image/png", data: expect.any(String) },
  ]);
});

test("the picture of a running episode is a resource", async () => {
  const { episodeId } = await gym.create({ environment: "babyai", task: { index: 0 } });
  const client = await connect(`/mcp/babyai/${episodeId}`);
  const uri = `palestra://episodes/${episodeId}/render`;
  expect((await client.listResources()).resources.map((resource) => resource.uri)).toContain(uri);
  expect((await client.readResource({ uri })).contents).toEqual([
    { uri, mimeType: expect.stringMatching(/^image\//), blob: expect.any(String) },
  ]);
});

test("only the owner can use an episode, and only under its environment", async () => {
  const { episodeId } = await gym.create({}, { token: first });
  const own = await connect(`/mcp/textcraft/${episodeId}`, "2026-07-28", first);
  expect((await own.listTools()).tools).toHaveLength(3);
  const byPath = await connect(`/t/${first}/mcp/textcraft@1/${episodeId}`);
  expect((await byPath.listTools()).tools).toHaveLength(3);
  for (const [path, token] of [
    [`/mcp/textcraft/${episodeId}`, second],
    [`/mcp/textcraft/${episodeId}`, undefined],
    [`/mcp/babyai/${episodeId}`, first],
  ] as const)
    await expect(connect(path, "initialize, v2", token)).rejects.toThrow();
  const general = await connect("/mcp", "2026-07-28", second);
  expect(textOf(await call(general, "act", { episode: episodeId, action: "inventory" }))).toContain("EPISODE_UNKNOWN");
});

test.each([
  ["GET", undefined, 405],
  ["DELETE", undefined, 405],
  ["POST", "{", 400],
  ["POST", "[]", 400],
  ["POST", '{"jsonrpc":"2.0"}', 400],
] as const)("%s with the body %s has status %i", async (method, body, status) => {
  const headers = {
    accept: "application/json, text/event-stream",
    ...(body && { "content-type": "application/json" }),
  };
  const reply = await fetch(`${url}/mcp`, { method, headers, ...(body && { body }) });
  expect(reply.status).toBe(status);
});

test("a page of another origin is refused", async () => {
  const headers = { origin: "http://evil.example", "content-type": "application/json", accept: "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect((await fetch(`${url}/mcp`, { method: "POST", headers, body })).status).toBe(403);
});

test("a call without extra fields, which skips the library, gets the library's reply", async () => {
  const { episodeId } = await gym.call("create", { environment: "textcraft", task: { index: 3 } });
  const ask = async (id: number | string, name: string, given: object, more: object = {}) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...more,
    };
    const reply = await fetch(`${url}/mcp/textcraft/${episodeId}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given, _meta } }),
    });
    const body = (await reply.json()) as { result: { structuredContent?: { step?: unknown } } };
    delete body.result.structuredContent?.step;
    return { status: reply.status, type: reply.headers.get("content-type")?.split(";")[0], body };
  };
  const library = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
  for (const [id, name, given] of [
    [1, "inventory", {}],
    ["a", "get", { count: 1, item: "dirt" }],
    [2, "get", { count: "x" }],
    [3, "fly", {}],
  ] as const)
    expect(await ask(id, name, given)).toEqual(await ask(id, name, given, library));
});
