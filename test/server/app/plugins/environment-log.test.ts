/** Errors of an environment, as the callers of the gym and the operator's log show them to its author. */
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildApp } from "#palestra/server/app/app.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import type { ErrorBody } from "#palestra/server/errors.js";
import { authorModule, lineOf } from "../../../support/author-module.js";
import { scratchDir } from "../../../support/gym.js";

type Line = Record<string, unknown> & { msg: string; err?: { stack: string } };

/** Serves a module, and returns the error of the first failing call and the lines of the log. */
async function failureOf(environment: string): Promise<{ error: ErrorBody; lines: Line[] }> {
  const lines: Line[] = [];
  const logStream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const flags = { dataDir: scratchDir(), environments: [environment], hosts: { count: 1 } };
  const app = await buildApp(loadConfig({ env: {}, flags }), { logStream });
  onTestFinished(() => app.close());
  const payload = { environment: "maze", task: { index: 0 } };
  const opened = (await app.inject({ method: "POST", url: "/v1/episodes", payload })).json();
  if (opened.error) return { error: opened.error, lines };
  const url = `/v1/episodes/${opened.episodeId}/step`;
  return {
    error: (await app.inject({ method: "POST", url, payload: { index: 0, action: "right" } })).json().error,
    lines,
  };
}

const fault = "throw new TypeError('no door'); ";

test.each([
  ["step", 'if (action === "right")', "an episode failed"],
  ["reset", "left = task.index + 1;", "an environment failed"],
])(
  "an error in %s names the file and line of the module, without its folder, and the log has the frames",
  async (call, code, msg) => {
    const path = authorModule(code, `${fault}${code}`);
    const { error, lines } = await failureOf(path);
    const place = `maze\\.mjs:${lineOf(code)}:\\d+`;
    const message = `^expected a ${call} result from the environment, but received TypeError: no door \\(${place}\\)$`;
    expect(error).toEqual({ code: "ENVIRONMENT_THREW", class: "environment", message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toContain(dirname(path));
    const line = lines.find(({ environment }) => environment === "maze@1");
    expect(line).toMatchObject({ msg, code: "ENVIRONMENT_THREW", cause: error.message });
    expect(line?.err?.stack).toMatch(new RegExp(`^ {4}at Object\\.${call} \\(${path}:${lineOf(code)}:\\d+\\)$`));
  },
  60_000,
);

test.each(["reset({ task })", "step(action)"])(
  "an async method %s of a synchronous spec is refused with a hint at isAsync",
  async (method) => {
    const { error } = await failureOf(authorModule(method, `async ${method}`));
    const call = method.split("(")[0];
    const message = `expected ${call} to return its result at once, but received a promise. Set \`isAsync: true\` in the spec if the engine needs promises; otherwise remove \`async\` from the method.`;
    expect(error).toEqual({ code: "ENVIRONMENT_RESULT", class: "environment", message });
  },
  60_000,
);

test("an observation of 40 million characters is refused with its size, the limit and a remedy", async () => {
  const code = "observation: view(left), reward";
  const { error } = await failureOf(authorModule(code, "observation: 'x'.repeat(40_000_000), reward"));
  const message = `^expected a result of at most 16,777,216 characters of JSON, but received 40,000,\\d+, of which \`observation\` has 40,000,002\\. Return a shorter one, or raise the setting \`limits.maxReplyLength\` of the gym\\.$`;
  expect(error).toEqual({ code: "ENVIRONMENT_RESULT", class: "environment", message: expect.stringMatching(message) });
}, 60_000);
