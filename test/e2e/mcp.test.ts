/** A public MCP server as a tool of custom tasks in a running gym, and the end of the server or the gym. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/free-port.js";
import { parentOf, processesWith } from "../support/processes.js";
import { root, type ServerProcess, startNode } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";
import { eventually } from "../support/watching.js";

const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const odd = join(root, "test/fixtures/mcp/odd-server.mjs");

beforeEach((context) => {
  if (process.platform !== "linux") context.skip("expected a /proc that tells the processes of the machine");
});

/** Files of an environment `own` with the tools of one server, and the gyms that serve it. */
class OwnTasks {
  readonly folder = scratch();
  private readonly definition = join(this.folder, "own.json");

  constructor(tool: object) {
    writeFileSync(join(this.folder, "tasks.jsonl"), '{"prompt": "What is 2 + 40?", "answer": 42}\n');
    writeFileSync(this.definition, JSON.stringify({ id: "own", tasks: "tasks.jsonl", tools: [{ mcp: tool }] }));
  }

  async gym(variables: NodeJS.ProcessEnv = {}) {
    const env = { XDG_CACHE_HOME: join(this.folder, "cache"), ...variables };
    const dataDir = join(this.folder, "data");
    return new OwnGym(await serve({ dataDir, env, environmentModules: [this.definition], showErrors: false }));
  }
}

interface Reply {
  observation: string;
  reward: number;
  parts?: { type: string }[];
  error?: { code: string; class: string; message: string };
}

class OwnGym {
  readonly process: ServerProcess;
  private readonly url: string;

  constructor(server: { url: string; process: ServerProcess }) {
    this.process = server.process;
    this.url = server.url;
  }

  async create(): Promise<string> {
    const { episodeId } = await this.post("episodes", { environment: "own", task: { index: 0 } });
    return episodeId as string;
  }

  step(episodeId: string, index: number, action: string): Promise<Reply> {
    return this.post(`episodes/${episodeId}/step`, { index, action });
  }

  async transcript(episodeId: string): Promise<string> {
    return (await fetch(`${this.url}/v1/episodes/${episodeId}/transcript`)).text();
  }

  async close(episodeId: string): Promise<void> {
    await fetch(`${this.url}/v1/episodes/${episodeId}`, { method: "DELETE" });
  }

  // biome-ignore lint/suspicious/noExplicitAny: replies of several operations
  private async post(path: string, body: object): Promise<any> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${this.url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  }
}

const failed = { error: { code: "SERVICE_FAILED", class: "infrastructure" } };
const echo = (message: string) => `echo ${JSON.stringify({ message })}`;
const slow = 'trigger_long_running_operation {"duration": 30, "steps": 2}';

/** Returns the pid of the server with a mark, without that of its supervising shell. */
async function theOnly(mark: string): Promise<number> {
  const watchers = processesWith("kill -KILL 0");
  const servers = () => processesWith(mark).filter((pid) => !watchers.includes(pid));
  const pids = await eventually(servers, ({ length }) => length === 1);
  expect(pids).toHaveLength(1);
  return pids[0] as number;
}

const gone = (mark: string) =>
  eventually(
    () => processesWith(mark),
    ({ length }) => length === 0,
  );

describe("a public server that is a command", () => {
  /** Starts the server through a file that the test can remove. */
  function wrapped(mark: string) {
    const folder = scratch();
    const wrapper = join(folder, `${mark}.mjs`);
    writeFileSync(wrapper, `await import(${JSON.stringify(everything)});\n`);
    const tasks = new OwnTasks({ command: process.execPath, args: [wrapper, "stdio"], timeoutMs: 20_000 });
    return { tasks, remove: () => rmSync(wrapper) };
  }

  test("an episode continues after its server command is killed between calls and during a call", async () => {
    const mark = `everything-killed-${process.pid}`;
    const { tasks, remove } = wrapped(mark);
    const gym = await tasks.gym();
    const episodeId = await gym.create();
    expect(await gym.step(episodeId, 0, echo("one"))).toMatchObject({ observation: "Echo: one" });
    expect((await gym.step(episodeId, 1, 'get_sum {"a": 2, "b": 40}')).observation).toContain("42");
    expect((await gym.step(episodeId, 2, "get_tiny_image {}")).parts).toMatchObject([{ type: "image" }]);

    process.kill(await theOnly(mark), "SIGKILL");
    await gone(mark);
    const place = 'get_structured_content {"location": "Chicago"}';
    expect(await gym.step(episodeId, 3, place)).toMatchObject(failed);
    expect((await gym.step(episodeId, 3, place)).observation).toContain("temperature");

    const call = gym.step(episodeId, 4, slow);
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(await theOnly(mark), "SIGKILL");
    expect(await call).toMatchObject(failed);
    expect((await call).error?.message).toContain("a reply of the MCP server");
    expect(await gym.step(episodeId, 4, echo("again"))).toMatchObject({ observation: "Echo: again" });

    const before = await gym.transcript(episodeId);
    await gym.process.kill();
    await gone(mark);
    remove();
    const next = await tasks.gym();
    expect(await next.transcript(episodeId)).toBe(before);
    expect(await next.step(episodeId, 5, echo("gone"))).toMatchObject(failed);
    // The replay does not use the server: its answers come from the log and give the same bytes.
    expect(await next.step(episodeId, 5, "submit 42")).toMatchObject({ reward: 1 });
    expect((await next.transcript(episodeId)).startsWith(before.slice(0, before.indexOf("Echo: again")))).toBe(true);
    expect(processesWith(mark)).toEqual([]);
  });
});

