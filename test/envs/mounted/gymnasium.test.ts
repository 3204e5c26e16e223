import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AsyncEnvironment, Requirement } from "#palestra/envs/env.js";
import { mountedEnvironment } from "#palestra/envs/mounted/index.js";
import { root } from "../../support/server-process.js";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
/** A Python with the package `gymnasium`, which .ci/run installs. */
const python = process.env.GYMNASIUM_PYTHON ?? join(cache, "gymnasium-1.4.0/bin/python");

const signal = new AbortController().signal;
const specOf = async (target: string) =>
  (await mountedEnvironment(JSON.stringify({ mount: `game=gymnasium:${target}` }))).spec;

async function begin(target: string, index = 0) {
  const spec = await specOf(target);
  const environment: AsyncEnvironment = spec.create({} as never);
  onTestFinished(() => environment.close());
  const start = await environment.reset({ task: { split: "seeds", index }, seed: 0, options: {} }, signal);
  return { spec, environment, start };
}

describe.skipIf(!existsSync(python))(`Gymnasium (skipped without a Python at ${python})`, () => {
  const path = process.env.PYTHONPATH;
  beforeAll(() => {
    process.env.PYTHONPATH = join(root, "test/e2e");
  });
  afterAll(() => {
    if (path === undefined) delete process.env.PYTHONPATH;
    else process.env.PYTHONPATH = path;
  });
  const options = `#python=${python}`;

  test("an array of pixels becomes an image, and numbers that JSON lacks become text", async () => {
    const { spec, environment, start } = await begin(`mounted_server:Drawn-v0${options}`, 2 ** 53 - 2);
    expect(start.observation).toBe('[0.0, "inf"]');
    expect(start.info).toEqual({ remote: { seed: 2 ** 53 - 2 } });
    const [image] = start.parts as unknown as [{ data: string; mediaType: string }];
    expect(image.mediaType).toBe("image/png");
    expect([...Buffer.from(image.data, "base64").subarray(0, 24)].slice(-8)).toEqual([0, 0, 0, 3, 0, 0, 0, 2]);
    expect(spec.prompt).toMatch(/\* x: no action.*- 5\n- 6\n- 7$/s);
    expect(spec.tools).toMatchObject([{ parameters: { properties: { action: { type: "integer" } } } }]);
    expect(await environment.step("7", signal)).toMatchObject({ observation: "[7.0, 1.0]", reward: 1 });
    for (const wrong of ["4", "8", "", "5.0", "[5]", "five", "9".repeat(30)])
      expect((await environment.step(wrong, signal)).observation).toBe("Error: expected Discrete(3, start=5).");
  });

  test("the operator names the actions, and turns pictures off", async () => {
    const { environment, start } = await begin(`mounted_server:Drawn-v0${options}&render=none&actions=red,green,blue`);
    expect(start.parts).toBeUndefined();
    expect((await environment.step("Blue", signal)).observation).toBe("[7.0, 1.0]");
    expect((await environment.step("pink", signal)).observation).toBe("Error: expected one of red, green, blue.");
  });

  test("an action with several parts is read as JSON", async () => {
    const { environment, start } = await begin(`mounted_server:Spaces-v0${options}`);
    expect(start.observation).toBe("start");
    const good = { box: [0.5, 1], many: [2, 3], pair: [1, "abc"] };
    const { observation } = await environment.step(JSON.stringify(good), signal);
    expect(observation).toBe("[0.5, 1.0] [2, 3] (1, 'abc')");
    const wrong = [
      "jump",
      "null",
      "[]",
      "{}",
      JSON.stringify({ ...good, more: 1 }),
      JSON.stringify({ ...good, box: [0.5, 2] }),
      JSON.stringify({ ...good, box: [0.5] }),
      JSON.stringify({ ...good, box: ["a", "b"] }),
      JSON.stringify({ ...good, box: [[1], 2] }),
      JSON.stringify({ ...good, many: [2, 4] }),
      JSON.stringify({ ...good, many: [2.5, 3] }),
      JSON.stringify({ ...good, pair: [true, "abc"] }),
      JSON.stringify({ ...good, pair: [1] }),
      JSON.stringify({ ...good, pair: [1, "abcdef"] }),
      JSON.stringify({ ...good, pair: [1, "abc"] }).replace("[1,", `[${"9".repeat(30)},`),
      "[".repeat(100_000),
    ];
    for (const action of wrong)
      expect((await environment.step(action, signal)).observation, action).toMatch(/^Error: expected /);
  });

  test("an environment without a threshold has no return that counts as solved", async () => {
    const spec = await specOf(`Blackjack-v1${options}`);
    expect(spec).toMatchObject({ rewardRange: [-1, 1.5], solvedReward: 1e9 });
    expect(spec.summary).toBe("Blackjack-v1 of Gymnasium 1.4.0 (it states no return that counts as solved).");
  });

  test.each([
    [`Missing-v0${options}`, /NameNotFound/],
    ["CartPole-v1#python=/no/python", /cannot be started/],
  ])("%s is unavailable with the reason", async (target, reason) => {
    const spec = await specOf(target);
    const { available, detail } = await (spec.requirements[0] as Requirement).probe();
    expect(available).toBe(false);
    expect(detail).toMatch(reason);
    const environment = spec.create({} as never);
    const reset = environment.reset({ task: { split: "seeds", index: 0 }, seed: 0, options: {} }, signal);
    await expect(reset).rejects.toMatchObject({ name: "ServiceFailed" });
  });

  test("an episode waits for a free process", async () => {
    const { spec, environment } = await begin(`mounted_server:Spaces-v0${options}&workers=1`);
    const second = spec.create({} as never);
    onTestFinished(() => second.close());
    const waiting = second.reset({ task: { split: "seeds", index: 1 }, seed: 0, options: {} }, signal);
    expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 100, "waits"))])).toBe("waits");
    await environment.close();
    expect((await waiting).observation).toBe("start");
  });
});
