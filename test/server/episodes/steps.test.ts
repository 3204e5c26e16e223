/** Numbered steps: a retry is safe, and caller and gym always agree on the next step. */
import { describe, expect, test } from "vitest";
import { openGym } from "../../support/gym.js";

const gym = await openGym();

/** Actions of steps whose retries must be answered from the log. */
const actions = ["get 1 dirt", "inventory", "get 2 dirt", "inventory"];

async function played(): Promise<{ episodeId: string; replies: string[] }> {
  const { episodeId } = await gym.create();
  const replies: string[] = [];
  for (const [index, action] of actions.entries()) replies.push(await gym.step(episodeId, index, action));
  return { episodeId, replies };
}

describe("a step that was taken", () => {
  test.each(actions.map((action, index) => ({ index, action })))(
    "gives its stored reply again, byte for byte: step $index of 4",
    async ({ index, action }) => {
      const { episodeId, replies } = await played();
      expect(await gym.step(episodeId, index, action)).toBe(replies[index]);
      expect(await gym.step(episodeId, index, action)).toBe(replies[index]);
      expect(await gym.call("get", { episodeId })).toMatchObject({ index: 4 });
    },
  );

  test.each([0, 3])("is refused with another action, and the error names both actions: step %i of 4", async (index) => {
    const { episodeId } = await played();
    const { code, message } = await gym.refusal("step", { episodeId, index, action: "dance" });
    expect(code).toBe("STEP_CONFLICT");
    expect(message).toContain(JSON.stringify(actions[index]));
    expect(message).toContain('"dance"');
    expect(await gym.call("get", { episodeId })).toMatchObject({ index: 4, phase: "running" });
  });

  test("is refused if its action differs by a space or by case", async () => {
    const { episodeId } = await played();
    for (const action of ["get 1 dirt ", "Get 1 dirt", ""]) {
      expect(await gym.refusal("step", { episodeId, index: 0, action })).toMatchObject({ code: "STEP_CONFLICT" });
    }
  });

  test("returns its reply even after the episode has ended or was deleted", async () => {
    const { episodeId } = await gym.create({ maxSteps: 2 });
    const replies = [await gym.step(episodeId, 0, "inventory"), await gym.step(episodeId, 1, "get 1 dirt")];
    expect(await gym.refusal("step", { episodeId, index: 2, action: "inventory" })).toMatchObject({
      code: "EPISODE_ENDED",
    });
    expect(await gym.step(episodeId, 1, "get 1 dirt")).toBe(replies[1]);
    await gym.call("close", { episodeId });
    expect(await gym.step(episodeId, 0, "inventory")).toBe(replies[0]);
    expect(await gym.step(episodeId, 1, "get 1 dirt")).toBe(replies[1]);
  });
});

describe("a step ahead of its episode", () => {
  test.each([1, 2, 1_000_000, Number.MAX_SAFE_INTEGER])(
    "is refused, and the error names the next index: step %i of 0",
    async (index) => {
      const { episodeId } = await gym.create();
      const { code, message, details } = await gym.refusal("step", { episodeId, index, action: "inventory" });
      expect(code).toBe("STEP_INDEX");
      expect(details).toEqual({ nextIndex: 0 });
      expect(message).toBe(`expected the step index 0, but received ${index}`);
    },
  );
});

describe("steps in flight", () => {
  test("refuse another action for their index only when they are in the log", async () => {
    const { episodeId } = await gym.create();
    const settled: string[] = [];
    await Promise.all([
      gym.step(episodeId, 0, "get 1 dirt").then(() => settled.push("step")),
      gym.refusal("step", { episodeId, index: 0, action: "dance" }).then(({ code }) => settled.push(code)),
    ]);
    expect(settled).toEqual(["step", "STEP_CONFLICT"]);
  });

  test("are taken in the order in which they were sent", async () => {
    const { episodeId } = await gym.create();
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        gym.call("step", { episodeId, index, action: index % 2 === 0 ? "get 1 dirt" : "inventory" }),
      ),
    );
    expect(replies.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    for (let i = 1; i < 30; i += 2) expect(replies[i]?.observation).toContain(`[dirt] (${(i + 1) / 2})`);
  });

  test("sent twice concurrently are taken once, and both get the same bytes", async () => {
    const { episodeId } = await gym.create();
    const twins = await Promise.all(Array.from({ length: 10 }, () => gym.step(episodeId, 0, "get 1 dirt")));
    expect(new Set(twins).size).toBe(1);
    expect(await gym.call("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({
      observation: expect.stringContaining("[dirt] (1)"),
    });
  });

  test("with the same index and different actions are refused, except one", async () => {
    const { episodeId } = await gym.create();
    const sent = await Promise.all(
      [1, 2, 3, 4].map((count) => gym.send("step", { episodeId, index: 0, action: `get ${count} dirt` })),
    );
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 409, 409, 409]);
    expect(await gym.call("get", { episodeId })).toMatchObject({ index: 1, observation: "Got 1 dirt" });
  });

  test("that follow the last step of the episode are refused", async () => {
    const { episodeId } = await gym.create({ maxSteps: 3 });
    const sent = await Promise.all(
      [0, 1, 2, 3, 4].map((index) => gym.send("step", { episodeId, index, action: "inventory" })),
    );
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 409, 409]);
    expect(sent.slice(3).map((response) => response.json().error.code)).toEqual(["EPISODE_ENDED", "EPISODE_ENDED"]);
  });

  test("are answered even if their episode is deleted meanwhile", async () => {
    const { episodeId } = await gym.create();
    const steps = Array.from({ length: 5 }, (_, index) => gym.send("step", { episodeId, index, action: "inventory" }));
    const closing = gym.call("close", { episodeId });
    const codes = (await Promise.all(steps)).map(({ statusCode }) => statusCode);
    await closing;
    expect(codes.filter((status) => status !== 200 && status !== 410)).toEqual([]);
    const taken = codes.filter((status) => status === 200).length;
    expect(await gym.call("get", { episodeId })).toMatchObject({ index: taken, phase: "closed" });
  });
});

describe("an action", () => {
  test.each([
    ["empty", ""],
    ["of a NUL", "a\u0000b"],
    ["of control characters", "\u0001\u001f\u007f\u2028\n\r\t"],
    ["beyond the basic plane", "😀 𝒳"],
    ["of quotes and backslashes", `"\\"\\\\"'`],
    ["that looks like a parameter", "__proto__"],
  ])("with %s is stored as sent", async (_, action) => {
    const { episodeId } = await gym.create();
    const reply = await gym.step(episodeId, 0, action);
    expect(await gym.step(episodeId, 0, action)).toBe(reply);
    expect((await gym.call("transcript", { episodeId })).steps[0]?.action).toBe(action);
  });

  test("with a lone surrogate is stored as well-formed text", async () => {
    const { episodeId } = await gym.create();
    const reply = await gym.step(episodeId, 0, "get \ud800");
    expect(await gym.step(episodeId, 0, "get \ud800")).toBe(reply);
    expect(await gym.step(episodeId, 0, "get \ufffd")).toBe(reply);
    expect((await gym.call("transcript", { episodeId })).steps[0]?.action).toBe("get \ufffd");
  });
});
