/** The frames of an environment's own code in the stack of an error that it threw. */
import { describe, expect, test } from "vitest";
import { traceOf } from "#palestra/envs/contract/trace.js";
import { Registry } from "#palestra/envs/registry.js";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import { authorModule, lineOf } from "../support/author-module.js";
import { root } from "../support/server-process.js";

function withStack(...frames: string[]): Error {
  return Object.assign(new Error("broken"), {
    stack: `Error: broken\n${frames.map((at) => `    at ${at}`).join("\n")}`,
  });
}

describe("the trace of an error from an environment", () => {
  test("has its own frames with file and line, and ends where the gym called it", async () => {
    const path = authorModule("return `You", "return left.steps.many; `You");
    const spec = (await Registry.load([path], "added")).get("maze");
    if (spec.isAsync) throw new Error("expected a synchronous environment");
    const environment = createWrapped(spec, { now: Date.now });
    let thrown: unknown;
    try {
      environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} });
    } catch (error) {
      thrown = error;
    }
    const { place, frames } = traceOf(thrown);
    expect(place).toMatch(new RegExp(`^maze\\.mjs:${lineOf("return `You")}:\\d+$`));
    expect(frames.split("\n")).toEqual([
      expect.stringMatching(`^ {4}at view \\(${path}:${lineOf("return `You")}:\\d+\\)$`),
      expect.stringMatching(`^ {4}at Object\\.reset \\(${path}:${lineOf("return { observation: view")}:\\d+\\)$`),
    ]);
  });

  test("names a file of the gym by its path in the repository", () => {
    const error = withStack(
      `Object.step (${root}envs/textcraft/env.ts:40)`,
      `SyncLoop.step (${root}server/hosts/sync/sync-loop.ts:90)`,
    );
    expect(traceOf(error)).toEqual({
      place: "envs/textcraft/env.ts:40",
      frames: `    at Object.step (${root}envs/textcraft/env.ts:40)`,
    });
  });

  test("places an error of a package at the line that called the package", () => {
    const error = withStack(
      "JSON.parse (<anonymous>)",
      "parse (file:///srv/maze/node_modules/rules/index.js:7:3)",
      "async Promise.all (index 0)",
      "async Object.step (file:///srv/maze/a%20(new)/maze.js:12:5)",
      `SyncLoop.step (${root}server/hosts/sync/sync-loop.ts:90)`,
    );
    const { place, frames } = traceOf(error);
    expect(place).toBe("maze.js:12:5");
    expect(frames.split("\n")).toHaveLength(2);
    expect(frames).toContain("at async Object.step (/srv/maze/a (new)/maze.js:12:5)");
  });
});

test("an error of the gym, a thrown text and an unreadable error have no trace", () => {
  const own = withStack(`play (${root}server/program/handlers/play.ts:7)`);
  const sealed = Object.defineProperty(new Error("sealed"), "stack", {
    get() {
      throw new Error("unreadable");
    },
  });
  for (const thrown of [own, "text", null, sealed, Object.assign(new Error("broken"), { stack: 5 })])
    expect(traceOf(thrown)).toEqual({ frames: "" });
});
