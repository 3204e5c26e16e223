/** `POST /v1/rewards` of a real gym, called over HTTP like by a trainer with its own loop. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { taskOf } from "#palestra/envs/math/tasks.js";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { checkError } from "../support/gym.js";
import { GymSocket } from "../support/gym-socket.js";
import { RawConnection } from "../support/raw-connection.js";
import { root, scratchDir, startGym } from "../support/server-process.js";
import { eventually } from "../support/watching.js";

interface Verdict {
  reward?: number;
  info?: object;
  expected?: unknown;
  error?: { code: string; class: string };
}

const folder = scratchDir();
const seen = join(folder.path, "seen.txt");

/** Records each answer, so that a test can see the scored ones. */
const rewardModule = `import { appendFileSync, readFileSync } from "node:fs";
export default async function reward({ task, answer }) {
  appendFileSync(${JSON.stringify(seen)}, answer + "\\n");
  if (answer === "loop") for (;;);
  const met = () => readFileSync(${JSON.stringify(seen)}, "utf8").match(/^meet/gm).length === 2;
  while (answer.startsWith("meet") && !met()) await new Promise((resolve) => setTimeout(resolve, 5));
  if (answer.startsWith("slow")) await new Promise((resolve) => setTimeout(resolve, 150));
  return answer.endsWith(String(task.answer)) ? 1 : 0;
}
`;
writeFileSync(join(folder.path, "reward.mjs"), rewardModule);
writeFileSync(join(folder.path, "tasks.jsonl"), JSON.stringify({ prompt: "What is 2 + 2?", answer: 4 }));
const definition = join(folder.path, "own.json");
const limits = { rewardMs: 1_000, rewardProcesses: 2 };
writeFileSync(definition, JSON.stringify({ id: "own", tasks: "tasks.jsonl", reward: "reward.mjs", limits }));

const tokens = new TokenStore(folder.path);
const secret = tokens.create({ name: "trainer", rights: [], maxEpisodes: 4 }).secret;
const expertSecret = tokens.create({ name: "expert", rights: ["expert"], maxEpisodes: 4 }).secret;
const mostInFlight = 1_100;
const env = {
  PALESTRA_AUTH: "required",
  PALESTRA_LIMITS_MAX_IN_FLIGHT_STEPS: `${mostInFlight}`,
  PALESTRA_LIMITS_MAX_ACTION_LENGTH: "50000",
};
const gym = await startGym({ dataDir: folder.path, environmentModules: [definition], env, showErrors: true });
afterAll(async () => {
  await gym.process.kill();
  folder.remove();
});

