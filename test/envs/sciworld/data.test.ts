/** The shape of ScienceWorld's data files. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type MaterialEntry, materialEntries, materials } from "#palestra/envs/sciworld/facts/matter/materials.js";
import { types } from "#palestra/envs/sciworld/facts/matter/types.js";
import {
  type Book,
  bookTexts,
  type PictureWords,
  pictureWords,
} from "#palestra/envs/sciworld/facts/things/documents.js";
import { Game } from "#palestra/envs/sciworld/game.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { distinct, testDataFiles } from "../../support/data-shapes.js";

const book = z.strictObject({ title: z.string(), author: z.string(), text: z.string() }) satisfies z.ZodType<Book>;

const fraction = z.number().min(0).max(1);
const material = z.strictObject({
  substance: z.string(),
  names: z.tuple([z.string(), z.string(), z.string()]).exactOptional(),
  color: z.string(),
  thermalConductivity: fraction,
  meltingPoint: z.number(),
  boilingPoint: z.number(),
  combustionPoint: z.number().exactOptional(),
  friction: fraction,
  conductsElectricity: z.literal(true).exactOptional(),
  state: z.enum(["liquid", "gas"]).exactOptional(),
  temperature: z.number().exactOptional(),
  burnsFor: z.int().min(0).exactOptional(),
  hasBurned: z.literal(true).exactOptional(),
}) satisfies z.ZodType<MaterialEntry>;

describe("the data of ScienceWorld", () => {
  testDataFiles("envs/sciworld/data", {
    "books.json": [bookTexts, z.array(book)],
    "materials.json": [materialEntries, z.record(z.string(), material)],
    "pictures.json": [
      pictureWords,
      z.strictObject({ kinds: distinct, subjects: distinct, artists: distinct }) satisfies z.ZodType<PictureWords>,
    ],
    "types.json": [types, distinct],
  });

  test("each material melts below its boiling point", () => {
    const wrong = Object.entries(materials()).filter(
      ([, { meltingPoint, boilingPoint }]) => meltingPoint >= boilingPoint,
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  test("a material has the usual facts that its entry leaves out", () => {
    expect(materials().tin).toEqual({
      substance: "tin",
      names: { solid: "tin", liquid: "liquid tin", gas: "gaseous tin" },
      color: "grey",
      thermalConductivity: 1,
      meltingPoint: 232,
      boilingPoint: 2602,
      combustionPoint: 100_000,
      friction: 0.3,
      conductsElectricity: true,
      state: "solid",
      temperature: 10,
      burnsFor: 100,
      hasBurned: false,
    });
  });

  test.each(tasks.filter(({ name }) => /^(inclined-plane|test-conductivity)/.test(name)))(
    "$name has the $variations variations that it states before it reads its things",
    ({ name, variations }) => {
      expect(new Game(name, variations - 1).taskDescription).toMatch(/^Your task is to determine/);
      expect(() => new Game(name, variations)).toThrow(TypeError);
    },
  );
});
