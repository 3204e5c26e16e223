/** The choice of a provider for a machine, the limit on machines, and the queue of waiting callers. */
import { describe, expect, test } from "vitest";
import { Machines } from "#palestra/sandboxes/machines.js";
import {
  type MachineProvider,
  type Sandbox,
  SandboxError,
  type SandboxErrorCode,
} from "#palestra/sandboxes/sandbox.js";
import { Turns } from "#palestra/sandboxes/turns.js";

/** A fake provider that fails with a given error, or whose sandboxes can only be closed. */
class Opening implements MachineProvider {
  opened = 0;
  isClosed = false;
  readonly ends: (() => void)[] = [];

  constructor(readonly failure?: SandboxErrorCode) {}

  async open(): Promise<Sandbox> {
    if (this.failure) throw new SandboxError(this.failure, `what has ${this.failure}`, "nothing");
    this.opened += 1;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.ends.push(end);
    return { ended, close: async () => end() } as Sandbox;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

function machines(providers: Record<string, Opening>, { most = 10, waitMs = 50 } = {}): Machines {
  const thunks = Object.entries(providers).map(([name, one]) => [name, async () => one]);
  return new Machines(Object.fromEntries(thunks), { permits: new Turns({ most }), waitMs });
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe("a provider", () => {
  test.each(["MISSING", "REFUSED"] as const)(
    "after a provider answers %s, the next provider opens the spec",
    async (code) => {
      const second = new Opening();
      await machines({ docker: new Opening(code), process: second }).open({});
      expect(second.opened).toBe(1);
    },
  );

  test.each(["START", "TIMEOUT", "FULL"] as const)(
    "after a provider fails with %s, no other provider is tried",
    async (code) => {
      const second = new Opening();
      const all = machines({ docker: new Opening(code), process: second });
      await expect(all.open({})).rejects.toMatchObject({ code });
      expect(second.opened).toBe(0);
    },
  );

  test("the refusal of one provider is passed on, and several are listed by name", async () => {
    await expect(machines({ process: new Opening("REFUSED") }).open({})).rejects.toThrow("what has REFUSED");
    const both = machines({ docker: new Opening("MISSING"), process: new Opening("REFUSED") });
    await expect(both.open({})).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringMatching(/docker: .*what has MISSING.*; process: .*what has REFUSED/),
    });
    const none = machines({ docker: new Opening("MISSING"), process: new Opening("MISSING") });
    await expect(none.open({})).rejects.toMatchObject({ code: "MISSING" });
    await expect(machines({}).open({})).rejects.toMatchObject({ code: "MISSING" });
  });

  test("a provider that is not tried is never loaded, not even at the close", async () => {
    let loaded = 0;
    const first = new Opening();
    const load = async () => {
      loaded += 1;
      return new Opening();
    };
    const all = new Machines(
      { docker: async () => first, process: load },
      { permits: new Turns({ most: 1 }), waitMs: 50 },
    );
    await all.open({});
    await all.close();
    expect([loaded, first.isClosed]).toEqual([0, true]);
  });
});

describe("the limit on machines", () => {
  test("the longest waiter gets the place of a machine that ends", async () => {
    const provider = new Opening();
    const all = machines({ docker: provider }, { most: 1, waitMs: 5_000 });
    await all.open({});
    const order: number[] = [];
    const waiting = [1, 2].map((who) => all.open({}).then(() => order.push(who)));
    await soon();
    expect(provider.opened).toBe(1);
    provider.ends[0]?.();
    await waiting[0];
    expect(order).toEqual([1]);
    provider.ends[1]?.();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  test("a caller that times out or aborts leaves the queue without taking a place", async () => {
    const provider = new Opening();
    const all = machines({ docker: provider }, { most: 1, waitMs: 50 });
    await all.open({});
    await expect(all.open({})).rejects.toMatchObject({ code: "FULL" });
    await expect(all.open({}, AbortSignal.timeout(1))).rejects.toMatchObject({ name: "TimeoutError" });
    provider.ends[0]?.();
    await soon();
    await all.open({});
    expect(provider.opened).toBe(2);
  });

  test("a failed start frees its place", async () => {
    const all = machines({ docker: new Opening("START") }, { most: 1 });
    for (let i = 0; i < 3; i++) await expect(all.open({})).rejects.toMatchObject({ code: "START" });
  });

  test("the close refuses waiting callers", async () => {
    const all = machines({ docker: new Opening() }, { most: 1, waitMs: 5_000 });
    await all.open({});
    const waiting = all.open({});
    const refused = expect(waiting).rejects.toMatchObject({ code: "REFUSED" });
    await all.close();
    await refused;
    await expect(all.open({})).rejects.toMatchObject({ code: "REFUSED" });
  });
});

describe("a reserved place", () => {
  test("a reserved place is kept from one machine to the next", async () => {
    const provider = new Opening();
    const all = machines({ docker: provider }, { most: 1, waitMs: 5_000 });
    const place = await all.reserve();
    const first = await place.open({});
    const waiting = all.open({});
    await first.close();
    const second = await place.open({});
    await second.close();
    await soon();
    expect(provider.opened).toBe(2);
    await place.close();
    await waiting;
    expect(provider.opened).toBe(3);
  });

  test("a reserved place opens a machine after the previous one has ended, and fails if that takes too long", async () => {
    const provider = new Opening();
    const place = await machines({ docker: provider }, { most: 1, waitMs: 50 }).reserve();
    const first = await place.open({});
    await expect(place.open({})).rejects.toMatchObject({ code: "FULL" });
    await expect(place.open({}, AbortSignal.abort(new Error("given up")))).rejects.toThrow("given up");
    expect(provider.opened).toBe(1);
    const second = place.open({});
    await first.close();
    await second;
    expect(provider.opened).toBe(2);
  });

  test("a reservation waits in the same queue as a machine", async () => {
    const all = machines({ docker: new Opening() }, { most: 1, waitMs: 50 });
    const sandbox = await all.open({});
    await expect(all.reserve()).rejects.toMatchObject({ code: "FULL" });
    await sandbox.close();
    await (await all.reserve()).close();
    await all.open({});
  });

  test("a reserved place survives a failed start and is freed by its close", async () => {
    const all = machines({ docker: new Opening("START") }, { most: 1 });
    const place = await all.reserve();
    for (let i = 0; i < 2; i++) await expect(place.open({})).rejects.toMatchObject({ code: "START" });
    await Promise.all([place.close(), place.close()]);
    await (await all.reserve()).close();
    await (await all.reserve()).close();
  });

  test("the close of a reserved place closes its machine, even one that is starting, and refuses others", async () => {
    const provider = new Opening();
    const all = machines({ docker: provider }, { most: 1, waitMs: 5_000 });
    const place = await all.reserve();
    const opening = expect(place.open({})).rejects.toMatchObject({ code: "REFUSED" });
    await place.close();
    await opening;
    await expect(place.open({})).rejects.toMatchObject({ code: "REFUSED" });
    await all.open({});
  });
});
