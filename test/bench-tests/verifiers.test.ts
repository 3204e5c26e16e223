/** A short run of the bench `verifiers`: it scores every answer over HTTP and in this process, and compares the scores. */
import { expect, test } from "vitest";
import { report } from "../bench/report.js";
import { mathVerifier } from "../bench/verifier-answers.js";
import { verifiers } from "../bench/verifiers.js";

test("the bench measures each verifier with both batch sizes, against a bare route and the verifier alone", async () => {
  const { results } = report("verifiers", await verifiers({ rounds: 1, seconds: 0.2 }));
  for (const name of ["math", "own-function", "own-piece", "sql"])
    for (const figure of [
      "batch 1 / bare fastify",
      "batch 256 / bare fastify",
      "batch 1 / direct",
      "batch 256 / direct",
      "batch 256 / batch 1",
    ]) {
      const found = results.find((result) => result.name === `${name}, ${figure}`);
      expect(found?.value, `${name}, ${figure}`).toBeGreaterThan(0);
      expect(found?.ratio, `${name}, ${figure}`).toBeGreaterThan(0);
    }
  const steps = results.filter(({ unit }) => unit === "steps/s" || unit === "queries/s");
  expect(steps.map(({ ratio }) => (ratio as number) > 0)).toEqual([true, true, true]);
  expect(results.find(({ unit }) => unit === "MiB")?.value).toBeGreaterThan(10);
});

test("half of the bench's answers are right", () => {
  const { answers, direct } = mathVerifier();
  const right = answers.filter((_, at) => direct(at) === 1).length;
  expect(right / answers.length).toBeCloseTo(0.5, 1);
});
