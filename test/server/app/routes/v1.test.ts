/** The operations over HTTP, except steps, forks and batches, which have files of their own. */
import { describe, expect, test } from "vitest";
import { type EpisodeReply, fixture, openGym, type Params } from "../../../support/gym.js";

const gym = await openGym({ environments: ["plain", "needy"].map(fixture) });

describe("environments", () => {
  test("the list has the built-in environments and those of the settings, with their requirements", async () => {
    const { environments } = await gym.call("listEnvironments");
    const known = new Map(environments.map((info) => [`${info.id}@${info.version}`, info]));
    const needNothing = ["textcraft@1", "textcraft-pair@1", "babyai@1", "sciworld@1"];
    const alsoThere = ["memory@2", "math@3", "service@1", "bargain@1", "delegate@1", "assistant@1"];
    const fromProcesses = ["searchqa@1", "deepsearch@1", "sql@2"];
    // Whether this environment can be played depends on the machine.
    const needMachines = [
      "sciworld@jvm",
      "math@python",
      ...["tau2-airline@1", "tau2-retail@1", "tau2-mock@1"],
      "webarena-lab@2",
      "webarena@2",
      "miniwob@1",
      "workbench@2",
      "desktop@1",
    ];
    expect([...known.keys()]).toEqual([
      ...needNothing,
      "sciworld@jvm",
      ...alsoThere.slice(0, 2),
      "math@python",
      ...alsoThere.slice(2),
      ...fromProcesses,
      ...needMachines.slice(2),
      "plain@3",
      "needy@1",
    ]);
    const unavailable = [...known].filter(([, { available }]) => !available).map(([name]) => name);
    expect(unavailable.filter((name) => !needMachines.includes(name))).toEqual(["needy@1"]);
    expect(known.get("needy@1")?.requirements).toEqual([
      { name: "crystal", available: false, detail: "not in this cave", howToGet: "Dig for one." },
      {
        name: "oracle",
        available: false,
        detail: expect.stringContaining("the oracle sleeps"),
        howToGet: "Ask for one.",
      },
      { name: "air", available: true, detail: "all around", howToGet: "Breathe." },
    ]);
  });

  test("one environment is found by its id and by id@version", async () => {
    const newest = await gym.call("getEnvironment", { environment: "textcraft" });
    expect(newest).toMatchObject({
      id: "textcraft",
      version: 1,
      maxSteps: 50,
      rewardRange: [0, 1],
      defaultSplit: "all",
    });
    expect(newest).toMatchObject({
      hasExpert: true,
      restore: "clone",
      splits: { all: { size: 544 }, test: { size: 100 } },
    });
    expect(newest.prompt.length).toBeGreaterThan(100);
    expect(await gym.call("getEnvironment", { environment: "textcraft@1" })).toEqual(newest);
  });

  test.each(["nothing", "textcraft@2", "textcraft@", "TextCraft", "__proto__", "constructor"])(
    "%s is refused as an unknown environment, and the error names the known ones",
    async (environment) => {
      const { code, message } = await gym.refusal("getEnvironment", { environment });
      expect(code).toBe("ENVIRONMENT_UNKNOWN");
      expect(message).toContain("textcraft@1");
    },
  );
});

describe("tasks", () => {
  const page = (params: Params) => gym.call("listTasks", { environment: "textcraft", ...params });

  test("the first page is 100 tasks of the first split", async () => {
    const { tasks, next } = await page({});
    expect(tasks.map(({ split, index }) => `${split}:${index}`)).toEqual(
      Array.from({ length: 100 }, (_, i) => `all:${i}`),
    );
    expect(next).toBe(100);
  });

  test("the pages together contain the whole split", async () => {
    const indexes: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const { tasks, next } = await page({ split: "train", from, limit: 148 });
      indexes.push(...tasks.map(({ index }) => index));
      from = next;
    }
    expect(indexes).toEqual(Array.from({ length: 444 }, (_, i) => i));
  });

  test.each([
    { from: 543, limit: 1, size: 1, next: null },
    { from: 542, limit: 1, size: 1, next: 543 },
    { from: 543, limit: 1_000, size: 1, next: null },
    { from: 544, limit: 10, size: 0, next: null },
    { from: Number.MAX_SAFE_INTEGER, limit: 10, size: 0, next: null },
    { from: 0, limit: 1_000, size: 544, next: null },
  ])(
    "a page of $limit from $from on, of $size tasks, names $next as the next page",
    async ({ from, limit, size, next }) => {
      const reply = await page({ from, limit });
      expect([reply.tasks.length, reply.next]).toEqual([size, next]);
    },
  );

  test("a page with slow titles delays no other caller", async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const { tasks } = await page({ environment: "sciworld", limit: 200 });
    clearInterval(counting);
    expect(tasks).toHaveLength(200);
    expect(turns).toBeGreaterThan(10);
  });

  test.each([
    [{ split: "validation" }, "SPLIT_UNKNOWN"],
    [{ split: "constructor" }, "SPLIT_UNKNOWN"],
    [{ environment: "nothing" }, "ENVIRONMENT_UNKNOWN"],
    [{ limit: 0 }, "REQUEST_INVALID"],
    [{ limit: 1_001 }, "REQUEST_INVALID"],
    [{ from: -1 }, "REQUEST_INVALID"],
    [{ from: 1.5 }, "REQUEST_INVALID"],
    [{ from: "x" }, "REQUEST_INVALID"],
  ])("%j is refused with %s", async (params, code) => {
    expect(await gym.refusal("listTasks", { environment: "textcraft", ...params })).toMatchObject({ code });
  });
});

