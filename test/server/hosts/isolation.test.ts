/**
 * Attacks of an added environment on its host, its gym and its neighbors. The attacker's episode fails, and every other
 * episode continues: those of built-in environments, those of other modules, and those of the attacker's own module.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually, fixture, openGym, scratchDir } from "../../support/gym.js";
import { hurriedTimes } from "../../support/hurry.js";
import { processesWith } from "../../support/processes.js";
import { longestWaitBeside } from "../../support/watching.js";

const environments = ["hostile", "hostile-async", "plain", "faulty"].map(fixture);
const hosts = { count: 1, stepDeadlineMs: 600, memoryMb: 128 };
// With these times, a call can block for 2.5 seconds.
const gym = await openGym({ environments, hosts }, scratchDir(), hurriedTimes);

const create = (environment: string) => gym.create({ environment, task: { index: 0 }, maxSteps: 10_000 });

/** An episode that a test steps without a pause, and its results. */
class Bystander {
  private steps = 0;
  private lastAt = performance.now();
  private longestMs = 0;
  private isEnding = false;
  private readonly done: Promise<void>;

  private constructor(
    private readonly episodeId: string,
    private readonly action: string,
    private readonly isRight: (observation: string, steps: number) => boolean,
  ) {
    this.done = this.play();
  }

  static async of(environment: string, action: string, isRight: (observation: string, steps: number) => boolean) {
    return new Bystander((await create(environment)).episodeId, action, isRight);
  }

  async taken(steps: number): Promise<void> {
    const until = this.steps + steps;
    await Promise.race([this.done, eventually(() => this.steps >= until)]);
  }

  /** Longest time between two replies since the last call of this function, in milliseconds. */
  silence(): number {
    const { longestMs } = this;
    this.longestMs = 0;
    return longestMs;
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.done;
  }

