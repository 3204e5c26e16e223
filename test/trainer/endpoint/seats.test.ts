/** Rollouts with seats: a base URL for each agent, rows and returns by seat, and rewards for one seat or for all. */
import { describe, expect, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";
import { bySeat } from "#palestra/trainer/rollout/trajectory.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { chat, claim, type Invitation, type Messages, post, serve } from "./serving.js";

const engine = await engineOfFile(1);
const texts = ["You buy.", "You sell.", "red green blue yellow"];
const model: Model = engine && (await engine.loadModel(await writeAgentModel(engine, temporaryFolder(), { texts })));

const user = (content: string) => ({ role: "user", content });

async function begin() {
  const { url, seat } = await serve(model, {}, { context: 400 });
  const group = seat();
  group.catch(() => {});
  const rollout = await claim(url);
  const at = (name: string): Invitation => ({ ...rollout, base_url: `${rollout.seats_url}/${name}/v1` });
  const say = async (name: string, messages: Messages) => {
    const { status, body } = await chat(at(name), messages);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.choices[0].message.content as string;
  };
  const reward = (body: object) => post(`${url}/rollouts/${rollout.id}/reward`, body);
  return { url, group, rollout, at, say, reward };
}

describe("a rollout with seats", () => {
  test("has the rows of each agent with the rewards of its seat", async () => {
    const { group, rollout, say, reward } = await begin();
    const said = await say("buyer", [user("red")]);
    await say("seller", [user("green")]);
    await say("buyer", [user("red"), { role: "assistant", content: said }, user("blue")]);
    await reward({ reward: 0.25, seat: "seller" });
    await reward({ reward: 0.5, seat: "buyer" });
    expect((await reward({ reward: 1, end: true })).body).toMatchObject({ reward: 1.375 });
    const { trajectories } = await group;
    expect(trajectories.map(({ seat, row, return: own, steps }) => ({ seat, row, own, steps: steps.length }))).toEqual([
      { seat: "buyer", row: undefined, own: 1.5, steps: 2 },
      { seat: "seller", row: undefined, own: 1.25, steps: 1 },
    ]);
    expect(trajectories[0]?.steps.map(({ reward }) => reward)).toEqual([0, 1.5]);
    expect(trajectories.every(({ episodeId }) => episodeId === rollout.id)).toBe(true);
    expect(bySeat(await group).map(({ trajectories: own }) => own.length)).toEqual([1, 1]);
  });

  test("never continues a call of another seat, even with equal messages", async () => {
    const { group, say, reward } = await begin();
    const said = await say("buyer", [user("red")]);
    await say("seller", [user("red"), { role: "assistant", content: said }, user("blue")]);
    await reward({ reward: 1, end: true });
    const { trajectories } = await group;
    expect(trajectories.map(({ seat, steps }) => [seat, steps.length])).toEqual([
      ["buyer", 1],
      ["seller", 1],
    ]);
    const seller = trajectories[1];
    const sampled = seller?.mask.reduce((sum, one) => sum + one, 0);
    expect(sampled).toBe((seller?.steps[0]?.end ?? 0) - (seller?.steps[0]?.first ?? 0));
  });

  test("has numbered rows for a seat whose calls do not continue each other", async () => {
    const { group, say, reward } = await begin();
    await say("buyer", [user("red")]);
    await say("buyer", [user("blue")]);
    await say("seller", [user("green")]);
    await reward({ reward: 1, end: true });
    expect((await group).trajectories.map(({ seat, row }) => [seat, row])).toEqual([
      ["buyer", 0],
      ["buyer", 1],
      ["seller", undefined],
    ]);
  });
});

test.each([
  ["a reward of a seat without a completion", { reward: 1, seat: "judge" }, "expected a completion of the seat judge"],
  ["a reward of a seat and of a call", { reward: 1, seat: "buyer", call: "x" }, "expected either call or seat"],
  ["a seat with a capital letter", { reward: 1, seat: "Buyer" }, "lower-case letters, digits and dashes"],
])("%s is refused", async (_, body, expected) => {
  const { say, reward } = await begin();
  await say("buyer", [user("red")]);
  const refused = await reward(body);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(refused.body)).toContain(expected);
});

test("a base URL whose seat is no name is refused", async () => {
  const { at } = await begin();
  const { status, body } = await chat(at("A%20b"), [user("red")]);
  expect(status).toBe(400);
  expect(body.error.message).toContain("expected a seat's name of lower-case letters, digits and dashes");
});