describe("creating an episode", () => {
  test("fills in split, seed, limit and lease", async () => {
    const before = Date.now();
    const episode = await gym.create({ task: { index: 3 } });
    expect(episode).toMatchObject({
      environment: "textcraft@1",
      task: { split: "all", index: 3 },
      seed: 0,
      phase: "running",
      index: 0,
      reward: 0,
      terminated: false,
      truncated: false,
      expertUsed: false,
      parent: null,
      failure: null,
      maxSteps: 50,
      leaseMs: 1_800_000,
      info: { dataIdx: 3 },
    });
    expect(episode.observation).toContain("Crafting commands:");
    expect(Date.parse(episode.createdAt)).toBeGreaterThanOrEqual(before);
  });

  test("an episode names the prompt and the tools of its options", async () => {
    const task = { index: 0 };
    const info = await gym.call("getEnvironment", { environment: "babyai" });
    const [text, primitive] = await Promise.all(
      ["text", "primitive"].map((actions) => gym.create({ environment: "babyai", task, options: { actions } })),
    );
    expect(text).toMatchObject({ prompt: info.prompt, tools: info.tools });
    const { prompt, tools } = info.options.actions?.values.primitive ?? {};
    expect(primitive).toMatchObject({ prompt, tools });
    expect(primitive?.tools).not.toEqual(text?.tools);
    const fork = await gym.call("fork", { episodeId: primitive?.episodeId ?? "" });
    expect(fork).toMatchObject({ prompt, tools });
  });

  test("options of a split replace the environment's defaults, and the caller's replace those", async () => {
    const endsOf = async (split: string, options: Record<string, string> = {}) =>
      (await gym.create({ environment: "babyai", task: { split, index: 4 }, options })).options.ends;
    const info = await gym.call("getEnvironment", { environment: "babyai" });
    expect(info.splits.agentgym?.options).toEqual({ ends: "agentgym" });
    expect(await endsOf("agentgym")).toBe("agentgym");
    expect(await endsOf("GoToLocal")).toBe("task");
    expect(await endsOf("agentgym", { ends: "task" })).toBe("task");
  });

  test("options are filled in, kept by forks, and replayed after a restart", async () => {
    const before = await openGym({ environments: [fixture("plain")] });
    const plain = { environment: "plain", task: { index: 0 } };
    expect((await before.create(plain)).options).toEqual({ voice: "plain" });
    const { episodeId, options } = await before.create({ ...plain, options: { voice: "loud" } });
    expect(options).toEqual({ voice: "loud" });
    await before.step(episodeId, 0, "hello");
    const fork = await before.call("fork", { episodeId });
    const early = await before.call("fork", { episodeId, index: 0 });
    const after = await before.restart();
    for (const id of [episodeId, fork.episodeId]) {
      expect(await after.call("step", { episodeId: id, index: 1, action: "you" })).toMatchObject({
        observation: "HELLO YOU",
      });
    }
    expect(await after.call("step", { episodeId: early.episodeId, index: 0, action: "you" })).toMatchObject({
      observation: "YOU",
    });
    expect((await after.call("list", { limit: 1 })).episodes[0]?.options).toEqual({ voice: "loud" });
  });

  test("the name textcraft@1 selects that version", async () => {
    const pinned = await gym.create({ environment: "textcraft@1" });
    expect(pinned).toMatchObject({ environment: "textcraft@1", observation: (await gym.create()).observation });
    expect((await gym.create({ environment: "plain", task: { index: 0 } })).environment).toBe("plain@3");
  });

  test("the seed decides every random choice, and the largest seed is accepted", async () => {
    const opening = async (seed: number) => (await gym.create({ seed, task: { index: 300 } })).observation;
    expect(await opening(7)).toBe(await opening(7));
    expect(await opening(7)).not.toBe(await opening(8));
    expect((await gym.create({ seed: Number.MAX_SAFE_INTEGER })).seed).toBe(Number.MAX_SAFE_INTEGER);
  });

  test("maxSteps truncates at that step and not before", async () => {
    const { episodeId } = await gym.create({ maxSteps: 2 });
    expect(await gym.call("step", { episodeId, index: 0, action: "inventory" })).toMatchObject({ truncated: false });
    const last = await gym.call("step", { episodeId, index: 1, action: "inventory" });
    expect(last).toMatchObject({ truncated: true, terminated: false });
    expect(await gym.call("get", { episodeId })).toMatchObject({
      phase: "ended",
      truncated: true,
      index: 2,
      maxSteps: 2,
    });
  });

  test("two episodes of one task share only their reset result", async () => {
    const [a, b] = [await gym.create(), await gym.create()];
    expect(a.observation).toBe(b.observation);
    expect(a.episodeId).not.toBe(b.episodeId);
    await gym.step(a.episodeId, 0, "get 3 dirt");
    expect(await gym.call("step", { episodeId: b.episodeId, index: 0, action: "inventory" })).toMatchObject({
      observation: "Inventory: You are not carrying anything.",
    });
  });

  test("create, step, get and the transcript return the parts of an observation", async () => {
    const created = await gym.create({ environment: "plain", task: { index: 1 } });
    expect(created.parts).toEqual([
      { type: "json", data: { actions: [] } },
      { type: "image", mediaType: "image/svg+xml", data: "PHN2Zy8+" },
    ]);
    const { episodeId } = created;
    const step = await gym.call("step", { episodeId, index: 0, action: "hello" });
    expect(step.parts?.[0]).toEqual({ type: "json", data: { actions: ["hello"] } });
    expect((await gym.call("get", { episodeId })).parts).toEqual(step.parts);
    expect((await gym.call("transcript", { episodeId })).steps[0]?.parts).toEqual(step.parts);
  });

  test.each([
    [{ environment: "nothing" }, "ENVIRONMENT_UNKNOWN"],
    [{ environment: "textcraft@2" }, "ENVIRONMENT_UNKNOWN"],
    [{ task: { split: "nothing", index: 0 } }, "SPLIT_UNKNOWN"],
    [{ task: { split: "test", index: 100 } }, "TASK_OUT_OF_RANGE"],
    [{ task: { index: Number.MAX_SAFE_INTEGER } }, "TASK_OUT_OF_RANGE"],
    [{ environment: "needy", task: { index: 0 } }, "ENVIRONMENT_UNAVAILABLE"],
    [{ options: { voice: "loud" } }, "OPTION_UNKNOWN"],
    [{ environment: "plain", options: { constructor: "loud" } }, "OPTION_UNKNOWN"],
    [{ environment: "plain", options: { voice: "toString" } }, "OPTION_UNKNOWN"],
    [{ environment: "plain", options: { voice: 1 } }, "REQUEST_INVALID"],
  ])("%j is refused with %s", async (params, code) => {
    expect(await gym.refusal("create", { environment: "textcraft", task: { index: 0 }, ...params })).toMatchObject({
      code,
    });
  });

  test("an unavailable environment names the missing requirement and how to get it", async () => {
    const { message } = await gym.refusal("create", { environment: "needy", task: { index: 0 } });
    expect(message).toMatch(/crystal: not in this cave\. Dig for one\..*oracle: .*the oracle sleeps\. Ask for one\./);
    expect(message).not.toContain("Breathe");
  });
});

