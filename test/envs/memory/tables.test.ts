/** The shape of memory's data files, and the placeholders of their sentences. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Attribute, attributes } from "#palestra/envs/memory/tables/attributes.js";
import { type Choice, choices } from "#palestra/envs/memory/tables/choices.js";
import { type EventKind, type EventKinds, eventKinds } from "#palestra/envs/memory/tables/events.js";
import { type Fact, facts } from "#palestra/envs/memory/tables/facts.js";
import { type Occasion, occasions } from "#palestra/envs/memory/tables/occasions.js";
import { type SmallTalk, smallTalk } from "#palestra/envs/memory/tables/small-talk.js";
import { type Talk, talks } from "#palestra/envs/memory/tables/talks.js";
import { type PeopleWords, peopleWords } from "#palestra/envs/memory/world/people.js";
import { distinct, sentence, sentences, testDataFiles } from "../../support/data-shapes.js";

const attribute = z.strictObject({
  topic: z.string(),
  title: z.string(),
  values: distinct,
  first: sentences("v", "a v"),
  change: sentences("v", "a v", "old", "a old"),
  correct: sentences("v", "a v", "wrong", "a wrong"),
  idea: sentences("v", "a v"),
  other: sentences("v", "a v", "who").exactOptional(),
  now: sentences(),
  at: sentences("date"),
  otherNow: sentences("who").exactOptional(),
  replies: sentences("v", "a v"),
  falls: z.boolean().exactOptional(),
}) satisfies z.ZodType<Attribute>;

const choice = z.strictObject({
  topic: z.string(),
  title: z.string(),
  ask: sentences(),
  names: distinct,
  neutral: distinct,
  limits: z.array(
    z.strictObject({
      id: z.string(),
      say: sentences(),
      lift: sentences(),
      other: sentence("who"),
      features: distinct,
    }),
  ),
  replies: sentences(),
}) satisfies z.ZodType<Choice>;

const eventKind = z.strictObject({
  topic: z.string(),
  title: z.string(),
  items: distinct,
  did: sentences("x", "amount"),
  again: sentences("x"),
  miss: sentences("x", "amount"),
  ask: sentences(),
  askOrder: sentences().exactOptional(),
  askPlace: sentences("place").exactOptional(),
  replies: sentences(),
}) satisfies z.ZodType<EventKind>;

const fact = z.strictObject({
  topic: z.string(),
  title: z.string(),
  values: distinct,
  say: sentences("v"),
  ask: sentences(),
  replies: sentences(),
}) satisfies z.ZodType<Fact>;

const occasion = z.strictObject({
  topic: z.string(),
  title: z.string(),
  values: distinct,
  own: sentences("x"),
  assistant: sentences("x"),
  third: sentences("x", "who"),
  close: sentences(),
}) satisfies z.ZodType<Occasion>;

const pairs = z.array(z.tuple([z.string().min(1), z.string().min(1)])).min(1);
const talk = z.strictObject({
  ask: sentences("x"),
  answer: sentences("y"),
  pairs,
  more: pairs,
}) satisfies z.ZodType<Talk>;

const names = z.strictObject({ women: distinct, men: distinct });

describe("the tables of memory", () => {
  testDataFiles("envs/memory/data", {
    "attributes.json": [attributes, z.array(attribute)],
    "choices.json": [choices, z.array(choice)],
    "events.json": [
      eventKinds,
      z.strictObject({ counted: z.array(eventKind), paid: z.array(eventKind) }) satisfies z.ZodType<EventKinds>,
    ],
    "facts.json": [facts, z.array(fact)],
    "occasions.json": [occasions, z.array(occasion)],
    "people.json": [
      peopleWords,
      z.strictObject({
        names: z.strictObject({ train: names, dev: names, test: names }),
        roles: z.strictObject({ women: distinct, men: distinct, all: distinct }),
      }) satisfies z.ZodType<PeopleWords>,
    ],
    "small-talk.json": [
      smallTalk,
      z.strictObject({
        greetings: sentences(),
        transitions: sentences(),
        thanks: pairs,
        corrections: sentences(),
        musings: sentences(),
        courtesies: sentences("name"),
        nods: sentences(),
      }) satisfies z.ZodType<SmallTalk>,
    ],
    "talks.json": [talks, z.array(talk)],
  });

  test("no two subjects have the same topic", () => {
    const { counted, paid } = eventKinds();
    const subjects = [...attributes(), ...choices(), ...counted, ...paid, ...facts(), ...occasions()];
    expect(new Set(subjects.map(({ topic }) => topic)).size).toBe(subjects.length);
  });

  test("no first name is in two splits", () => {
    const all = Object.values(peopleWords().names).flatMap(({ women, men }) => [...women, ...men]);
    expect(new Set(all).size).toBe(all.length);
  });
});
