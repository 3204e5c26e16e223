/** Episodes with seats: what each player sees, waiting for a turn, and what is refused. */
import { describe, expect, test } from "vitest";
import { eventually, fixture, openGym, scratchDir, type TestGym } from "../../support/gym.js";

const duo = { environments: [fixture("duo")] };

async function opened(settings: object = {}, request: object = {}) {
  const gym = await openGym({ ...duo, ...settings });
  const { episodeId } = await gym.create({ environment: "duo", task: { index: 0 }, seed: 7, ...request });
  return { gym, episodeId };
}

const view = (gym: TestGym, episodeId: string, seat: string, waitMs = 0) =>
  gym.call("seat", { episodeId, seat, waitMs });
const act = (gym: TestGym, episodeId: string, seat: string, index: number, action: string, waitMs = 0) =>
  gym.call("seatStep", { episodeId, seat, index, action, waitMs });

describe("a seat's view", () => {
  test("has the observation of its own turn only", async () => {
    const { gym, episodeId } = await opened();
    expect(await view(gym, episodeId, "left")).toMatchObject({
      turn: "left",
      index: 0,
      observation: "left: secret L7, heard nothing",
      prompt: "You are left.",
      info: { seed: 7 },
    });
    const other = await gym.text("seat", { episodeId, seat: "right" });
    expect(JSON.parse(other)).toMatchObject({ turn: "left", observation: null, info: {}, tools: [] });
    expect(other).not.toContain("L7");
    const after = await gym.text("seatStep", { episodeId, seat: "left", index: 0, action: "hello" });
    expect(JSON.parse(after)).toMatchObject({ turn: "right", index: 1, observation: null });
    expect(after).not.toContain("R7");
    expect((await view(gym, episodeId, "right")).observation).toBe("right: secret R7, heard hello");
  });

  test("sums the seat's rewards since its last action, and all of them", async () => {
    const { gym, episodeId } = await opened();
    expect(await act(gym, episodeId, "left", 0, "gain 2")).toMatchObject({ reward: 2, return: 2 });
    expect(await act(gym, episodeId, "right", 1, "share 3")).toMatchObject({ reward: 3, return: 3 });
    expect(await view(gym, episodeId, "left")).toMatchObject({ reward: 5, return: 5 });
    expect(await act(gym, episodeId, "left", 2, "gain 1")).toMatchObject({ reward: 1, return: 6 });
    expect(await view(gym, episodeId, "right")).toMatchObject({ reward: 3, return: 3 });
  });

  test("at the end has the last observation and the end, for both", async () => {
    const { gym, episodeId } = await opened();
    await act(gym, episodeId, "left", 0, "share 1");
    const ended = { turn: null, terminated: true, observation: "the end after 2", return: 1 };
    expect(await act(gym, episodeId, "right", 1, "stop")).toMatchObject(ended);
    expect(await view(gym, episodeId, "left")).toMatchObject(ended);
  });

  test("after a truncation is hidden from the seats whose turn it would not be", async () => {
    const { gym, episodeId } = await opened({}, { maxSteps: 1 });
    const left = await gym.text("seatStep", { episodeId, seat: "left", index: 0, action: "hello" });
    expect(JSON.parse(left)).toMatchObject({ turn: null, truncated: true, observation: null });
    expect(left).not.toContain("R7");
    expect((await view(gym, episodeId, "right")).observation).toContain("R7");
  });

  test("is the same after a restart of the gym", async () => {
    const place = scratchDir();
    const gym = await openGym(duo, place);
    const { episodeId } = await gym.create({ environment: "duo", task: { index: 0 }, seed: 7 });
    await act(gym, episodeId, "left", 0, "gain 2");
    await act(gym, episodeId, "right", 1, "share 3");
    const before = await view(gym, episodeId, "left");
    await gym.close();
    const again = await openGym(duo, place);
    expect(await view(again, episodeId, "left")).toEqual(before);
    expect(await act(again, episodeId, "left", 2, "hi")).toMatchObject({ turn: "right", index: 3 });
  });

  test("in a fork is that of the parent's steps", async () => {
    const { gym, episodeId } = await opened();
    await act(gym, episodeId, "left", 0, "gain 2");
    await act(gym, episodeId, "right", 1, "share 3");
    const fork = await gym.call("fork", { episodeId, index: 1 });
    expect(await view(gym, fork.episodeId, "right")).toMatchObject({ turn: "right", index: 1, return: 0 });
    expect(await view(gym, fork.episodeId, "left")).toMatchObject({ reward: 2, return: 2 });
  });
});

