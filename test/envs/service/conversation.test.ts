/** The conversation: needless questions, patience, refusals, proposals, and the rules of the policy. */
import { describe, expect, test } from "vitest";
import type { Case } from "#palestra/envs/service/cases/case.js";
import { isOpen, isTooDear, priceOf, refusalOf } from "#palestra/envs/service/cases/outcome.js";
import service from "#palestra/envs/service/index.js";
import { findCase, isSigned, start } from "./find.js";

const isPlain = (one: Case) => isSigned(one) && isOpen(one) && priceOf(one, one.wish) === 0;
const asks = (topic: keyof Case["slots"]) => (one: Case) => isPlain(one) && one.slots[topic]?.known === "asked";

describe("a question", () => {
  test("for what only the customer knows costs nothing", () => {
    const { step, finish } = start(asks("record"));
    const { info } = step("Could you tell me which order you mean?");
    expect(info).toMatchObject({ asked: ["record"], needless: [] });
    expect(finish()).toBe(1);
  });

  test("for it a second time costs a tenth", () => {
    const { step, finish } = start(asks("record"));
    step("Which order do you mean?");
    expect(step("Sorry, which order was it?").info).toMatchObject({ needless: ["record"] });
    expect(finish()).toBe(0.9);
  });

  test.each([
    ["the records tell", "records"],
    ["the first message has told", "told"],
  ] as const)("for an address that %s costs a tenth", (_, known) => {
    const { step, finish, one } = start(
      (each) => isPlain(each) && each.family === "orders-address" && each.slots.target?.known === known,
    );
    const { info, observation } = step("What is the new address?");
    expect(info).toMatchObject({ asked: ["target"], needless: ["target"] });
    expect(observation).toContain(one.slots.target?.value);
    expect(finish()).toBe(0.9);
  });

  test("that changes nothing costs a tenth", () => {
    const { step, finish } = start((one) => isPlain(one) && one.domain === "orders");
    expect(step("May I ask for the reason?").info).toMatchObject({ needless: ["reason"] });
    expect(step("Shall I go ahead?").info).toMatchObject({ needless: ["yes"] });
    expect(finish()).toBe(0.8);
  });

  test("for several things costs only for the needless ones", () => {
    const { step, finish } = start((one) => asks("record")(one) && one.domain === "orders");
    const { info } = step("Which order do you mean, what is your e-mail, and what is the reason?");
    expect(info).toMatchObject({ asked: ["email", "record", "reason"], needless: ["email", "reason"] });
    expect(finish()).toBe(0.8);
  });

  test("never takes the reward below 0", () => {
    const { step, finish } = start(isPlain);
    for (let count = 0; count < 14; count++) step("What is your postcode?");
    expect(finish()).toBe(0);
  });

  test("that proposes the right value is answered with yes, and another with the right value", () => {
    const { step, one } = start((each) => asks("record")(each) && each.domain === "orders");
    const { value = "", choices = [] } = one.slots.record ?? {};
    const other = choices.find((id) => id !== value);
    const no = step(`Do you mean order ${other}?`);
    expect(no.observation).toMatch(/Customer: No/);
    expect(step(`So it is order ${value}, right?`).observation).toMatch(/Customer: Yes/);
  });
});

test("a customer without patience answers needless questions no more, and the others in few words", () => {
  const { step, one } = start((each) => asks("record")(each) && each.domain === "orders");
  for (let count = 0; count <= one.patience; count++) step("What is your postcode?");
  expect(step("What is your postcode?").observation).toMatch(/repeat myself|your records|matter|too much/);
  expect(step("Which order do you mean?").observation).toBe(`Customer: ${one.slots.record?.curt}`);
});

