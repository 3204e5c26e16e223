/**
 * A broken environment fails only its own episode. Here all environments run in worker threads. `isolation.test.ts` has the
 * faults that no thread contains.
 */
import { describe, expect, test } from "vitest";
import { eventually, fixture, openGym, scratchDir, type TestGym } from "../../support/gym.js";
import { hurriedTimes } from "../../support/hurry.js";

const environments = ["faulty", "unrestorable", "plain"].map(fixture);
const isolation = "thread" as const;
const patient = { environments, hosts: { isolation, count: 1, stepDeadlineMs: 20_000, memoryMb: 96 } };
const gym = await openGym(patient);
/** A gym with a short deadline, so that hanging steps do not delay these tests. It plays nothing else. */
const strict = await openGym({ environments, hosts: { isolation, count: 1, stepDeadlineMs: 600 } });

const gymFor = (code: string) => (code === "ENVIRONMENT_HUNG" ? strict : gym);
const create = (on: TestGym = gym) => on.create({ environment: "faulty", task: { split: "play", index: 0 } });
const faults = (await gym.call("listTasks", { environment: "faulty", split: "reset" })).tasks.map(({ title }) => title);

/** Faults that end the thread, and with it the thread's other episodes. */
const fatal = [
  ["hang", "ENVIRONMENT_HUNG"],
  ["heap", "ENVIRONMENT_OUT_OF_MEMORY"],
  ["buffers", "ENVIRONMENT_OUT_OF_MEMORY"],
  ["big buffer", "ENVIRONMENT_OUT_OF_MEMORY"],
  ["hanging info", "ENVIRONMENT_HUNG"],
  ["exit", "ENVIRONMENT_THREW"],
  ["broken host", "ENVIRONMENT_THREW"],
] as const;

const harmless = [
  ["throw", "ENVIRONMENT_THREW"],
  ["throw text", "ENVIRONMENT_THREW"],
  ["circular info", "ENVIRONMENT_RESULT"],
  ["big integer", "ENVIRONMENT_RESULT"],
  ["info without JSON", "ENVIRONMENT_RESULT"],
  ["parts without JSON", "ENVIRONMENT_RESULT"],
  ["list as info", "ENVIRONMENT_RESULT"],
  ["list in place of info", "ENVIRONMENT_RESULT"],
  ["deep info", "ENVIRONMENT_RESULT"],
  ["no list of parts", "ENVIRONMENT_RESULT"],
  ["parts of no type", "ENVIRONMENT_RESULT"],
  ["image of no type", "ENVIRONMENT_RESULT"],
  ["image without data", "ENVIRONMENT_RESULT"],
  ["part without data", "ENVIRONMENT_RESULT"],
  ["deep parts", "ENVIRONMENT_RESULT"],
  ["endless parts", "ENVIRONMENT_RESULT"],
  ["error without text", "ENVIRONMENT_THREW"],
  ["no result", "ENVIRONMENT_THREW"],
  ["high reward", "ENVIRONMENT_RESULT"],
  ["low reward", "ENVIRONMENT_RESULT"],
  ["no number", "ENVIRONMENT_RESULT"],
  ["text reward", "ENVIRONMENT_RESULT"],
  ["no text", "ENVIRONMENT_RESULT"],
  ["huge", "ENVIRONMENT_RESULT"],
] as const;

describe.each([...harmless, ...fatal])("a step with the fault %s", (fault, code) => {
  test(`fails its episode with ${code}, and the others continue`, async () => {
    const on = gymFor(code);
    const [guilty, other] = [await create(on), await create(on)];
    await on.step(guilty.episodeId, 0, "hello");
    await on.step(other.episodeId, 0, "hello");
    const steps = [
      { episodeId: guilty.episodeId, index: 1, action: fault },
      { episodeId: other.episodeId, index: 1, action: "hello again" },
    ];
    const { results } = await on.call("stepMany", { steps });
    expect(results).toMatchObject([{ error: { code } }, { index: 1, observation: "2: hello again" }]);
    expect(await on.call("step", { episodeId: other.episodeId, index: 2, action: "on" })).toMatchObject({
      observation: "3: on",
    });
    const state = await on.call("get", { episodeId: guilty.episodeId });
    expect(state).toMatchObject({ phase: "failed", index: 1, observation: "1: hello", failure: { code } });
    expect(await on.refusal("step", { episodeId: guilty.episodeId, index: 1, action: "on" })).toMatchObject({
      code: "EPISODE_FAILED",
      details: { failure: state.failure },
    });
    expect((await on.call("transcript", { episodeId: guilty.episodeId })).steps).toHaveLength(1);
  });
});