describe("the transcript", () => {
  const actions = ["get 1 dirt", "inventory", "dance", "get 2 dirt", "inventory"];

  async function played(): Promise<{ episodeId: string; replies: object[] }> {
    const { episodeId } = await gym.create();
    const replies: object[] = [];
    for (const [index, action] of actions.entries()) {
      replies.push({ action, ...(await gym.call("step", { episodeId, index, action })) });
    }
    return { episodeId, replies };
  }

  test("has every step with its action and its reply", async () => {
    const { episodeId, replies } = await played();
    const { steps, next } = await gym.call("transcript", { episodeId });
    // A step that took a millisecond has this time as well.
    const timeless = steps.map(({ gymMs: _, ...step }) => step);
    expect(timeless).toEqual(replies.map((reply) => ({ ...reply, atMs: expect.any(Number) })));
    expect(next).toBeNull();
  });

  test("is empty before the first step", async () => {
    const { episodeId } = await gym.create();
    expect(await gym.call("transcript", { episodeId })).toEqual({ steps: [], next: null });
  });

  test.each([
    { from: 0, limit: 2, indexes: [0, 1], next: 2 },
    { from: 2, limit: 2, indexes: [2, 3], next: 4 },
    { from: 4, limit: 2, indexes: [4], next: null },
    { from: 3, limit: 2, indexes: [3, 4], next: null },
    { from: 0, limit: 5, indexes: [0, 1, 2, 3, 4], next: null },
    { from: 5, limit: 5, indexes: [], next: null },
    { from: Number.MAX_SAFE_INTEGER, limit: 1_000, indexes: [], next: null },
  ])(
    "with at most $limit steps from $from on has the steps $indexes and names $next as the next page",
    async ({ from, limit, indexes, next }) => {
      const { episodeId } = await played();
      const page = await gym.call("transcript", { episodeId, from, limit });
      expect([page.steps.map(({ index }) => index), page.next]).toEqual([indexes, next]);
    },
  );
});

