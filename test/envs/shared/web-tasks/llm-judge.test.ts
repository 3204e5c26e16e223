/** The judge of answers, with a scripted server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { JudgeFailed, judgeSettings } from "#palestra/envs/shared/llm-judge/llm-judge.js";
import { judgeAt } from "#palestra/envs/shared/web-tasks/evaluators/llm-judge.js";

const question = { intent: "Who wrote it?", reference: "Ada", answer: "it was ada" };
const lasting = () => new AbortController().signal;

interface Asked {
  headers: Record<string, unknown>;
  body: { model: string; temperature: number; messages: { content: string }[] };
}

/** @param replies the status and the content of each reply; the last one repeats */
async function openModel(replies: readonly (readonly [number, string])[]) {
  const asked: Asked[] = [];
  const server = createServer(async (incoming, reply) => {
    const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    const [status, content] = replies[Math.min(asked.length, replies.length - 1)] as readonly [number, string];
    asked.push({ headers: incoming.headers, body });
    reply.statusCode = status;
    reply.end(status === 200 ? JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }) : content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { asked, settings: { url, model: "grader", key: "secret" } };
}

describe("the judge", () => {
  test.each([
    ["The answer is Correct.", true],
    ["correct", true],
    ["partially correct", false],
    ["Incorrect!", false],
  ])("derives from %j whether an answer means the reference", async (content, isRight) => {
    const { asked, settings } = await openModel([[200, content]]);
    expect(await judgeAt(settings, lasting()).isEquivalent(question)).toBe(isRight);
    const [{ headers, body }] = asked as [Asked];
    expect(headers.authorization).toBe("Bearer secret");
    expect(body).toMatchObject({ model: "grader", temperature: 0 });
    expect(body.messages[1]?.content).toMatch(
      /question: Who wrote it\?\nreference answer: Ada\n[\s\S]*student answer: it was ada\n/,
    );
  });

  test.each([
    ["They are the SAME", true],
    ["different", false],
    ["the same, but different", false],
  ])("derives from %j whether two reasons are the same", async (content, isSame) => {
    const { settings } = await openModel([[200, content]]);
    expect(await judgeAt(settings, lasting()).isSameReason(question)).toBe(isSame);
  });

  test("is retried while it is busy, but not after a permanent error", async () => {
    const busy = await openModel([
      [429, "slow down"],
      [200, "correct"],
    ]);
    expect(await judgeAt(busy.settings, lasting()).isEquivalent(question)).toBe(true);
    expect(busy.asked).toHaveLength(2);
    const closed = await openModel([[401, "no key"]]);
    await expect(judgeAt(closed.settings, lasting()).isEquivalent(question)).rejects.toThrow("received 401: no key");
    expect(closed.asked).toHaveLength(1);
  });

  test.each([["I cannot say.", 'expected the LLM judge\'s reply to contain "correct" or its opposite']])(
    "with another conclusion gives no score: %j",
    async (content, message) => {
      const { settings } = await openModel([[200, content]]);
      await expect(judgeAt(settings, lasting()).isEquivalent(question)).rejects.toThrow(message);
    },
  );

  test("that is missing fails with its settings, and a cancelled call throws its reason", async () => {
    const asking = judgeAt(undefined, lasting()).isEquivalent(question);
    await expect(asking).rejects.toThrow(JudgeFailed);
    await expect(asking).rejects.toThrow("Set PALESTRA_JUDGE_URL and PALESTRA_JUDGE_MODEL");
    const { settings } = await openModel([[200, "correct"]]);
    const reason = new Error("given up");
    await expect(judgeAt(settings, AbortSignal.abort(reason)).isEquivalent(question)).rejects.toBe(reason);
  });

  test("is configured by its address and its model", () => {
    expect(judgeSettings({})).toBeUndefined();
    const set = { PALESTRA_JUDGE_URL: "http://127.0.0.1:8000/v1/", PALESTRA_JUDGE_MODEL: "m" };
    expect(judgeSettings(set)).toEqual({ url: "http://127.0.0.1:8000/v1", model: "m", key: undefined });
    expect(() => judgeSettings({ PALESTRA_JUDGE_URL: "localhost:1" })).toThrow("PALESTRA_JUDGE_URL");
    expect(() => judgeSettings({ PALESTRA_JUDGE_URL: "http://a" })).toThrow("PALESTRA_JUDGE_MODEL");
  });
});
