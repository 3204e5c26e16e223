/** Problems about the orders of the agent's customer account. */
import { stop } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { money, monthName, number9 } from "../../sites/shop/format.js";
import type { Order } from "../../sites/shop/records.js";
import { shopBase } from "../../sites/shop/tables.js";
import type { Problem } from "../common/template.js";
import { emmasOrders, nounOf, openOrder, toHistory } from "./base.js";

export function monthSpending(random: Random): Problem | undefined {
  const month = monthName(random.choice(emmasOrders()).at);
  const all = emmasOrders().filter(({ at }) => monthName(at) === month);
  const kept = all.filter(({ status }) => status === "complete");
  if (kept.length < 2) return undefined;
  const sum = (orders: readonly Order[], by: (order: Order) => number) => money(orders.reduce((n, o) => n + by(o), 0));
  const answer = sum(kept, ({ total }) => total);
  const look = toHistory(all.at(-1) as Order);
  return {
    slots: { month },
    evaluation: { reference_answers: { exact_match: answer } },
    plan: [...look, stop(answer)],
    nearMisses: {
      "one order is forgotten": [...look, stop(sum(kept.slice(1), ({ total }) => total))],
      "without shipping and tax": [...look, stop(sum(kept, ({ subtotal }) => subtotal))],
      "no answer": [...look, stop()],
    },
  };
}

export function chosenOption(random: Random): Problem | undefined {
  const order = random.choice(emmasOrders());
  const item = random.choice(order.items);
  const [option] = item.chosen;
  if (!option) return undefined;
  const month = monthName(order.at);
  const [noun, kind] = [nounOf(item.product), option.label.toLowerCase()];
  const alike = emmasOrders().filter(
    (one) => monthName(one.at) === month && one.items.some(({ product }) => nounOf(product) === noun),
  );
  if (alike.length > 1) return undefined;
  const variants = [...shopBase().products.values()].filter(
    ({ parent }) => parent === shopBase().products.get(item.product)?.parent,
  );
  const others = variants.flatMap(({ chosen }) => chosen[0]?.value ?? []).filter((value) => value !== option.value);
  const look = openOrder(order);
  return {
    slots: { kind, noun, month },
    evaluation: { reference_answers: { exact_match: option.value } },
    plan: [...look, stop(option.value)],
    nearMisses: {
      "another value of the same product": [...look, stop(random.choice(others))],
      "the name of the option": [...look, stop(option.label)],
    },
  };
}

const places = ["most recent", "second most recent", "third most recent"] as const;

export function nthOrder(random: Random): Problem | undefined {
  const status = random.choice(["complete", "canceled"] as const);
  const at = random.integers(0, places.length);
  const all = emmasOrders().filter((order) => order.status === status);
  const [order, other] = [all[at], all[at + 1]];
  if (!order || !other) return undefined;
  const look = openOrder(order);
  const answer = money(order.total);
  return {
    slots: { place: places[at] as string, status: status === "complete" ? "completed" : "canceled" },
    evaluation: { reference_answers: { exact_match: `${number9(order.id)}, ${answer}` } },
    plan: [...look, stop(`${number9(order.id)}, ${answer}`)],
    nearMisses: {
      "the next order of its kind": [...look, stop(`${number9(other.id)}, ${money(other.total)}`)],
      "the number alone": [...look, stop(number9(order.id))],
    },
  };
}

export function lastBought(random: Random): Problem | undefined {
  const item = random.choice(random.choice(emmasOrders()).items);
  const noun = nounOf(item.product);
  const all = emmasOrders().filter(({ items }) => items.some(({ product }) => nounOf(product) === noun));
  const [latest] = all;
  if (!latest) return undefined;
  const other = emmasOrders().find(({ id, method }) => id !== latest.id && method !== latest.method);
  const look = openOrder(latest);
  return {
    slots: { noun },
    evaluation: { reference_answers: { exact_match: `${number9(latest.id)}, ${latest.method}` } },
    plan: [...look, stop(`${number9(latest.id)}, ${latest.method}`)],
    nearMisses: {
      "another shipping method": [...look, stop(`${number9(latest.id)}, ${other?.method ?? "Free Shipping"}`)],
      "another order": [...look, stop(`${number9(other?.id ?? 1)}, ${latest.method}`)],
    },
  };
}
