/** A hostile agent: whatever it sends, calls fail as LOST in time and memory stays bounded. */
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { AgentClient, type AgentCommand } from "#palestra/sandboxes/agent/agent-client.js";
import { AgentSandbox } from "#palestra/sandboxes/agent/agent-sandbox.js";
import { Reply, requestFrame } from "#palestra/sandboxes/agent/frames.js";
import { Relay } from "#palestra/sandboxes/agent/relay.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";
import { MiB } from "../../support/watching.js";

const command: AgentCommand = {
  argv: ["true"],
  environment: [],
  folder: "",
  user: "",
  timeoutMs: 1_000,
  maxOutputBytes: 10,
  hasInput: false,
};

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}

const ready = requestFrame(Reply.ready, 0, u32(1));

/** Returns a client and the other end of its line. */
function lying() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.resume();
  const client = new AgentClient({ input, output }, "sandbox");
  return { client, input, output, send: (bytes: Buffer) => output.write(bytes) };
}

describe("a command's answer", () => {
  const lies: [string, Buffer, RegExp][] = [
    ["to no open request", requestFrame(Reply.exit, 99, Buffer.alloc(5)), /an answer to the unknown request 99/],
    ["larger than the maximum", Buffer.concat([u32(2 ** 31), Buffer.alloc(5)]), /frame of/],
    ["shorter than its head", Buffer.concat([u32(1), Buffer.alloc(9)]), /frame of/],
    [
      "with more output than requested",
      requestFrame(Reply.stdout, 1, Buffer.alloc(11)),
      /more than the 10 requested bytes/,
    ],
    ["of a kind that belongs to files", requestFrame(Reply.data, 1, Buffer.alloc(1)), /the reply 6 to a command/],
    ["of an unknown kind", requestFrame(77, 1, Buffer.alloc(1)), /the reply 77/],
    ["that ends too early", requestFrame(Reply.exit, 1, Buffer.alloc(2)), /a truncated reply/],
    ["whose text is longer than itself", requestFrame(Reply.error, 1, u32(2, 2 ** 31)), /a truncated reply/],
    ["after another version's greeting", requestFrame(Reply.ready, 0, u32(2)), /protocol version 2/],
  ];

  test.each(lies)("an answer %s loses the sandbox", async (_, bytes, reason) => {
    const { client, send } = lying();
    send(ready);
    await client.ready;
    const { end } = client.start(command);
    send(bytes);
    await expect(end).rejects.toMatchObject({ code: "LOST", message: expect.stringMatching(reason) });
    expect(client.lost.aborted).toBe(true);
    await expect(client.start(command).end).rejects.toMatchObject({ code: "LOST" });
  });

  test("a missing answer loses the sandbox at its deadline", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { client, send } = lying();
    send(ready);
    const end = client.start(command).end.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await end).toMatchObject({
      code: "LOST",
      message: expect.stringContaining("no answer of its agent within"),
    });
  });

  test("a second end of a command loses the sandbox", async () => {
    const { client, send } = lying();
    const { end } = client.start(command);
    const exit = requestFrame(Reply.exit, 1, Buffer.alloc(5));
    send(Buffer.concat([ready, exit]));
    expect(await end).toMatchObject({ exitCode: 0 });
    send(exit);
    await vi.waitFor(() => expect(client.lost.aborted).toBe(true));
  });
});

describe("an agent that reads nothing", () => {
  test("an agent that stops reading during a write loses the sandbox at the deadline", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { client, input, send } = lying();
    input.pause();
    send(ready);
    const writing = client.writeFile("file", "", Buffer.alloc(2 ** 20)).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await Promise.race([writing, "still writing"])).toMatchObject({
      code: "LOST",
      message: expect.stringContaining("no acceptance of a file chunk"),
    });
  });
});

describe("an agent that does not start", () => {
  const comingUp = { expected: "a sandbox", ms: 60_000, said: () => "" };

  test("the line is closed if the caller has aborted before the start", async () => {
    const { client, input, output } = lying();
    const reason = new Error("given up");
    const up = client.comeUp({ ...comingUp, signal: AbortSignal.abort(reason) });
    await expect(up).rejects.toBe(reason);
    expect([input.destroyed, output.destroyed]).toEqual([true, true]);
  });

  test("the line is closed if the start fails", async () => {
    const { client, input, output } = lying();
    const { signal } = new AbortController();
    const refusal = new SandboxError("REFUSED", "the engine to start a container", "no such image");
    const up = client.comeUp({ ...comingUp, signal, begin: () => Promise.reject(refusal) });
    await expect(up).rejects.toBe(refusal);
    expect([input.destroyed, output.destroyed]).toEqual([true, true]);
  });
});