test.each([
  ["throw", "ENVIRONMENT_THREW"],
  ["hang", "ENVIRONMENT_HUNG"],
  ["heap", "ENVIRONMENT_OUT_OF_MEMORY"],
  ["no text", "ENVIRONMENT_RESULT"],
  ["no result", "ENVIRONMENT_THREW"],
  ["huge", "ENVIRONMENT_RESULT"],
  ["list as info", "ENVIRONMENT_RESULT"],
  ["deep parts", "ENVIRONMENT_RESULT"],
])("a reset with the fault %s creates no episode: %s", async (fault, code) => {
  const on = gymFor(code);
  const { episodes } = await on.call("list", { limit: 1 });
  const task = { split: "reset", index: faults.indexOf(fault) };
  expect(await on.refusal("create", { environment: "faulty", task })).toMatchObject({ code, class: "environment" });
  expect((await on.call("list", { limit: 1 })).episodes).toEqual(episodes);
});

describe.each(["thread", "process"] as const)("an environment in a %s", (place) => {
  const hosts = { isolation: place, count: 1, stepDeadlineMs: 600 };

  test.each([
    ["no room", "ENOSPC: no space left on device"],
    ["no more files", "EMFILE: too many open files"],
    ["no more memory", "ENOMEM: not enough memory"],
  ])("is not blamed when the machine lacks a resource, and the call can be repeated: %s", async (fault, words) => {
    const on = await openGym({ environments, hosts });
    const [episode, other] = [await create(on), await create(on)];
    await on.step(episode.episodeId, 0, "hello");
    const { episodeId } = episode;
    const failure = { code: "HOST_FAILED", class: "infrastructure", message: expect.stringContaining(words) };
    expect(await on.refusal("step", { episodeId, index: 1, action: fault })).toMatchObject(failure);
    const state = await on.call("get", { episodeId });
    expect(state).toMatchObject({ index: 1, failure: null });
    expect(state.phase).not.toBe("failed");
    expect(await on.call("step", { episodeId, index: 1, action: "on" })).toMatchObject({ observation: "2: on" });
    expect(await on.call("step", { episodeId: other.episodeId, index: 0, action: "on" })).toMatchObject({ index: 0 });
    const task = { split: "reset", index: faults.indexOf(fault) };
    expect(await on.refusal("create", { environment: "faulty", task })).toMatchObject(failure);
    const answers = [{ task: { split: "play", index: 0 }, answer: fault }];
    const { results } = await on.call("score", { environment: "faulty", answers });
    expect(results).toMatchObject([{ error: failure }]);
    expect(await on.metric("palestra_hosts_lost_total")).toBe(0);
    const { payload } = await on.app.inject("/metrics");
    expect(payload).not.toMatch(/^palestra_episode_failures_total\{.*class="environment"/m);
  });

  test("whose calls block now and then, with successes between, has them repeated and is not blamed", async () => {
    const on = await openGym({ environments, hosts }, scratchDir(), hurriedTimes);
    const [blocked, other] = [await create(on), await create(on)];
    await on.step(other.episodeId, 0, "hello");
    const { episodeId } = blocked;
    const folder = scratchDir();
    // A call succeeded between the two, so the second blocked call counts as the first again.
    for (const [index, action] of [0, 1].map((index) => [index, `block once: ${folder}/${index}`] as const)) {
      expect(await on.call("step", { episodeId, index, action })).toMatchObject({
        index,
        observation: `${index + 1}: ${action}`,
      });
      expect(await on.metric("palestra_hosts_lost_total")).toBe(index + 1);
    }
    expect(await on.call("get", { episodeId })).toMatchObject({ phase: "running", index: 2, failure: null });
    expect((await on.call("transcript", { episodeId })).steps).toHaveLength(2);
    expect(await on.call("step", { episodeId: other.episodeId, index: 1, action: "on" })).toMatchObject({
      observation: "2: on",
    });
    const { payload } = await on.app.inject("/metrics");
    expect(payload).not.toMatch(/^palestra_(episode_failures|errors)_total\{/m);
  });
});

test("an environment that throws during close affects no other episode", async () => {
  const { episodeId } = await create();
  await gym.step(episodeId, 0, "throw at close");
  await gym.call("close", { episodeId });
  expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "closed", failure: null });
});