describe("a public server over HTTP", () => {
  async function start(port = 0): Promise<{ server: ServerProcess; port: number }> {
    const chosen = port || (await freePort());
    const server = startNode([everything, "streamableHttp"], { env: { PORT: `${chosen}` } });
    onTestFinished(async () => void (await server.kill()));
    await eventually(
      () => server.stderr,
      (text) => text.includes("listening"),
    );
    return { server, port: chosen };
  }

  test("an episode continues after its HTTP server is killed during a call and restarted", async () => {
    const { server, port } = await start();
    const tasks = new OwnTasks({ url: `http://127.0.0.1:${port}/mcp`, timeoutMs: 5_000 });
    const gym = await tasks.gym();
    const episodeId = await gym.create();
    expect(await gym.step(episodeId, 0, echo("one"))).toMatchObject({ observation: "Echo: one" });
    const call = gym.step(episodeId, 1, slow);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await server.kill();
    expect(await call).toMatchObject(failed);
    expect(await gym.step(episodeId, 1, echo("two"))).toMatchObject(failed);
    const again = await start(port);
    expect(await gym.step(episodeId, 1, echo("two"))).toMatchObject({ observation: "Echo: two" });

    const before = await gym.transcript(episodeId);
    await gym.process.kill();
    await again.server.kill();
    const next = await tasks.gym();
    expect(await next.transcript(episodeId)).toBe(before);
    expect(await next.step(episodeId, 2, echo("gone"))).toMatchObject(failed);
    expect(await next.step(episodeId, 2, "submit 42")).toMatchObject({ reward: 1 });
  });
});

/** A server that ignores the end of its input and SIGTERM, as does its helper process. */
describe("the process of a stubborn server", () => {
  async function playing(name: string, variables: NodeJS.ProcessEnv = {}) {
    const mark = `stubborn-${name}-${process.pid}`;
    const tasks = new OwnTasks({ command: process.execPath, args: [odd, "stubborn", mark] });
    const gym = await tasks.gym(variables);
    const episodeId = await gym.create();
    expect((await gym.step(episodeId, 0, "say {}")).observation).toMatch(/^say of/);
    return { gym, episodeId, mark };
  }

  test("a stubborn server ends with its episode, and with the process of async environments", async () => {
    const { gym, episodeId, mark } = await playing("closed");
    expect(processesWith(mark).length).toBeGreaterThanOrEqual(2);
    const [host] = processesWith("hosts/async/process.js").filter((pid) => parentOf(pid) === gym.process.pid);
    process.kill(host as number, "SIGKILL");
    expect(await gone(mark)).toEqual([]);
    expect((await gym.step(episodeId, 1, "say {}")).observation).toMatch(/^say of/);
    expect(processesWith(mark)).not.toEqual([]);
    await gym.close(episodeId);
    expect(await gone(mark)).toEqual([]);
  });

  test("a stubborn server ends with its episode's lease, and is restarted with the episode", async () => {
    const variables = { PALESTRA_LEASES_DEFAULT_MS: "1000", PALESTRA_LEASES_SWEEP_MS: "100" };
    const { gym, episodeId, mark } = await playing("parked", variables);
    expect(await gone(mark)).toEqual([]);
    expect((await gym.step(episodeId, 1, "say {}")).observation).toMatch(/^say of/);
  });

  test("a stubborn server ends with a stopped gym", async () => {
    const { gym, mark } = await playing("stopped");
    expect(await gym.process.stop()).toEqual({ code: 0, signal: null });
    expect(await gone(mark)).toEqual([]);
  });

  test("a stubborn server ends with a killed gym", async () => {
    const { gym, mark } = await playing("killed");
    await gym.process.kill();
    expect(await gone(mark)).toEqual([]);
  });
});
