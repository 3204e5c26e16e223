/** The structs of engine.h, the tables of TypeScript and the conversions of the addon name the same fields. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as structs from "#palestra/native/addon/structs.js";
import { rawInputs, rawLoss } from "#palestra/native/api/loss.js";
import { readConfig } from "#palestra/native/format/hf-config.js";
import { configs } from "./tiny-models.js";

const sourceOf = (path: string) => readFileSync(new URL(`../../native/${path}`, import.meta.url), "utf8");
const header = sourceOf("engine.h").replace(/\/\*[\s\S]*?\*\//g, "");

/** Returns one declaration per field of a struct, in the order of the header: `const float* weight`. */
function fieldsOf(struct: string): string[] {
  const [, body] = new RegExp(`typedef struct {([^}]*)} ${struct};`).exec(header) ?? [];
  if (body === undefined) throw new Error(`expected struct ${struct} in engine.h, but found none`);
  return body
    .split(";")
    .map((declaration) => declaration.trim().replace(/\s+/g, " "))
    .filter((declaration) => declaration !== "")
    .flatMap((declaration) => {
      const [, base = "", names = ""] = /^((?:const )?\w+\*?) (.*)$/.exec(declaration) ?? [];
      return names
        .split(",")
        .map((name) => name.trim())
        .map((name) => (name.startsWith("*") ? `${base}* ${name.slice(1)}` : `${base} ${name}`));
    });
}

/** Returns the property that a conversion of the addon reads or sets for each C field, as `[C field, property]`. */
function conversionsOf(file: string, variable: string): [string, string][] {
  const text = sourceOf(`addon/${file}`);
  const reads = text.matchAll(new RegExp(`\\b${variable}\\.(\\w+) = [^;]*?"(\\w+)"`, "g"));
  const writes = text.matchAll(new RegExp(`\\.set\\("(\\w+)", (?:static_cast<double>\\()?${variable}\\.(\\w+)`, "g"));
  return [
    ...Array.from(reads, ([, field = "", property = ""]): [string, string] => [field, property]),
    ...Array.from(writes, ([, property = "", field = ""]): [string, string] => [field, property]),
  ];
}

const rows: [struct: string, table: Record<string, string>, file: string, variable: string][] = [
  ["palestra_model_config", structs.modelConfigFields, "model.cc", "config"],
  ["palestra_trainer_options", structs.trainerOptionFields, "trainer.cc", "options"],
  ["palestra_loss", structs.lossFields, "trainer.cc", "loss"],
  ["palestra_loss_inputs", structs.lossInputFields, "trainer.cc", "inputs"],
  ["palestra_loss_statistics", structs.lossStatisticFields, "trainer.cc", "s"],
  ["palestra_adamw", structs.adamWFields, "trainer.cc", "rule"],
  ["palestra_generator_options", structs.generatorOptionFields, "generator.cc", "options"],
  ["palestra_generator_statistics", structs.generatorStatisticFields, "generator.cc", "s"],
];

test.each(rows)("%s has the fields of its table, with the same types in the same order", (struct, table) => {
  expect(fieldsOf(struct)).toEqual(Object.values(table));
});

test.each(rows)("%s is converted by the addon field by field", (_, table, file, variable) => {
  const expected = Object.entries(table).map(([property, declaration]) => [declaration.split(" ").at(-1), property]);
  expect(conversionsOf(file, variable)).toEqual(expected);
});

test("a loss is passed to the addon with every field of its table and no other", () => {
  const sorted = (object: object) => Object.keys(object).sort();
  expect(sorted(rawLoss({ policy: "ppo" }))).toEqual(sorted(structs.lossFields));
  expect(sorted(rawInputs({}, 1))).toEqual(sorted(structs.lossInputFields));
});

test("a model's configuration is passed to the addon with every field of its table and no other", () => {
  expect(Object.keys(readConfig(configs.llama)).sort()).toEqual(Object.keys(structs.modelConfigFields).sort());
});