const answersOf = (texts: readonly string[]) => texts.map((answer) => ({ task: { index: 0 }, answer }));
const own = (texts: readonly string[]) => ({ environment: "own", answers: answersOf(texts) });
const many = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text} ${at}`);
const seenCount = (text: string) =>
  existsSync(seen)
    ? readFileSync(seen, "utf8")
        .split("\n")
        .filter((line) => line.startsWith(text)).length
    : 0;

function post(body: unknown, token: string | null = secret, signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(`${gym.url}/v1/rewards`, { method: "POST", headers, body: text, signal: signal ?? null });
}

async function verdicts(body: unknown, token = secret): Promise<Verdict[]> {
  const response = await post(body, token);
  expect(response.status).toBe(200);
  return ((await response.json()) as { results: Verdict[] }).results;
}

async function refusal(body: unknown, token: string | null = secret): Promise<string> {
  const response = await post(body, token);
  expect(response.status).not.toBe(200);
  return checkError(await response.json(), response.status).code;
}

const rewardsIn = (results: readonly Verdict[]) => results.map(({ reward, error }) => error?.code ?? reward);

test("a token is required, and errors do not repeat its text", async () => {
  expect(await refusal(own(["4"]), null)).toBe("TOKEN_MISSING");
  expect(await refusal(own(["4"]), "pal_unknown")).toBe("TOKEN_INVALID");
  expect(await rewardsIn(await verdicts(own(["4"])))).toEqual([1]);
  expect(gym.process.stderr).not.toContain(secret);
});

describe("the right answer", () => {
  test.each(["math", "math@python", "sql", "memory", "searchqa"])(
    "is in the rewards of %s only for a token with the expert's right",
    async (environment) => {
      const wrong = { environment, answers: [{ task: { index: 3 }, answer: "none of these" }] };
      const [told] = (await verdicts(wrong, expertSecret)) as [Verdict];
      expect(told).toMatchObject({ reward: 0, expected: expect.anything() });
      const [untold] = (await verdicts(wrong)) as [Verdict];
      expect(untold).toEqual({ reward: 0, info: told.info });
      for (const right of [told.expected].flat()) expect(JSON.stringify(told.info)).not.toContain(right);
    },
  );

  test.each([
    ["math", "submit 1000000007"],
    ["sql", "submit SELECT 'none of these'"],
  ])("is not in the replies and the transcript of an episode of %s", async (environment, action) => {
    const [{ expected }] = (await verdicts(
      { environment, answers: [{ task: { index: 3 }, answer: "-" }] },
      expertSecret,
    )) as [Verdict];
    const json = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const ask = async (path: string, body?: object) => {
      const method = body ? "POST" : "GET";
      const reply = await fetch(gym.url + path, { method, headers: json, ...(body && { body: JSON.stringify(body) }) });
      expect(reply.ok).toBe(true);
      return reply.text();
    };
    const reset = await ask("/v1/episodes", { environment, task: { index: 3 } });
    const { episodeId } = JSON.parse(reset) as { episodeId: string };
    const step = await ask(`/v1/episodes/${episodeId}/step`, { index: 0, action });
    expect(JSON.parse(step)).toMatchObject({ reward: 0, terminated: true });
    const shown = step + (await ask(`/v1/episodes/${episodeId}/transcript`));
    expect(shown).not.toContain(JSON.stringify(expected));
    expect(JSON.parse(step).info).not.toHaveProperty("gold");
    expect(JSON.parse(step).info).not.toHaveProperty("expected");
  });
});

describe("a batch", () => {
  test("a batch of right, wrong and unknown answers is scored in its order", async () => {
    const { answer } = taskOf({ split: "test", index: 5 });
    const answers = [
      { task: { split: "test", index: 5 }, answer: `So \\boxed{${answer}}` },
      { task: { split: "test", index: 5 }, answer: "no idea" },
      { task: { split: "exam", index: 0 }, answer },
      { task: { split: "test", index: 1_000_000 }, answer },
      { task: { split: "test", index: 5 }, answer: "9".repeat(100_000) },
      { task: { split: "test", index: 5 }, answer, steps: 3, tokens: 120 },
    ];
    const results = await verdicts({ environment: "math", answers });
    expect(rewardsIn(results)).toEqual([1, 0, "SPLIT_UNKNOWN", "TASK_OUT_OF_RANGE", "ACTION_TOO_LARGE", 1]);
  });

  test.each(["math", "math@3"])("a batch for %s is answered with the version that scored it", async (environment) => {
    const response = await post({ environment, answers: [] });
    expect(await response.json()).toEqual({ environment: "math@3", results: [] });
  });

  test.each([
    ["ENVIRONMENT_UNKNOWN", { environment: "chess", answers: [] }],
    ["ENVIRONMENT_UNKNOWN", { environment: "math@9", answers: [] }],
    ["VERIFIER_MISSING", { environment: "textcraft", answers: [] }],
    ["OPTION_UNKNOWN", { environment: "math", options: { answers: "many" }, answers: [] }],
    ["OPTION_UNKNOWN", { environment: "math", options: { colour: "red" }, answers: [] }],
    ["REQUEST_INVALID", own(many(4_097, "x"))],
    ["REQUEST_INVALID", { environment: "math", answers: [{ answer: "4" }] }],
    ["REQUEST_INVALID", { environment: "math", answers: [{ task: { index: -1 }, answer: "4" }] }],
    ["REQUEST_INVALID", { environment: "math", answers: [{ task: { index: 0 }, answer: 4 }] }],
    ["REQUEST_INVALID", { environment: "math" }],
    ["REQUEST_MALFORMED", '{"environment": "math", "answers": ['],
  ])("a batch without any scorable answer is refused with %s", async (code, body) => {
    expect(await refusal(body)).toBe(code);
  });

  test("a batch that is too large is refused before its body is sent", async () => {
    const connection = await RawConnection.open(gym.url);
    const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
    connection.request("POST /v1/rewards", { ...headers, "content-length": "5000000" });
    const { status, body } = await connection.reply();
    expect(checkError(JSON.parse(body), status).code).toBe("REQUEST_TOO_LARGE");
  });

  test("a batch of 1,000 answers is scored", async () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => `${at}: ${at % 3 === 0 ? 4 : 5}`);
    expect(rewardsIn(await verdicts(own(texts)))).toEqual(texts.map((_, at) => Number(at % 3 === 0)));
    const answers = texts.map((_, index) => ({
      task: { split: "test", index },
      answer: taskOf({ split: "test", index }).answer,
    }));
    expect(new Set(rewardsIn(await verdicts({ environment: "math", answers })))).toEqual(new Set([1]));
  });

  test("a batch of two answers is scored by two processes at once", async () => {
    expect(rewardsIn(await verdicts(own(["meet 4", "meet 5"])))).toEqual([1, 0]);
  });

  test("a batch fails only for the answer on which the reward function never ends", async () => {
    const results = await verdicts(own(["4", "loop", "5", "4"]));
    expect(rewardsIn(results)).toEqual([1, "SERVICE_FAILED", 0, 1]);
    expect(results[1]?.error?.class).toBe("infrastructure");
  });
});

test("answers in flight are limited over all requests, and a finished one frees its place", async () => {
  const first = verdicts(own(many(20, "slow")));
  await eventually(
    () => seenCount("slow") > 0,
    (begun) => begun,
  );
  const tooMany = own(many(mostInFlight - 10, "x"));
  expect(await refusal(tooMany)).toBe("LIMIT_IN_FLIGHT");
  expect(await first).toHaveLength(20);
  expect(await verdicts(tooMany)).toHaveLength(mostInFlight - 10);
});

describe("a caller that disconnects in the middle of a batch", () => {
  const count = 300;
  const begun = (name: string) =>
    eventually(
      () => seenCount(name),
      (scored) => scored > 2,
    );

  /** The batch frees its places in flight, and no further answer is scored. */
  async function expectDropped(name: string): Promise<void> {
    const status = await eventually(
      async () => (await post(own(many(mostInFlight - 10, "x")))).status,
      (received) => received === 200,
    );
    expect(status).toBe(200);
    const scored = seenCount(name);
    // All answers together take 22 seconds.
    expect(scored).toBeLessThan(count / 2);
    await verdicts(own(many(10, "slow")));
    expect(seenCount(name)).toBe(scored);
  }

  test("a disconnect over HTTP stops the scoring of the rest", async () => {
    const controller = new AbortController();
    const gone = post(own(many(count, "slow http")), secret, controller.signal).catch((error: Error) => error.name);
    await begun("slow http");
    controller.abort();
    expect(await gone).toBe("AbortError");
    await expectDropped("slow http");
  });

  test("a disconnect of a socket stops the scoring of the rest", async () => {
    const socket = await GymSocket.connect(gym.url, { token: secret });
    const asked = socket.request("score", own(many(count, "slow socket"))).catch(() => "gone");
    await begun("slow socket");
    socket.terminate();
    await expectDropped("slow socket");
    expect(await asked).toBe("gone");
  });

  test("a disconnect is not logged as a fault of the gym", () =>
    expect(gym.process.stderr).not.toContain("fault in the gym"));
});

const hasPython = (() => {
  try {
    return execFileSync("python3", ["--version"]).length > 0;
  } catch {
    return false;
  }
})();

test.runIf(hasPython)("a client of ten lines of Python scores a batch", async () => {
  const client = join(root, "test/e2e/rewards-client.py");
  const { answer } = taskOf({ split: "test", index: 0 });
  const { stdout } = await promisify(execFile)("python3", [client, gym.url, secret, answer, "wrong"]);
  expect(JSON.parse(stdout)).toEqual([1, 0]);
});