describe("waiting for a turn", () => {
  test("ends when the other seat has acted", async () => {
    const { gym, episodeId } = await opened();
    const waiting = view(gym, episodeId, "right", 30_000);
    await act(gym, episodeId, "left", 0, "again");
    await act(gym, episodeId, "left", 1, "your turn");
    expect(await waiting).toMatchObject({ turn: "right", index: 2, observation: "right: secret R7, heard your turn" });
  });

  test("after a step ends with the seat's next turn, or the end of the episode", async () => {
    const { gym, episodeId } = await opened();
    const answered = act(gym, episodeId, "left", 0, "hello", 30_000);
    await view(gym, episodeId, "right", 30_000);
    await act(gym, episodeId, "right", 1, "good day");
    expect(await answered).toMatchObject({ index: 2, observation: "left: secret L7, heard good day" });
    const last = act(gym, episodeId, "left", 2, "bye", 30_000);
    await view(gym, episodeId, "right", 30_000);
    await act(gym, episodeId, "right", 3, "stop");
    expect(await last).toMatchObject({ terminated: true, turn: null });
  });

  test("ends with the view as it is when the gym shuts down", async () => {
    const { gym, episodeId } = await opened();
    const waiting = view(gym, episodeId, "right", 30_000);
    await view(gym, episodeId, "right");
    await gym.close();
    expect(await waiting).toMatchObject({ turn: "left", observation: null });
  });

  test("goes on when the episode's lease would have ended", async () => {
    const { gym, episodeId } = await opened({}, { leaseMs: 1_000 });
    const waiting = view(gym, episodeId, "right", 30_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await act(gym, episodeId, "left", 0, "late");
    expect(await waiting).toMatchObject({ turn: "right", observation: "right: secret R7, heard late" });
  });

  test("ends after its time without a turn", async () => {
    const { gym, episodeId } = await opened();
    expect(await view(gym, episodeId, "right", 20)).toMatchObject({ turn: "left", observation: null });
  });

  test("ends with the reason when the episode is deleted", async () => {
    const { gym, episodeId } = await opened();
    const waiting = gym.refusal("seat", { episodeId, seat: "right", waitMs: 30_000 });
    await gym.call("close", { episodeId });
    expect(await waiting).toMatchObject({ code: "EPISODE_CLOSED" });
  });

  test("ends with the reason when the environment fails", async () => {
    const { gym, episodeId } = await opened();
    const waiting = gym.refusal("seat", { episodeId, seat: "right", waitMs: 30_000 });
    expect(await gym.refusal("seatStep", { episodeId, seat: "left", index: 0, action: "strange turn" })).toMatchObject({
      code: "ENVIRONMENT_RESULT",
    });
    expect(await waiting).toMatchObject({ code: "EPISODE_FAILED" });
  });
});

describe("a step of a seat", () => {
  test("out of turn is refused, names the seat whose turn it is, and changes nothing", async () => {
    const { gym, episodeId } = await opened();
    const refused = await gym.refusal("seatStep", { episodeId, seat: "right", index: 0, action: "hello" });
    expect(refused).toMatchObject({ code: "SEAT_TURN", details: { turn: "left" } });
    expect(refused.message).toContain("a step of the seat left");
    expect((await view(gym, episodeId, "left")).index).toBe(0);
  });

  test("can be repeated, and a different one at its index is a conflict", async () => {
    const { gym, episodeId } = await opened();
    const once = await act(gym, episodeId, "left", 0, "gain 1");
    expect(await act(gym, episodeId, "left", 0, "gain 1")).toEqual(once);
    expect(await gym.refusal("seatStep", { episodeId, seat: "left", index: 0, action: "gain 2" })).toMatchObject({
      code: "STEP_CONFLICT",
    });
  });

  test("ahead of the seat's turn is refused, also while its own step is in flight", async () => {
    const { gym, episodeId } = await opened();
    const [first, second] = await Promise.all([
      act(gym, episodeId, "left", 0, "mine"),
      gym.refusal("seatStep", { episodeId, seat: "left", index: 1, action: "and yours" }),
    ]);
    expect(first).toMatchObject({ index: 1, turn: "right" });
    expect(["STEP_INDEX", "SEAT_TURN"]).toContain(second.code);
    expect((await view(gym, episodeId, "right")).observation).toContain("heard mine");
  });

  test("at an index of another seat is refused without that seat's action", async () => {
    const { gym, episodeId } = await opened();
    await act(gym, episodeId, "left", 0, "my secret plan");
    for (const action of ["my secret plan", "x"]) {
      const refused = await gym.refusal("seatStep", { episodeId, seat: "right", index: 0, action });
      expect(refused).toMatchObject({ code: "SEAT_TURN" });
      if (action === "x") expect(JSON.stringify(refused)).not.toContain("secret");
    }
  });

  test("by both seats at once is one step: the other one is refused", async () => {
    const { gym, episodeId } = await opened();
    const [left, right] = await Promise.all([
      act(gym, episodeId, "left", 0, "mine"),
      gym.refusal("seatStep", { episodeId, seat: "right", index: 0, action: "no, mine" }),
    ]);
    expect(left).toMatchObject({ index: 1, turn: "right" });
    expect(["SEAT_TURN", "STEP_CONFLICT"]).toContain(right.code);
  });

  test("of a seat that does not exist, or in an environment without seats, is refused", async () => {
    const { gym, episodeId } = await opened();
    expect(await gym.refusal("seat", { episodeId, seat: "middle" })).toMatchObject({
      code: "SEAT_UNKNOWN",
      message: expect.stringContaining("one of the seats left, right"),
    });
    const alone = await gym.create();
    expect(await gym.refusal("seat", { episodeId: alone.episodeId, seat: "left" })).toMatchObject({
      code: "SEAT_UNKNOWN",
      message: expect.stringContaining("textcraft@1, which has none"),
    });
  });

  test("in the format of calls is read with the tools of its seat", async () => {
    const { gym, episodeId } = await opened({}, { format: "tool_call" });
    const call = '{"name": "say", "arguments": {"words": "good day"}}';
    expect((await view(gym, episodeId, "left")).prompt).toContain("say");
    expect(await act(gym, episodeId, "left", 0, call)).toMatchObject({ turn: "right", index: 1 });
    // The other seat has no tools, so the same text names none, and its turn goes on.
    const refused = await act(gym, episodeId, "right", 1, call);
    expect(refused).toMatchObject({ turn: "right", index: 2 });
    expect(refused.observation).toContain("expected");
  });
});

describe("calls that wait", () => {
  const open = async (gym: TestGym, token: string) =>
    (await gym.create({ environment: "duo", task: { index: 0 } }, { token })).episodeId;

  test("are shared, so that a caller with too many is refused, and another caller waits and steps as before", async () => {
    const gym = await openGym({ ...duo, limits: { maxSeatWaits: 8 } });
    const [ada, bob] = [
      await gym.createToken([], 100, { name: "ada" }),
      await gym.createToken([], 100, { name: "bob" }),
    ];
    const episodes = await Promise.all(Array.from({ length: 12 }, () => open(gym, ada)));
    const wait = (episodeId: string, token: string) =>
      gym.send("seat", { episodeId, seat: "right", waitMs: 30_000 }, { token });
    const flood = episodes.map((episodeId) => wait(episodeId, ada));
    const refused = (await Promise.race(flood)).json();
    expect(refused.error).toMatchObject({ code: "LIMIT_TOKEN_WAITS", class: "capacity" });
    expect(refused.error.message).toContain("4 of the gym's 8 calls that may wait");
    await eventually(async () => (await gym.metric("palestra_seat_waits")) === 4);

    const others = await open(gym, bob);
    const waiting = wait(others, bob);
    await eventually(async () => (await gym.metric("palestra_seat_waits")) === 5);
    const step = { episodeId: others, seat: "left", index: 0, action: "hello", waitMs: 0 };
    expect(await gym.call("seatStep", step, { token: bob })).toMatchObject({ index: 1 });
    expect((await waiting).json()).toMatchObject({ turn: "right" });

    for (const episodeId of episodes)
      await gym.call("seatStep", { episodeId, seat: "left", index: 0, action: "hello", waitMs: 0 }, { token: ada });
    const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode);
    expect(statuses.sort()).toEqual([...new Array(4).fill(200), ...new Array(8).fill(429)]);
    expect(await gym.metric("palestra_seat_waits")).toBe(0);
    expect(await gym.metric("palestra_quota_refusals_total")).toBe(8);
  });

  test("of one seat are limited, and those whose turn it is are answered all the same", async () => {
    const { gym, episodeId } = await opened();
    const waiting = Array.from({ length: 64 }, () => view(gym, episodeId, "right", 30_000));
    await eventually(async () => (await gym.metric("palestra_seat_waits")) === 64);
    const refused = await gym.refusal("seat", { episodeId, seat: "right", waitMs: 30_000 });
    expect(refused).toMatchObject({ code: "LIMIT_TOKEN_WAITS" });
    expect(refused.message).toContain("A seat has one player.");
    expect(await view(gym, episodeId, "left", 30_000)).toMatchObject({ turn: "left" });
    await act(gym, episodeId, "left", 0, "hello");
    for (const seen of await Promise.all(waiting)) expect(seen).toMatchObject({ turn: "right" });
    expect(await gym.metric("palestra_seat_waits")).toBe(0);
  });

  test("and take a step are refused before the step is taken", async () => {
    const gym = await openGym({ ...duo, limits: { maxSeatWaits: 1 } });
    const [first, second] = await Promise.all([0, 1].map(() => gym.create({ environment: "duo", task: { index: 0 } })));
    const waiting = view(gym, first?.episodeId as string, "right", 30_000);
    await eventually(async () => (await gym.metric("palestra_seat_waits")) === 1);
    const step = { episodeId: second?.episodeId, seat: "left", index: 0, action: "hello" };
    expect(await gym.refusal("seatStep", { ...step, waitMs: 30_000 })).toMatchObject({ code: "LIMIT_TOKEN_WAITS" });
    expect(await gym.call("seatStep", { ...step, waitMs: 0 })).toMatchObject({ index: 1, turn: "right" });
    await act(gym, first?.episodeId as string, "left", 0, "hello");
    expect(await waiting).toMatchObject({ turn: "right" });
  });
});

