/** Exports of episodes with seats: one conversation for each seat, as its player has seen it. */
import { expect, test } from "vitest";
import { fixture, openGym, type TestGym } from "../../../support/gym.js";

type Row = Record<string, never> & { messages: { role: string; content: string }[] };

const opened = () => openGym({ environments: [fixture("duo")] });

interface Played {
  id: string;
  /** Messages that each seat has read and written, without the prompt. */
  said: Record<string, string[]>;
  returns: Record<string, number>;
}

/** Plays an episode by the views of its seats. */
async function play(gym: TestGym, actions: readonly string[], request: object = {}): Promise<Played> {
  const { episodeId: id } = await gym.create({ environment: "duo", task: { index: 0 }, seed: 7, ...request });
  const said: Played["said"] = {};
  const add = (seat: string, text: string) => {
    said[seat] = [...(said[seat] ?? []), text];
  };
  for (const [index, action] of actions.entries()) {
    const { turn } = await gym.call("seat", { episodeId: id, seat: "left" });
    const seat = turn as string;
    add(seat, (await gym.call("seat", { episodeId: id, seat })).observation as string);
    add(seat, action);
    await gym.call("seatStep", { episodeId: id, seat, index, action });
  }
  const views = await Promise.all(["left", "right"].map((seat) => gym.call("seat", { episodeId: id, seat })));
  return { id, said, returns: Object.fromEntries(views.map((view) => [view.seat, view.return])) };
}

async function exported(gym: TestGym, request: object): Promise<Row[]> {
  const { statusCode, payload } = await gym.app.inject({ method: "POST", url: "/v1/export", payload: request });
  expect(statusCode, payload).toBe(200);
  return payload
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const actions = ["gain 2", "share 1", "again", "gain 1", "share 3", "stop"];

test("chats have what each seat has read and written, and nothing of the other seat", async () => {
  const gym = await opened();
  const { id, said } = await play(gym, actions);
  const rows = await exported(gym, { format: "openai", episodeIds: [id] });
  const texts = rows.map(({ messages }) => messages.map(({ content }) => content));
  expect(texts).toEqual([
    ["You are left.", ...(said.left as string[])],
    ["You play one of two seats.", ...(said.right as string[])],
  ]);
  expect(JSON.stringify(rows[0])).not.toContain("R7");
  expect(JSON.stringify(rows[1])).not.toContain("L7");
});

test("items of AgentGym name the seat before the number of the task", async () => {
  const gym = await opened();
  const { id } = await play(gym, actions);
  const items = await exported(gym, { format: "agentgym", episodeIds: [id] });
  expect(items.map(({ item_id }) => item_id)).toEqual(["duo_left_0", "duo_right_0"]);
});

test("steps have the seat, its rewards until its next turn, and its return", async () => {
  const gym = await opened();
  const { id, returns } = await play(gym, actions);
  const steps = await exported(gym, { format: "steps", episodeIds: [id] });
  expect(steps.map(({ seat, index, action, reward }) => [seat, index, action, reward])).toEqual([
    ["left", 0, "gain 2", 3],
    ["left", 2, "again", 0],
    ["left", 3, "gain 1", 4],
    ["left", 5, "stop", 0],
    ["right", 1, "share 1", 1],
    ["right", 4, "share 3", 3],
  ]);
  const last = steps.filter(({ terminated }) => terminated);
  expect(last.map(({ seat, index, nextObservation }) => [seat, index, nextObservation])).toEqual([
    ["left", 5, "the end after 6"],
    ["right", 4, "the end after 6"],
  ]);
  for (const step of steps) expect(step.return).toBe(returns[step.seat as unknown as string]);
  expect(steps[0]?.nextObservation).toBe(steps[1]?.observation);
});

test("a truncated episode shows its last observation to the seat whose turn it would be, and to no other", async () => {
  const gym = await opened();
  const { id } = await play(gym, ["hello", "good day", "bye"], { maxSteps: 3 });
  const steps = await exported(gym, { format: "steps", episodeIds: [id] });
  const last = steps.filter(({ truncated }) => truncated);
  expect(last.map(({ seat, index, nextObservation }) => [seat, index, nextObservation])).toEqual([
    ["left", 2, ""],
    ["right", 1, "right: secret R7, heard bye"],
  ]);
});

test("a seat without a turn has no conversation, and its rewards before its first turn belong to it", async () => {
  const gym = await opened();
  const { id } = await play(gym, ["share 2", "stop"]);
  const alone = await play(gym, ["stop"]);
  const steps = await exported(gym, { format: "steps", episodeIds: [id, alone.id] });
  expect(steps.map(({ episodeId, seat, reward }) => [episodeId, seat, reward])).toEqual([
    [id, "left", 2],
    [id, "right", 2],
    [alone.id, "left", 0],
  ]);
});

test("preference pairs compare the returns of the same seat, after the same first observation", async () => {
  const gym = await opened();
  await play(gym, ["gain 1", "gain 1", "stop"]);
  await play(gym, ["gain 1", "gain 2", "stop"]);
  await play(gym, ["gain 3", "gain 9", "stop"]);
  const pairs = await exported(gym, { format: "preferences", pairs: "all" });
  const facts = pairs.map(({ seat, chosenReturn, rejectedReturn }) => [seat, chosenReturn, rejectedReturn]);
  // The first observation of `right` has what `left` said, so only two of its conversations can be compared.
  expect(facts.toSorted()).toEqual([
    ["left", 3, 1],
    ["left", 3, 1],
    ["right", 2, 1],
  ]);
});

test("a pair that people judged as a whole is left out", async () => {
  const gym = await opened();
  const [one, other] = [await play(gym, ["gain 1", "stop"]), await play(gym, ["gain 2", "stop"])];
  await gym.call("judge", { left: one.id, right: other.id, choice: "right", rater: "ada" });
  const { statusCode, payload } = await gym.app.inject("/v1/judgments/export");
  expect([statusCode, payload]).toEqual([200, ""]);
});
