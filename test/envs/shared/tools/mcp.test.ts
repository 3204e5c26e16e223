/** MCP servers as tools, including servers that misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ServiceFailed } from "#palestra/envs/errors.js";
import { Registry } from "#palestra/envs/registry.js";
import { mcpKit } from "#palestra/envs/shared/tools/mcp/kit.js";
import type { McpServer } from "#palestra/envs/shared/tools/mcp/server.js";
import type { ToolKit, ToolSession } from "#palestra/envs/shared/tools/tool-kit.js";
import { answerOf } from "../../../fixtures/mcp/odd-server.mjs";
import { eventually, scratchDir } from "../../../support/gym.js";
import { processesWith } from "../../../support/processes.js";
import { root } from "../../../support/server-process.js";
import { file, sums } from "../../custom/support.js";

const { signal } = new AbortController();
const odd = join(root, "test/fixtures/mcp/odd-server.mjs");
const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
let marks = 0;

beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", scratchDir());
});
afterAll(() => vi.unstubAllEnvs());

interface Command {
  timeoutMs: number;
  command: string;
  args: string[];
  env: Record<string, string>;
  processes: number;
}

/** Creates a server that is a command. Its second argument is unique, to find its process. */
function command(mode: string, changes: Partial<Command> = {}): Command {
  const mark = `mcp-mark-${process.pid}-${++marks}`;
  return { timeoutMs: 60_000, command: process.execPath, args: [odd, mode, mark], env: {}, processes: 8, ...changes };
}

const isGone = (server: Command) => eventually(() => processesWith(server.args.at(-1) as string).length === 0);

function opened(kit: ToolKit): ToolSession {
  const session = kit.open({ sandboxes: undefined as never });
  onTestFinished(() => session.close());
  return session;
}

async function sessionOf(server: McpServer): Promise<ToolSession> {
  return opened(await mcpKit({ server }, true));
}

const failure = (call: Promise<unknown>): Promise<ServiceFailed> =>
  call.then(
    () => expect.unreachable("expected a failure, but received an answer"),
    (error) => {
      expect(error).toBeInstanceOf(ServiceFailed);
      return error as ServiceFailed;
    },
  );

describe("the public server `everything`", () => {
  const server = { ...command("stdio"), args: [everything, "stdio", `mcp-mark-${process.pid}-everything`] };

  test("provides its tools and their answers", async () => {
    const kit = await mcpKit({ server }, true);
    const names = kit.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["echo", "get_sum", "get_tiny_image", "get_structured_content"]));
    const session = opened(kit);
    expect(await session.call("echo", { message: "hello" }, signal)).toEqual({ text: "Echo: hello" });
    expect((await session.call("get_sum", { a: 2, b: 40 }, signal)).text).toContain("42");
    const { parts = [] } = await session.call("get_tiny_image", {}, signal);
    expect(Buffer.from(parts[0]?.data ?? "", "base64").toString("latin1", 1, 4)).toBe("PNG");
    const { text } = await session.call("get_structured_content", { location: "New York" }, signal);
    expect(JSON.parse(text)).toMatchObject({ temperature: expect.any(Number) });
    expect(await session.call("get_sum", { a: "two" }, signal)).toMatchObject({ isError: true });
    await session.close();
    await isGone(server);
  });
});