describe("a change that costs", () => {
  const costs = (accepts: boolean) => (one: Case) =>
    isSigned(one) && refusalOf(one) === undefined && priceOf(one, one.wish) > 0 && isTooDear(one) !== accepts;

  test("needs a yes to its price, before which the customer asks what it costs", () => {
    const { step, one, until, finish } = start(costs(true));
    const change = until((action) => action.includes("Shall I")) && one.wish.change?.kind;
    expect(step("Shall I go ahead?").observation).toMatch(/cost|much|price/);
    expect(step(`It is $${priceOf(one, one.wish)}. Is that okay?`).info.needless).toEqual([]);
    expect(until((action) => action.startsWith(change as string))).toContain(change);
    expect(finish()).toBe(1);
  });

  test("breaks the policy without a yes", () => {
    const { step, until, service: instance, one } = start(costs(true));
    until((action) => action.includes("Shall I"));
    step([one.wish.change?.kind, ...(one.wish.change?.args ?? [])].join(" "));
    const { reward, info } = step("end_conversation");
    expect(reward).toBe(0);
    expect(info.faults).toContainEqual(expect.stringMatching(/without a yes to the cost of \$\d+/));
    expect(instance.conduct.changes).toHaveLength(1);
  });

  test("is declined by a customer who finds it too dear, and then nothing is changed", () => {
    const { step, one, until, finish } = start((each) => costs(false)(each) && each.fallback.change === undefined);
    until((action) => action.includes("Shall I"));
    expect(step(`That would be $${priceOf(one, one.wish)}. Do you agree?`).observation).toContain(one.fallback.say);
    expect(finish()).toBe(1);
  });

  test("is declined for a wrong order", () => {
    const { step, one } = start(
      (each) => asks("record")(each) === false && costs(true)(each) && (each.slots.record?.not.length ?? 0) > 0,
    );
    const wrong = one.slots.record?.choices.find((id) => id !== one.slots.record?.value);
    expect(step(`Shall I change order ${wrong} for $${priceOf(one, one.wish)}?`).observation).toMatch(/Customer: No/);
  });
});

describe("a refusal", () => {
  test("of what the policy allows makes the customer insist", () => {
    const { step, one } = start(isPlain);
    expect(step("I'm sorry, that is not possible.").observation).toContain(one.wish.say);
  });

  test("of what the policy forbids brings up what the customer wants instead", () => {
    const { step, one, finish } = start(
      (each) => isSigned(each) && refusalOf(each) !== undefined && each.fallback.change !== undefined,
    );
    expect(step("Unfortunately, we cannot do that.").observation).toContain(one.fallback.say);
    expect(finish()).toBe(1);
  });

  test("needs the evidence: without a look at the record it counts nothing", () => {
    const { step, one } = start(
      (each) => isSigned(each) && each.family === "orders-blocked" && each.fallback.change === undefined,
    );
    expect(step("Unfortunately, we cannot do that.").observation).toContain(one.facts[0]?.ask);
    const { reward, info } = step("end_conversation");
    expect(reward).toBe(0);
    expect(info.faults).toEqual([
      expect.stringContaining("did not tell the day of the delivery"),
      `did not look up ${one.evidence[0]}`,
    ]);
  });
});

