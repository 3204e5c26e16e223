/** AgentGym's WebArena server, tested with its client's requests. */
import { expect, test } from "vitest";
import { taskOf } from "#palestra/envs/webarena-lab/tasks/index.js";
import { testBrowser } from "../../../support/browsers.js";
import { openGym } from "../../../support/gym.js";

const gym = await openGym();

async function call<T>(name: string, path: string, body?: object, on = gym): Promise<T> {
  const url = `/agentgym/${name}/${path}`;
  const how =
    body === undefined ? ({ method: "GET", url } as const) : ({ method: "POST", url, payload: body } as const);
  const { statusCode, payload } = await on.app.inject(how);
  expect(statusCode, payload).toBe(200);
  return JSON.parse(payload) as T;
}

interface Step {
  observation: string;
  reward: number;
  terminated: boolean;
  truncated: boolean;
  info: null;
}

/** A task of the bundled sites that a single answer solves. */
function answerable(): { idx: number; intent: string; answer: string } {
  for (let idx = 0; ; idx++) {
    const { task, template } = taskOf({ split: "train", index: idx });
    const spec = task.evaluation.kind === "original" ? task.evaluation.spec : undefined;
    const answer = spec?.reference_answers?.exact_match;
    if (template.kind === "find" && answer !== undefined && spec?.eval_types.length === 1)
      return { idx, intent: task.intent, answer };
  }
}

test("an environment id has no episode until its first reset", async () => {
  const { env_idx } = await call<{ env_idx: number }>("webarena", "create", {});
  const step = await call<Step>("webarena", "step", { env_idx, action: "```stop```" });
  expect(step).toMatchObject({ reward: 0, terminated: false, observation: expect.stringContaining("Reset it first") });
  expect(await call("webarena", "close", { env_idx })).toEqual({ closed: "closed" });
  expect(await call("webarena", "close", { env_idx })).toHaveProperty("error");
});

test("a failed reset is answered in the form that AgentGym's client expects", async () => {
  const { env_idx } = await call<{ env_idx: number }>("webarena", "create", {});
  const failed = { observation: "TimeoutError", sites: "Error", object: "Error" };
  expect(await call("webarena", "reset", { env_idx, seed: 0, idx: 5_000 })).toEqual(failed);
  expect(await call("webarena", "reset", { env_idx: 999, seed: 0, idx: 0 })).toEqual(failed);
});

testBrowser("the same routes play the bundled sites, also after a restart", async () => {
  const before = await openGym();
  const { idx, intent, answer } = answerable();
  const { env_idx } = await call<{ env_idx: number }>("webarena-lab", "create", {}, before);
  await before.close();
  const after = await openGym({}, before.dataDir);
  const reset = await call<{ observation: string; object: string }>(
    "webarena-lab",
    "reset",
    { env_idx, seed: 0, idx },
    after,
  );
  expect(reset).toMatchObject({ object: intent, sites: [expect.any(String)] });
  expect(reset.observation).toMatch(/^OBSERVATION:\nTab 0 \(current\): /);
  expect(reset.observation).toContain(`\nOBJECTIVE: ${intent}\nPREVIOUS ACTION: None`);
  expect(await call("webarena-lab", `observation?env_idx=${env_idx}`, undefined, after)).toBe(reset.observation);
  const step = (action: string) => call<Step>("webarena-lab", "step", { env_idx, action }, after);
  expect(await step("I would rather not.")).toMatchObject({
    observation: "Cannot parse action from response I would rather not.",
    terminated: false,
  });
  expect(await step("Then ```scroll [down]``` it is.")).toMatchObject({ reward: 0, terminated: false, info: null });
  expect(await step(`The answer is clear. \`\`\`stop [${answer}]\`\`\``)).toMatchObject({
    reward: 1,
    terminated: true,
  });
  expect(await step("```stop```")).toMatchObject({ reward: 0, terminated: false });
});
