/** Several choices in a reply: each is a call of the rollout with the same messages. */
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { chat, claim, type Invitation, post, serve } from "./serving.js";
import { clientOf, user } from "./tool-model.js";

const texts = ["red green blue yellow", "Say a colour again, and then another one."];
const engine = await engineOfFile(1);
const folder = engine && (await writeAgentModel(engine, temporaryFolder(), { texts }));
const model = engine && (await engine.loadModel(folder));

async function begin(mode = "train") {
  const { url, seat, generator } = await serve(model, {}, { maxNewTokens: 8 });
  const group = seat();
  group.catch(() => {});
  return { url, group, generator, rollout: await claim(url, "task", mode) };
}

const assistant = (content: string) => ({ role: "assistant", content });
const textOf = (choice: { message: { content: string } }) => choice.message.content;

async function rowsOf(
  {
    url,
    rollout,
    group,
  }: { url: string; rollout: Invitation; group: Promise<{ trajectories: readonly Trajectory[] }> },
  reward: object,
) {
  const { body } = await post(`${url}/rollouts/${rollout.id}/reward`, { ...reward, end: true });
  return { rows: (await group).trajectories, dropped: body.dropped as object };
}

/** Returns the tokens that a row learns from. */
const learned = ({ tokens, mask }: Trajectory) => [...tokens].filter((_, at) => mask[at] === 1);