describe("the tools of a server", () => {
  test("are read from all pages of its list", async () => {
    const { tools } = await mcpKit({ server: command("many") }, true);
    expect(tools).toHaveLength(500);
    expect(tools.at(-1)?.name).toBe("tool_499");
  });

  test("are refused if their list is endless", async () => {
    const { message } = await failure(mcpKit({ server: command("endless") }, true));
    expect(message).toContain("pagination did not terminate");
  });

  test("get valid names of the gym", async () => {
    const { tools } = await mcpKit({ server: command("names") }, true);
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(["tool___proto__", "constructor", "say_hello_", "tool_7zip"]);
    const session = await sessionOf(command("names"));
    expect((await session.call("tool___proto__", {}, signal)).text).toMatch(/^__proto__ of \d+$/);
  });

  test("are refused with a remedy if two get the same name", async () => {
    const server = command("twins");
    await expect(mcpKit({ server }, true)).rejects.toThrow(/"say-it" and "say.it". Choose one of them with `only`/);
    expect((await mcpKit({ server, only: ["say.it", "other"] }, true)).tools.map(({ name }) => name)).toEqual([
      "say_it",
      "other",
    ]);
    await expect(mcpKit({ server, only: ["hum"] }, true)).rejects.toThrow(/say-it, say.it, other, but received "hum"/);
  });

  test("are refused if the server does not list them", async () => {
    await failure(mcpKit({ server: command("nothing") }, true));
  });

  test("are refused if a schema is invalid, unless that tool is excluded", async () => {
    const load = (only?: string[]) => {
      const { processes: _, ...mcp } = command("schema");
      return Registry.load([
        JSON.stringify({ id: "own", tasks: file("tasks.jsonl", sums), tools: [{ mcp: { ...mcp, only } }] }),
      ]);
    };
    await expect(load()).rejects.toThrow(/JSON Schema as the parameters of bad, but received: schema is invalid/);
    const { tools } = (await load(["good"])).get("own");
    expect(tools?.map(({ name }) => name)).toEqual(["good", "submit"]);
  });

  test("are remembered from the last start while the server is down", async () => {
    const server = command("good");
    const { tools } = await mcpKit({ server }, true);
    const away = { ...server, args: ["/nowhere/server.mjs"] };
    const { message } = await failure(mcpKit({ server: away }, true));
    expect(message).toMatch(/a reply of the MCP server .*nowhere.*Cannot find module/s);
    // The command is the same, but `node` is not on the path.
    vi.stubEnv("PATH", "/nowhere");
    const named = { ...server, command: "node" };
    await failure(mcpKit({ server: named }, true));
    vi.stubEnv("PATH", join(process.execPath, ".."));
    expect((await mcpKit({ server: named }, true)).tools).toEqual(tools);
    vi.stubEnv("PATH", "/nowhere");
    const kit = await mcpKit({ server: named }, true);
    expect(kit.tools).toEqual(tools);
    expect((await failure(opened(kit).call("say", {}, signal))).message).toContain("not found");
  });
});

describe("a command that misbehaves", () => {
  test.each([
    ["never answers a call", "mute", /timed out/i],
    ["answers more than 10 MiB", "huge", /a message of more than 10485760 bytes/],
    ["answers with an error of its own", "broken", /x{100}/],
    ["answers in an invalid form", "formless", /expected a reply/],
  ])("fails the call if it %s", async (_, mode, received) => {
    // On a busy machine, 10 MiB take seconds.
    const server = command(mode, { timeoutMs: mode === "mute" ? 6_000 : 30_000 });
    const session = await sessionOf(server);
    const { message } = await failure(session.call("say", {}, signal));
    expect(message).toMatch(received);
    expect(message.length).toBeLessThan(1_000);
    await isGone(server);
  });

  test.each([
    ["says nothing", "silent", /no reply within 1000 ms/],
    ["writes a line without end", "endlessLine", /a message of more than 10485760 bytes/],
    ["ends at once", "dying", /no licence \[secret\]/],
  ])("fails the start if it %s", async (_, mode, received) => {
    vi.stubEnv("MCP_TEST_KEY", "hush-hush");
    const server = command(mode, {
      timeoutMs: mode === "silent" ? 1_000 : 30_000,
      env: { LICENCE: `\${MCP_TEST_KEY}` },
    });
    expect((await failure(mcpKit({ server }, true))).message).toMatch(received);
    await isGone(server);
  });

  test.each(["flood", "strict", "strict, late", "deaf"])("is usable nevertheless: %s", async (mode) => {
    const session = await sessionOf(command(mode));
    expect((await session.call("say", {}, signal)).text).toMatch(/^say of \d+$/);
  });

  test("can refuse a call, and the agent sees the refusal", async () => {
    const session = await sessionOf(command("refusing"));
    expect(await session.call("say", {}, signal)).toEqual({ text: expect.stringContaining("a city"), isError: true });
  });
});

describe("an answer", () => {
  const shown = async (mode: string) => (await sessionOf(command(mode))).call("say", {}, signal);

  test("that is long is cut in its middle", async () => {
    expect((await shown("large")).text).toMatch(/^x{10000}\n\[\.\.\. 5222880 characters left out \.\.\.\]\nx{10000}$/);
  });

  test("that cannot be shown is described", async () => {
    expect(await shown("picture")).toEqual({
      text: [
        "[an image of 6291456 characters is too large]",
        "[image/jpeg that cannot be shown]",
        "[audio/wav that cannot be shown]",
        "[resource notes: file:///notes]",
      ].join("\n"),
    });
  });

  test("is its structured content if it has no other", async () => {
    expect(await shown("structured")).toEqual({ text: '{"degrees":21.5}' });
    expect(await shown("empty")).toEqual({ text: "The answer is empty." });
    expect(await shown("wrong")).toEqual({ text: "no such city", isError: true });
  });
});

