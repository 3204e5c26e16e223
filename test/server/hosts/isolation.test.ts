/**
 * Attacks of a synchronous environment on its host, its gym and its neighbors. The attacker's episode fails, and every other
 * episode continues: those of built-in environments, those of other modules, and those of the attacker's own module.
 */
import { describe, expect, test } from "vitest";
import { eventually, fixture, openGym } from "../../support/gym.js";

const environments = ["hostile", "plain", "faulty"].map(fixture);
const hosts = { count: 1, stepDeadlineMs: 600, memoryMb: 128 };
/** Longest silence of a bystander, with the deadline of the attacker's call in it. */
const mostSilentMs = 2_500;

const gym = await openGym({ environments, hosts });

const create = (environment: string) => gym.create({ environment, task: { index: 0 }, maxSteps: 10_000 });

/** An episode that is stepped over and over, and what came of it. */
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

  /** @returns the longest time between two answers in milliseconds */
  async end(): Promise<number> {
    this.isEnding = true;
    await this.done;
    return this.longestMs;
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
  ["spread a huge buffer", /OUT_OF_MEMORY|THREW/],
  ["push forever", /OUT_OF_MEMORY|THREW/],
  ["fill array buffers", /OUT_OF_MEMORY|THREW/],
  ["fill memory in a thread", /OUT_OF_MEMORY|HUNG/],
  ["fill shared memory", /OUT_OF_MEMORY|THREW/],
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

/** Attacks that end the host and leave open which episode made them, or end nothing. */
const anonymous = [
  "loop after the step",
  "fill the queue of microtasks",
  "close the socket",
  "write garbage",
  "announce a huge message",
  "send null",
  "send a wrong type",
  "send wrong results",
  "send results nobody asked for",
  "forge steps of others",
  "send a page of another length",
  "answer with 10 MB",
  "remove all listeners",
];

async function attack(action: string): Promise<{ code: string | null; silences: number[] }> {
  const bystanders = await Promise.all([
    Bystander.of("textcraft", "inventory", (observation) => observation.startsWith("Inventory:")),
    Bystander.of("faulty", "on", (observation, steps) => observation === `${steps}: on`),
    Bystander.of("hostile", "on", (observation, steps) => observation === `${steps}: on`),
  ]);
  const { episodeId } = await create("hostile");
  await gym.step(episodeId, 0, "hello");
  for (const bystander of bystanders) await bystander.taken(3);
  const reply = await gym.send("step", { episodeId, index: 1, action });
  for (const bystander of bystanders) await bystander.taken(20);
  const silences = await Promise.all(bystanders.map((bystander) => bystander.end()));
  await gym.call("close", { episodeId });
  return { code: reply.statusCode === 200 ? null : reply.json().error.code, silences };
}

describe("an environment in a process of its own", () => {
  test.each(fatal)("that attacks its host fails alone: %s", async (action, codes) => {
    const { code, silences } = await attack(action);
    expect(code).toMatch(codes);
    for (const silence of silences) expect(silence).toBeLessThan(mostSilentMs);
  });

  test.each(anonymous)("harms no other episode: %s", async (action) => {
    const { code, silences } = await attack(action);
    expect(code ?? "").not.toMatch(/LOG_|INTERNAL/);
    for (const silence of silences) expect(silence).toBeLessThan(mostSilentMs);
  });
});
