/** The calls of a rollout become training rows with the tokens that the engine read and wrote. */
import { describe, expect, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { engineOfFile, expectSameLogprobs, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { chat, claim, type Invitation, type Messages, post, serve } from "./serving.js";

const engine = await engineOfFile(1);

const texts = ["You are brief.", "red green blue yellow", "Say a colour again, and then another one."];
const model: Model = engine && (await engine.loadModel(await writeAgentModel(engine, temporaryFolder(), { texts })));

interface Said {
  id: string;
  prompt: number[];
  ids: number[];
  logprobs: number[];
  content: string;
}

async function ask(rollout: Invitation, messages: Messages, more: Record<string, unknown> = {}): Promise<Said> {
  const { status, body } = await chat(rollout, messages, more);
  expect(status, JSON.stringify(body)).toBe(200);
  const [choice] = body.choices;
  return {
    id: body.id,
    prompt: body.prompt_token_ids,
    ids: choice.token_ids,
    logprobs: choice.logprobs.content.map(({ logprob }: { logprob: number }) => logprob),
    content: choice.message.content,
  };
}

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

/** Returns the row and the step in which a call is trained. */
function placeOf(rows: readonly Trajectory[], { prompt, ids }: Said) {
  const all = [...prompt, ...ids];
  return rows.flatMap((row) =>
    row.steps
      .filter(({ first, end }) => {
        const isHere = first === prompt.length && end === all.length;
        return isHere && all.every((token, at) => row.tokens[at] === token);
      })
      .map((step) => ({ row, step })),
  );
}

async function endOf(rollout: Invitation, url: string, group: Promise<Group>, reward = 1): Promise<Group> {
  await post(`${url}/rollouts/${rollout.id}/reward`, { reward, end: true });
  return group;
}

async function begin() {
  const { url, seat, endpoint, generator } = await serve(model, {}, { context: 400 });
  const group = seat();
  group.catch(() => {});
  return { url, group, rollout: await claim(url), endpoint, generator };
}

describe("the calls of a rollout", () => {
  test("that continue each other are one row, which keeps the sampled tokens and computes each once", async () => {
    const { url, group, rollout, generator } = await begin();
    const messages: Messages = [user("red")];
    const said: Said[] = [];
    for (const next of ["green", "blue", "yellow"]) {
      const reply = await ask(rollout, messages);
      said.push(reply);
      messages.push(assistant(reply.content), user(next));
    }
    const computed = generator.stats().prefilledTokens;
    const { trajectories } = await endOf(rollout, url, group);
    expect(trajectories).toHaveLength(1);
    const [row] = trajectories as [Trajectory];
    expect(row.row).toBeUndefined();
    expect([...row.tokens]).toEqual([...(said[2] as Said).prompt, ...(said[2] as Said).ids]);
    expect(row.steps.map(({ first, end }) => end - first)).toEqual(said.map(({ ids }) => ids.length));
    expect([...row.logprobs].filter((_, at) => row.mask[at] === 1)).toEqual(said.flatMap(({ logprobs }) => logprobs));
    expect(computed).toBeLessThan((said[2] as Said).prompt.length + 3);
  });

  test("have the log-probabilities that the trainer computes for their tokens, on a CPU to the last bit", async () => {
    const { url, group, rollout } = await begin();
    const first = await ask(rollout, [user("red")]);
    await ask(rollout, [user("red"), assistant(first.content), user("green")]);
    const { trajectories } = await endOf(rollout, url, group);
    const { tokens, mask, logprobs } = trajectories[0] as Trajectory;
    const trainer = await model.trainer({ maxTokens: 400 });
    expectSameLogprobs(engine.info(), logprobs, (await trainer.score({ tokens, mask })).logprob);
    trainer.close();
  });

  test("with an edited history or of a sub-agent become separate rows with the episode's return", async () => {
    const { url, group, rollout } = await begin();
    const first = await ask(rollout, [user("red")]);
    const edited = await ask(rollout, [user("red"), assistant(`${first.content}!`), user("green")]);
    const other = await ask(rollout, [{ role: "system", content: "You are brief." }, user("blue")]);
    const { trajectories } = await endOf(rollout, url, group, 0.5);
    expect(trajectories.map(({ row, return: score, episodeId }) => ({ row, score, episodeId }))).toEqual(
      [0, 1, 2].map((row) => ({ row, score: 0.5, episodeId: rollout.id })),
    );
    for (const said of [first, edited, other]) expect(placeOf(trajectories, said)).toHaveLength(1);
  });

  test("that fork share their common tokens, which are trained once", async () => {
    const { url, group, rollout } = await begin();
    const first = await ask(rollout, [user("red")]);
    const branch = (next: string) => ask(rollout, [user("red"), assistant(first.content), user(next)]);
    const branches = await Promise.all([branch("green"), branch("blue")]);
    const { trajectories } = await endOf(rollout, url, group);
    expect(trajectories).toHaveLength(2);
    for (const { prompt } of branches)
      expect(prompt.slice(0, first.prompt.length + first.ids.length)).toEqual([...first.prompt, ...first.ids]);
    expect(placeOf(trajectories, first)).toHaveLength(1);
    const sampled = trajectories.reduce((sum, { mask }) => sum + mask.reduce((all, one) => all + one, 0), 0);
    expect(sampled).toBe([first, ...branches].reduce((sum, { ids }) => sum + ids.length, 0));
  });

  test("that are repeated count once: the call that a later one continues, otherwise the last", async () => {
    const { url, group, rollout } = await begin();
    const tries = [
      await ask(rollout, [user("red")]),
      await ask(rollout, [user("red")]),
      await ask(rollout, [user("red")]),
    ];
    const used = tries[1] as Said;
    const next = [await ask(rollout, [user("red"), assistant(used.content), user("green")])];
    next.push(await ask(rollout, [user("red"), assistant(used.content), user("green")]));
    const { trajectories } = await endOf(rollout, url, group);
    const distinct = new Set(tries.map(({ content }) => content)).size === 3;
    expect(distinct, "three different draws").toBe(true);
    expect(trajectories).toHaveLength(1);
    for (const said of [used, next[1] as Said]) expect(placeOf(trajectories, said)).toHaveLength(1);
    const status = (await (await fetch(`${url}/status`)).json()) as { calls: { dropped: object } };
    expect(status.calls.dropped).toEqual({ superseded: 3 });
  });

  test("of any history become rows with exactly the tokens that the engine saw", async () => {
    for (let seed = 0; seed < 12; seed++) {
      const { url, group, rollout } = await begin();
      const random = keyedRandom(seed);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const histories: Messages[] = [[user("red")]];
      const said: Said[] = [];
      for (let turn = 0; turn < 10; turn++) {
        const asked = Array.from({ length: pick([1, 1, 2]) }, () => edited(pick(histories), random));
        const replies = await Promise.all(asked.map((messages) => ask(rollout, messages, { max_tokens: 5 })));
        said.push(...replies);
        for (const [at, messages] of asked.entries()) {
          const reply = (replies[at] as Said).content;
          histories.push([...messages, assistant(reply), user(pick(["green", "blue", "again"]))]);
        }
      }
      const { trajectories } = await endOf(rollout, url, group);
      const { dropped } = (await fetch(`${url}/rollouts/${rollout.id}`).then((response) => response.json())) as {
        dropped: Record<string, number>;
      };
      const places = said.map((one) => placeOf(trajectories, one));
      expect(places.every(({ length }) => length <= 1)).toBe(true);
      expect(places.filter(({ length }) => length === 0)).toHaveLength(dropped.superseded ?? 0);
      for (const [at, [place]] of places.entries()) {
        if (!place) continue;
        const { first, end } = place.step;
        expect([...place.row.logprobs.slice(first, end)]).toEqual((said[at] as Said).logprobs);
        expect(place.row.mask.slice(first, end).every((one) => one === 1)).toBe(true);
      }
      const trained = trajectories.reduce((sum, { mask }) => sum + mask.reduce((all, one) => all + one, 0), 0);
      const kept = said.filter((_, at) => (places[at] as unknown[]).length === 1);
      expect(trained).toBe(kept.reduce((sum, { ids }) => sum + ids.length, 0));
    }
  });
});

/** Sometimes a word of the history is changed. */
function edited(messages: Messages, random: () => number): Messages {
  if (random() > 0.2) return messages;
  const at = Math.floor(random() * messages.length);
  return messages.map((message, index) => (index === at ? { ...message, content: `${message.content} x` } : message));
}

describe("the credit of a rollout", () => {
  test("consists of each call's own reward, in the order of the calls, and every row has their sum as its return", async () => {
    const { url, group, rollout } = await begin();
    const reward = (value: number, call?: Said) =>
      post(`${url}/rollouts/${rollout.id}/reward`, { reward: value, ...(call && { call: call.id }) });
    // Calls in order: a, b (a sub-agent's), c after a, d after b.
    const a = await ask(rollout, [user("red")]);
    const b = await ask(rollout, [user("blue")]);
    await reward(1, a);
    await reward(10, b);
    const c = await ask(rollout, [user("red"), assistant(a.content), user("green")]);
    await ask(rollout, [user("blue"), assistant(b.content), user("green")]);
    await reward(100, c);
    await reward(0.5, c);
    const { trajectories } = await endOf(rollout, url, group, 1000);
    expect(trajectories.map(({ steps }) => steps.map(({ reward, turn }) => [turn, reward]))).toEqual([
      [
        [0, 1],
        [2, 100.5],
      ],
      [
        [1, 10],
        [3, 1000],
      ],
    ]);
    expect(trajectories.map(({ return: score }) => score)).toEqual([1111.5, 1111.5]);
  });

  test("keeps a rewarded call that was repeated, and drops a repeated call without a reward", async () => {
    const { url, group, rollout } = await begin();
    const reward = (value: number, call: Said) =>
      post(`${url}/rollouts/${rollout.id}/reward`, { reward: value, call: call.id });
    const a = await ask(rollout, [user("red")]);
    const next = [user("red"), assistant(a.content), user("green")];
    const [rewarded, dropped, used] = [await ask(rollout, next), await ask(rollout, next), await ask(rollout, next)];
    expect(new Set([rewarded, dropped, used].map(({ content }) => content)).size, "three different draws").toBe(3);
    const last = await ask(rollout, [...next, assistant(used.content), user("blue")]);
    await reward(10, rewarded);
    await reward(1000, last);
    await reward(1, a);
    const { trajectories } = await endOf(rollout, url, group, 0);
    const turns = trajectories.map(({ steps }) => steps.map(({ reward, turn }) => [turn, reward]));
    expect(turns).toEqual([
      [
        [0, 1],
        [1, 10],
      ],
      [
        [3, 0],
        [4, 1000],
      ],
    ]);
    expect(trajectories.map(({ return: score }) => score)).toEqual([1011, 1011]);
  });

  test("is missing without a reward: the rollout has failed, and its calls are counted as dropped", async () => {
    const { url, group, rollout } = await begin();
    await ask(rollout, [user("red")]);
    const { body } = await post(`${url}/rollouts/${rollout.id}/end`, { solved: true });
    expect(body).toMatchObject({ status: "failed", solved: false, rows: 0, dropped: { unrewarded: 1 } });
    const { trajectories, failed } = await group;
    expect(trajectories).toEqual([]);
    expect(failed).toMatchObject([{ status: "failed", failure: { class: "agent", code: "ROLLOUT_UNREWARDED" } }]);
  });

  test("counts as solved if the agent says so, otherwise from the reward that a setting names", async () => {
    for (const [body, solved] of [
      [{ reward: 0.2, end: true, solved: true }, true],
      [{ reward: 3, end: true, solved: false }, false],
      [{ reward: 1, end: true }, true],
      [{ reward: 0.9, end: true }, false],
    ] as const) {
      const { url, group, rollout } = await begin();
      await ask(rollout, [user("red")]);
      await post(`${url}/rollouts/${rollout.id}/reward`, body);
      expect((await group).trajectories.map((row) => row.solved)).toEqual([solved]);
    }
  });
});
