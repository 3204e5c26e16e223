/** The tools that change an order as a whole, or a user. */
import { checkHash, numeric } from "../../python/operations.js";
import { type Model, ToolFailed, type Value } from "../../python/value.js";
import { field, listField, modelsField } from "../records.js";
import type { Database } from "../table.js";
import type { Arguments } from "../toolkit.js";
import { changeBalance } from "./items.js";
import { isGiftCard, isShort, methodOf, orderOf, userOf } from "./lookups.js";
import { address, cancelReasons, orderPayment } from "./models.js";

export function cancelOrder(database: Database, { order_id, reason }: Arguments): Value {
  const order = orderOf(database, order_id as Value);
  if (field(order, "status") !== "pending") throw new ToolFailed("Non-pending order cannot be cancelled");
  checkHash(reason as Value);
  if (!cancelReasons.some((each) => each === reason)) throw new ToolFailed("Invalid reason");
  const history = listField(order, "payment_history");
  const refunds = modelsField(order, "payment_history").map((paid) => {
    const refund = transaction("refund", field(paid, "amount"), field(paid, "payment_method_id"));
    const user = userOf(database, field(order, "user_id"));
    const method = methodOf(database, field(user, "user_id"), field(paid, "payment_method_id"));
    if (isGiftCard(method)) changeBalance(method, Number(numeric(field(paid, "amount"))));
    return refund;
  });
  order.set("status", "cancelled");
  order.set("cancel_reason", reason as Value);
  history.push(...refunds);
  return order;
}

export function modifyAddress(database: Database, args: Arguments): Value {
  const order = pendingOrder(database, args.order_id as Value);
  order.set("address", newAddress(args));
  return order;
}

export function modifyUserAddress(database: Database, args: Arguments): Value {
  const user = userOf(database, args.user_id as Value);
  user.set("address", newAddress(args));
  return user;
}

export function modifyPayment(database: Database, args: Arguments): Value {
  const order = pendingOrder(database, args.order_id as Value);
  const id = args.payment_method_id as Value;
  const owner = field(order, "user_id");
  const method = methodOf(database, owner, id);
  const history = listField(order, "payment_history");
  const [paid, another] = history as Model[];
  if (!paid || another || field(paid, "transaction_type") !== "payment")
    throw new ToolFailed("There should be exactly one payment for a pending order");
  const before = field(paid, "payment_method_id");
  if (before === id) throw new ToolFailed("The new payment method should be different from the current one");
  const amount = field(paid, "amount");
  if (isShort(method, amount)) throw new ToolFailed("Insufficient gift card balance to pay for the order");
  history.push(transaction("payment", amount, id), transaction("refund", amount, before));
  if (isGiftCard(method)) changeBalance(method, -Number(numeric(amount)));
  const old = methodOf(database, owner, before);
  if (isGiftCard(old)) changeBalance(old, Number(numeric(amount)));
  return order;
}

function pendingOrder(database: Database, id: Value): Model {
  const order = orderOf(database, id);
  if (String(field(order, "status")).includes("pending")) return order;
  throw new ToolFailed("Non-pending order cannot be modified");
}

function newAddress(args: Arguments): Model {
  const { address1, address2, city, state, country, zip } = args;
  const fields = { address1, address2, city, state, country, zip } as Record<string, Value>;
  return address.make(new Map(Object.entries(fields)));
}

function transaction(kind: "payment" | "refund", amount: Value, method: Value): Model {
  return orderPayment.make(new Map(Object.entries({ transaction_type: kind, amount, payment_method_id: method })));
}
