/** Parameters of sampling: their effect in evaluation, and their refusal in training. */
import { describe, expect, test } from "vitest";
import { chat, claim, post, serve } from "./serving.js";
import { greedy, toolModel, user } from "./tool-model.js";

const { model, evaluation } = await toolModel();
const asked = [user("greet")];
const idsOf = ({ body }: Awaited<ReturnType<typeof chat>>): number[] => body.choices[0].token_ids;

interface Told {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs: { token: string; logprob: number; bytes: number[] }[];
}

describe("in evaluation", () => {
  test("biases change the reply, and penalties that change nothing do not", async () => {
    const { rollout } = await evaluation();
    const ask = (more: object) => chat(rollout, asked, { max_tokens: 12, stop: "never", ...more });
    const plain = idsOf(await ask({}));
    const [first = 0] = plain;
    expect(idsOf(await ask({ logit_bias: { [first]: -100 } }))).not.toContain(first);
    const other = first + 1;
    const biased = idsOf(await ask({ logit_bias: { [other]: 100 } }));
    expect(biased).toEqual(Array(12).fill(other));
    expect(
      idsOf(await ask({ presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1, logit_bias: {} })),
    ).toEqual(plain);
  });

  test("a token of stop_token_ids ends the reply, and is no part of its text; the next call continues after it", async () => {
    const { rollout } = await evaluation();
    const ask = (more: object, messages: object[] = asked) => chat(rollout, messages, { max_tokens: 12, ...more });
    const { body: whole } = await ask({});
    const [{ message, token_ids: tokens }] = whole.choices;
    const stop = tokens[2];
    const at = tokens.indexOf(stop);
    const spelt = (id: number) => model?.tokenizer?.decode([id]) as string;
    const { body } = await ask({ stop_token_ids: [stop] });
    const [choice] = body.choices;
    expect([choice.finish_reason, choice.token_ids]).toEqual(["stop", tokens.slice(0, at + 1)]);
    expect(choice.message.content).toBe(tokens.slice(0, at).map(spelt).join(""));
    expect(message.content.startsWith(choice.message.content + spelt(stop))).toBe(true);
    const { body: next } = await ask({}, [...asked, choice.message, user("greet")]);
    const before = [...body.prompt_token_ids, ...choice.token_ids];
    expect(next.usage.prompt_tokens_details.cached_tokens).toBe(before.length);
    expect(next.prompt_token_ids.slice(0, before.length)).toEqual(before);
    const size = model?.tokenizer?.size as number;
    for (const [wrong, param] of [
      [[size], "stop_token_ids"],
      [[-1], "stop_token_ids[0]"],
      ["3", "stop_token_ids"],
    ]) {
      const refused = await ask({ stop_token_ids: wrong });
      expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
        400,
        "invalid_request",
        param,
      ]);
    }
  });

  test("a penalty of presence counts once, of frequency each time, and of repetition all tokens that occurred", async () => {
    const { rollout } = await evaluation();
    const [first = 0] = idsOf(await chat(rollout, asked, { max_tokens: 1 }));
    /** Returns by how much the log-probability of the sampled token exceeds the next one's, by position. */
    const gaps = async (penalty: object) => {
      const bias = { logit_bias: { [first]: 100, [first + 1]: 30 }, top_logprobs: 2, max_tokens: 5 };
      const { body } = await chat(rollout, asked, { ...bias, ...penalty });
      expect(body.choices[0].token_ids).toEqual(Array(5).fill(first));
      return (body.choices[0].logprobs.content as Told[]).map(({ top_logprobs: [one, other] }) => {
        return (one?.logprob ?? 0) - (other?.logprob ?? 0);
      });
    };
    const plain = await gaps({});
    const expectGaps = async (penalty: object, lost: (at: number) => number) => {
      for (const [at, gap] of (await gaps(penalty)).entries())
        expect((plain[at] ?? 0) - gap, JSON.stringify([penalty, at])).toBeCloseTo(lost(at), 3);
    };
    await expectGaps({ presence_penalty: 0.5 }, (at) => (at === 0 ? 0 : 0.5));
    await expectGaps({ frequency_penalty: 0.5 }, (at) => at * 0.5);
    await expectGaps({ presence_penalty: -0.25, frequency_penalty: 0.5 }, (at) => (at === 0 ? 0 : at * 0.5 - 0.25));
    const repeated = await gaps({ repetition_penalty: 1.5 });
    for (const at of [1, 2, 3, 4]) expect(repeated[at]).toBeLessThan(plain[at] as number);
  });

  test("a reply reports the most probable tokens, under the distribution of the draws", async () => {
    const { rollout } = await evaluation();
    for (const sampling of [{ temperature: 1.2 }, { temperature: 0.9, top_k: 2 }, { temperature: 0 }]) {
      for (const penalty of [{}, { presence_penalty: 1.5, logit_bias: { 40: 3 } }]) {
        const more = { ...sampling, ...penalty, top_logprobs: 3, seed: 3, max_tokens: 8 };
        const { body } = await chat(rollout, asked, more);
        const told = body.choices[0].logprobs.content as Told[];
        for (const { bytes, logprob, top_logprobs: top } of told) {
          expect(top.length).toBe("top_k" in sampling ? 2 : 3);
          expect(top.map((each) => each.logprob)).toEqual(top.map((each) => each.logprob).sort((a, b) => b - a));
          if ("top_k" in sampling) expect(top.reduce((sum, each) => sum + Math.exp(each.logprob), 0)).toBeCloseTo(1, 4);
          for (const each of top) expect(each.bytes.length).toBeGreaterThan(0);
          const own = top.find((each) => String(each.bytes) === String(bytes));
          if (own) expect(own.logprob).toBeCloseTo(logprob, 4);
          if (sampling.temperature === 0) expect(own).toEqual(top[0]);
          expect(logprob).toBeLessThanOrEqual(0);
        }
      }
    }
  });

  test("a reply at temperature 0 has the log-probabilities at temperature 1, with penalties too", async () => {
    const { rollout } = await evaluation();
    const logprobsOf = async (more: object) => {
      const { body } = await chat(rollout, asked, { temperature: 0, max_tokens: 6, ...more });
      return (body.choices[0].logprobs.content as Told[]).map(({ logprob }) => logprob);
    };
    for (const penalty of [{}, { presence_penalty: 1, frequency_penalty: 0.5 }]) {
      const alone = await logprobsOf(penalty);
      const listed = await logprobsOf({ ...penalty, top_logprobs: 2 });
      for (const [at, logprob] of alone.entries()) expect(logprob).toBeCloseTo(listed[at] as number, 5);
      expect(alone.every((logprob) => logprob < 0)).toBe(true);
    }
  });

  test("Responses reports top tokens if it is asked for log-probabilities, else it names the parameter", async () => {
    const { rollout } = await evaluation();
    const request = { model: "m", input: "greet", top_logprobs: 2, temperature: 1, seed: 3 };
    const include = ["message.output_text.logprobs"];
    const { body, headers } = await post(`${rollout.base_url}/responses`, { ...request, include });
    expect(headers.get("x-palestra-ignored")).toBeNull();
    expect(body.top_logprobs).toBe(2);
    const told = body.output[0].content[0].logprobs as Told[];
    expect(told.length).toBeGreaterThan(0);
    for (const { top_logprobs: top } of told) expect(top).toHaveLength(2);
    const bare = await post(`${rollout.base_url}/responses`, request);
    expect(bare.headers.get("x-palestra-ignored")).toBe("top_logprobs");
    expect(bare.body.output[0].content[0].logprobs).toEqual([]);
  });
});