describe("processes of a command", () => {
  test("see the variables of the definition, and not the gym's own", async () => {
    vi.stubEnv("PALESTRA_JUDGE_KEY", "hush");
    const session = await sessionOf(command("environment", { env: { CITY: "Rome" } }));
    const { text } = await session.call("say", {}, signal);
    expect(JSON.parse(text)).toMatchObject({ CITY: "Rome", PATH: process.env.PATH });
    expect(text).not.toContain("PALESTRA");
  });

  test("end with their episode, including stubborn ones and their children", async () => {
    const server = command("stubborn");
    const session = await sessionOf(server);
    await session.call("say", {}, signal);
    expect(processesWith(server.args.at(-1) as string).length).toBeGreaterThanOrEqual(2);
    await session.close();
    await isGone(server);
  });

  test("number one per episode, and at most the allowed number at a time", async () => {
    const server = command("good", { processes: 2, timeoutMs: 10_000 });
    const kit = await mcpKit({ server }, true);
    const [first, second, third] = [opened(kit), opened(kit), opened(kit)] as const;
    const pids = [await first.call("say", {}, signal), await second.call("say", {}, signal)].map(({ text }) => text);
    expect(new Set(pids).size).toBe(2);
    const { message } = await failure(third.call("say", {}, signal));
    expect(message).toMatch(/one of the 2 processes .* no free process within 10000 ms/);
    const waiting = third.call("say", {}, signal);
    await first.close();
    expect((await waiting).text).toMatch(/^say of \d+$/);
  });

  test("end when the call is cancelled", async () => {
    const server = command("mute");
    const session = await sessionOf(server);
    const controller = new AbortController();
    const call = session.call("say", {}, controller.signal);
    await eventually(() => processesWith(server.args.at(-1) as string).length > 0);
    controller.abort(new Error("nobody waits"));
    await expect(call).rejects.toThrow("nobody waits");
    await isGone(server);
  });
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a server and returns its address. */
async function listening(handler: Handler): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    handler(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp?key=hush-hush`;
}

const json =
  (mode: string): Handler =>
  (request, response, body) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse(body);
    const reply = answerOf(mode, message);
    if (!reply && message.id !== undefined) return;
    response.writeHead(reply ? 200 : 202, { "content-type": "application/json" }).end(reply && JSON.stringify(reply));
  };

describe("a server over HTTP", () => {
  const at = (url: string, headers = {}, timeoutMs = 30_000): McpServer => ({ url, headers, timeoutMs });

  test("receives the configured headers", async () => {
    vi.stubEnv("MCP_TEST_KEY", "hush-hush");
    const seen = new Set<unknown>();
    const answer = json("many");
    const url = await listening((request, ...rest) => {
      seen.add(request.headers.authorization);
      answer(request, ...rest);
    });
    const kit = await mcpKit({ server: at(url, { authorization: `Bearer \${MCP_TEST_KEY}` }) }, true);
    expect(kit.tools).toHaveLength(500);
    expect((await opened(kit).call("tool_7", {}, signal)).text).toMatch(/^tool-7 of/);
    expect([...seen]).toEqual(["Bearer hush-hush"]);
  });

  test.each([
    ["hangs", () => {}, /no reply within 2000 ms/],
    ["answers garbage", (_, response) => response.end("<html>"), /.*/],
    ["answers 401", (_, response) => response.writeHead(401).end("who are you, hush-hush?"), /401|nauthorized/],
    ["answers 500", (_, response) => response.writeHead(500).end("oops"), /500|oops/],
    ["redirects", (_, response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(), /.*/],
    ["is cut off", (_, response) => response.destroy(), /.*/],
  ] satisfies [string, Handler, RegExp][])("fails the start if it %s", async (how, handler, received) => {
    vi.stubEnv("MCP_TEST_KEY", "hush-hush");
    const server = at(await listening(handler), { "x-key": `\${MCP_TEST_KEY}` }, how === "hangs" ? 2_000 : 30_000);
    const { message } = await failure(mcpKit({ server }, true));
    expect(message).toMatch(received);
    expect(message).not.toContain("hush-hush");
  });

  test.each([
    ["never answers", "mute", /timed out/i],
    ["answers more than 10 MiB", "huge", /more than 10485760 bytes|timed out/],
  ])("fails the call if it %s", async (_, mode, received) => {
    const session = await sessionOf(at(await listening(json(mode)), {}, mode === "mute" ? 5_000 : 30_000));
    expect((await failure(session.call("say", {}, signal))).message).toMatch(received);
  });

  test("is refused with a missing variable or an invalid header", async () => {
    const url = "http://127.0.0.1:1/";
    const load = (key: string) => mcpKit({ server: at(url, { key }) }, true);
    await expect(load(`\${MCP_NO_KEY}`)).rejects.toThrow(/variable MCP_NO_KEY, which the MCP server .* names in key/);
    vi.stubEnv("MCP_TEST_KEY", "hush\nhush");
    const refusal = await load(`\${MCP_TEST_KEY}`).catch((error: Error) => error.message);
    expect(refusal).toMatch(/cannot be sent: "key"/);
    expect(refusal).not.toContain("hush");
  });
});