test("the ordinary step plays whichever seat acts next, and tells the turn and the rewards of seats", async () => {
  const { gym, episodeId } = await opened();
  expect(await gym.call("opening", { episodeId })).toMatchObject({ turn: "left" });
  expect(await gym.call("step", { episodeId, index: 0, action: "gain 2" })).toMatchObject({
    turn: "right",
    rewards: { left: 2 },
    reward: 2,
  });
  expect(await gym.call("step", { episodeId, index: 1, action: "share 1" })).toMatchObject({ turn: "left", reward: 1 });
  const end = await gym.call("step", { episodeId, index: 2, action: "stop" });
  expect(end).not.toHaveProperty("turn");
  expect((await gym.call("getEnvironment", { environment: "duo" })).seats).toMatchObject({
    left: { prompt: "You are left." },
    right: { prompt: "You play one of two seats.", tools: [] },
  });
});

test.each([
  ["lose turn", "one of the seats left, right as `turn`"],
  ["strange turn", "one of the seats left, right as `turn`"],
  ["strange seat", "rewards of the seats left, right"],
  ["huge reward", "a reward of left from -1 to 10"],
])("an environment that answers with %s fails with what was expected", async (action, expected) => {
  const { gym, episodeId } = await opened();
  const error = await gym.refusal("step", { episodeId, index: 0, action });
  expect(error).toMatchObject({ code: "ENVIRONMENT_RESULT", message: expect.stringContaining(expected) });
});
