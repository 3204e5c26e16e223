/** AgentGym's ScienceWorld server, compared with the replies of AgentGym's own server to the same client. */
import { describe, expect, test } from "vitest";
import { fillOptions } from "#palestra/envs/registry.js";
import sciworld from "#palestra/envs/sciworld/index.js";
import { openGym } from "../../../support/gym.js";

const gym = await openGym();

type Reply = Record<string, unknown>;

async function send(request: { method: "GET" | "POST"; url: string; payload?: object }, on = gym): Promise<Reply> {
  const { statusCode, payload } = await on.app.inject({ ...request, url: `/agentgym/sciworld/${request.url}` });
  expect(statusCode, payload).toBe(200);
  return JSON.parse(payload) as Reply;
}

const post = (url: string, payload: object = {}, on = gym) => send({ method: "POST", url, payload }, on);
const get = (url: string, on = gym) => send({ method: "GET", url }, on);
const create = async (on = gym) => (await post("create", {}, on)).id as number;
const step = (id: number, action: string) => post("step", { id, action });

/** All routes that only read the state of an environment id. */
const looks = ["observation", "action_hint", "goals", "detail", "task_description", "object_tree", "state"];
const wrongFocus = "focus on agent";
const hallway = /^This room is called the hallway\. In it, you see: \n\tthe agent\n/;

test("create returns only an id, and the greeting is AgentGym's", async () => {
  expect(await post("create")).toEqual({ id: expect.any(Number) });
  expect(await get("")).toBe("This is environment ScienceWorld.");
});

describe("a reset", () => {
  test("returns the task and the score at its start", async () => {
    const id = await create();
    expect(await post("reset", { id, data_idx: 30 })).toEqual({
      task_name: "melt",
      var_num: 0,
      task_description: expect.stringMatching(/^Your task is to melt water\. First, focus on the substance\./),
      observation: expect.stringMatching(hallway),
      reward: 0,
      score: 0,
      deleted: false,
      done: false,
    });
    const mixing = await post("reset", { id, data_idx: 4180 });
    expect(mixing).toMatchObject({ task_name: "chemistry-mix-paint-secondary-color", reward: mixing.score });
  });

  test.each([
    [0, "boil", 0],
    [4638, "identify-life-stages-2", 9],
    [-1, "identify-life-stages-2", 9],
    [-4639, "boil", 0],
    [1396, "power-component", 0],
  ])("to %i is %s %i: negative indices count from the end, as in Python", async (data_idx, task_name, var_num) => {
    expect(await post("reset", { id: await create(), data_idx })).toMatchObject({ task_name, var_num });
  });

  test.each([4639, -4640, 100_000])("to %i is out of range and changes nothing", async (data_idx) => {
    const id = await create();
    const before = await post("reset", { id, data_idx: 7 });
    expect(await post("reset", { id, data_idx })).toEqual({ error: "list index out of range" });
    expect(await get(`detail?id=${id}`)).toEqual(before);
  });
});

test("steps return the results of the environment that the Python API wraps", async () => {
  const actions = ["open door to kitchen", "go to kitchen", "pick up thermometer", "fly", "", "objects", "wait"];
  for (const data_idx of [0, 1400, 2400, 3000, 4200]) {
    const environment = sciworld.create({ now: () => 0 });
    environment.reset({
      task: { split: "agentgym", index: data_idx },
      seed: 0,
      options: fillOptions(sciworld, { api: "python" }),
    });
    const id = await create();
    await post("reset", { id, data_idx });
    for (const action of actions) {
      const { observation, terminated: done, info } = environment.step(action);
      const { score, reward } = info;
      expect(await step(id, action)).toEqual({ observation, done, score, reward });
      expect(await get(`observation?id=${id}`)).toBe(observation);
    }
  }
});

test("a failed task ends with a negative score and then answers only a reset or a close", async () => {
  const id = await create();
  await post("reset", { id, data_idx: 30 });
  expect(await step(id, wrongFocus)).toEqual({
    observation: "You focus on the agent.",
    reward: -100,
    score: -100,
    done: true,
  });
  const finished = { error: `The task with environment ${id} has finished.` };
  for (const look of looks) expect(await get(`${look}?id=${id}`), look).toEqual(finished);
  for (const path of ["step", "step_visual"]) expect(await post(path, { id, action: "look around" })).toEqual(finished);
  expect(await post("reset", { id, data_idx: 30 })).toMatchObject({ done: false, score: 0 });
});