describe("a sandbox", () => {
  const spec = { environment: {}, user: "", folder: "/", lifetimeMs: 60_000, agentPath: "/agent" };

  test("an abort during the start of the egress relay ends the sandbox", async () => {
    const { client, send } = lying();
    send(ready);
    const stop = new AbortController();
    const reason = new Error("given up");
    const end = vi.fn(async () => {});
    const machinery = { snapshot: () => Promise.reject(reason), end };
    const network = { hosts: ["example.com"] };
    const opening = AgentSandbox.open("one", client, { ...spec, network }, machinery, stop.signal);
    setTimeout(() => stop.abort(reason), 50);
    // At its deadline, the start would fail with another error.
    await expect(opening).rejects.toBe(reason);
    expect(end).toHaveBeenCalled();
  });

  test("a snapshot that a close interrupts fails as LOST, whatever the engine answers", async () => {
    const { client, send } = lying();
    send(ready);
    let fail = (_: Error) => {};
    const failing = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const sandbox = await AgentSandbox.open(
      "one",
      client,
      { ...spec, network: "none" },
      { snapshot: () => failing, end: async () => {} },
    );
    const snapshot = sandbox.snapshot();
    void sandbox.close();
    fail(new SandboxError("START", "the engine to keep a container's files", "no such container"));
    await expect(snapshot).rejects.toMatchObject({ code: "LOST" });
    await expect(sandbox.snapshot()).rejects.toMatchObject({ code: "LOST" });
  });
});

test("20,000 random frames throw nothing and hold no memory", async () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  const before = process.memoryUsage().rss;
  for (let round = 0; round < 400; round++) {
    const { client, send } = lying();
    const pending = [
      client.start(command).end,
      client.readFile("f", "", 100),
      client.list("d", "", 5),
      client.stat("s", ""),
    ];
    const outcomes = Promise.allSettled(pending);
    send(ready);
    for (let at = 0; at < 50; at++) send(requestFrame(random(10), random(6), Buffer.alloc(random(40), random(256))));
    client.lose("the end of the test");
    for (const outcome of await outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "SandboxError" });
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * MiB);
});

describe("a relay", () => {
  const kinds = { ready: 1, open: 2, data: 3, end: 4, close: 5, taken: 6 };

  /** Returns a relay, and a function `say` that sends frames as the relay, inside the output of a command. */
  function lyingRelay() {
    const { client, send } = lying();
    send(ready);
    const connections: unknown[] = [];
    const relay = new Relay(client, command, "/agent", { port: 1, onConnection: (one) => connections.push(one) });
    const say = (kind: number, id: number, payload = Buffer.alloc(0)) =>
      send(requestFrame(Reply.stdout, 1, requestFrame(kind, id, payload)));
    return { client, relay, connections, say };
  }

  test.each([
    ["that opens a connection twice", [kinds.open, 1], [kinds.open, 1]],
    ["that ends a connection twice", [kinds.open, 1], [kinds.end, 1], [kinds.end, 1]],
    ["that sends an unknown kind of frame", [kinds.open, 1], [99, 1]],
  ] as [string, ...[number, number][]][])("a relay %s is ended, and its sandbox is not", async (_, ...frames) => {
    const { client, relay, say } = lyingRelay();
    for (const [kind, id] of frames) say(kind, id);
    await vi.waitFor(() => expect(relay.isOver).toBe(true));
    expect(client.lost.aborted).toBe(false);
    await expect(relay.connect(80)).rejects.toMatchObject({ code: "LOST" });
  });

  test("a relay that sends more than its window is ended", async () => {
    const { relay, say } = lyingRelay();
    say(kinds.open, 1);
    for (let sent = 0; sent < 2 ** 19; sent += 60_000) say(kinds.data, 1, Buffer.alloc(60_000));
    await vi.waitFor(() => expect(relay.isOver).toBe(true));
  });

  test("a relay that opens connections endlessly gets 64 of them", async () => {
    const { relay, connections, say } = lyingRelay();
    for (let i = 0; i < 1_000; i++) say(kinds.open, 2 * i + 1);
    await vi.waitFor(() => expect(connections.length).toBe(64));
    expect(relay.isOver).toBe(false);
  });

  test("a relay that does not start fails at its deadline", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { relay } = lyingRelay();
    const connecting = relay.connect(80).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await connecting).toMatchObject({ code: expect.stringMatching(/TIMEOUT|LOST/) });
  });
});
