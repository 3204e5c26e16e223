/** Actions are commands in several forms, and all other text goes to the customer. */
import { describe, expect, test } from "vitest";
import { readAction } from "#palestra/envs/service/actions.js";
import { start } from "./find.js";

const lookUp = { kind: "command", name: "look_up", args: ["A310"] };

test.each([
  "look_up A310",
  "  look_up a310  ",
  "look_up(A310)",
  'look_up("A310")',
  "look_up(id=A310)",
  "look_up: A310",
  "`look_up A310`",
  "> look_up A310",
  "Action: look_up A310",
  "I will read the order first.\nlook_up A310",
  "look_up A310\nlook_up A311",
])("%j looks up the order", (text) => {
  expect(readAction(text)).toEqual(lookUp);
});

test.each([
  ["change_address A310 12 Mill Road, Graz", ["A310", "12 Mill Road, Graz"]],
  ["change_address A310 to 12 Mill Road, Graz", ["A310", "12 Mill Road, Graz"]],
  ['change_address(A310, "12 Mill Road, Graz")', ["A310", "12 Mill Road, Graz"]],
  ["change_address A310", ["A310", ""]],
  ["swap_item A310 Desk-Lamp-Oak, desk-lamp-white", ["A310", "desk-lamp-oak", "desk-lamp-white"]],
  ["compensate B310 $24 voucher", ["B310", "24", "voucher"]],
  ["hand_over", []],
])("%j has the arguments %j", (text, args) => {
  expect(readAction(text)).toMatchObject({ kind: "command", args });
});

test.each([
  ["say Hello, how are you?", "Hello, how are you?"],
  ['say "Hello."', "Hello."],
  ["say: Hello.\nBye.", "Hello.\nBye."],
  ["Hello, how are you?", "Hello, how are you?"],
  ["Cancel order A310?", "Cancel order A310?"],
  ["I cancel the order for you.", "I cancel the order for you."],
])("%j says %j", (text, message) => {
  expect(readAction(text)).toEqual({ kind: "say", message });
});

describe("a wrong action", () => {
  test.each([
    ["", "but received nothing"],
    ["get_order A310", "but received get_order"],
  ])("%j names the commands", (text, received) => {
    const { step } = start(({ domain }) => domain === "orders");
    const { observation, info } = step(text);
    expect(observation).toMatch(/^Error: expected a message or one of the commands find_customer, .*change_address/);
    expect(observation).toContain(received);
    expect(observation).not.toContain("change_trip");
    expect(info).toEqual({ action: "invalid" });
  });

  test.each([
    ["cancel_order A1", "Error: expected the id of an order, such as A310, but received A1."],
    ["cancel_order", "Error: expected the id of an order, such as A310, but received nothing."],
    ["look_up A1", 'Error: expected the id of a record, such as A310, but received "A1".'],
    ["verify_customer X 1", 'Error: expected the id of a record, such as A310, but received "x".'],
    ["upgrade_booking B1 aisle", "Error: expected the id of a booking, such as B310, but received B1."],
    ["find_customer Nobody", 'No customer has the name or e-mail "Nobody". Use the full name or the e-mail.'],
  ])("%j says what was expected", (text, observation) => {
    expect(start(({ domain }) => domain === "orders").step(text).observation).toBe(observation);
  });

  test("costs nothing", () => {
    const { step, finish } = start(({ domain, isImpostor }) => domain === "orders" && !isImpostor);
    for (const action of ["", "cancel_order A1", "find_customer Nobody", "look_up constructor"]) step(action);
    expect(finish()).toBe(1);
  });

  test("names the items of the order", () => {
    const { step, one } = start(({ domain }) => domain === "refunds");
    const id = one.evidence[0] as string;
    const items = one.database.orders[id]?.lines.map(({ item }) => item).join(", ");
    expect(step(`return_item ${id} hat damaged card-1`).observation).toBe(
      `Error: expected an item of ${id} (${items}) but received hat.`,
    );
  });
});
