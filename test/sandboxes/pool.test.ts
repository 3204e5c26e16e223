/** A pool of sandboxes, here Java processes: its limit, its queue and its reuse. */
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import { Pool, type PoolOptions, type ReusingProvider } from "#palestra/sandboxes/pool.js";
import type { Address, JvmRequest, Service } from "#palestra/sandboxes/sandbox.js";
import { Turns } from "#palestra/sandboxes/turns.js";
import { eventually } from "../support/gym.js";
import { gatewayRequest, isRunning, javaProcesses, nothingLeft, pidOf, testJvm } from "../support/jvm.js";

interface Options extends Partial<PoolOptions> {
  most?: number;
}

function openPool({ most = 1, ...options }: Options = {}): Pool<JvmRequest> {
  const usual = { permits: new Turns({ most }), warmMs: 60_000, waitMs: 30_000 };
  const pool = new Pool(new JvmProvider({ checkMs: 500 }), { ...usual, ...options });
  onTestFinished(async () => {
    await pool.close();
    await nothingLeft();
  });
  return pool;
}

/** Request for a program of another kind. */
const otherRequest = { ...gatewayRequest, heapMb: 65 };

describe("the limit of a pool", () => {
  testJvm("requests beyond the limit wait in order", async () => {
    const pool = openPool({ most: 2 });
    const served: number[] = [];
    const lent = [0, 1, 2, 3, 4].map(async (i) => {
      const sandbox = await pool.open(gatewayRequest);
      served.push(i);
      return sandbox;
    });
    await Promise.all(lent.slice(0, 2));
    expect(new Set(served)).toEqual(new Set([0, 1]));
    for (const i of [0, 1, 2]) {
      await (await lent[i])?.close();
      await lent[i + 2];
      expect(served.slice(2)).toEqual([2, 3, 4].slice(0, i + 1));
      expect(javaProcesses()).toHaveLength(2);
    }
  });

  testJvm("an aborted request leaves its turn to the next", async () => {
    const pool = openPool();
    const held = await pool.open(gatewayRequest);
    const controller = new AbortController();
    const given = pool.open(gatewayRequest, controller.signal).catch((error: Error) => error);
    const next = pool.open(gatewayRequest);
    controller.abort(new Error("given up"));
    expect(await given).toEqual(new Error("given up"));
    await held.close();
    expect((await next).id).toBe(held.id);
  });

  testJvm("a request that waits too long fails with FULL", async () => {
    const pool = openPool({ waitMs: 50 });
    await pool.open(gatewayRequest);
    await expect(pool.open(gatewayRequest)).rejects.toMatchObject({
      code: "FULL",
      message: "All 1 sandboxes are in use, and none became free within 50 ms.",
    });
  });

  testJvm("a failed start takes no place", async () => {
    const pool = openPool();
    const wrong = { ...gatewayRequest, mainClass: "no.such.Main" };
    await expect(pool.open(wrong)).rejects.toMatchObject({ code: "START" });
    await expect(pool.open(wrong)).rejects.toMatchObject({ code: "START" });
    await pool.open(gatewayRequest);
  });

  testJvm("an unused sandbox of another kind is ended to make room", async () => {
    const pool = openPool();
    const first = await pool.open(gatewayRequest);
    await first.close();
    const second = await pool.open(otherRequest);
    expect(second.id).not.toBe(first.id);
    expect(isRunning(pidOf(first))).toBe(false);
  });
});

testJvm("only as many unused sandboxes are ended as needed", async () => {
  const pool = openPool({ most: 2 });
  const first = await Promise.all([pool.open(gatewayRequest), pool.open(gatewayRequest)]);
  await Promise.all(first.map((sandbox) => sandbox.close()));
  const [, again] = await Promise.all([pool.open(otherRequest), pool.open(gatewayRequest)]);
  expect(first.map(({ id }) => id)).toContain(again.id);
});

/** A provider whose calls wait for `pause`, even if they are aborted. A request is its own key. */
class Slow implements ReusingProvider<string> {
  pause = Promise.resolve();
  begun = 0;

  keyOf(request: string): string | undefined {
    return request === "own" ? undefined : request;
  }

  async open(request: string): Promise<Service> {
    await this.check();
    return { id: request, lost: new AbortController().signal, close: async () => {} } as unknown as Service;
  }

  async check(): Promise<void> {
    this.begun += 1;
    await this.pause;
  }

  async close(): Promise<void> {}
}

describe("a request that is aborted while its sandbox starts frees its place", () => {
  test.each([
    { sandbox: "a new one that others can use", request: "shared", isUsed: false },
    { sandbox: "a new one that nobody else can use", request: "own", isUsed: false },
    { sandbox: "a used one", request: "shared", isUsed: true },
  ])("$sandbox", async ({ request, isUsed }) => {
    const provider = new Slow();
    const pool = new Pool(provider, { permits: new Turns({ most: 2 }), warmMs: 60_000, waitMs: 500 });
    onTestFinished(() => pool.close());
    if (isUsed) await (await pool.open(request)).close();
    let resume = () => {};
    provider.pause = new Promise((resolve) => {
      resume = resolve;
    });
    const begun = provider.begun;
    const controller = new AbortController();
    const given = pool.open(request, controller.signal).catch((error: Error) => error);
    await eventually(() => provider.begun > begun);
    controller.abort(new Error("given up"));
    resume();
    expect(await given).toEqual(new Error("given up"));
    expect(await Promise.all([pool.open("other"), pool.open("other")])).toHaveLength(2);
  });
});