test("a host with an endless call is replaced once, and the steps that wait for the call are answered", async () => {
  const [guilty, ...others] = await Promise.all(Array.from({ length: 20 }, () => create(strict)));
  for (const { episodeId } of others) await strict.step(episodeId, 0, "hello");
  const [lost, live] = [
    await strict.metric("palestra_hosts_lost_total"),
    await strict.metric("palestra_live_episodes"),
  ];
  const { results } = await strict.call("stepMany", {
    steps: [
      { episodeId: guilty?.episodeId, index: 0, action: "hang" },
      ...others.map(({ episodeId }) => ({ episodeId, index: 1, action: "on" })),
    ],
  });
  const message = expect.stringMatching(/used the processor for \d+ ms/);
  expect(results).toMatchObject([
    { error: { code: "ENVIRONMENT_HUNG", message } },
    ...others.map(() => ({ observation: "2: on" })),
  ]);
  expect(await strict.metric("palestra_hosts_lost_total")).toBe(lost + 1);
  expect(await strict.metric("palestra_live_episodes")).toBe(live - 1);
});

test("parts and info of every kind reach the caller unchanged", async () => {
  const { episodeId } = await create();
  const kinds = await gym.call("step", { episodeId, index: 0, action: "parts of every kind" });
  expect(kinds.parts).toEqual([
    { type: "image", mediaType: "image/png", data: "aGVsbG8=" },
    { type: "image", mediaType: "image/svg+xml", data: "" },
    { type: "json", data: null },
  ]);
  // Brackets and quotes within strings do not count as levels.
  expect(kinds.info).toEqual({ brackets: "[".repeat(1_000), quotes: `\\"${"{".repeat(1_000)}\\` });
  expect(await gym.call("get", { episodeId })).toMatchObject({ parts: kinds.parts, info: kinds.info });
});

test("a gym whose log thread has ended answers every call with LOG_FAILED", async () => {
  const lost = await openGym(patient);
  const [breaking, untouched, played] = [await create(lost), await create(lost), await create(lost)];
  await lost.step(played.episodeId, 0, "on");
  const step = (episodeId: string, index: number, action = "on") => ["step", { episodeId, index, action }] as const;
  for (const [name, params] of [
    step(breaking.episodeId, 0, "broken log"),
    step(untouched.episodeId, 0),
    step(played.episodeId, 1),
    ["create", { environment: "textcraft", task: { index: 0 } }],
    ["fork", { episodeId: untouched.episodeId }],
    ["transcript", { episodeId: played.episodeId }],
  ] as const) {
    expect((await lost.refusal(name, params)).code, name).toBe("LOG_FAILED");
  }
  expect((await lost.app.inject("/readyz")).json()).toMatchObject({ detail: "the episode log has failed" });
  expect(await lost.metric("palestra_live_episodes")).toBe(0);
});

test("steps behind a fault in the same message are not taken", async () => {
  const { episodeId } = await create();
  const actions = ["one", "two", "throw", "three", "four"];
  const { results } = await gym.call("stepMany", {
    steps: actions.map((action, index) => ({ episodeId, index, action })),
  });
  expect(results.map((result) => ("error" in result ? result.error.code : result.observation))).toEqual([
    "1: one",
    "2: two",
    "ENVIRONMENT_THREW",
    "ENVIRONMENT_THREW",
    "ENVIRONMENT_THREW",
  ]);
});

