/** Environments whose engine runs outside of the gym: how their calls are played, fail, end and come back. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { eventually, fixture, openGym, type Params, type TestGym } from "../../support/gym.js";

const environments = ["distant", "fleeting", "plain"].map(fixture);
/** The environment's own deadline of 300 ms is the longer one. */
const settings = { environments, hosts: { count: 1, stepDeadlineMs: 100 } };
const gym = await openGym(settings);

const environment = "distant@elsewhere";
const create = (on: TestGym = gym, params: Params = {}) =>
  on.create({ environment, task: { split: "play", index: 0 }, ...params });
const step = (episodeId: string, index: number, action: string, on: TestGym = gym) =>
  on.call("step", { episodeId, index, action });
const refused = (episodeId: string, index: number, action: string, on: TestGym = gym) =>
  on.refusal("step", { episodeId, index, action });

const tasks = (await gym.call("listTasks", { environment, split: "reset" })).tasks.map(({ title }) => title);
const creation = (task: string) => ({ environment, task: { split: "reset", index: tasks.indexOf(task) } });

interface Census {
  made: number;
  closed: number;
  running: number;
  mostRunning: number;
}

/** Asks an episode of its own, which adds one to what it counts. */
async function census(on: TestGym = gym): Promise<Census> {
  const { episodeId } = await create(on);
  const { answer } = await on.call("query", { episodeId, query: "census" });
  await on.call("close", { episodeId });
  return answer as unknown as Census;
}

const unclosed = async (on: TestGym = gym) => {
  const { made, closed } = await census(on);
  return made - closed;
};

describe("an async environment", () => {
  test("is played, asked and ended like any other", async () => {
    const { episodeId, observation } = await create();
    expect(observation).toBe("task play:0");
    expect(await step(episodeId, 0, "hello")).toMatchObject({ index: 0, observation: "1: hello", reward: 0 });
    expect(await gym.call("render", { episodeId })).toMatchObject({ picture: { mediaType: "image/svg+xml" } });
    expect(await gym.call("query", { episodeId, query: "heard" })).toEqual({ index: 1, answer: ["hello"] });
    expect(await step(episodeId, 1, "end")).toMatchObject({ reward: 1, terminated: true });
    expect(await refused(episodeId, 2, "more")).toMatchObject({ code: "EPISODE_ENDED" });
    expect((await gym.call("transcript", { episodeId })).steps).toMatchObject([{ action: "hello" }, { action: "end" }]);
  });

  test("advises whoever may ask", async () => {
    const open = await openGym({ ...settings, localExpert: true });
    const { episodeId } = await create(open);
    expect(await open.call("expert", { episodeId })).toEqual({ index: 0, action: "end" });
    await step(episodeId, 0, "no way", open);
    expect(await open.call("expert", { episodeId })).toEqual({ index: 1, action: null });
  });

  test("is truncated at its last step", async () => {
    const { episodeId } = await create(gym, { maxSteps: 2 });
    expect(await step(episodeId, 0, "a")).toMatchObject({ truncated: false });
    expect(await step(episodeId, 1, "b")).toMatchObject({ truncated: true, terminated: false });
    expect(await refused(episodeId, 2, "c")).toMatchObject({ code: "EPISODE_ENDED" });
  });

  test("has an engine with a name, listed beside what else there is", async () => {
    const { environments } = await gym.call("listEnvironments");
    expect(environments.map(({ id, version }) => `${id}@${version}`)).toEqual(
      expect.arrayContaining(["textcraft@1", "distant@elsewhere", "distant@fleeting", "plain@3"]),
    );
    expect(await gym.refusal("getEnvironment", { environment: "distant" })).toMatchObject({
      code: "ENVIRONMENT_UNKNOWN",
    });
    expect(await gym.call("getEnvironment", { environment })).toMatchObject({ version: "elsewhere", hasExpert: true });
  });

  test("steps sent at once are taken one after another, in order", async () => {
    const { episodeId } = await create();
    const actions = ["wait 30", "wait 1", "a", "wait 10", "b", "end", "late"];
    const { results } = await gym.call("stepMany", {
      steps: actions.map((action, index) => ({ episodeId, index, action })),
    });
    expect(results.slice(0, 6)).toMatchObject(
      actions.slice(0, 6).map((action, index) => ({ index, observation: `${index + 1}: ${action}` })),
    );
    expect(results[6]).toMatchObject({ error: { code: "EPISODE_ENDED" } });
  });

  test("many episodes wait beside each other, and beside those in threads", async () => {
    const most = 200;
    const episodes = await Promise.all(Array.from({ length: most }, () => create()));
    const plain = await gym.create({ environment: "plain", task: { index: 0 } });
    const startedAt = performance.now();
    const waiting = episodes.map(({ episodeId }) => step(episodeId, 0, "wait 200"));
    expect(await step(plain.episodeId, 0, "hi")).toMatchObject({ observation: "hi" });
    expect(performance.now() - startedAt).toBeLessThan(200);
    expect(new Set((await Promise.all(waiting)).map(({ observation }) => observation))).toEqual(
      new Set(["1: wait 200"]),
    );
    expect((await census()).mostRunning).toBeGreaterThan(most / 2);
    for (const { episodeId } of episodes) await gym.call("close", { episodeId });
  });
});