describe("two pools with the same permits", () => {
  testJvm("an unused sandbox of one pool is ended to make room for the other, and a used one is not", async () => {
    const permits = new Turns({ most: 2 });
    const [one, other] = [openPool({ permits }), openPool({ permits })];
    const [unused, used] = [await one.open(gatewayRequest), await one.open(gatewayRequest)];
    await unused.close();
    const taken = await other.open(gatewayRequest);
    expect([unused, used, taken].map((each) => isRunning(pidOf(each)))).toEqual([false, true, true]);
    const waiting = other.open(gatewayRequest);
    await eventually(() => other.waitingCount === 1);
    // The request of the other pool came first, so the sandbox does not serve a later request of its own pool.
    const later = one.open(gatewayRequest);
    await used.close();
    await waiting;
    expect(isRunning(pidOf(used))).toBe(false);
    await taken.close();
    expect((await later).id).not.toBe(taken.id);
    expect(javaProcesses()).toHaveLength(2);
    await Promise.all([one.close(), other.close()]);
  });
});

describe("a returned sandbox", () => {
  async function returned(pool: Pool<JvmRequest>, request = gatewayRequest): Promise<Service> {
    const sandbox = await pool.open(request);
    await sandbox.close();
    return sandbox;
  }

  testJvm("a returned sandbox is lent again and refuses its last holder", async () => {
    const pool = openPool();
    const first = await returned(pool);
    const second = await pool.open(gatewayRequest);
    expect(second.id).toBe(first.id);
    await expect(first.openPort()).rejects.toMatchObject({ code: "LOST" });
    process.kill(pidOf(second), "SIGKILL");
    await eventually(() => second.lost.aborted);
    expect(first.lost.aborted).toBe(false);
  });

  testJvm("a returned sandbox is not lent to a request that is not reusable", async () => {
    const pool = openPool();
    const first = await returned(pool, { ...gatewayRequest, isReusable: false });
    expect(isRunning(pidOf(first))).toBe(false);
  });

  testJvm("a spoilt sandbox is not lent again", async () => {
    const pool = openPool();
    const first = await pool.open(gatewayRequest);
    await first.close({ isSpoilt: true });
    expect(isRunning(pidOf(first))).toBe(false);
    expect((await pool.open(gatewayRequest)).id).not.toBe(first.id);
  });

  testJvm("a returned sandbox that has died is replaced", async () => {
    const pool = openPool();
    const first = await returned(pool);
    process.kill(pidOf(first), "SIGKILL");
    await eventually(() => !isRunning(pidOf(first)));
    expect((await pool.open(gatewayRequest)).id).not.toBe(first.id);
  });

  testJvm("a returned sandbox that does not answer is replaced", async () => {
    const pool = openPool();
    const request: JvmRequest = { ...gatewayRequest, check: answers };
    const first = await returned(pool, request);
    process.kill(pidOf(first), "SIGSTOP");
    const second = await pool.open(request);
    expect(second.id).not.toBe(first.id);
    expect(isRunning(pidOf(first))).toBe(false);
  });

  testJvm("a returned sandbox is ended after its idle time", async () => {
    const pool = openPool({ warmMs: 100 });
    const first = await returned(pool);
    await eventually(() => !isRunning(pidOf(first)));
  });
});

testJvm("the close of a pool ends lent, kept and starting sandboxes", async () => {
  const pool = openPool({ most: 2 });
  const lent = await pool.open(gatewayRequest);
  await (await pool.open(otherRequest)).close();
  expect(javaProcesses()).toHaveLength(2);
  const waiting = [pool.open(gatewayRequest), pool.open(otherRequest), pool.open(otherRequest)];
  const settled = Promise.allSettled(waiting);
  await pool.close();
  await nothingLeft();
  for (const { status } of await settled) expect(status).toBe("rejected");
  await expect(pool.open(gatewayRequest)).rejects.toMatchObject({ code: "REFUSED" });
  await expect(lent.openPort()).rejects.toMatchObject({ code: "LOST" });
});

testJvm("many holders in sequence share two processes", async () => {
  const pool = openPool({ most: 2 });
  const ids = new Set<string>();
  const hold = async () => {
    const sandbox = await pool.open(gatewayRequest);
    ids.add(sandbox.id);
    await sandbox.openPort();
    await sandbox.close();
  };
  await Promise.all(Array.from({ length: 60 }, hold));
  expect(ids.size).toBe(2);
});

/** Returns whether py4j answers an empty call, which it does with an error. */
function answers(address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => socket.write("c\nt\nnothing\ne\n"));
    socket.once("error", reject);
    socket.once("data", () => {
      socket.destroy();
      resolve();
    });
  });
}
