/** Errors are recognised by their name. */
import { expect, test } from "vitest";
import { ServiceFailed } from "#palestra/envs/errors.js";
import { ProcessLost } from "#palestra/envs/shared/processes/answer-process.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";

test("an error of another copy of the class is recognised by its name", () => {
  const copy = (name: string) => Object.assign(new Error("of another copy"), { name });
  expect(copy("ServiceFailed")).toBeInstanceOf(ServiceFailed);
  expect(copy("SandboxError")).toBeInstanceOf(SandboxError);
  expect(copy("Error")).not.toBeInstanceOf(ServiceFailed);
  expect(copy("ServiceFailed")).not.toBeInstanceOf(SandboxError);
});

test("a subclass is distinguished from its class", () => {
  const lost = new ProcessLost("a process that runs", "its end");
  expect(lost).toBeInstanceOf(ServiceFailed);
  expect(lost).toBeInstanceOf(ProcessLost);
  expect(new ServiceFailed("an answer", "none")).not.toBeInstanceOf(ProcessLost);
});
