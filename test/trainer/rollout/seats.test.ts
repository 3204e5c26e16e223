/** Rollouts of episodes with seats: a conversation for each seat, its own return, and groups by seat. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { ExpertPolicy } from "#palestra/trainer/policy/expert.js";
import type { Conversation, Opening, Policy } from "#palestra/trainer/policy/policy.js";
import { playEpisode, type RolloutRequest } from "#palestra/trainer/rollout/episode-rollout.js";
import { playGroup } from "#palestra/trainer/rollout/group-rollout.js";
import { bySeat } from "#palestra/trainer/rollout/trajectory.js";
import { expertDialogues } from "#palestra/trainer/start/dialogues.js";
import { promptExamples, promptExamplesFile, readPromptExamples } from "#palestra/trainer/start/prompt-examples.js";
import { fixture } from "../../support/gym.js";
import { connect, listen } from "../support/gym.js";

const plain = actionFormat("plain");
const signal = new AbortController().signal;

async function request(change: Partial<RolloutRequest> = {}): Promise<RolloutRequest> {
  const { url } = await listen({ environments: [fixture("duo")] });
  return {
    gym: await connect(url),
    policy: new ExpertPolicy(plain),
    task: { environment: "bargain", split: "test", index: 3, seed: 0 },
    settings: { maxRounds: 10, format: plain, retries: 0, backOff: { baseMs: 1, maxMs: 5 } },
    group: "a",
    seed: 1,
    signal,
    ...change,
  };
}

/** A policy whose conversations give the replies of their seat, and note what they saw. */
function scripted(replies: Readonly<Record<string, readonly string[]>>) {
  const saw: Record<string, string[]> = {};
  const policy: Policy = {
    name: "scripted",
    converse({ observation, prompt }: Opening): Conversation {
      const seat = observation.slice(0, observation.indexOf(":"));
      const own = [prompt, observation];
      saw[seat] = own;
      let turn = 0;
      return {
        async reply(later) {
          if (later !== undefined) own.push(later);
          return { text: replies[seat]?.[turn++] ?? "stop", finish: "stop", first: 0, end: 0 };
        },
        tokens: () => undefined,
        usage: () => ({ requests: turn, promptTokens: 0, completionTokens: turn }),
        close: () => {},
      };
    },
    close: async () => {},
  };
  return { policy, saw };
}

const duo = { environment: "duo", index: 0, seed: 7 };

test("an episode of the expert has the steps of both seats, and a trajectory for each", async () => {
  const trajectory = await playEpisode(await request());
  expect(trajectory).toMatchObject({ status: "terminated", return: 1, solved: true });
  const [left, right] = trajectory.seats ?? [];
  expect(trajectory.steps.map(({ action }) => action)).toEqual([
    left?.steps[0]?.action,
    right?.steps[0]?.action,
    left?.steps[1]?.action,
  ]);
  expect(left).toMatchObject({ seat: "left", solved: true, episodeId: trajectory.episodeId });
  expect(right).toMatchObject({ seat: "right", solved: true });
});

test("each seat has a conversation of its own, with its prompt and the observations of its turns", async () => {
  const { policy, saw } = scripted({ left: ["hello", "again", "bye"], right: ["good day", "stop"] });
  const trajectory = await playEpisode(await request({ policy, task: duo }));
  expect(saw).toEqual({
    left: [
      "You are left.",
      "left: secret L7, heard nothing",
      "left: secret L7, heard good day",
      "left: secret L7, heard again",
    ],
    right: ["You play one of two seats.", "right: secret R7, heard hello", "right: secret R7, heard bye"],
  });
  expect(trajectory.usage).toMatchObject({ requests: 5 });
});

test("a seat's return is the sum of its own rewards, of which a step has those until the seat's next step", async () => {
  const { policy } = scripted({ left: ["gain 2", "share 1"], right: ["gain 3", "stop"] });
  const { return: joint, seats = [] } = await playEpisode(await request({ policy, task: duo }));
  expect(joint).toBe(6);
  expect(seats.map(({ seat, return: own, steps }) => [seat, own, steps.map(({ reward }) => reward)])).toEqual([
    ["left", 3, [2, 1]],
    ["right", 4, [4, 0]],
  ]);
});

test("seats that share rewards have the return of the episode", async () => {
  const { policy } = scripted({ left: ["gain 2", "share 1"], right: ["gain 3", "stop"] });
  const settings = { ...(await request()).settings, seatRewards: "shared" as const };
  const { return: joint, seats = [] } = await playEpisode(await request({ policy, task: duo, settings }));
  expect([joint, ...seats.map(({ return: sum }) => sum)]).toEqual([6, 6, 6]);
  expect(seats.map(({ steps }) => steps.map(({ reward }) => reward))).toEqual([
    [5, 1],
    [6, 0],
  ]);
});

