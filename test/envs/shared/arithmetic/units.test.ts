/** The shape of the table of units. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { finalAnswer } from "#palestra/envs/shared/arithmetic/final-answer.js";
import { isSameAnswer } from "#palestra/envs/shared/arithmetic/same-answer.js";
import { type UnitTable, unitTable } from "#palestra/envs/shared/arithmetic/units.js";
import { distinct, testDataFiles } from "../../../support/data-shapes.js";

const unit = z.strictObject({
  names: distinct,
  dimension: z.record(z.string(), z.int().positive()),
  factor: z.string().regex(/^\d+(\.\d+)?$/),
});
const table = z.strictObject({
  units: z.array(unit),
  quotients: z.record(z.string(), z.string().regex(/^[a-z1]+\/[a-z]+$/)),
}) satisfies z.ZodType<UnitTable>;

describe("the units of numbers", () => {
  testDataFiles("envs/shared/arithmetic/data", { "units.json": [unitTable, table] });

  test("no two units have the same name", () => {
    const { units, quotients } = unitTable();
    const names = [...units.flatMap((one) => one.names), ...Object.keys(quotients)];
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("a quotient is one of known units", () => {
    const { units, quotients } = unitTable();
    const names = ["1", ...units.flatMap((one) => one.names)];
    const parts = Object.values(quotients).flatMap((quotient) => quotient.split("/"));
    expect(parts.filter((name) => !names.includes(name))).toEqual([]);
  });
});

test.each(["12 constructor", "12 constructor^2", "12 km/constructor"])(
  "%s is read as 12 with any other word is",
  (text) => {
    const isRight = (answer: string) => isSameAnswer("12", finalAnswer(answer));
    expect(isRight(text)).toBe(isRight(text.replace("constructor", "gadget")));
  },
);