test("a task ends after more than 100 moves", async () => {
  const id = await create();
  await post("reset", { id, data_idx: 0 });
  const done = [];
  for (let i = 0; i < 10; i++) done.push((await step(id, "wait")).done);
  expect(done).toEqual([...Array.from({ length: 9 }, () => false), true]);
});

describe("the routes that only read", () => {
  test("give the replies of AgentGym's server and do not change the task", async () => {
    const [asked, unasked] = [await create(), await create()];
    for (const id of [asked, unasked]) await post("reset", { id, data_idx: 1396 });
    const { task_description, ...opening } = await get(`detail?id=${asked}`);
    expect(await get(`task_description?id=${asked}`)).toEqual({ task_description });
    const hint = await get(`action_hint?id=${asked}`);
    expect(hint.possible_actions).toEqual(expect.arrayContaining(["open OBJ", "connect OBJ to OBJ", "wait1"]));
    expect(hint.possible_objects).toEqual(expect.arrayContaining(["agent", "air"]));
    const { goals } = await get(`goals?id=${asked}`);
    expect(goals).toMatch(/^Completed keys: .*\n-{100}\nSequential Subgoals:\n-{100}\n0\tfalse\t/);
    expect(await get(`object_tree?id=${asked}`)).toMatchObject({ object_tree: { contents: expect.any(Object) } });
    expect(await get(`state?id=${asked}`)).toEqual({
      observation: `${String(opening.observation)}\n`,
      inventory: expect.stringMatching(/^In your inventory, you see:\n/),
      task_description,
      goal_progress: goals,
      possible_actions: (hint.possible_actions as string[]).slice(0, 10),
      possible_objects: (hint.possible_objects as string[]).slice(0, 10),
      current_moves: 0,
      environment_info: { task_description, ...opening },
    });
    for (const action of ["look around", "objects", "wait"])
      expect(await step(asked, action)).toEqual(await step(unasked, action));
  });

  test("give the same replies after a restart", async () => {
    const before = await openGym();
    const id = await create(before);
    await post("reset", { id, data_idx: 5 }, before);
    await post("step", { id, action: "wait1" }, before);
    const told = (on: typeof gym) => Promise.all(looks.map((look) => get(`${look}?id=${id}`, on)));
    const said = await told(before);
    expect(said[0]).toBe("You decide to wait for 1 iterations.");
    expect(await told(await before.restart())).toEqual(said);
  });
});

test("the viewer's step reads the action from a model's text and returns every field", async () => {
  const id = await create();
  const { task_description } = await post("reset", { id, data_idx: 30 });
  const said = "Thought:\nI look.\n\nAction:\nlook around</s>";
  expect(await post("step_visual", { id, action: said })).toEqual({
    observation: expect.stringMatching(hallway),
    reward: 0,
    score: 0,
    done: false,
    info: {
      moves: 0,
      score: 0,
      reward: 0,
      look: expect.stringMatching(hallway),
      inv: "In your inventory, you see:\n\tan orange\n",
      taskDesc: `Task Description:\n${task_description}`,
      valid: expect.arrayContaining(["look around", "open door to kitchen"]),
      variationIdx: 0,
      taskName: "melt",
      simplificationStr: "",
    },
    object_tree: expect.objectContaining({ name: "hallway" }),
    inventory: "In your inventory, you see:\n\tan orange\n",
    moves: 0,
  });
  expect(await post("step_visual", { id, action: wrongFocus })).toMatchObject({
    done: true,
    score: -100,
    object_tree: null,
  });
});

test("the reply for a closed id differs from that for an unknown one, also after a restart, and a second close does nothing", async () => {
  const before = await openGym();
  const id = await create(before);
  expect(await post("close", { id }, before)).toBe(true);
  const after = await before.restart();
  const refusals: [number, string][] = [
    [id, `The task with environment ${id} has been deleted.`],
    [99, "The id 99 is not valid."],
  ];
  for (const [gone, error] of refusals) {
    for (const look of looks) expect(await get(`${look}?id=${gone}`, after), look).toEqual({ error });
    expect(await post("step", { id: gone, action: "wait" }, after)).toEqual({ error });
    expect(await post("reset", { id: gone, data_idx: 0 }, after)).toEqual({ error });
    expect(await post("close", { id: gone }, after)).toBe(false);
  }
});

test.each(["one", 1.5, null])("%j is refused as an index, and the error names the expected type", async (data_idx) => {
  const request = { method: "POST", url: "/agentgym/sciworld/reset", payload: { id: 0, data_idx } } as const;
  const reply = await gym.app.inject(request);
  expect(reply.statusCode).toBe(422);
  expect(reply.json()).toMatchObject({ detail: [{ loc: ["body", "data_idx"] }] });
});