describe("a fault of the environment", () => {
  test.each([
    ["throw", "ENVIRONMENT_THREW", "Error: thrown as asked"],
    ["throw-at-once", "ENVIRONMENT_THREW", "text thrown as asked"],
    ["no-text", "ENVIRONMENT_RESULT", "a text observation"],
    ["no-result", "ENVIRONMENT_THREW", "TypeError"],
    ["high-reward", "ENVIRONMENT_RESULT", "a reward from 0 to 1"],
  ])("%s fails its episode with %s", async (fault, code, words) => {
    const [guilty, other] = [await create(), await create()];
    await step(guilty.episodeId, 0, "hello");
    const error = await refused(guilty.episodeId, 1, fault);
    expect(error).toMatchObject({ code, class: "environment" });
    expect(error.message).toContain(words);
    expect(await gym.call("get", { episodeId: guilty.episodeId })).toMatchObject({ phase: "failed", index: 1 });
    expect(await step(other.episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test.each(["throw", "throw-at-once", "no-text"])("%s at the reset makes no episode", async (fault) => {
    const { episodes } = await gym.call("list", { limit: 1 });
    expect(await gym.refusal("create", creation(fault))).toMatchObject({ class: "environment" });
    expect((await gym.call("list", { limit: 1 })).episodes).toEqual(episodes);
  });

  test("an instance that does not close, or throws when it does, holds up nobody", async () => {
    for (const action of ["throw at close", "never close"]) {
      const { episodeId } = await create();
      await step(episodeId, 0, action);
      expect(await gym.call("close", { episodeId })).toMatchObject({ phase: "closed" });
    }
  });

  test("replies that differ when they are played again fail the episode", async () => {
    const before = await openGym(settings);
    const { episodeId } = await create(before);
    await step(episodeId, 0, "diverge", before);
    const after = await before.restart();
    const error = await refused(episodeId, 1, "on", after);
    expect(error).toMatchObject({ code: "ENVIRONMENT_DIVERGED", class: "environment" });
    expect(error.message).toContain("step 0");
  });
});

describe("a call past its deadline", () => {
  test.each(["hang", "break", "overtime"])("fails alone where the environment heeds it: %s", async (way) => {
    const { episodeId } = await create();
    await step(episodeId, 0, "hello");
    const startedAt = performance.now();
    expect(await refused(episodeId, 1, way)).toMatchObject({
      code: "ENVIRONMENT_TIMEOUT",
      class: "infrastructure",
      message: "expected an answer within 300 ms, but received none",
    });
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThanOrEqual(299);
    expect(tookMs).toBeLessThan(1_000);
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1 });
    expect(await step(episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
  });

  test("fails alone where it does not, and its instance is closed all the same", async () => {
    const { episodeId } = await create();
    const before = await unclosed();
    expect(await refused(episodeId, 0, "deaf")).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    await eventually(async () => (await unclosed()) === before - 1);
    expect(await step(episodeId, 0, "on")).toMatchObject({ index: 0, observation: "1: on" });
  });

  test("tells what the environment waited for, where that is known", async () => {
    const { episodeId } = await create();
    expect(await refused(episodeId, 0, "queue")).toMatchObject({
      code: "SANDBOX_FULL",
      class: "capacity",
      message: "expected one of 2 sandboxes to be free, but received none",
    });
    expect(await step(episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test.each(["hang", "deaf"])("at the reset makes no episode and leaves nothing behind: %s", async (way) => {
    const before = await unclosed();
    const live = await gym.metric("palestra_live_episodes");
    expect(await gym.refusal("create", creation(way))).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    await eventually(async () => (await unclosed()) === before);
    expect(await gym.metric("palestra_live_episodes")).toBe(live);
  });

  test("holds for the expert, too", async () => {
    const open = await openGym({ ...settings, localExpert: true });
    const { episodeId } = await create(open);
    await step(episodeId, 0, "slow expert", open);
    expect(await open.refusal("expert", { episodeId })).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    expect(await step(episodeId, 1, "on", open)).toMatchObject({ observation: "2: on" });
  });
});

describe("a sandbox that fails", () => {
  test.each(["LOST", "TIMEOUT", "START"])("with %s is replaced, and the episode goes on", async (code) => {
    const { episodeId } = await create();
    await step(episodeId, 0, "hello");
    const lost = await gym.metric("palestra_instances_lost_total").catch(() => 0);
    const action = `lose passing-${code} 2 ${code}`;
    expect(await step(episodeId, 1, action)).toMatchObject({ index: 1, observation: `2: ${action}` });
    expect(await step(episodeId, 2, "on")).toMatchObject({ observation: "3: on" });
    expect(await gym.metric("palestra_instances_lost_total")).toBe(lost + 2);
  });

  test("again and again fails the step in its own words, and the episode can go on", async () => {
    const { episodeId } = await create();
    await step(episodeId, 0, "hello");
    expect(await refused(episodeId, 1, "lose stubborn 3 LOST")).toMatchObject({
      code: "SANDBOX_LOST",
      class: "infrastructure",
      message: "expected an engine that runs, but received its end as stubborn. Start it again",
    });
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1 });
    expect(await step(episodeId, 1, "lose stubborn 3 LOST")).toMatchObject({ index: 1 });
  });

  test.each([
    ["FULL", "capacity"],
    ["MISSING", "infrastructure"],
    ["REFUSED", "infrastructure"],
    ["NO_FILE", "infrastructure"],
  ])("with %s is not tried again at once", async (code, failureClass) => {
    const { episodeId } = await create();
    const action = `lose lasting-${code} 1 ${code}`;
    expect(await refused(episodeId, 0, action)).toMatchObject({ code: `SANDBOX_${code}`, class: failureClass });
    expect(await step(episodeId, 0, action)).toMatchObject({ index: 0 });
  });

  test("at the reset is replaced, too", async () => {
    const { episodeId, observation } = await gym.create(creation("lose reset 2 LOST"));
    expect(observation).toContain("task reset:");
    expect(await step(episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test.each([
    ["lose reset-for-ever 99 LOST", "SANDBOX_LOST", "infrastructure"],
    ["lose full 99 FULL", "SANDBOX_FULL", "capacity"],
    ["lose missing 99 MISSING", "SANDBOX_MISSING", "infrastructure"],
  ])("at every reset makes no episode and leaves nothing behind: %s", async (task, code, failureClass) => {
    const before = await unclosed();
    expect(await gym.refusal("create", creation(task))).toMatchObject({ code, class: failureClass });
    expect(await unclosed()).toBe(before);
  });

  test("ends an episode that cannot be restored", async () => {
    const { episodeId } = await create(gym, { environment: "distant@fleeting" });
    await step(episodeId, 0, "hello");
    const error = await refused(episodeId, 1, "lose fleeting 1 LOST");
    expect(error).toMatchObject({ code: "EPISODE_LOST", class: "infrastructure" });
    expect(error.message).toContain("its end as fleeting");
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "failed", index: 1 });
  });
});

describe("an episode of an async environment", () => {
  test("that is deleted takes the steps that it had accepted", async () => {
    const { episodeId } = await create();
    const slow = step(episodeId, 0, "wait 100");
    await eventually(async () => (await gym.metric("palestra_steps_in_flight")) === 1);
    await gym.call("close", { episodeId });
    expect(await slow).toMatchObject({ index: 0, observation: "1: wait 100" });
    expect((await gym.call("get", { episodeId })).phase).toBe("closed");
    expect((await gym.call("transcript", { episodeId })).steps).toHaveLength(1);
  });

  test("that is deleted while it is restored leaves nothing behind", async () => {
    const patient = { ...settings, hosts: { count: 1, stepDeadlineMs: 20_000 } };
    const before = await openGym(patient);
    const { episodeId } = await create(before);
    await step(episodeId, 0, "wait 1500", before);
    const gym = await before.restart();
    const open = await unclosed(gym);
    const restored = gym.refusal("step", { episodeId, index: 1, action: "on" });
    await eventually(async () => (await unclosed(gym)) === open + 1);
    const startedAt = performance.now();
    await gym.call("close", { episodeId });
    expect(await restored).toMatchObject({ code: "EPISODE_CLOSED" });
    await eventually(async () => (await unclosed(gym)) === open);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test("is parked when its lease lapses, closed, and restored by the next call", async () => {
    const brief = await openGym({ ...settings, leases: { sweepMs: 10 } });
    const open = await unclosed(brief);
    const { episodeId } = await create(brief, { leaseMs: 50 });
    await step(episodeId, 0, "hello", brief);
    await eventually(async () => (await unclosed(brief)) === open);
    expect(await brief.metric("palestra_leases_lapsed_total")).toBeGreaterThan(0);
    expect(await step(episodeId, 1, "on", brief)).toMatchObject({ index: 1, observation: "2: on" });
  });

  test("goes on after a restart, with the same bytes", async () => {
    let again = await openGym(settings);
    const { episodeId } = await create(again);
    const replies = [];
    for (const [index, action] of ["a", "wait 5", "b", "", "end"].entries()) {
      replies.push(await again.step(episodeId, index, action));
      again = await again.restart();
    }
    const { episodeId: whole } = await create();
    for (const [index, action] of ["a", "wait 5", "b", "", "end"].entries())
      expect(await gym.step(whole, index, action)).toBe(replies[index]);
  });

  test("is forked by replay", async () => {
    const { episodeId } = await create();
    for (const [index, action] of ["a", "b", "c"].entries()) await step(episodeId, index, action);
    const fork = await gym.call("fork", { episodeId, index: 2 });
    expect(await step(fork.episodeId, 2, "d")).toMatchObject({ index: 2, observation: "3: d" });
    expect(await gym.call("query", { episodeId: fork.episodeId, query: "heard" })).toMatchObject({
      answer: ["a", "b", "d"],
    });
    expect(await step(episodeId, 3, "e")).toMatchObject({ observation: "4: e" });
  });

  test("whose steps cannot be logged takes none of them, and goes on when they can", async () => {
    const held = await openGym(settings);
    const { episodeId } = await create(held);
    const other = await create(held);
    await step(episodeId, 0, "a", held);
    const database = new Database(join(held.dataDir, "episodes.db"));
    const [table] = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%page%'")
      .all();
    const { name } = table as { name: string };
    database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON ${name} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
    const { results } = await held.call("stepMany", {
      steps: ["wait 5", "b"].map((action, i) => ({ episodeId, index: 1 + i, action })),
    });
    expect(results).toMatchObject([{ error: { code: "LOG_FAILED" } }, { error: { code: "LOG_FAILED" } }]);
    expect(await refused(other.episodeId, 0, "on", held)).toMatchObject({ code: "LOG_FAILED" });
    database.exec("DROP TRIGGER refuse");
    database.close();
    expect(await step(episodeId, 1, "c", held)).toMatchObject({ index: 1, observation: "2: c" });
    expect(await step(other.episodeId, 0, "on", held)).toMatchObject({ index: 0, observation: "1: on" });
    expect(await held.call("query", { episodeId, query: "heard" })).toMatchObject({ answer: ["a", "c"] });
  });

  test("with large replies in a hurry loses none", async () => {
    const { episodeId } = await create();
    const replies = await Promise.all(Array.from({ length: 16 }, (_, index) => gym.step(episodeId, index, "large")));
    expect(replies.map((reply) => reply.length > 4 * 2 ** 20)).toEqual(replies.map(() => true));
  });
});

describe("a gym that is closed", () => {
  const patient = { ...settings, hosts: { count: 1, stepDeadlineMs: 60_000 } };

  test("closes all instances, and waits for what runs only so long", async () => {
    const closing = await openGym(patient);
    const { made, closed } = await census(closing);
    const [hanging, deaf, idle] = [await create(closing), await create(closing), await create(closing)];
    await step(idle.episodeId, 0, "never close", closing);
    const calls = [
      refused(hanging.episodeId, 0, "hang", closing),
      refused(deaf.episodeId, 0, "deaf", closing),
      closing.refusal("create", creation("hang")),
    ];
    await eventually(async () => (await census(closing)).running === 3);
    const startedAt = performance.now();
    const after = await closing.restart();
    for (const call of calls) expect(await call).toMatchObject({ code: "SERVER_DRAINING", class: "infrastructure" });
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    const now = await census(after);
    expect(now.made - now.closed).toBe(made - closed);
    expect(await step(hanging.episodeId, 0, "on", after)).toMatchObject({ observation: "1: on" });
  });

  test("lets a step come to its end that soon does", async () => {
    const closing = await openGym(patient);
    const { episodeId } = await create(closing);
    const slow = step(episodeId, 0, "wait 500", closing);
    await eventually(async () => (await closing.metric("palestra_steps_in_flight")) === 1);
    const after = await closing.restart();
    expect(await slow).toMatchObject({ index: 0 });
    expect(await after.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1 });
  });
});
