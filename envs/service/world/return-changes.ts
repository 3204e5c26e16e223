/** Returns and exchanges of delivered goods. */
import { type ChangeKind, expected } from "./change.js";
import type { Customer, Database } from "./database.js";
import { itemOf, rowOf } from "./database.js";
import { dateOf } from "./days.js";
import { lineOf, orderOf, replaceItem, surcharge, unfit, wrongLine, wrongSwap } from "./order-changes.js";

export const returnFee = 4;
/** Days after the delivery within which a good can be sent back. */
export const windows = { damaged: 90, electronics: 14, other: 30 };
export const reasons = ["damaged", "unwanted"];

/** Returns the last day on which an item of an order can be sent back. */
export function lastDayOf(database: Database, order: string, item: string, reason: string): number {
  const isElectronic = itemOf(database, item)?.product.group === "electronics";
  const days = reason === "damaged" ? windows.damaged : isElectronic ? windows.electronics : windows.other;
  return orderOf(database, order).arrives + days;
}

function tooLate(database: Database, order: string, item: string, reason: string): string | undefined {
  const { status } = orderOf(database, order);
  if (status !== "delivered") return `order ${order} is ${status}, not delivered`;
  const last = lastDayOf(database, order, item, reason);
  return database.today > last ? `the last day for ${item} of ${order} was ${dateOf(last)}` : undefined;
}

function wrongReason(reason = ""): string | undefined {
  return reasons.includes(reason) ? undefined : expected(`one of the reasons ${reasons.join(" and ")}`, reason);
}

/** Checks a payment method of the customer of a record. */
export function wrongMethod(methods: readonly string[], method = ""): string | undefined {
  if (methods.includes(method)) return undefined;
  return expected(`a payment method of the customer (${methods.join(", ")})`, method);
}

function customerOf(database: Database, order: string): Customer {
  return rowOf(database.customers, orderOf(database, order).customer) as Customer;
}

const owner: ChangeKind["owner"] = (database, [order = ""]) => orderOf(database, order).customer;

function feeOf(database: Database, [order = "", , reason]: readonly string[]): number {
  return reason === "damaged" || customerOf(database, order).tier === "gold" ? 0 : returnFee;
}

export const returnChanges: Readonly<Record<string, ChangeKind>> = {
  return_item: {
    parameters: ["order", "item", "reason", "method"],
    wrong: (database, args) =>
      wrongLine(database, args) ??
      wrongReason(args[2]) ??
      wrongMethod(customerOf(database, args[0] as string).methods, args[3]),
    forbidden: (database, [order = "", item = "", reason = ""]) => tooLate(database, order, item, reason),
    cost: feeOf,
    perform(database, args) {
      const [order = "", item = "", reason, method = ""] = args;
      const fee = feeOf(database, args);
      const line = lineOf(database, order, item);
      const amount = (line?.price ?? 0) - fee;
      if (line) line.state = "returned";
      orderOf(database, order).refunds.push({ amount, method });
      orderOf(database, order).fees += fee;
      return `${item} of ${order} is sent back as ${reason}. $${amount} goes to ${method}.`;
    },
    owner,
  },
  exchange_item: {
    parameters: ["order", "item", "new_item", "reason"],
    wrong: (database, args) => wrongSwap(database, args) ?? wrongReason(args[3]),
    forbidden: (database, [order = "", item = "", other = "", reason = ""]) =>
      tooLate(database, order, item, reason) ?? unfit(database, item, other),
    cost: surcharge,
    perform(database, args) {
      const [order = "", item, other = "", reason] = args;
      const extra = replaceItem(database, args);
      const line = lineOf(database, order, other);
      if (line) line.state = "exchanged";
      return `${item} of ${order} is exchanged as ${reason} for ${other}${extra > 0 ? `, for $${extra} more` : ""}.`;
    },
    owner,
  },
};
