/** The shape of the wordings of math's problems, and their use. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { people, wordings } from "#palestra/envs/math/draw.js";
import { taskOf } from "#palestra/envs/math/tasks.js";
import { distinct, testDataFiles } from "../../support/data-shapes.js";

const withPlaceholder = distinct.refine(
  (texts) => texts.every((text) => /\{\w+\}/.test(text)),
  "expected a placeholder in each wording",
);

describe("the wordings of math", () => {
  testDataFiles("envs/math/data", {
    "people.json": [people, distinct],
    "wordings.json": [wordings, z.record(z.string(), withPlaceholder)],
  });

  test("every wording is that of a task", () => {
    const texts = [
      ...Array.from({ length: 3_000 }, (_, index) => taskOf({ split: "train", index }).text),
      ...Array.from({ length: 50 }, (_, index) => taskOf({ split: "easy", index }).text),
    ];
    const unused = Object.values(wordings())
      .flat()
      .filter((wording) => !texts.some((text) => patternOf(wording).test(text)));
    expect(unused).toEqual([]);
  });
});

function patternOf(wording: string): RegExp {
  const parts = wording.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}