test("a partner plays its seat, and its tokens and requests are not the policy's", async () => {
  const own = scripted({ left: ["gain 2", "share 1"] });
  const other = scripted({ right: ["gain 3", "stop"] });
  const partners = new Map([["right", { ...other.policy, name: "the partner" }]]);
  const whole = await request({ policy: own.policy, partners, task: duo });
  const { seats = [], usage } = await playEpisode(whole);
  expect([Object.keys(own.saw), Object.keys(other.saw)]).toEqual([["left"], ["right"]]);
  expect(seats.map(({ seat, partner, return: sum }) => [seat, partner, sum])).toEqual([
    ["left", undefined, 3],
    ["right", "the partner", 4],
  ]);
  expect(usage?.requests).toBe(2);
  const group = await playGroup({ ...whole, id: "7", size: 2 });
  expect(group.players).toEqual({ left: "learner", right: "the partner" });
  expect(bySeat(group).map(({ id, trajectories }) => [id, trajectories.length])).toEqual([["7/left", 2]]);
});

test("rewards before a seat's first step count for its first step", async () => {
  const { policy } = scripted({ left: ["share 2", "stop"], right: ["hello"] });
  const { seats = [] } = await playEpisode(await request({ policy, task: duo }));
  expect(seats.map(({ seat, return: own, steps }) => [seat, own, steps.map(({ reward }) => reward)])).toEqual([
    ["left", 2, [2, 0]],
    ["right", 2, [2]],
  ]);
});

test("a seat without a prompt of its own has the prompt of the episode's options", async () => {
  const { policy, saw } = scripted({ left: ["hello"], right: ["stop"] });
  await playEpisode(await request({ policy, task: { ...duo, options: { tone: "formal" } } }));
  expect([saw.left?.[0], saw.right?.[0]]).toEqual(["You are left.", "You play one of two seats, with courtesy."]);
});

test("the rounds are counted for each seat", async () => {
  const { policy } = scripted({ left: Array(9).fill("l"), right: Array(9).fill("r") });
  const settings = { ...(await request()).settings, maxRounds: 3 };
  const trajectory = await playEpisode(await request({ policy, task: duo, settings }));
  expect(trajectory.status).toBe("limit");
  expect(trajectory.seats?.map(({ steps }) => steps.length)).toEqual([3, 3]);
});

test("a group has the trajectories of all seats, and is compared by seat", async () => {
  const group = await playGroup({ ...(await request()), id: "7", size: 3 });
  expect(group.trajectories.map(({ seat }) => seat)).toEqual(["left", "right", "left", "right", "left", "right"]);
  const parts = bySeat(group);
  expect(parts.map(({ id, trajectories }) => [id, trajectories.length])).toEqual([
    ["7/left", 3],
    ["7/right", 3],
  ]);
  const alone = { id: "8", trajectories: [], failed: [] };
  expect(bySeat({ ...group, trajectories: group.trajectories.map(({ seat: _, ...rest }) => rest) })).toHaveLength(1);
  expect(bySeat(alone)).toEqual([]);
});

test("the expert's episode is a dialogue for each seat", async () => {
  const { gym, task, settings } = await request();
  const dialogues = await expertDialogues({ gym, tasks: [task], ...settings, concurrency: 1, signal });
  expect(dialogues.map(({ turns }) => turns.length)).toEqual([2, 1]);
  const [left, right] = dialogues;
  expect(left?.turns[0]?.observation).toMatch(/^Goods: .*\nYou begin\.$/);
  expect(right?.turns[0]?.observation).toContain(`The other player says: ${left?.turns[0]?.reply.slice(4)}`);
  expect(left?.turns[1]?.reply).toBe("accept");
});

test("each seat has worked examples of its own, in its own instructions", async () => {
  const { gym, task, settings } = await request();
  const bargains = { name: "", environment: "bargain", split: "train", first: 0, last: 9, weight: 1 };
  const output = mkdtempSync(join(tmpdir(), "seats-"));
  const examples = await promptExamples({
    ...{
      gym,
      signal,
      format: plain,
      taskSets: { train: [bargains], clone: [], heldOut: [] },
      onStage: () => {},
    },
    settings: { output, seed: 1, max_rounds: 6, prompt_examples: 2 },
  });
  expect([...(examples?.keys() ?? [])]).toEqual(["bargain@1, seat left", "bargain@1, seat right"]);
  const repliesOf = (seat: string) =>
    [...(examples?.get(`bargain@1, seat ${seat}`) ?? "").matchAll(/Your reply:\n(\w+)/g)].map(([, verb]) => verb);
  expect([repliesOf("left"), repliesOf("right")]).toEqual([
    ["say", "accept", "say", "accept"],
    ["keep", "keep"],
  ]);
  expect(readPromptExamples(join(output, promptExamplesFile))).toEqual(examples);
  const prompts: string[] = [];
  const policy: Policy = {
    name: "reader",
    converse: (opening) => {
      prompts.push(opening.prompt);
      return new ExpertPolicy(plain).converse(opening);
    },
    close: async () => {},
  };
  await playEpisode(await request({ policy, task, settings: { ...settings, examples } }));
  for (const [at, seat] of ["left", "right"].entries())
    expect(prompts[at]).toContain(examples?.get(`bargain@1, seat ${seat}`));
});