describe("the identity", () => {
  const isUnknown = (one: Case) => isOpen(one) && !one.isImpostor && one.slots.postcode?.known === "asked";

  test("must be checked before a change", () => {
    const { step, one } = start((each) => isUnknown(each) && priceOf(each, each.wish) === 0);
    step([one.wish.change?.kind, ...(one.wish.change?.args ?? [])].join(" "));
    const { reward, info } = step("end_conversation");
    expect(reward).toBe(0);
    expect(info.faults).toContainEqual(expect.stringContaining("before the identity was checked"));
  });

  test("must be checked before private data are told", () => {
    const { step, one, finish } = start((each) => isUnknown(each) && each.domain === "orders");
    step(`You live at ${one.database.customers[one.customer]?.addresses.home}, and you pay by card.`);
    expect(finish()).toBe(0);
  });

  test("of a customer who mistypes the postcode is checked at the second try", () => {
    const { finish, service: instance } = start(
      (each) => !each.isImpostor && each.slots.postcode?.answers.length === 2,
    );
    expect(finish()).toBe(1);
    expect(instance.conduct.failures).toBe(1);
  });

  test("of somebody else cannot be checked, so that the conversation is handed over after two postcodes", () => {
    const first = start(({ isImpostor }) => isImpostor);
    expect(first.finish()).toBe(1);
    expect(first.service.conduct).toMatchObject({ ending: "hand over", failures: 2 });
    const early = start(({ isImpostor }) => isImpostor);
    const { info } = early.step("hand_over");
    expect(info.faults).toEqual(["handed over before two wrong postcodes"]);
  });

  test("of two customers with one name is clear by the e-mail", () => {
    const { step, one } = start((each) => each.isNamesake && each.introduction === "name");
    const { name = "", email = "" } = one.database.customers[one.customer] ?? {};
    expect(step(`find_customer ${name}`).observation).toMatch(/^2 customers: /);
    expect(step("What is your e-mail address?").info).toMatchObject({ asked: ["email"], needless: [] });
    expect(step(`find_customer ${email.toUpperCase()}`).observation).toContain(`${one.customer} ${name}`);
  });
});

describe("a fact that the customer asks for", () => {
  const hasFact = (one: Case) => isPlain(one) && one.facts.length > 0 && !one.asksLate;

  test("must be told", () => {
    const { step, until, one } = start(hasFact);
    until((action) => action.startsWith("say It is done"));
    expect(step("It is done, your wish has been processed.").observation).toContain(one.facts[0]?.ask);
    const { reward, info } = step("end_conversation");
    expect(reward).toBe(0);
    expect(info.faults).toEqual([expect.stringMatching(/^did not tell the /)]);
  });

  test("is asked for again if the agent asks whether there is anything else", () => {
    const { step, until, one } = start(hasFact);
    until((action) => action.startsWith("say It is done"));
    expect(step("Is there anything else?").observation).toContain(one.facts[0]?.ask);
  });
});

test("the wrong order is named in the verdict", () => {
  const {
    step,
    one,
    service: instance,
    until,
  } = start(
    (each) => isPlain(each) && each.family === "orders-address" && (each.slots.record?.choices.length ?? 0) > 1,
  );
  until((action) => action.startsWith("change_address"));
  const wrong = one.slots.record?.choices.find((id) => id !== one.slots.record?.value);
  step(`change_address ${wrong} ${one.wish.change?.args[1]}`);
  const result = step("end_conversation");
  const end = { solved: false, return: 0, steps: 3, action: "end_conversation", result };
  expect(service.verdict?.(instance, end)).toMatchObject({
    why: expect.stringContaining(`the wrong order ${wrong} instead of ${one.slots.record?.value}`),
    expected: [["change_address", ...(one.wish.change?.args ?? [])].join(" "), "end_conversation"],
  });
});

test("the seed chooses the wording of the customer alone", () => {
  const replies = [0, 1, 2, 3].map((seed) => start(isPlain, seed).step("I have done it.").observation);
  expect(new Set(replies).size).toBeGreaterThan(1);
  expect(new Set([0, 1, 2, 3].map((seed) => start(isPlain, seed).observation)).size).toBe(1);
});

test("a clone goes on alone", () => {
  const { service: instance, until } = start(isPlain);
  until((action) => action === "end_conversation");
  const copy = instance.clone();
  copy.step("What is the reason?");
  expect(copy.step("end_conversation").reward).toBeLessThan(1);
  expect(instance.step("end_conversation").reward).toBe(1);
});

test("each of the ways to introduce oneself occurs", () => {
  for (const introduction of ["signed in", "name", "email", "nothing"])
    expect(findCase((one) => one.introduction === introduction).index).toBeLessThan(300);
});
