/** The processes of async environments share the limits on sandboxes, so that the settings hold for the whole gym. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadConfig } from "#palestra/server/config/settings.js";
import { GymPermits } from "#palestra/server/hosts/permits.js";
import type { PermitNews } from "#palestra/server/hosts/process/process-protocol.js";
import { testBrowser } from "../../support/browsers.js";
import { eventually, fixture, openGym, type TestGym } from "../../support/gym.js";
import { parentOf, processesWith, testProcess } from "../../support/processes.js";

const task = { split: "play", index: 0 };

/**
 * Opens a gym in which `placed` and `placed-once` run in a process each. Each of their episodes holds one permit for a
 * machine.
 */
function openPlaced(machines: number): Promise<TestGym> {
  const environments = ["placed", "placed-once"].map(fixture);
  return openGym({ environments, sandboxes: { machines, waitMs: 55_000 } });
}

const create = (gym: TestGym, environment: string) => gym.create({ environment, task });

/** Returns the pids of the processes of a module. */
function processesOf(module: string): number[] {
  const isOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").at(-2) === fixture(module);
  return processesWith("hosts/async/process.js").filter((pid) => parentOf(pid) === process.pid && isOf(pid));
}

/** Kills the process that runs a module. The spare process, which started later, stays. */
function killProcessOf(module: string): void {
  process.kill(Math.min(...processesOf(module)), "SIGKILL");
}