test("an episode that cannot be restored is lost with its host", async () => {
  const [guilty, bystander] = [
    await create(strict),
    await strict.create({ environment: "unrestorable", task: { index: 0 } }),
  ];
  await strict.step(bystander.episodeId, 0, "on");
  const { results } = await strict.call("stepMany", {
    steps: [
      { episodeId: guilty.episodeId, index: 0, action: "hang" },
      { episodeId: bystander.episodeId, index: 1, action: "on" },
    ],
  });
  expect(results).toMatchObject([{ error: { code: "ENVIRONMENT_HUNG" } }, { error: { code: "EPISODE_LOST" } }]);
});

test("a create and a fork behind a step that hangs are done on the next host", async () => {
  const [guilty, parent] = [await create(strict), await strict.create()];
  await strict.step(parent.episodeId, 0, "get 1 dirt");
  const hung = strict.refusal("step", { episodeId: guilty.episodeId, index: 0, action: "hang" });
  await eventually(async () => (await strict.metric("palestra_steps_in_flight")) === 1);
  const live = await strict.metric("palestra_live_episodes");
  const [created, forked] = await Promise.all([strict.create(), strict.call("fork", { episodeId: parent.episodeId })]);
  expect((await hung).code).toBe("ENVIRONMENT_HUNG");
  expect(await strict.call("step", { episodeId: created.episodeId, index: 0, action: "inventory" })).toMatchObject({
    index: 0,
  });
  expect(await strict.call("step", { episodeId: forked.episodeId, index: 1, action: "inventory" })).toMatchObject({
    observation: expect.stringContaining("[dirt] (1)"),
  });
  // The guilty episode and the parked parent have no instance, and the two new episodes have one.
  expect(await strict.metric("palestra_live_episodes")).toBe(live);
});

test("a step that computes for almost its deadline succeeds", async () => {
  const { episodeId } = await create();
  expect(await gym.call("step", { episodeId, index: 0, action: "compute" })).toMatchObject({
    observation: "1: compute",
  });
});

test("failures are counted by environment, class and code", async () => {
  const { episodeId } = await create();
  await gym.refusal("step", { episodeId, index: 0, action: "throw" });
  const { payload } = await gym.app.inject("/metrics");
  expect(payload).toMatch(
    /^palestra_episode_failures_total\{environment="faulty@1",class="environment",code="ENVIRONMENT_THREW"\} [1-9]/m,
  );
});

test.each(["reject unhandled", "throw later"])(
  "a fault outside of any call is logged and ends no host: %s",
  async (fault) => {
    const { episodeId } = await create();
    const before = await gym.metric("palestra_stray_errors_total");
    const lost = await gym.metric("palestra_hosts_lost_total");
    await gym.step(episodeId, 0, fault);
    await eventually(async () => (await gym.metric("palestra_stray_errors_total")) > before);
    expect(await gym.call("step", { episodeId, index: 1, action: "on" })).toMatchObject({ observation: "2: on" });
    expect(await gym.metric("palestra_hosts_lost_total")).toBe(lost);
  },
);

test("array buffers that grow over many calls end the episode that holds them", async () => {
  const [guilty, other] = [await create(), await create()];
  let index = 0;
  const replies = [];
  while (replies.at(-1)?.statusCode !== 500 && index < 10) {
    replies.push(await gym.send("step", { episodeId: guilty.episodeId, index, action: "some buffers" }));
    await gym.step(other.episodeId, index, "on");
    index += 1;
  }
  expect(replies.at(-1)?.json().error.code).toBe("ENVIRONMENT_OUT_OF_MEMORY");
  expect(replies.length).toBeGreaterThan(1);
});

test("a host that hangs between two calls is replaced, and no episode is blamed", async () => {
  const [guilty, other] = [await create(strict), await create(strict)];
  const lost = await strict.metric("palestra_hosts_lost_total");
  await strict.step(guilty.episodeId, 0, "hang later");
  for (let index = 0; (await strict.metric("palestra_hosts_lost_total")) === lost; index++) {
    const step = { episodeId: other.episodeId, index, action: "on" };
    expect(await strict.call("step", step)).toMatchObject({ observation: `${index + 1}: on` });
  }
  expect(await strict.call("get", { episodeId: guilty.episodeId })).toMatchObject({ phase: "running", index: 1 });
});