  private async play(): Promise<void> {
    while (!this.isEnding) {
      const { observation } = await gym.call("step", {
        episodeId: this.episodeId,
        index: this.steps,
        action: this.action,
      });
      this.steps += 1;
      if (!this.isRight(observation, this.steps)) throw new Error(`wrong answer ${this.steps}: ${observation}`);
      const now = performance.now();
      this.longestMs = Math.max(this.longestMs, now - this.lastAt);
      this.lastAt = now;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

const fatal: [attack: string, codes: RegExp][] = [
  ["split a huge text", /OUT_OF_MEMORY/],
  ["match a huge text", /OUT_OF_MEMORY/],
  ["spread a huge buffer", /OUT_OF_MEMORY|THREW|HUNG/],
  ["push forever", /OUT_OF_MEMORY|THREW|HUNG/],
  ["fill array buffers", /OUT_OF_MEMORY|THREW|HUNG/],
  ["fill memory in a thread", /OUT_OF_MEMORY|HUNG/],
  ["fill shared memory", /OUT_OF_MEMORY|THREW|HUNG/],
  ["raise a huge power", /OUT_OF_MEMORY|THREW|HUNG/],
  ["loop forever", /HUNG/],
  ["wait forever", /HUNG/],
  ["match slowly", /HUNG/],
  ["loop in a getter", /HUNG/],
  ["spawn children", /HUNG/],
  ["crash", /THREW/],
  ["abort", /THREW/],
  ["exit", /THREW/],
  ["exit really", /THREW/],
  ["stop", /HUNG/],
  ["close all files", /THREW|OUT_OF_MEMORY/],
  ["answer with a revoked proxy", /THREW|RESULT/],
  ["throw a revoked proxy", /THREW/],
  ["recurse forever", /THREW/],
  ["pollute toJSON", /THREW/],
  ["pollute a setter", /THREW/],
  ["replace stringify", /THREW/],
  ["replace push", /THREW/],
  ["replace the iterator of arrays", /THREW/],
  ["replace Map", /THREW/],
  ["replace get", /THREW/],
];

/** Requests for permits of sandboxes that break the protocol. */
const permitAttacks = [
  "ask for a permit twice",
  "ask for permits without end",
  "give back a permit of nobody",
  "wait for a strange kind",
];

/** Attacks that end the host without a trace of the guilty episode, or that end nothing. */
const anonymous = [
  "loop after the step",
  "loop when others have stepped",
  "fill the queue of microtasks",
  "close the socket",
  "flood the status lines",
  "flood with pings",
  "write garbage",
  "announce a huge message",
  "send null",
  "send a wrong type",
  "send wrong results",
  "send results nobody asked for",
  "forge steps of others",
  "send a page of another length",
  ...permitAttacks,
  "answer with 10 MB",
  "remove all listeners",
];

/** Attacks of an async environment, and the codes of the episode's failure. */
const asyncAttacks: [attack: string, codes: RegExp][] = [
  ["split a huge text", /OUT_OF_MEMORY|HUNG/],
  ["push forever", /OUT_OF_MEMORY|HUNG/],
  ["loop forever", /HUNG/],
  ["match slowly", /HUNG/],
  ["crash", /THREW/],
  ["abort", /THREW/],
  ["exit", /THREW/],
  ["throw a revoked proxy", /THREW/],
];

const anonymousAsync = [
  "close the socket",
  "write garbage",
  "announce a huge message",
  "send null",
  "send wrong results",
  "forge steps of others",
  "flood the status lines",
];

/** @param own whether another episode of the attacker's module also plays */
async function attack(action: string, attacker = "hostile", own = true): Promise<string | null> {
  const bystanders = await Promise.all([
    Bystander.of("textcraft", "inventory", (observation) => observation.startsWith("Inventory:")),
    Bystander.of("faulty", "on", (observation, steps) => observation === `${steps}: on`),
    ...(own ? [Bystander.of(attacker, "on", (observation, steps) => observation === `${steps}: on`)] : []),
  ]);
  const { episodeId } = await create(attacker);
  await gym.step(episodeId, 0, "hello");
  for (const bystander of bystanders) await bystander.taken(3);
  // A bystander that waits for the attacked host would get no reply until the watchdog ends that host.
  const most = longestWaitBeside(Math.max(...bystanders.map((bystander) => bystander.silence())));
  const reply = await gym.send("step", { episodeId, index: 1, action });
  for (const bystander of bystanders) await bystander.taken(20);
  for (const bystander of bystanders) {
    await bystander.end();
    expect(bystander.silence()).toBeLessThan(most);
  }
  await gym.call("close", { episodeId });
  return reply.statusCode === 200 ? null : reply.json().error.code;
}

describe("an environment in a process of its own", () => {
  test.each(fatal)("that attacks its host fails alone: %s", async (action, codes) => {
    const code = await attack(action);
    expect(code).toMatch(codes);
  });

  test.each(anonymous)("harms no other episode: %s", async (action) => {
    const code = await attack(action);
    expect(code ?? "").not.toMatch(/LOG_|INTERNAL/);
  });

  test.each(asyncAttacks)("that is async and attacks its host fails alone: %s", async (action, codes) => {
    const code = await attack(action, "hostile-async");
    expect(code).toMatch(codes);
  });

  test.each(anonymousAsync)("that is async harms no episode of another module: %s", async (action) => {
    const code = await attack(action, "hostile-async", false);
    expect(code ?? "").not.toMatch(/LOG_|INTERNAL/);
  });

  test.each(permitAttacks)("that is async keeps no permit: %s", async (action) => {
    const lost = await gym.metric("palestra_hosts_lost_total");
    const code = await attack(action, "hostile-async", false);
    expect(code ?? "").not.toMatch(/LOG_|INTERNAL/);
    await eventually(async () => (await gym.metric("palestra_hosts_lost_total")) > lost);
    await eventually(async () => (await gym.metric("palestra_sandboxes")) === 0);
    expect(await gym.metric("palestra_sandboxes_waiting")).toBe(0);
  });

  test("gets only the usual environment variables and those that a setting names", async () => {
    process.env.PALESTRA_TEST_SECRET = "hidden";
    process.env.PALESTRA_TEST_PASSED = "passed";
    onTestFinished(() => {
      delete process.env.PALESTRA_TEST_SECRET;
      delete process.env.PALESTRA_TEST_PASSED;
    });
    const own = await openGym({ environments, hosts: { ...hosts, passVariables: ["PALESTRA_TEST_PASSED"] } });
    const { episodeId } = await own.create({ environment: "hostile", task: { index: 0 } });
    const { info } = await own.call("step", { episodeId, index: 0, action: "tell the variables" });
    expect(info).toMatchObject({ PATH: process.env.PATH, PALESTRA_TEST_PASSED: "passed" });
    expect(info).not.toHaveProperty("PALESTRA_TEST_SECRET");
  });

  test("that cannot be loaded refuses its own episodes and no others", async () => {
    const module = join(scratchDir(), "unloadable.mjs");
    const hostile = JSON.stringify(fixture("hostile"));
    const refusal = `if (process.argv[1].includes("sync-process")) throw new Error("not loaded by hosts, as written");`;
    writeFileSync(module, `import spec from ${hostile};\n${refusal}\nexport default spec;\n`);
    const own = await openGym({ environments: [module], hosts });
    const refused = await own.refusal("create", { environment: "hostile", task: { index: 0 } });
    expect(refused).toMatchObject({ code: "HOST_FAILED", class: "infrastructure" });
    expect(await own.create()).toMatchObject({ phase: "running" });
  });

  test("ends with its gym, even if the environment hangs", async () => {
    const { episodeId } = await create("hostile");
    const { info } = await gym.call("step", { episodeId, index: 0, action: "tell the pid" });
    expect(processesWith("hosts/process/sync-process.js")).toContain(info.pid);
    const own = await openGym({ environments, hosts: { ...hosts, stepDeadlineMs: 60_000 } });
    const hanging = await own.create({ environment: "hostile", task: { index: 0 } });
    const { info: hung } = await own.call("step", { episodeId: hanging.episodeId, index: 0, action: "tell the pid" });
    const step = own.send("step", { episodeId: hanging.episodeId, index: 1, action: "loop forever" });
    await eventually(async () => (await own.metric("palestra_steps_in_flight")) === 1);
    await own.close();
    await step;
    expect(existsSync(`/proc/${hung.pid}`)).toBe(false);
  });
});