describe("the choices of a reply", () => {
  test("are different draws, counted together, and the first is the reply with one choice", async () => {
    const { rollout, generator } = await begin("eval");
    const computed = generator.stats().prefilledTokens;
    const { body } = await chat(rollout, [user("red")], { n: 4, seed: 5 });
    expect(body.choices.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3]);
    expect(new Set(body.choices.map(({ token_ids }: { token_ids: number[] }) => token_ids.join())).size).toBe(4);
    const sampled = body.choices.map(({ token_ids }: { token_ids: number[] }) => token_ids.length);
    expect(body.usage.completion_tokens).toBe(sampled.reduce((sum: number, each: number) => sum + each, 0));
    expect(body.usage.prompt_tokens).toBe(body.prompt_token_ids.length);
    // The prompt is computed once, but for its last token.
    expect(generator.stats().prefilledTokens - computed).toBeLessThan(body.prompt_token_ids.length + 4);
    const { body: one } = await chat(rollout, [user("red")], { seed: 5 });
    expect(one.choices[0].token_ids).toEqual(body.choices[0].token_ids);
  });

  test("have streams side by side, with the same choices", async () => {
    const { rollout } = await begin("eval");
    const request = { model: "m", messages: [user("red")], n: 3, seed: 7, logprobs: true };
    const { body } = await chat(rollout, request.messages, request);
    const stream = await clientOf(rollout).chat.completions.create({
      ...(request as OpenAI.ChatCompletionCreateParamsStreaming),
      stream: true,
      stream_options: { include_usage: true },
    });
    const streamed = [0, 1, 2].map(() => ({ text: "", roles: 0, ends: [] as unknown[], logprobs: [] as unknown[] }));
    let order = "";
    let usage: unknown;
    for await (const chunk of stream) {
      for (const { index, delta, finish_reason, logprobs } of chunk.choices) {
        const own = streamed[index] as (typeof streamed)[number];
        own.text += delta.content ?? "";
        own.roles += Number(delta.role === "assistant");
        own.logprobs.push(...(logprobs?.content ?? []));
        if (finish_reason) own.ends.push(finish_reason);
        order += index;
      }
      usage = chunk.usage ?? usage;
    }
    for (const [index, { message, finish_reason, logprobs }] of body.choices.entries())
      expect(streamed[index]).toEqual({
        ...{ text: message.content, roles: 1, ends: [finish_reason], logprobs: logprobs.content },
      });
    expect(order).not.toMatch(/^0+1+2+$/);
    expect(usage).toMatchObject({ completion_tokens: body.usage.completion_tokens });
  });

  test("are all learned from, in a row each, with the tokens and log-probabilities of their draws", async () => {
    const { rollout, ...others } = await begin();
    const { body } = await chat(rollout, [user("red")], { n: 3 });
    const { rows, dropped } = await rowsOf({ rollout, ...others }, { reward: 1 });
    expect(dropped).toEqual({});
    expect(rows.map(learned)).toEqual(body.choices.map(({ token_ids }: { token_ids: number[] }) => token_ids));
    for (const [at, { tokens, logprobs, mask, return: total }] of rows.entries()) {
      const { token_ids: ids, logprobs: told } = body.choices[at];
      expect([...tokens]).toEqual([...body.prompt_token_ids, ...ids]);
      expect([...logprobs].filter((_, place) => mask[place] === 1)).toEqual(
        told.content.map(({ logprob }: { logprob: number }) => logprob),
      );
      expect(total).toBe(1);
    }
  });

  test("can be continued, one of them or several, and each keeps its tokens", async () => {
    const { rollout, ...others } = await begin();
    const { body: first } = await chat(rollout, [user("red")], { n: 3 });
    const next = async (at: number) => {
      const messages = [user("red"), assistant(textOf(first.choices[at])), user("green")];
      const { body } = await chat(rollout, messages, { n: 2 });
      const before = [...first.prompt_token_ids, ...first.choices[at].token_ids];
      expect(body.prompt_token_ids.slice(0, before.length)).toEqual(before);
      expect(body.usage.prompt_tokens_details.cached_tokens).toBe(before.length);
      return body;
    };
    expect(new Set(first.choices.map(textOf)).size, "three different draws").toBe(3);
    const [second, third] = [await next(1), await next(2)];
    const { rows, dropped } = await rowsOf({ rollout, ...others }, { reward: 1 });
    expect(dropped).toEqual({});
    const choices = [first, second, third].flatMap(({ choices: all }) => all);
    const sampled = choices.map(({ token_ids }: { token_ids: number[] }) => token_ids.length);
    // Choice 0 and each choice of the second and third reply end a row. The continued ones are learned once.
    expect(rows).toHaveLength(5);
    expect(rows.reduce((sum, row) => sum + learned(row).length, 0)).toBe(sampled.reduce((sum, each) => sum + each, 0));
  });

  test("belong together when a request is repeated: the last request counts, or the one that is rewarded or continued", async () => {
    for (const useful of [undefined, "reward", "continue"] as const) {
      const { rollout, ...others } = await begin();
      const { body: first } = await chat(rollout, [user("red")], { n: 2 });
      const { body: second } = await chat(rollout, [user("red")], { n: 2 });
      const used = first.choices[1];
      if (useful === "continue") await chat(rollout, [user("red"), assistant(textOf(used)), user("blue")]);
      const { rows, dropped } = await rowsOf(
        { rollout, ...others },
        { reward: 1, ...(useful === "reward" && { call: `${first.id}:1` }) },
      );
      expect(dropped).toEqual({ superseded: 2 });
      const kept = useful ? first : second;
      const ids = rows.map(({ tokens }) => [...tokens].join());
      for (const { token_ids } of kept.choices)
        expect(ids.some((row) => row.startsWith([...kept.prompt_token_ids, ...token_ids].join()))).toBe(true);
    }
  });

  test("end together if the client leaves, and leave no call that runs", async () => {
    const { rollout, url, generator } = await begin("eval");
    await generator.pause();
    const leaving = new AbortController();
    const asked = clientOf(rollout).chat.completions.create(
      { model: "m", messages: [user("red")], n: 3 },
      { signal: leaving.signal },
    );
    asked.catch(() => {});
    const statesOf = async () => {
      const { calls } = (await (await fetch(`${url}/rollouts/${rollout.id}`)).json()) as { calls: { state: string }[] };
      return calls.map(({ state }) => state);
    };
    await expect.poll(statesOf).toEqual(["running", "running", "running"]);
    leaving.abort();
    await expect.poll(statesOf).toEqual(["aborted", "aborted", "aborted"]);
    generator.resume();
    await expect.poll(() => generator.stats().running + generator.stats().waiting).toBe(0);
  });
});