/** Returns whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol("open");
  return (await Promise.race([promise.catch(() => {}), Promise.resolve(open)])) !== open;
}

const waiting = (gym: TestGym) => gym.metric("palestra_sandboxes_waiting");
const held = (gym: TestGym) => gym.metric("palestra_sandboxes");

describe("two processes", () => {
  test("share the limit on machines, and a freed permit goes to the longest waiter of both", async () => {
    const gym = await openPlaced(2);
    const first = await create(gym, "placed");
    const second = await create(gym, "placed-once");
    const third = create(gym, "placed");
    await eventually(async () => (await waiting(gym)) === 1);
    const fourth = create(gym, "placed-once");
    await eventually(async () => (await waiting(gym)) === 2);
    expect([await isSettled(third), await isSettled(fourth)]).toEqual([false, false]);
    expect(await held(gym)).toBe(2);
    await gym.call("close", { episodeId: second.episodeId });
    await third;
    expect(await isSettled(fourth)).toBe(false);
    await gym.call("close", { episodeId: first.episodeId });
    await fourth;
    expect([await held(gym), await waiting(gym)]).toEqual([2, 0]);
  });

  test("serve the next waiter when one gives up", async () => {
    const gym = await openGym({
      environments: ["placed", "placed-once"].map(fixture),
      sandboxes: { machines: 1, waitMs: 300 },
    });
    const first = await create(gym, "placed");
    const refused = await gym.refusal("create", { environment: "placed-once", task });
    expect(refused).toMatchObject({ code: "SANDBOX_FULL", class: "capacity" });
    expect(refused.message).toContain("All 1 sandboxes are in use, and none ended within 300 ms.");
    expect(await waiting(gym)).toBe(0);
    await gym.call("close", { episodeId: first.episodeId });
    await create(gym, "placed-once");
    expect(await held(gym)).toBe(1);
  });

  test("lose their permits when they are killed", async () => {
    const gym = await openPlaced(2);
    await Promise.all([create(gym, "placed"), create(gym, "placed")]);
    const next = create(gym, "placed-once");
    await eventually(async () => (await waiting(gym)) === 1);
    killProcessOf("placed");
    await next;
    await eventually(async () => (await held(gym)) === 1);
    await create(gym, "placed-once");
    expect([await held(gym), await waiting(gym)]).toEqual([2, 0]);
  });

  test("get no permit if they are killed while they wait, and their new processes wait again", async () => {
    const gym = await openPlaced(1);
    const first = await create(gym, "placed");
    const lost = create(gym, "placed-once");
    await eventually(async () => (await waiting(gym)) === 1);
    const second = create(gym, "placed");
    await eventually(async () => (await waiting(gym)) === 2);
    killProcessOf("placed-once");
    await eventually(() => processesOf("placed-once").length > 0);
    await gym.call("close", { episodeId: first.episodeId });
    const { episodeId } = await second;
    expect(await isSettled(lost)).toBe(false);
    await eventually(async () => (await waiting(gym)) === 1);
    expect(await held(gym)).toBe(1);
    await gym.call("close", { episodeId });
    await lost;
    expect([await held(gym), await waiting(gym)]).toEqual([1, 0]);
  });

  testProcess("never have more sandboxes together than the limit", async () => {
    const environments = ["boxed", "boxed-too"].map(fixture);
    const gym = await openGym({ environments, sandboxes: { machines: 2, provider: "process" } });
    const folders = () => {
      const names = processesWith("/palestra-process-").flatMap(
        (pid) => /\/palestra-process-(\d+)-[^/\0]+/.exec(commandLineOf(pid)) ?? [],
      );
      return new Set(names.filter((name) => parentOf(Number(name.split("-")[2])) === process.pid)).size;
    };
    let [most, isOver] = [0, false];
    const watching = (async () => {
      for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 10))) most = Math.max(most, folders());
    })();
    const play = async (environment: string) => {
      const { episodeId } = await create(gym, environment);
      expect(await gym.step(episodeId, 0, "echo on")).toContain("on");
      await gym.call("close", { episodeId });
    };
    await Promise.all(Array.from({ length: 12 }, (_, i) => play(i % 2 === 0 ? "boxed" : "boxed-too")));
    isOver = true;
    await watching;
    expect(most).toBe(2);
    await eventually(async () => (await held(gym)) === 0);
  });

  testBrowser(
    "share the limit on browsers: a browser without sessions is closed, and one with sessions gets no more sessions",
    async () => {
      const environments = ["boxed", "boxed-too"].map(fixture);
      const sandboxes = { browsers: 1, provider: "process", browserSandbox: "off", waitMs: 25_000 };
      const gym = await openGym({ environments, sandboxes });
      const open = (environment: string) => gym.create({ environment, task: { split: "pages", index: 0 } });
      const first = await open("boxed");
      await gym.call("close", { episodeId: first.episodeId });
      const second = await open("boxed-too");
      await eventually(async () => (await kindOf(gym, "browsers")) === 1);
      const third = await open("boxed");
      expect(await kindOf(gym, "browsers")).toBe(2);
      expect(await gym.step(second.episodeId, 0, "echo on")).toContain("on");
      await gym.call("close", { episodeId: second.episodeId });
      await eventually(async () => (await kindOf(gym, "browsers")) === 1);
      await gym.call("close", { episodeId: third.episodeId });
    },
  );
});

const commandLineOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

async function kindOf(gym: TestGym, kind: string): Promise<number> {
  const { payload } = await gym.app.inject("/metrics");
  return Number(new RegExp(`^palestra_sandboxes\\{kind="${kind}"\\} (\\d+)$`, "m").exec(payload)?.[1]);
}

describe("the permits of a gym", () => {
  const { sandboxes } = loadConfig({ env: {}, flags: { sandboxes: { machines: 2, browsers: 2, jvms: 1 } } });

  /** @param gone a promise that resolves when the sandboxes of an ended process have ended */
  function openPermits(gone: Promise<void> = Promise.resolve()) {
    const gym = new GymPermits(sandboxes, () => gone);
    const process = () => {
      const news: PermitNews[] = [];
      const holder = gym.holder((one) => news.push(one));
      return { holder, news, permits: () => news.flatMap((one) => (one.type === "permit" ? one.permit : [])) };
    };
    return { gym, process };
  }

  const soon = () => new Promise((resolve) => setImmediate(resolve));

  test("stay taken after the end of a process until its sandboxes have ended", async () => {
    let end = () => {};
    const gone = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { gym, process } = openPermits(gone);
    const [killed, other] = [process(), process()];
    for (const number of [1, 2, 3]) killed.holder.ask("machines", number);
    other.holder.ask("machines", 1);
    expect([killed.permits(), other.permits()]).toEqual([[1, 2], []]);
    killed.holder.end(1);
    await soon();
    expect(gym.counts().machines).toEqual({ held: 2, waiting: 1 });
    expect(other.permits()).toEqual([]);
    end();
    await soon();
    expect(other.permits()).toEqual([1]);
    expect(gym.counts().machines).toEqual({ held: 1, waiting: 0 });
    expect(killed.permits()).toEqual([1, 2]);
  });

  test("can be withdrawn before and after they are granted", () => {
    const { gym, process } = openPermits();
    const [one, other] = [process(), process()];
    one.holder.ask("jvms", 1);
    other.holder.ask("jvms", 1);
    other.holder.ask("jvms", 2);
    expect(other.news).toEqual([
      { type: "permit-waits", permit: 1 },
      { type: "permit-waits", permit: 2 },
    ]);
    other.holder.leave(1);
    one.holder.leave(1);
    expect(other.permits()).toEqual([2]);
    other.holder.leave(2);
    expect(gym.counts().jvms).toEqual({ held: 0, waiting: 0 });
  });

  test.each([
    ["a number twice", "machines", 1, "a new number"],
    ["a kind that does not exist", "engines", 2, "a kind of sandbox"],
    ["a kind of every object", "constructor", 2, "a kind of sandbox"],
    ["no number", "machines", Number.NaN, "a new number"],
  ])("are refused to a process that sends %s", (_, kind, number, words) => {
    const { gym, process } = openPermits();
    const { holder } = process();
    holder.ask("machines", 1);
    expect(() => holder.ask(kind as "machines", number)).toThrow(words);
    expect(() => holder.leave(7)).toThrow("the number of a permit");
    expect(gym.counts().machines).toEqual({ held: 1, waiting: 0 });
  });

  test("are taken from a process with sandboxes in use only if the waiting process has fewer", async () => {
    const { process } = openPermits();
    const [rich, poor] = [process(), process()];
    rich.holder.ask("browsers", 1);
    rich.holder.ask("browsers", 2);
    rich.holder.ask("browsers", 3);
    await soon();
    const wanted = ({ news }: { news: PermitNews[] }) => news.filter(({ type }) => type === "permits-wanted").at(-1);
    expect(wanted(rich)).toBeUndefined();
    expect(wanted(poor)).toMatchObject({ kind: "browsers", waiting: 1, mustShare: false });
    rich.holder.leave(3);
    poor.holder.ask("browsers", 1);
    await soon();
    expect(wanted(rich)).toMatchObject({ waiting: 1, mustShare: true });
    rich.holder.leave(1);
    rich.holder.ask("browsers", 4);
    await soon();
    expect(wanted(poor)).toMatchObject({ waiting: 1, mustShare: false });
    expect(wanted(rich)).toMatchObject({ waiting: 0, mustShare: false });
    // The comparison uses the waiting process with the fewest permits, even if another one has waited longer.
    const late = process();
    late.holder.ask("browsers", 1);
    await soon();
    expect(wanted(rich)).toMatchObject({ waiting: 1, mustShare: true });
    expect(wanted(poor)).toMatchObject({ waiting: 2, mustShare: false });
  });
});