describe("the list of episodes", async () => {
  const token = await gym.createToken();
  const created: EpisodeReply[] = [];
  for (let i = 0; i < 5; i++) created.push(await gym.create({ seed: i }, { token }));
  const newestFirst = created.map(({ episodeId }) => episodeId).reverse();

  const page = (params: Params) => gym.call("list", params, { token });
  const ids = ({ episodes }: Awaited<ReturnType<typeof page>>) => episodes.map(({ episodeId }) => episodeId);

  test("has only the caller's episodes, newest first", async () => {
    const reply = await page({});
    expect(ids(reply)).toEqual(newestFirst);
    expect(reply.next).toBeNull();
    expect(reply.episodes[0]).toMatchObject({ environment: "textcraft@1", task: { split: "all", index: 0 }, seed: 4 });
  });

  test("has all of them over its pages, and the last page has no next", async () => {
    const first = await page({ limit: 3 });
    expect([ids(first), first.next]).toEqual([newestFirst.slice(0, 3), newestFirst[2]]);
    const second = await page({ limit: 2, before: first.next });
    expect([ids(second), second.next]).toEqual([newestFirst.slice(3), null]);
  });

  test("is empty for the cursor of the oldest episode", async () => {
    expect(await page({ before: newestFirst.at(-1) })).toEqual({ episodes: [], next: null });
  });

  test("refuses a cursor that is not an episode id", async () => {
    expect(await gym.refusal("list", { before: "ep-x" }, { token })).toMatchObject({ code: "EPISODE_UNKNOWN" });
  });
});

describe("deleting an episode", () => {
  test("closes it for good: later calls are refused, and its transcript stays", async () => {
    const { episodeId } = await gym.create();
    await gym.step(episodeId, 0, "inventory");
    expect(await gym.call("close", { episodeId })).toEqual({ episodeId, phase: "closed" });
    expect(await gym.refusal("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({
      code: "EPISODE_CLOSED",
    });
    expect(await gym.refusal("fork", { episodeId })).toMatchObject({ code: "EPISODE_CLOSED" });
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "closed", index: 1 });
    expect((await gym.call("transcript", { episodeId })).steps).toHaveLength(1);
  });

  test("a second time changes nothing", async () => {
    const { episodeId } = await gym.create();
    const once = await gym.text("close", { episodeId });
    expect(await gym.text("close", { episodeId })).toBe(once);
  });

  test("is possible after the episode's end", async () => {
    const { episodeId } = await gym.create({ maxSteps: 1 });
    await gym.step(episodeId, 0, "inventory");
    await gym.call("close", { episodeId });
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "closed", truncated: true });
  });

  test.each(["ep-999999-00000000000000000000", "ep-1-00000000000000000000", "nothing", "ep-1", " ", "%00"])(
    "with the unknown id %j is refused",
    async (episodeId) => {
      expect(await gym.refusal("close", { episodeId })).toMatchObject({ code: "EPISODE_UNKNOWN" });
    },
  );
});