describe("in training", () => {
  const changing = {
    presence_penalty: 0.5,
    frequency_penalty: -0.5,
    repetition_penalty: 1.1,
    logit_bias: { 7: 1 },
    top_k: 5,
    min_p: 0.1,
  };

  test.each(Object.entries(changing))("%s is refused unless a setting overrides it", async (name, value) => {
    for (const sampling of ["refuse", "override"] as const) {
      const { url, seat } = await serve(model, {}, { ...greedy, temperature: 1, sampling });
      seat().catch(() => {});
      const rollout = await claim(url);
      const plain = await chat(rollout, asked, { seed: 1 });
      const { status, body, headers } = await chat(rollout, asked, { seed: 1, [name]: value });
      if (sampling === "refuse") {
        expect([status, body.error.param, body.error.code]).toEqual([400, name, "unsupported_parameter"]);
        expect(body.error.message).toMatch(/^expected (no bias|[\d.]+) in training, .*, but received /);
      } else {
        expect([status, headers.get("x-palestra-ignored")]).toEqual([200, name]);
        expect(body.choices).toEqual(plain.body.choices);
      }
    }
  });

  test("values that change nothing, top tokens and several choices are accepted", async () => {
    const { url, seat } = await serve(model, {}, { ...greedy, temperature: 1 });
    seat().catch(() => {});
    const neutral = {
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      logit_bias: { 7: 0 },
      top_k: -1,
    };
    const { status, headers, body } = await chat(await claim(url), asked, { ...neutral, top_logprobs: 2, n: 2 });
    expect([status, headers.get("x-palestra-ignored")]).toEqual([200, null]);
    expect(body.choices).toHaveLength(2);
  });
});