test("a long error message is cut, also for many callers at once", async () => {
  const { episodeId } = await create();
  const { code, message } = await gym.refusal("step", { episodeId, index: 0, action: "long error" });
  expect(code).toBe("ENVIRONMENT_THREW");
  expect(message).toMatch(/and 999000 characters more$/);
  const steps = Array.from({ length: 4_096 }, () => ({ episodeId, index: 0, action: "on" }));
  const reply = await gym.text("stepMany", { steps });
  expect(reply.length).toBeLessThan(2 ** 25);
});

test("an environment that replaces JSON.stringify fails, and its host is replaced", async () => {
  const before = await openGym({ environments, hosts: { isolation, count: 1 } });
  const [guilty, other] = [await create(before), await create(before)];
  await before.step(other.episodeId, 0, "on");
  const error = await before.refusal("step", { episodeId: guilty.episodeId, index: 0, action: "break lines" });
  expect(error).toMatchObject({ code: "ENVIRONMENT_THREW" });
  expect(error.message).toContain("it changed JSON.stringify, which all environments of its host share");
  await before.step(other.episodeId, 1, "on");
  const after = await before.restart();
  const { steps } = await after.call("transcript", { episodeId: other.episodeId });
  expect(steps).toMatchObject([{ action: "on" }, { action: "on" }]);
  expect(await after.call("step", { episodeId: other.episodeId, index: 2, action: "on" })).toMatchObject({ index: 2 });
});

test("a host whose memory is full of ordinary episodes fails none of them", async () => {
  const full = await openGym(patient);
  const episodes = await Promise.all(Array.from({ length: 16 }, () => create(full)));
  for (const { episodeId } of episodes) {
    expect(await full.call("step", { episodeId, index: 0, action: "hold a buffer" })).toMatchObject({ index: 0 });
  }
  expect(await full.metric("palestra_hosts_lost_total")).toBeGreaterThan(0);
  for (const { episodeId } of episodes) {
    expect(await full.call("step", { episodeId, index: 1, action: "on" })).toMatchObject({ observation: "2: on" });
  }
});

test("an episode whose memory grows with every step fails once it alone fills a host", async () => {
  const full = await openGym(patient);
  const { episodeId } = await create(full);
  const replies = [];
  while (replies.at(-1)?.statusCode !== 500 && replies.length < 16) {
    const index: number = replies.length;
    replies.push(await full.send("step", { episodeId, index, action: "hold a buffer" }));
  }
  expect(replies.at(-1)?.json().error.code).toBe("ENVIRONMENT_OUT_OF_MEMORY");
  expect(replies.length).toBeGreaterThan(4);
  expect(await full.call("get", { episodeId })).toMatchObject({ phase: "failed" });
});

test("a server that closes during a step does not blame the episode", async () => {
  const before = await openGym(patient);
  const { episodeId } = await create(before);
  await before.step(episodeId, 0, "hello");
  const interrupted = before.send("step", { episodeId, index: 1, action: "slow" });
  await eventually(async () => (await before.metric("palestra_steps_in_flight")) === 1);
  const after = await before.restart();
  await interrupted;
  expect(await after.call("get", { episodeId })).toMatchObject({ phase: "running" });
  expect(await after.call("step", { episodeId, index: 1, action: "slow" })).toMatchObject({ observation: "2: slow" });
});

test("a gym whose hosts do not start refuses work and is not ready", async () => {
  const hostless = await openGym({ environments: [fixture("hostless")], hosts: { isolation } });
  expect(await hostless.refusal("create", { environment: "textcraft", task: { index: 0 } })).toMatchObject({
    code: "HOST_FAILED",
    class: "infrastructure",
  });
  const ready = await hostless.app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: "not ready", detail: "no host is ready" }]);
  expect((await hostless.app.inject("/livez")).statusCode).toBe(200);
});
