/** A run whose backend loses the weights goes back to its checkpoint, and ends if it gets no further. */
import { expect, test } from "vitest";
import { BackendLost } from "#palestra/trainer/backends/backend.js";
import { goingBack } from "#palestra/trainer/run/going-back.js";
import { tinySettings } from "../support/training.js";

const settings = tinySettings("run", { resume: false });
const never = new AbortController().signal;

/** Runs attempts that reach the given train steps and then lose the weights; the one after them ends. */
async function runOf(steps: readonly number[], signal = never) {
  const lines: string[] = [];
  const resumes: boolean[] = [];
  const result = await goingBack(
    settings,
    async ({ resume }, reached) => {
      resumes.push(resume);
      const step = steps[resumes.length - 1];
      if (step === undefined) return "done";
      reached.trainStep = step;
      throw new BackendLost("The server lost the model.");
    },
    (line) => lines.push(line),
    signal,
  ).catch((error: BackendLost) => error.code);
  return { result, lines, resumes };
}

test("each attempt after the first resumes, also in a run that was started afresh", async () => {
  const { result, lines, resumes } = await runOf([0, 3]);
  expect(result).toBe("done");
  expect(resumes).toEqual([false, true, true]);
  expect(lines).toEqual(Array(2).fill("The server lost the model. The run goes back to its newest checkpoint."));
});

test("a run that gets no further ends after five returns, and one that does goes on", async () => {
  expect(await runOf([2, 2, 2, 2, 2, 2, 2])).toMatchObject({ result: "BACKEND_LOST", resumes: { length: 6 } });
  expect(await runOf([2, 2, 2, 2, 3, 3, 3, 3, 4])).toMatchObject({ result: "done" });
});

test("a run that was stopped does not go back", async () => {
  const stopped = new AbortController();
  stopped.abort();
  expect(await runOf([1], stopped.signal)).toMatchObject({ result: "BACKEND_LOST", resumes: { length: 1 } });
});

test("another error ends the run", async () => {
  const failing = goingBack(
    settings,
    () => Promise.reject(new TypeError("a bug")),
    () => {},
    never,
  );
  await expect(failing).rejects.toThrow("a bug");
});
