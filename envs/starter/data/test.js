/** Plays my-environment in this process: node --test */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadEnvironment } from "palestra";

const environments = [fileURLToPath(new URL("environment.js", import.meta.url))];
const environment = await loadEnvironment("my-environment", { environments });
after(() => environment.close());

test("the expert finds the treasure of every task", async () => {
  for (const [split, { size }] of Object.entries(environment.spec.splits)) {
    for (let index = 0; index < size; index++) {
      await environment.reset({ split, index, seed: index });
      let step = { reward: 0, terminated: false, truncated: false };
      while (!step.terminated && !step.truncated) step = await environment.step((await environment.expert()) ?? "");
      assert.equal(step.reward, 1, `${split}:${index}`);
    }
  }
});

test("a wrong action is a step without a reward that names the right ones", async () => {
  await environment.reset({ index: 0, seed: 0 });
  const { observation, reward, terminated } = await environment.step("dance");
  assert.match(observation, /You can only say go north, go east/);
  assert.deepEqual([reward, terminated], [0, false]);
});

test("a seed gives the same field again, and another seed gives another", async () => {
  const fieldOf = async (seed) => (await environment.reset({ index: 19, seed })).observation;
  assert.equal(await fieldOf(1), await fieldOf(1));
  assert.notEqual(await fieldOf(1), await fieldOf(2));
});
