/** The shape of service's data files, and the figures and commands in their texts. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { colours, type Good, goods, type Half, type People, people } from "#palestra/envs/service/cases/pools.js";
import { wordings } from "#palestra/envs/service/cases/wordings.js";
import service from "#palestra/envs/service/index.js";
import { tools } from "#palestra/envs/service/tools.js";
import { type Phrases, phrases } from "#palestra/envs/service/user/phrases.js";
import { topics } from "#palestra/envs/service/user/topics.js";
import { type DomainWords, domainWords } from "#palestra/envs/service/words.js";
import { changeFee } from "#palestra/envs/service/world/booking-changes.js";
import { packedFee } from "#palestra/envs/service/world/order-changes.js";
import { returnFee, windows } from "#palestra/envs/service/world/return-changes.js";
import { distinct, sentences, testDataFiles } from "../../support/data-shapes.js";

const halves = <T extends z.ZodType>(shape: T) => z.strictObject({ train: shape, test: shape });
const person = z.strictObject({ first: distinct, last: distinct, streets: distinct, cities: distinct });
const good = z.strictObject({
  short: z.string(),
  nouns: distinct.refine((nouns) => nouns.length > 1),
  group: z.enum(["home", "fashion", "kitchen", "electronics", "outdoor", "office"]),
  variants: distinct.refine((variants) => variants.length >= 4),
  price: z.tuple([z.int().min(10), z.int()]),
}) satisfies z.ZodType<Good>;
const values = [
  "name",
  "email",
  "code",
  "named",
  "thing",
  "value",
  "key",
  "variant",
  "noun",
  "date",
  "time",
  "seat",
  "method",
];
const domain = z.strictObject({ policy: distinct, commands: distinct }) satisfies z.ZodType<DomainWords>;

testDataFiles("envs/service/data", {
  "people.json": [people, halves(person) satisfies z.ZodType<Record<Half, People>>],
  "goods.json": [goods, halves(z.array(good).min(8))],
  "wordings.json": [wordings, z.record(z.string(), sentences(...values))],
  "domains.json": [domainWords, z.strictObject({ orders: domain, refunds: domain, bookings: domain })],
  "phrases.json": [
    phrases,
    z.strictObject({
      moot: z.strictObject(Object.fromEntries(topics.map((topic) => [topic, sentences()]))),
      ...Object.fromEntries(
        ["impatient", "yes", "right", "no", "price", "tooMuch", "insist", "accept", "waiting", "thanks"].map((name) => [
          name,
          sentences(),
        ]),
      ),
      ...Object.fromEntries(["missing", "closing", "puzzled"].map((name) => [name, sentences()])),
    }) as unknown as z.ZodType<Phrases>,
  ],
});

test("each good has three of the common colours, or the customer has no usual colour for it", () => {
  for (const list of Object.values(goods())) {
    const coloured = list.filter(({ variants }) => variants.filter((each) => colours.includes(each)).length >= 3);
    expect(coloured.length).toBeGreaterThanOrEqual(6);
  }
});

test("the policies have the figures by which the changes are judged", () => {
  const { orders, refunds, bookings } = Object.fromEntries(
    Object.entries(domainWords()).map(([name, { policy }]) => [name, policy.join(" ")]),
  ) as Record<string, string>;
  expect(orders).toContain(`for $${packedFee}.`);
  expect(refunds).toContain(
    `within ${windows.other} days after the delivery, electronics within ${windows.electronics} days`,
  );
  expect(refunds).toContain(`damaged goods of any kind within ${windows.damaged} days`);
  expect(refunds).toContain(`A return costs $${returnFee}.`);
  expect(bookings).toContain(`costs $${changeFee} plus`);
});

test("the policy of orders has fewer than 120 words", () => {
  expect(domainWords().orders.policy.join(" ").split(" ").length).toBeLessThan(120);
});

test("the commands of the domains are the tools", () => {
  const named = Object.values(domainWords()).flatMap(({ commands }) => commands.map((each) => each.split(" ")[0]));
  expect([...new Set(named)].sort()).toEqual(tools.map(({ name }) => name).sort());
});

test("the README's episode can be played", () => {
  const page = readFileSync(new URL("../../../envs/service/README.md", import.meta.url), "utf8");
  const [, split = "", index = "", block = ""] =
    /the task `(\w+):(\d+)`, shortened:\n\n```\n([^`]+)```/.exec(page) ?? [];
  const instance = service.create({ now: () => 0 });
  let observation = instance.reset({ task: { split, index: Number(index) }, seed: 0, options: {} }).observation;
  let reward = 0;
  for (const line of block.trimEnd().split("\n")) {
    if (line.startsWith("> ")) ({ observation, reward } = instance.step(line.slice(2)));
    else expect(observation.split("\n")).toContain(line);
  }
  expect(reward).toBe(1);
});
