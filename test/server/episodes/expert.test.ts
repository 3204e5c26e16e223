import { expect, test } from "vitest";
import { fixture, openGym, type TestGym } from "../../support/gym.js";

const gym = await openGym({ environments: ["distant", "faulty", "plain"].map(fixture) });
const [evaluator, teacher] = [await gym.createToken(), await gym.createToken(["expert"])];
const sent = { token: teacher };

/** Follows the expert until the episode ends. Returns the number of steps. */
async function solve(on: TestGym, episodeId: string, from = 0): Promise<number> {
  for (let index = from; ; index++) {
    const advice = await on.call("expert", { episodeId }, sent);
    expect(advice.index).toBe(index);
    const reply = await on.call("step", { episodeId, index, action: advice.action }, sent);
    if (reply.terminated) {
      expect(reply.reward).toBe(1);
      return index + 1;
    }
  }
}

test("a call of the expert needs the right, and a refused call leaves no mark", async () => {
  for (const token of [evaluator, undefined]) {
    const { episodeId } = await gym.create({}, { token });
    expect(await gym.refusal("expert", { episodeId }, { token })).toMatchObject({ code: "RIGHT_MISSING" });
    expect((await gym.call("get", { episodeId }, { token })).expertUsed).toBe(false);
  }
});

test("a query that reveals the solution needs the right and sets the expert mark", async () => {
  const way = async (token: string) => {
    const episode = { environment: "distant@elsewhere", task: { index: 0 } };
    const { episodeId } = await gym.call("create", episode, { token });
    const asked = { episodeId, query: "way" };
    const reply =
      token === teacher ? await gym.call("query", asked, sent) : await gym.refusal("query", asked, { token });
    const { expertUsed } = await gym.call("get", { episodeId }, { token });
    return { reply, expertUsed };
  };
  expect(await way(evaluator)).toMatchObject({ reply: { code: "RIGHT_MISSING" }, expertUsed: false });
  expect(await way(teacher)).toEqual({ reply: { index: 0, answer: ["end"] }, expertUsed: true });
});

test("the right to call the expert covers only the caller's own episodes", async () => {
  const { episodeId } = await gym.create({}, { token: evaluator });
  expect(await gym.refusal("expert", { episodeId }, sent)).toMatchObject({ code: "EPISODE_UNKNOWN" });
});

test.each([0, 150, 543])("the expert's advice solves TextCraft's goal %i", async (index) => {
  const { episodeId } = await gym.create({ task: { split: "all", index } }, sent);
  const steps = await solve(gym, episodeId);
  expect(await gym.call("get", { episodeId }, sent)).toMatchObject({ phase: "ended", index: steps, expertUsed: true });
});

test("a call of the expert does not change the episode", async () => {
  const { episodeId } = await gym.create({}, sent);
  const advice = await gym.text("expert", { episodeId }, sent);
  for (let i = 0; i < 3; i++) expect(await gym.text("expert", { episodeId }, sent)).toBe(advice);
  expect(await gym.call("get", { episodeId }, sent)).toMatchObject({ index: 0, expertUsed: true });
});

test("the mark survives a restart, and forks inherit it", async () => {
  const before = await openGym({ localExpert: true });
  const { episodeId } = await before.create();
  await before.call("expert", { episodeId });
  const after = await before.restart();
  expect((await after.call("get", { episodeId })).expertUsed).toBe(true);
  const { episodeId: fork } = await after.call("fork", { episodeId });
  const again = await after.restart();
  expect((await again.call("get", { episodeId: fork })).expertUsed).toBe(true);
});

test("a restored episode gets the same advice", async () => {
  const before = await openGym({ localExpert: true });
  const { episodeId } = await before.create({ task: { split: "all", index: 400 } });
  const first = (await before.call("expert", { episodeId })).action as string;
  await before.step(episodeId, 0, first);
  const advice = await before.text("expert", { episodeId });
  const after = await before.restart();
  expect(await after.text("expert", { episodeId })).toBe(advice);
});

test("an environment without an expert is refused with EXPERT_MISSING", async () => {
  const { episodeId } = await gym.create({ environment: "plain", task: { index: 0 } }, sent);
  expect(await gym.refusal("expert", { episodeId }, sent)).toMatchObject({ code: "EXPERT_MISSING" });
});

test("an expert that finds no useful action returns null", async () => {
  const { episodeId } = await gym.create({ environment: "faulty", task: { index: 0 } }, sent);
  expect(await gym.call("expert", { episodeId }, sent)).toEqual({ index: 0, action: "end" });
  await gym.step(episodeId, 0, "no way", sent);
  expect(await gym.call("expert", { episodeId }, sent)).toEqual({ index: 1, action: null });
});

test("an expert that throws fails its episode", async () => {
  const { episodeId } = await gym.create({ environment: "faulty", task: { index: 0 } }, sent);
  await gym.step(episodeId, 0, "confuse expert", sent);
  expect(await gym.refusal("expert", { episodeId }, sent)).toMatchObject({ code: "ENVIRONMENT_THREW" });
  expect(await gym.call("get", { episodeId }, sent)).toMatchObject({ phase: "failed" });
});

test("an ended episode gives no advice", async () => {
  const { episodeId } = await gym.create({ environment: "faulty", task: { index: 0 } }, sent);
  await gym.step(episodeId, 0, "end", sent);
  expect(await gym.refusal("expert", { episodeId }, sent)).toMatchObject({ code: "EPISODE_ENDED" });
});
